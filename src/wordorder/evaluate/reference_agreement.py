"""How far reference orders agree: those of several annotators, or of manual and automatic links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wordorder.arrays import Doubles, Ints
from wordorder.core.orders import Words
from wordorder.core.permutation import Permutation
from wordorder.engine.compare import Result
from wordorder.evaluate.columns import ComparisonSettings, measured
from wordorder.evaluate.variants import OrderScore, Variant


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """Two references of the same sentences: what both of them rank, and the scores of one by the other."""

    variant: str
    references: tuple[str, str]
    sentences: int
    words: int
    scores: dict[str, Result]


def reference_agreement(
    variant: Variant,
    references: Sequence[tuple[str, Sequence[Ints | None]]],
    scores: Sequence[OrderScore],
    settings: ComparisonSettings,
    *,
    words: Words | None = None,
) -> list[ReferenceAgreement]:
    """Score all pairs of references, given by name and ranks, by the scores of a variant.

    Each of the two is scored as if it was the order of a system, and the other is the reference; statistics
    of both directions are added. Only words and sentences that both references rank are compared; scores are
    NaN if there are none. Words of equal rank stand in the order that suits the other reference.
    """
    found = []
    for (one, first), (other, second) in combinations(references, 2):
        pairs = [_ranked_by_both(a, b) for a, b in zip(first, second, strict=True)]
        directions = []
        for k in (0, 1):
            ranks = [None if pair is None else pair[k] for pair in pairs]
            directions.append(variant.rows(ranks, [_order(pair, k) for pair in pairs], scores, words))
        rows: list[Doubles] = [a + b for a, b in zip(*directions, strict=True)]
        both = [pair[0] for pair in pairs if pair is not None]
        values = {s.name: (part, s.scores) for s, part in zip(scores, rows, strict=True)}
        found.append(
            ReferenceAgreement(
                variant.spec,
                (one, other),
                len(both),
                int(sum((rank >= 0).sum() for rank in both)),
                measured(values, settings) if both else {name: Result(math.nan) for name in values},
            )
        )
    return found


def _ranked_by_both(first: Ints | None, second: Ints | None) -> tuple[Ints, Ints] | None:
    """Return the ranks of the words that both references rank, -1 for the others."""
    if first is None or second is None:
        return None
    both = (first >= 0) & (second >= 0)
    if not both.any():
        return None
    return _dense(np.where(both, first, -1)), _dense(np.where(both, second, -1))


def _dense(ranks: Ints) -> Ints:
    """Number ranks without gaps, from 0; -1 stays."""
    there = ranks >= 0
    dense = np.full(len(ranks), -1, dtype=np.int32)
    dense[there] = np.unique(ranks[there], return_inverse=True)[1]
    return dense


def _order(pair: tuple[Ints, Ints] | None, reference: int) -> Permutation:
    """Return the order of the other reference; its groups are sorted by the ranks of this one."""
    if pair is None:  # not compared
        return Permutation.identity(0)
    mine, theirs = pair[1 - reference], pair[reference]
    return Permutation.from_order(np.lexsort((theirs, mine)))
