"""Ordering metrics: scores of permutations, and of text by the order of its matched words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import BadSetting
from wordorder.metrics.base import Score, counts_of, tally
from wordorder.metrics.matched import SHARED, MatchedMetric
from wordorder.metrics.segments import Matched, Segments

Orders = Permutations | Iterable[Iterable[int]]


@dataclass(frozen=True, kw_only=True)
class OrderingMetric(MatchedMetric):
    """A score of permutations: of the words that hypothesis and reference share, or given as they are.

    A subclass gives ``counts``, the numerator and the denominator of each sentence, and may
    transform the quotient with ``curve``. Where the denominator is 0 (no words, one word; two words
    for the scores over trees) there is nothing to put in order, and the score is the best. In text,
    a segment without a matched word gets the worst score, unless both sides are empty.

    ``agg`` defines the score of a corpus: ``macro`` is the mean over sentences, ``length`` the mean
    weighted by their words, ``micro`` the quotient of the summed counts.
    """

    what: ClassVar[str] = ""  # what is divided by what, in words
    has_micro: ClassVar[bool] = True  # are numerator and denominator counts that may be summed?
    agg: Literal["macro", "micro", "length"] = "macro"

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        if self.agg == "micro" and not self.has_micro:
            raise BadSetting(
                f"{self.name} is no quotient of counts: agg=micro has no meaning. Use macro or length."
            )

    @abstractmethod
    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the numerator and the denominator of each sentence."""

    def divide(self, numerator: Doubles, denominator: Doubles) -> Doubles:
        """Divide the counts of sentences; where a denominator is 0 the result is not used."""
        return numerator / denominator

    def curve(self, quotient: Doubles) -> Doubles:
        """Turn quotients into scores."""
        return quotient

    @property
    def equation(self) -> str:
        """What is divided by what, in words and in numbers."""
        return f"{self.what} = {{numerator}} / {{denominator}}" if self.what else ""

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the numerator and the denominator of each sentence."""
        if permutations is None:
            return {}
        return dict(zip(("numerator", "denominator"), self.counts(permutations), strict=True))

    @property
    def has_node_scores(self) -> bool:
        """Whether the score of a sentence is made of scores of the nodes of its tree."""
        return False

    def node_scores(self, permutations: Permutations) -> list[Doubles]:
        """Return the scores of the nodes of each flat tree, in postorder, where the score is made of them."""
        return []

    @property
    def constants(self) -> dict[str, Any]:
        """The score of sentences too short for the formula."""
        return {"short": self.best}

    @property
    def worst(self) -> float:
        """The score of a segment without matched words; the best where there is no worst score."""
        low, high = self.range
        worst = low if self.higher_is_better else high
        return worst if np.isfinite(worst) else self.best

    @cached_property
    def order_signature(self) -> str:
        """The signature of scores of permutations, which do not depend on how words are matched."""
        own = {key: value for key, value in self.settings.items() if key not in SHARED}
        return self.write_signature({**own, **self.constants})

    # Permutations

    def __call__(self, permutation: Permutation | Sequence[int]) -> float:
        """Score one permutation."""
        one = Permutations.of_one(permutation) if isinstance(permutation, Permutation) else [permutation]
        return float(self.score_orders(one)[0])

    def score_orders(self, permutations: Orders) -> Doubles:
        """Score each permutation."""
        return self.score_counts(*self.counts(as_batch(permutations)))

    def score_counts(self, numerator: Doubles, denominator: Doubles) -> Doubles:
        """Score each sentence by its counts."""
        if np.count_nonzero(denominator) == len(denominator):  # the rest would cost most for one sentence
            return self.curve(self.divide(numerator, denominator))
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = self.curve(self.divide(numerator, denominator))
        return np.where(denominator == 0, self.best, scores)

    def corpus_score_orders(self, permutations: Orders, *, n_bootstrap: int = 1, seed: int = 12345) -> Score:
        """Score all permutations together.

        >>> from wordorder.metrics.registry import metric
        >>> metric("kendall").corpus_score_orders([[0, 1], [1, 0]]).score
        0.5
        """
        batch = as_batch(permutations)
        rows = self.statistics(batch)
        counts = tally(counts_of(batch.lengths))
        return self.make_score(rows, counts, self.order_signature, n_bootstrap, seed)

    # Statistics: numerator, denominator, and the score of the segment alone

    def statistics(self, segments: Segments | Orders) -> Doubles:
        """Compute additive statistics, one row per segment or permutation."""
        if isinstance(segments, Segments):
            return super().statistics(segments)
        batch = as_batch(segments)
        return self.weighted(self.score_orders(batch), batch.lengths, lambda: self.counts(batch))

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute the statistics and the scores of segments against one reference."""
        scores = self.score_orders(matched.permutations)
        if matched.unmatched:
            scores[matched.unmatched] = self.worst
        orders = matched.permutations
        return self.weighted(scores, matched.reference_lengths, lambda: self.counts(orders)), scores

    def weighted(
        self, scores: Doubles, lengths: Longs, counts: Callable[[], tuple[Doubles, Doubles]]
    ) -> Doubles:
        """Return the rows of segments: what is divided by what in a corpus, and the score of each alone."""
        rows = np.empty((len(scores), 3))
        rows[:, 2] = scores
        if self.agg == "macro":
            rows[:, 0], rows[:, 1] = scores, 1.0
        elif self.agg == "length":
            rows[:, 0], rows[:, 1] = scores * lengths, lengths
        else:
            rows[:, 0], rows[:, 1] = counts()
        return rows

    def segment_scores(self, rows: Doubles) -> Doubles:
        """Return the score of each segment alone, whatever its weight in the corpus."""
        return rows[:, 2]

    def scores(self, sums: Doubles) -> Doubles:
        """Compute scores from sums of statistics."""
        with np.errstate(invalid="ignore", divide="ignore"):
            quotient = sums[:, 0] / sums[:, 1]
            scores = self.curve(quotient) if self.agg == "micro" else quotient
        return np.where(sums[:, 1] == 0, self.best, scores)


@dataclass(frozen=True, kw_only=True)
class VariantMetric(OrderingMetric):
    """A score that exists as published and as the released BEER 1.1 program computes it."""

    variant: Literal["paper", "beer11"] = "paper"
    beer11_lacks: ClassVar[tuple[str, ...]] = ()  # settings that the program does not have
    beer11_short: ClassVar[dict[int, float]] = {}  # scores of the program for some short lengths

    def __post_init__(self) -> None:
        """Check that the settings go together."""
        super().__post_init__()
        if self.variant == "paper":
            return
        if self.agg == "micro":
            raise BadSetting(f"{self.name}: BEER 1.1 has no agg=micro. Use macro or length.")
        defaults = {field.name: field.default for field in fields(self)}
        for key in self.beer11_lacks:
            if getattr(self, key) != defaults[key]:
                raise BadSetting(f"{self.name}: BEER 1.1 knows {key}={defaults[key]} only")

    @property
    def constants(self) -> dict[str, Any]:
        """The score of sentences too short for the formula."""
        return super().constants if self.variant == "paper" else {"short": "beer11"}

    def score_orders(self, permutations: Orders) -> Doubles:
        """Score each permutation, by the chosen variant."""
        batch = as_batch(permutations)
        scores = super().score_orders(batch)
        if self.variant == "beer11":
            for length, score in self.beer11_short.items():
                scores[batch.lengths == length] = score
        return scores


def as_batch(permutations: Orders) -> Permutations:
    """Return permutations as a batch, made from lists of numbers if need be."""
    return permutations if isinstance(permutations, Permutations) else Permutations(permutations)
