"""Scores that count operators of the permutation tree (Stanojević and Sima'an 2016, figure 7).

All are computed from the flat tree, in linear time. Sentences of fewer than three words have no
formula (0/0) and score 1. ``variant=beer11`` is what the released BEER 1.1 program gives.
Values are exact up to the rounding of one division; ``pet_count`` beyond 30 words up to n * 1e-16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.metrics.flat import lengths
from wordorder.metrics.ordering import OrderingMetric, VariantMetric
from wordorder.metrics.registry import register


def tree_counts(permutations: Permutations) -> Doubles:
    """Count operators of a binary tree, the longest operator, primes, and their summed length."""
    return _native.tree_counts(permutations.values, permutations.offsets).astype(np.float64)


@register
@dataclass(frozen=True, kw_only=True)
class PetSize(VariantMetric):
    """|PET|: how far the permutation factorises, (operators - 1) / (n - 2).

    >>> PetSize()([1, 3, 4, 5, 0, 2])
    0.5
    """

    name = "pet_size"
    what = "(operators − 1) / (n − 2)"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count operators and words, minus those that every tree has."""
        n = lengths(permutations)
        return np.maximum(tree_counts(permutations)[:, 0] - 1, 0), np.maximum(n - 2, 0)


@register
@dataclass(frozen=True, kw_only=True)
class MaxOperator(VariantMetric):
    """MAX|Op|: how short the longest operator is, 1 - (length - 2) / (n - 2).

    >>> MaxOperator()([1, 3, 4, 5, 0, 2])
    0.5
    """

    name = "max_operator"
    what = "(n − longest operator) / (n − 2)"
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 2: 0.0}

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count words beyond the longest operator, and beyond two."""
        n = lengths(permutations)
        return np.where(n > 2, n - tree_counts(permutations)[:, 1], 0), np.maximum(n - 2, 0)


@register
@dataclass(frozen=True, kw_only=True)
class MeanOperator(VariantMetric):
    """How short operators are on average, 1 - (mean length - 2) / (n - 2).

    BEER 1.1 offers this as "PETarity", with the mean rounded down to a whole number
    (``variant=beer11``); no paper defines it. Not to be confused with ``max_operator``.

    >>> MeanOperator()([1, 3, 4, 5, 0, 2])
    0.8333333333333334
    """

    name = "mean_operator"
    what = "(n − mean operator) / (n − 2)"
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 2: 0.0}
    has_micro = False

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count words beyond the mean operator, and beyond two."""
        n = lengths(permutations)
        nodes, _, primes, prime_words = tree_counts(permutations).T
        mean = (2 * (nodes - primes) + prime_words) / np.maximum(nodes, 1)
        if self.variant == "beer11":
            mean = np.floor(mean)
        return np.where(n > 2, n - mean, 0), np.maximum(n - 2, 0)


@register
@dataclass(frozen=True, kw_only=True)
class NonBinary(OrderingMetric):
    """Share of operators that are binary: one minus the share of longer ones.

    >>> NonBinary()([1, 3, 4, 5, 0, 2])
    0.6666666666666666
    """

    name = "nonbinary"
    what = "binary operators / operators"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count binary operators, and all operators."""
        nodes, _, primes, _ = tree_counts(permutations).T
        return nodes - primes, nodes


@register
@dataclass(frozen=True, kw_only=True)
class PetCount(VariantMetric):
    """#PETs: how many trees the permutation has, (count - 1) / (Catalan(n - 1) - 1).

    >>> PetCount()([1, 3, 4, 5, 0, 2])
    0.024390243902439025
    """

    name = "pet_count"
    what = "(trees − 1) / (Catalan(n − 1) − 1)"
    has_micro = False
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0}

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the share itself: the counts do not fit in a number."""
        shares = _native.count_shares(permutations.values, permutations.offsets)
        least = 2 if self.variant == "beer11" else 3
        if self.variant == "beer11":  # two inverted words score 0
            two = permutations.lengths == 2
            shares[two] = permutations.values[permutations.offsets[:-1][two]] == 0
        return shares, (permutations.lengths >= least).astype(np.float64)
