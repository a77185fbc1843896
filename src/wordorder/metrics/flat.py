"""The flat scores: word positions, pairs and neighbours, without hierarchy.

Definitions: Stanojević and Sima'an (2014), figure 2; Birch and Osborne (2010); Talbot et al.
(2011). ``variant=beer11`` computes what the released BEER 1.1 program does, which differs for
sentences of one word and in the last digits of three scores (single precision).
Values are exact up to the rounding of one division (relative error below 1e-15).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Floats
from wordorder.core.permutation import Permutations
from wordorder.metrics.ordering import OrderingMetric, VariantMetric
from wordorder.metrics.registry import register

# The kernel's numbers for its counts (native/order/flat.h).
INVERSIONS, SQUARES, FOOTRULE, FIXED, RISING, ADJACENT, WORDS, PAIRS = range(8)


def count(permutations: Permutations, what: int) -> Doubles:
    """Compute one of the kernel's counts for each permutation."""
    return _native.real_counts(permutations.values, permutations.offsets, what)


def lengths(permutations: Permutations) -> Doubles:
    """Return the number of words of each permutation, as floating point."""
    return count(permutations, WORDS)


def pairs(permutations: Permutations) -> Doubles:
    """Return the number of pairs of words of each permutation."""
    return count(permutations, PAIRS)


@dataclass(frozen=True, kw_only=True)
class SinglePrecision(VariantMetric):
    """A score that BEER 1.1 computes as one minus a distance in single precision."""

    def divide(self, numerator: Doubles, denominator: Doubles) -> Doubles:
        """Divide the counts, in the arithmetic of the variant."""
        if self.variant == "paper":
            return super().divide(numerator, denominator)
        return 1.0 - single_precision(denominator - numerator, denominator).astype(np.float64)


def single_precision(numerator: Doubles, denominator: Doubles) -> Floats:
    """Divide in single precision."""
    return np.divide(numerator, denominator, dtype=np.float32, casting="same_kind")


@register
@dataclass(frozen=True, kw_only=True)
class Kendall(VariantMetric):
    """Share of word pairs that keep their order.

    ``scale=tau`` is Kendall's tau, 2 share - 1; ``scale=sqrt`` is 1 - sqrt(1 - share), the
    square root of the distance, which Birch et al. (2010) found to agree better with people.

    >>> Kendall()([2, 0, 1, 3])
    0.6666666666666666
    """

    name = "kendall"
    what = "pairs in order / pairs"
    beer11_lacks = ("scale",)
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 1: 0.0}
    scale: Literal["share", "tau", "sqrt"] = "share"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count pairs in order, and all pairs."""
        total = pairs(permutations)
        return total - count(permutations, INVERSIONS), total

    def curve(self, quotient: Doubles) -> Doubles:
        """Put the share of pairs on the chosen scale."""
        if self.scale == "tau":
            return 2 * quotient - 1
        return 1 - np.sqrt(1 - quotient) if self.scale == "sqrt" else quotient

    @property
    def equation(self) -> str:
        """The share of pairs, on the chosen scale."""
        around = {"share": "{}", "tau": "2 · {} − 1", "sqrt": "1 − √(1 − {})"}[self.scale]
        return " = ".join(around.format(text) for text in (self.what, "{numerator} / {denominator}"))

    @property
    def range(self) -> tuple[float, float]:
        """The least value has all pairs inverted, the greatest all in order."""
        return (-1.0 if self.scale == "tau" else 0.0), 1.0


@register
@dataclass(frozen=True, kw_only=True)
class Spearman(VariantMetric):
    """Spearman's rho of positions, moved to 0 .. 1: 1 - 3 sum d^2 / (n (n^2 - 1)).

    >>> Spearman()([2, 0, 1, 3])
    0.7
    """

    name = "spearman"
    what = "1 − 3 Σd² / (n³ − n)"
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 1: 0.5}

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the largest sum of squared moves, n (n^2 - 1) / 3, minus the actual one, and the largest."""
        n = lengths(permutations)
        total = n * (n * n - 1)
        squares = count(permutations, SQUARES)
        for s in np.flatnonzero(n > 2_600_000):  # beyond, the kernel's integers are too short
            ranks = permutations[int(s)].ranks.astype(np.float64)
            squares[s] = ((ranks - np.arange(len(ranks))) ** 2).sum()
        return total - 3 * squares, total


@register
@dataclass(frozen=True, kw_only=True)
class Footrule(OrderingMetric):
    """Spearman's footrule: 1 - sum |d| / floor(n^2 / 2).

    >>> Footrule()([2, 0, 1, 3])
    0.5
    """

    name = "footrule"
    what = "1 − Σ|d| / ⌊n² / 2⌋"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the largest sum of moves minus the actual one, and the largest."""
        n = permutations.lengths
        total = np.where(n < 2, 0, n * n // 2).astype(np.float64)
        return total - count(permutations, FOOTRULE), total


@register
@dataclass(frozen=True, kw_only=True)
class Hamming(SinglePrecision):
    """Share of words in their own place.

    >>> Hamming()([2, 0, 1, 3])
    0.25
    """

    name = "hamming"
    what = "words in place / words"
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 1: 1.0}

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count words in place, and all words."""
        return count(permutations, FIXED), lengths(permutations)


@register
@dataclass(frozen=True, kw_only=True)
class Ulam(VariantMetric):
    """Longest rising subsequence: (length - 1) / (n - 1).

    >>> Ulam()([2, 0, 1, 3])
    0.6666666666666666
    """

    name = "ulam"
    what = "(longest rising sequence − 1) / (n − 1)"
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 1: 0.0}

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count the steps of the longest rising subsequence, and of the sentence."""
        steps = np.maximum(lengths(permutations) - 1, 0)
        return np.maximum(count(permutations, RISING) - 1, 0), steps

    def divide(self, numerator: Doubles, denominator: Doubles) -> Doubles:
        """Divide the counts; BEER 1.1 converts to a distance and back, all in single precision."""
        if self.variant == "paper":
            return super().divide(numerator, denominator)
        unit = np.float32(1)
        return (unit - (unit - single_precision(numerator, denominator))).astype(np.float64)


@register
@dataclass(frozen=True, kw_only=True)
class Fuzzy(SinglePrecision):
    """Share of neighbours that are neighbours in the reference: 1 - (chunks - 1) / (n - 1).

    The fuzzy reordering score of Talbot et al. (2011) on permutations. ``joints=boundary`` also
    counts the begin and the end of the sentence, n + 1 joints, as LADER and top-down BTG do.

    >>> Fuzzy()([2, 0, 1, 3]), Fuzzy(joints="boundary")([2, 0, 1, 3])
    (0.3333333333333333, 0.4)
    """

    name = "fuzzy"
    what = "neighbours kept / neighbours"
    beer11_lacks = ("joints",)
    beer11_short: ClassVar[dict[int, float]] = {0: 0.0, 1: 0.0}
    joints: Literal["inner", "boundary"] = "inner"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count joints that hold, and all joints."""
        n = lengths(permutations)
        hold = count(permutations, ADJACENT)
        if self.joints == "inner":
            return hold, np.maximum(n - 1, 0)
        some = permutations.lengths > 0
        hold[some] += permutations.values[permutations.offsets[:-1][some]] == 0
        hold[some] += permutations.values[permutations.offsets[1:][some] - 1] == n[some] - 1
        return np.where(some, hold, 1.0), n + 1
