"""Metrics on text: the base class, and any ordering score on matched words.

The calls have sacrebleu's shape: ``corpus_score(hypotheses, [references])``,
``sentence_score(hypothesis, references)``, ``get_signature()``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.core.resample import Interval, bootstrap_scores, interval
from wordorder.errors import WordOrderError
from wordorder.metrics.base import Metric, OrderingMetric
from wordorder.metrics.segments import Matched, Matching, Segments

Doubles = NDArray[np.float64]
MATCHING = ("tokenize", "lowercase", "match", "language")


@dataclass(frozen=True, slots=True)
class TextScore:
    """A score of translations, with what is needed to cite and to doubt it."""

    score: float
    signature: str
    segments: int
    interval: Interval | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON or a data frame."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        return {
            "score": self.score,
            "low": low,
            "high": high,
            "segments": self.segments,
            "signature": self.signature,
        }

    def __str__(self) -> str:
        plus = f" ± {self.interval.half:.4f}" if self.interval else ""
        return f"{self.score:.4f}{plus} ({self.signature})"


@dataclass(frozen=True, kw_only=True)
class TextMetric(Metric):
    """A metric of hypotheses and references, by statistics that add up over segments."""

    @abstractmethod
    def segment_stats(self, segments: Segments) -> Doubles:
        """A row of additive statistics for each segment."""

    def segment_scores(self, segments: Segments) -> Doubles:
        """The score of each segment alone."""
        return np.array([self.score_from_stats(row) for row in self.segment_stats(segments)])

    def signature_for(self, references: int) -> str:
        """The signature when scoring against so many references."""
        head, _, version = self.signature.rpartition("|v:")
        return f"{head}|nrefs:{references}|v:{version}"

    def segment_signature_for(self, references: int) -> str:
        """The signature of segment scores, where those are made another way."""
        return self.signature_for(references)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        n_bootstrap: int = 1,
        seed: int = 12345,
    ) -> TextScore:
        """The score of a corpus; with ``n_bootstrap`` > 1 also its 95 % interval."""
        segments = Segments(hypotheses, references)
        stats = self.segment_stats(segments)
        around = None
        if n_bootstrap > 1:
            scores = bootstrap_scores(stats, self.score_from_stats, samples=n_bootstrap, seed=seed)
            around = interval(scores)
        value = self.score_from_stats(stats.sum(axis=0))
        return TextScore(value, self.signature_for(len(references)), len(segments), around)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> TextScore:
        """The score of one segment against its references."""
        if isinstance(references, str):
            raise WordOrderError("expected a list of references, found a string: write [reference]")
        segments = Segments([hypothesis], [[reference] for reference in references])
        signature = self.segment_signature_for(len(references))
        return TextScore(float(self.segment_scores(segments)[0]), signature, 1)


@dataclass(frozen=True, kw_only=True)
class MatchedMetric(TextMetric):
    """A metric over the permutations of matched words.

    A subclass gives ``rows``: statistics against one reference, and the scores by which the
    best of several references is chosen.
    """

    tokenize: Literal["none", "13a", "intl", "zh", "ja-mecab", "ko-mecab", "char"] = "13a"
    lowercase: bool = True
    match: str = "exact"
    language: str = "en"
    refs: Literal["best", "mean"] = "best"

    def __post_init__(self) -> None:
        """Check the settings, and that the matcher exists."""
        self.check_choices()
        if not self.match.startswith("alignments("):  # those are given, not found
            _ = self.matching.matcher

    @cached_property
    def matching(self) -> Matching:
        """How text becomes permutations."""
        return Matching(**{key: getattr(self, key) for key in MATCHING})

    @property
    def constants(self) -> dict[str, Any]:
        """Which WordNet and which paraphrases were found, where those are used."""
        if {"synonym", "paraphrase"} & set(self.match.partition("@")[0].split("+")):
            return {"resources": self.matching.matcher.signature_part}
        return {}

    @abstractmethod
    def rows(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Statistics rows and scores of segments against one reference."""

    def segment_stats(self, segments: Segments) -> Doubles:
        """Rows of the best reference of each segment, or the mean over references."""
        found = [self.rows(matched) for matched in segments.matched(self.matching)]
        if len(found) == 1:
            return found[0][0]
        stats = np.stack([rows for rows, _ in found])
        if self.refs == "mean":
            return np.asarray(stats.mean(axis=0))
        scores = np.stack([scores for _, scores in found])
        choice = scores.argmax(axis=0) if self.higher_is_better else scores.argmin(axis=0)
        return np.asarray(stats[choice, np.arange(stats.shape[1])])


