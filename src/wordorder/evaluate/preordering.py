"""Scores of preorderers beside leaving the words where they are, with intervals and paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_type_hints

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import read_settings, split_spec
from wordorder.core.resample import Interval, bootstrap_sums, interval, p_value
from wordorder.errors import BadSetting, InvalidPermutation, WordOrderError
from wordorder.evaluate.talbot import Talbot
from wordorder.evaluate.variants import VARIANTS, Variant

IDENTITY = "identity"  # always the first system


@dataclass(frozen=True, slots=True)
class Cell:
    """One score of one system."""

    score: float
    interval: Interval | None
    p_identity: float | None  # of the difference from no reordering; None for that itself


@dataclass(frozen=True, slots=True)
class Scored:
    """All systems by one variant."""

    variant: Variant
    signature: str
    used: int  # sentences that count
    left_out: int
    cells: dict[str, dict[str, Cell]]  # system, then score
    p_values: dict[str, dict[tuple[str, str], float]]  # score, then pair of systems


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Systems side by side, the identity first, by several variants."""

    systems: tuple[str, ...]
    sentences: int
    words: int
    samples: int
    seed: int
    variants: tuple[Scored, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "samples": self.samples,
            "seed": self.seed,
            "variants": [_variant_dict(scored) for scored in self.variants],
        }


def evaluate_orders(
    alignments: Sequence[Alignment],
    systems: Mapping[str, Sequence[Permutation]],
    *,
    words: Sequence[Sequence[str]] | None = None,
    variants: Sequence[str] = ("thesis", "nakagawa", "lader"),
    links: Literal["all", "sure"] = "all",
    samples: int = 1000,
    seed: int = 12345,
) -> Evaluation:
    """Score the orders of each system against the order of the links.

    ``words`` are the source words; LADER's handling of brackets needs them. ``links`` says whether
    possible links count beside the sure ones. The identity is always added. Samples of 0 or 1 give neither
    intervals nor tests.

    >>> gold = [Alignment(3, 3, [(0, 2), (1, 0), (2, 1)])]
    >>> found = evaluate_orders(gold, {"mine": [Permutation.from_order([1, 2, 0])]}, samples=0)
    >>> found.variants[0].cells["mine"]["kendall"].score
    1.0
    """
    if IDENTITY in systems:
        raise BadSetting(f"a system is called {IDENTITY!r}: that is the baseline, which is always there")
    if not alignments:
        raise WordOrderError("nothing to evaluate: no sentences")
    for name, orders in systems.items():
        if len(orders) != len(alignments):
            raise WordOrderError(f"{name} has {len(orders)} orders for {len(alignments)} sentences")
        for s, (order, alignment) in enumerate(zip(orders, alignments, strict=True), start=1):
            if len(order) != alignment.source_size:
                raise InvalidPermutation(
                    f"{name}, sentence {s}: the order has {len(order)} words, the sentence"
                    f" {alignment.source_size}"
                )
    if links == "sure":
        alignments = [Alignment(a.source_size, a.target_size, a.sure) for a in alignments]
    still = [Permutation.identity(alignment.source_size) for alignment in alignments]
    everyone = {IDENTITY: still, **systems}
    chosen = [variant_of(name) for name in variants]
    scored = tuple(_score(variant, alignments, everyone, words, links, samples, seed) for variant in chosen)
    size = sum(alignment.source_size for alignment in alignments)
    return Evaluation(tuple(everyone), len(alignments), size, samples, seed, scored)


def variant_of(spec: str) -> Variant:
    """The variant of that name; ``talbot`` has settings, ``talbot:punctuation=pin,unaligned=drop``."""
    name, given = split_spec(spec)
    if name == Talbot.name:
        settings = [one.name for one in fields(Talbot)]
        return Talbot(**read_settings(name, given, get_type_hints(Talbot), settings))
    if name not in VARIANTS:
        known = ", ".join([*VARIANTS, Talbot.name])
        raise BadSetting(f"unknown variant {name!r}; expected one of {known}")
    if given:
        raise BadSetting(f"{name} has no settings")
    return VARIANTS[name]


def _score(
    variant: Variant,
    alignments: Sequence[Alignment],
    systems: Mapping[str, Sequence[Permutation]],
    words: Sequence[Sequence[str]] | None,
    links: str,
    samples: int,
    seed: int,
) -> Scored:
    prepared = [
        variant.prepare(alignment, words[s] if words is not None else None)
        for s, alignment in enumerate(alignments)
    ]
    used = sum(found is not None for found in prepared)
    width = 2 * len(variant.scores)
    rows = np.hstack([variant.stats(prepared, orders) for orders in systems.values()])
    real = _quotients(rows.sum(axis=0, keepdims=True), len(systems), width)[0]
    drawn = None
    if samples > 1:
        drawn = _quotients(bootstrap_sums(rows, samples=samples, seed=seed), len(systems), width)
    names = list(systems)
    p_values: dict[str, dict[tuple[str, str], float]] = {score: {} for score in variant.scores}
    if drawn is not None:
        for k, score in enumerate(variant.scores):
            for b in range(len(names)):
                for a in range(b):
                    moved = drawn[:, b, k] - drawn[:, a, k]
                    p_values[score][names[a], names[b]] = p_value(moved, real[b, k] - real[a, k])
    cells = {
        name: {
            score: Cell(
                float(real[s, k]),
                interval(drawn[:, s, k]) if drawn is not None else None,
                p_values[score].get((IDENTITY, name)),
            )
            for k, score in enumerate(variant.scores)
        }
        for s, name in enumerate(names)
    }
    signature = variant.signature_for(links=links, words=words is not None)
    return Scored(variant, signature, used, len(alignments) - used, cells, p_values)


def _quotients(sums: Doubles, systems: int, width: int) -> Doubles:
    """Scores by sample, system and score; 1 where there was nothing to count."""
    parts = sums.reshape(len(sums), systems, width // 2, 2)
    numerator, denominator = parts[..., 0], parts[..., 1]
    some = denominator > 0
    return np.where(some, numerator / np.where(some, denominator, 1.0), 1.0)


def _variant_dict(scored: Scored) -> dict[str, Any]:
    def cell(one: Cell) -> dict[str, Any]:
        around = one.interval
        return {
            "score": one.score,
            "interval": [around.low, around.high] if around else None,
            "p_identity": one.p_identity,
        }

    return {
        "variant": scored.variant.name,
        "signature": scored.signature,
        "used": scored.used,
        "left_out": scored.left_out,
        "systems": {
            name: {score: cell(one) for score, one in cells.items()} for name, cells in scored.cells.items()
        },
        "p_values": [
            {"score": score, "systems": list(pair), "p": p}
            for score, pairs in scored.p_values.items()
            for pair, p in pairs.items()
        ],
    }
