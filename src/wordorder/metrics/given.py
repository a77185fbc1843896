"""Permutations from alignments that the user has, where no words are matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.induce import PolicyName, induce, relative
from wordorder.core.permutation import Permutations
from wordorder.errors import WordOrderError
from wordorder.metrics.segments import Matched


@dataclass(frozen=True, kw_only=True)
class Given:
    """Alignments of the source with the hypotheses, and with each stream of references.

    Both order the words of the source, those without a link included, by ``policy``. The permutation
    of a segment is the order of the hypothesis in terms of that of the reference; it is as long as
    the source. Lengths of texts are those that the alignments have.

    >>> swapped, straight = Alignment(2, 2, [(0, 1), (1, 0)]), Alignment(2, 2, [(0, 0), (1, 1)])
    >>> given = Given(hypotheses=[swapped], references=[[straight], [swapped]])
    >>> [list(matched.permutations[0]) for matched in given.matched()]
    [[1, 0], [0, 1]]
    """

    hypotheses: Sequence[Alignment]
    references: Sequence[Sequence[Alignment]]
    policy: PolicyName = "birch"

    def __post_init__(self) -> None:
        for number, stream in enumerate(self.references, start=1):
            if len(stream) != len(self.hypotheses):
                raise WordOrderError(
                    f"{len(self.hypotheses)} alignments of hypotheses, {len(stream)} of reference {number}"
                )
            for segment, (one, other) in enumerate(zip(self.hypotheses, stream, strict=True), start=1):
                if one.source_size != other.source_size:
                    raise WordOrderError(
                        f"segment {segment}: the source has {one.source_size} words where it is aligned with "
                        f"the hypothesis, {other.source_size} with reference {number}"
                    )

    def matched(self) -> list[Matched]:
        """The segments against each reference."""
        orders = [induce(a, self.policy).order for a in self.hypotheses]
        return [
            Matched(
                Permutations(
                    [relative(induce(a, self.policy).order, o) for a, o in zip(stream, orders, strict=True)]
                ),
                np.array([a.target_size for a in self.hypotheses], dtype=np.int64),
                np.array([a.target_size for a in stream], dtype=np.int64),
                np.array(
                    [_linked(a, b) for a, b in zip(stream, self.hypotheses, strict=True)], dtype=np.int64
                ),
            )
            for stream in self.references
        ]


def _linked(one: Alignment, other: Alignment) -> int:
    """How many source words have a link in both."""
    return len({i for i, _ in one.links} & {i for i, _ in other.links})