@dataclass(frozen=True, kw_only=True)
class OnText(MatchedMetric):
    """An ordering score on the words that hypothesis and reference share.

    Segments in which nothing was matched get the worst score, for nothing is in order there,
    unless both sides are empty.
    """

    ordering: OrderingMetric

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the ordering score."""
        return self.ordering.name

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """As the ordering score."""
        return self.ordering.higher_is_better

    @property
    def range(self) -> tuple[float, float]:
        """As the ordering score."""
        return self.ordering.range

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the ordering score and of the matching."""
        return {**self.ordering.settings, **{key: getattr(self, key) for key in (*MATCHING, "refs")}}

    @property
    def worst(self) -> float:
        """The score of a segment with nothing matched; 0 where no worst exists."""
        low, high = self.range
        worst = low if self.higher_is_better else high
        return worst if np.isfinite(worst) else 0.0

    @property
    def constants(self) -> dict[str, Any]:
        """Those of the ordering score and of the matching."""
        return {**self.ordering.constants, **super().constants}

    @cached_property
    def signature(self) -> str:
        """The ordering score's signature, with how words were matched."""
        head, _, version = self.ordering.signature.rpartition("|v:")
        matching = {key: getattr(self, key) for key in (*MATCHING, "refs")}
        pairs = {**matching, **super().constants}
        return "|".join([head, *(f"{key}:{value}" for key, value in pairs.items()), f"v:{version}"])

    def rows(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Statistics of the ordering score; the worst where nothing was matched."""
        nothing = (matched.matched == 0) & ~matched.both_empty
        scores = np.where(nothing, self.worst, self.ordering.batch_scores(matched.permutations))
        if self.ordering.agg == "micro":
            return self.ordering.stats(matched.permutations), scores
        weight = np.ones(len(scores))
        if self.ordering.agg == "length":
            weight = matched.reference_lengths.astype(np.float64)
        return np.column_stack([scores * weight, weight]), scores

    def segment_scores(self, segments: Segments) -> Doubles:
        """The score of each segment alone, whatever its weight in the corpus."""
        found = np.stack([self.rows(matched)[1] for matched in segments.matched(self.matching)])
        if self.refs == "mean":
            return np.asarray(found.mean(axis=0))
        return np.asarray(found.max(axis=0) if self.higher_is_better else found.min(axis=0))

    def score_from_stats(self, total: Doubles) -> float:
        """As the ordering score."""
        return self.ordering.score_from_stats(total)


def on_text(metric: Metric, matching: Matching, *, refs: Literal["best", "mean"] = "best") -> TextMetric:
    """Make any metric score text: ordering scores are put on matched words.

    Metrics that match words take the settings of ``matching``, but for those that they set
    themselves or, like RIBES, have a default of their own for.
    """
    shared: dict[str, Any] = {"refs": refs, **{key: getattr(matching, key) for key in MATCHING}}
    if isinstance(metric, OrderingMetric):
        return OnText(ordering=metric, **shared)
    if isinstance(metric, MatchedMetric):
        usual = {field.name: field.default for field in fields(MatchedMetric)}
        own = {key: value for key, value in metric.settings.items() if value != usual.get(key, MISSING)}
        return type(metric)(**{**shared, **own})
    if isinstance(metric, TextMetric):
        return metric
    raise TypeError(f"{metric!r} cannot score text")


def text_metric(spec: str, **settings: Any) -> TextMetric:
    """Make a metric of translations from its name; ``settings`` are those of :class:`Matching`, and ``refs``.

    >>> text_metric("kendall").corpus_score(["b a c"], [["a b c"]]).score
    0.6666666666666666
    """
    from wordorder.metrics.registry import metric

    refs = settings.pop("refs", "best")
    return on_text(metric(spec), Matching(**settings), refs=refs)
