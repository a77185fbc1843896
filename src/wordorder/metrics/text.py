"""Metrics on text: the base class, and any ordering score on matched words.

The calls have sacrebleu's shape: ``corpus_score(hypotheses, [references])``,
``sentence_score(hypothesis, references)``, ``get_signature()``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.resample import Interval, bootstrap_scores, interval
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.base import Metric, OrderingMetric
from wordorder.metrics.segments import Matched, Matching, Segments, given_policy
from wordorder.text.tokens import as_lines

if TYPE_CHECKING:
    from wordorder.metrics.given_alignments import Given

MATCHING = ("tokenize", "lowercase", "match", "language")
PLACES = ("wordnet", "paraphrases")  # what is found there is in the signature, not where


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
        around = f" [{self.interval.low:.4f}, {self.interval.high:.4f}]" if self.interval else ""
        return f"{self.score:.4f}{around} ({self.signature})"


@dataclass(frozen=True, kw_only=True)
class TextMetric(Metric):
    """A metric of hypotheses and references, by statistics that add up over segments.

    Settings named in ``late`` do not touch the statistics against one reference, only what is made of
    them: trying other values of them scores nothing again.
    """

    late: ClassVar[tuple[str, ...]] = ()
    reference_is_best: ClassVar[bool] = True  # does a copy of the reference get the best score?

    @abstractmethod
    def segment_stats(self, segments: Segments) -> Doubles:
        """A row of additive statistics for each segment."""

    def segment_scores(self, segments: Segments) -> Doubles:
        """The score of each segment alone."""
        return self.rows_alone(self.segment_stats(segments))

    def rows_alone(self, rows: Doubles) -> Doubles:
        """The scores of segments by their statistics."""
        return self.scores_from_sums(rows)

    def stats_and_scores(self, segments: Segments) -> tuple[Doubles, Doubles]:
        """Both, without computing anything twice."""
        rows = self.segment_stats(segments)
        return rows, self.rows_alone(rows)

    def signature_for(self, references: int) -> str:
        """The signature when scoring against so many references."""
        head, _, version = self.signature.rpartition("|v:")
        return f"{head}|nrefs:{references}|v:{version}"

    def segment_signature_for(self, references: int) -> str:
        """The signature of segment scores, where those are made another way."""
        return self.signature_for(references)

    def on_alignments(self, policy: str) -> TextMetric:
        """The metric for alignments that the user has, where it looks at alignments at all."""
        return self

    def _with(self, given: Given | None) -> TextMetric:
        if given is None:
            return self
        if not hasattr(given, "policy"):
            raise WordOrderError(
                f"given is a {type(given).__name__}; expected Given(hypotheses=, references=)"
            )
        return self.on_alignments(given.policy)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        given: Given | None = None,
        n_bootstrap: int = 1,
        seed: int = 12345,
    ) -> TextScore:
        """The score of a corpus; with ``n_bootstrap`` > 1 also its 95 % interval.

        Alignments that are ``given`` stand in for matching; words are then those between blanks.
        """
        metric = self._with(given)
        segments = Segments(hypotheses, references, given=given)
        stats = metric.segment_stats(segments)
        around = None
        if n_bootstrap > 1:
            scores = bootstrap_scores(stats, metric.score_from_stats, samples=n_bootstrap, seed=seed)
            around = interval(scores)
        value = metric.score_from_stats(stats.sum(axis=0))
        return TextScore(value, metric.signature_for(len(segments.references)), len(segments), around)

    def sentence_score(
        self, hypothesis: str, references: Sequence[str], *, given: Given | None = None
    ) -> TextScore:
        """The score of one segment against its references."""
        references = as_lines(references, "references")
        metric = self._with(given)
        segments = Segments([hypothesis], [[reference] for reference in references], given=given)
        signature = metric.segment_signature_for(len(references))
        return TextScore(float(metric.segment_scores(segments)[0]), signature, 1)


@dataclass(frozen=True, kw_only=True)
class MatchedMetric(TextMetric):
    """A metric over the permutations of matched words.

    A subclass gives ``rows``: statistics against one reference, and the scores by which the
    best of several references is chosen.
    """

    needs_words: ClassVar[bool] = False  # is the number of matched words part of the score?
    places: ClassVar[tuple[str, ...]] = PLACES

    tokenize: Literal["none", "13a", "intl", "zh", "ja-mecab", "ko-mecab", "char"] = "13a"
    lowercase: bool = True
    match: str = "exact"
    language: str = "en"
    refs: Literal["best", "mean"] = "best"
    wordnet: str = ""
    paraphrases: str = ""

    def __post_init__(self) -> None:
        """Check the settings, and that the matcher exists."""
        self.check_choices()
        if given_policy(self.match) is None:  # else they are given, not found
            _ = self.matching.matcher

    @cached_property
    def matching(self) -> Matching:
        """How text becomes permutations."""
        return Matching(**{key: getattr(self, key) for key in (*MATCHING, *PLACES)})

    def on_alignments(self, policy: str) -> MatchedMetric:
        """The metric on given alignments: words are those between blanks."""
        if self.needs_words:
            raise BadSetting(f"{self.name} needs matched words: it has no meaning with given alignments")
        return replace(self, match=f"alignments({policy})", tokenize="none", lowercase=False)

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
        return self.stats_of(segments.matched(self.matching))

    def stats_of(self, streams: Sequence[Matched]) -> Doubles:
        """The same, where the segments are matched with each reference already."""
        found = [self.rows(matched) for matched in streams]
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
        return {**self.ordering.settings, **{key: getattr(self, key) for key in (*MATCHING, "refs", *PLACES)}}

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

    def stats_and_scores(self, segments: Segments) -> tuple[Doubles, Doubles]:
        """Both; segments were matched once."""
        return self.segment_stats(segments), self.segment_scores(segments)

    def segment_scores(self, segments: Segments) -> Doubles:
        """The score of each segment alone, whatever its weight in the corpus."""
        found = np.stack([self.rows(matched)[1] for matched in segments.matched(self.matching)])
        if self.refs == "mean":
            return np.asarray(found.mean(axis=0))
        return np.asarray(found.max(axis=0) if self.higher_is_better else found.min(axis=0))

    def score_from_stats(self, total: Doubles) -> float:
        """As the ordering score."""
        return self.ordering.score_from_stats(total)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """As the ordering score."""
        return self.ordering.scores_from_sums(totals)


def on_text(metric: Metric, matching: Matching, *, refs: Literal["best", "mean"] = "best") -> TextMetric:
    """Make any metric score text: ordering scores are put on matched words.

    Metrics that match words take the settings of ``matching``, but for those that they set
    themselves or, like RIBES, have a default of their own for.
    """
    shared: dict[str, Any] = {"refs": refs, **{key: getattr(matching, key) for key in (*MATCHING, *PLACES)}}
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

    names = [*(field.name for field in fields(Matching)), "refs"]
    for key in settings:
        if key not in names:
            own = f"; those of a metric are written with it, {spec.partition(':')[0]}:key=value"
            raise BadSetting(f"text_metric has no setting {key!r}. It has: {', '.join(names)}{own}")
    refs = settings.pop("refs", "best")
    return on_text(metric(spec), Matching(**settings), refs=refs)


def labels(metrics: Sequence[TextMetric]) -> list[str]:
    """Short names of metrics on text, each another, without how words are matched: the signatures say that.

    Where metrics differ in nothing else, their names say it too.

    >>> labels([text_metric("full:alpha=0.3", tokenize="none"), text_metric("kendall")])
    ['full:alpha=0.3', 'kendall']
    >>> labels([text_metric("full"), text_metric("full:match=stem")])
    ['full', 'full:match=stem']
    """
    short = [_spec(metric, matching=False) for metric in metrics]
    names = [
        _spec(metric, matching=True) if short.count(name) > 1 else name
        for metric, name in zip(metrics, short, strict=True)
    ]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"metric {name!r} is asked for twice")
    return names


def _spec(metric: TextMetric, *, matching: bool) -> str:
    """How a metric is written, with or without its settings of matching."""
    from wordorder.metrics.registry import spec_of

    shared = (*MATCHING, "refs", *PLACES)
    if isinstance(metric, OnText):
        spec = spec_of(metric.ordering)
        usual = {field.name: field.default for field in fields(MatchedMetric)}
        own = [f"{k}={getattr(metric, k)}" for k in shared if matching and getattr(metric, k) != usual[k]]
        return spec + ("," if ":" in spec else ":") + ",".join(own) if own else spec
    name, _, rest = spec_of(metric).partition(":")
    if not matching:
        left_out = shared if isinstance(metric, MatchedMetric) else metric.places
        pieces = [piece for piece in rest.split(",") if piece and piece.partition("=")[0] not in left_out]
        rest = ",".join(pieces)
    return f"{name}:{rest}" if rest else name
