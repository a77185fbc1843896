"""Anticipation and crossings, for simultaneous translation and reading effort.

Both count effort, so lower is better. The words of the permutation are those of the output; their places are
positions in the source, or in the reference for text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.metrics.flat import INVERSIONS, count, lengths, pairs
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Anticipation(OrderingMetric):
    """Share of words that a wait-k policy must guess: written t-th, but at source position t + k or later.

    This is the k-anticipation rate of Chen et al. (2021). At lag k the policy has read t + k source words
    when it writes word t (from 0).

    >>> Anticipation()([2, 0, 1, 3]), Anticipation(k=3)([2, 0, 1, 3])
    (0.25, 0.0)
    """

    name = "anticipation"
    what = "words to be guessed / words"
    higher_is_better = False
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"k": (1, 2**31 - 1)}
    k: int = 1

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count words to be guessed, and all words."""
        guessed = _native.anticipated(permutations.values, permutations.offsets, self.k)
        return guessed.astype(np.float64), lengths(permutations)


@register
@dataclass(frozen=True, kw_only=True)
class Crossings(OrderingMetric):
    """Pairs of links that cross: how many in a sentence, per word, or as a share of all pairs.

    >>> [Crossings(scale=s)([2, 0, 1, 3]) for s in ("count", "word", "share")]
    [2.0, 0.5, 0.3333333333333333]
    """

    name = "crossings"
    what = "crossing pairs / divisor"
    higher_is_better = False
    scale: Literal["count", "word", "share"] = "count"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count crossing pairs, and what they are divided by."""
        per = {
            "count": np.ones(len(permutations)),
            "word": lengths(permutations),
            "share": pairs(permutations),
        }
        return count(permutations, INVERSIONS), per[self.scale]

    @property
    def range(self) -> tuple[float, float]:
        """0 and up; only the share is bounded."""
        return 0.0, 1.0 if self.scale == "share" else float("inf")
