"""RIBES (Isozaki et al. 2010), equal to the program of NTT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.metrics.base import mean_of
from wordorder.metrics.flat import Kendall
from wordorder.metrics.lexical_ordering import brevity_penalty
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Matched


@register
@dataclass(frozen=True, kw_only=True)
class Ribes(MatchedMetric):
    """RIBES: Kendall of matched words, times precision^alpha, times brevity^beta.

    Words are separated by spaces, lowercased, and matched where they or their neighbourhood are
    unique on both sides, as in NTT's RIBES.py. A single matched word counts only if the reference
    has no other.
    """

    name = "ribes"
    needs_words = True
    standard_tokenizer: ClassVar[str] = "none"
    fixed: ClassVar[tuple[str, ...]] = ("match",)
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"alpha": (0, 10), "beta": (0, 10)}
    alpha: float = 0.25
    beta: float = 0.10
    match: str = "ribes"

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute the score of each segment, and 1: their sums give the mean. The factors follow."""
        share = Kendall().score_orders(matched.permutations)
        share = np.where(matched.matched == 1, matched.reference_lengths == 1, share)
        precision = matched.matched / np.maximum(matched.hypothesis_lengths, 1)
        brevity = brevity_penalty(matched.hypothesis_lengths, matched.reference_lengths)
        scores = share * precision**self.alpha * brevity**self.beta
        scores = np.where(matched.matched == 0, 0.0, scores)
        scores = np.where(matched.both_empty, 1.0, scores)
        return np.column_stack([scores, np.ones(len(scores)), share, precision, brevity]), scores

    @property
    def equation(self) -> str:
        """The three factors."""
        general = "Kendall · precision^alpha · brevity penalty^beta"
        return f"{general} = {{kendall}} · {{precision}}^{self.alpha:g} · {{brevity}}^{self.beta:g}"

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the factors; none of a segment that has no words, or the mean of several references."""
        share, precision, brevity = rows[:, 2:].T
        product = share * precision**self.alpha * brevity**self.beta
        explained = np.isclose(product, mean_of(rows), rtol=0, atol=1e-9)
        factors = {"kendall": share, "precision": precision, "brevity": brevity}
        return {name: np.where(explained, own, np.nan) for name, own in factors.items()}
