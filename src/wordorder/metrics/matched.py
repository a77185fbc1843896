"""Metrics of matched words: how text becomes permutations, and which reference counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.metrics.base import Metric
from wordorder.metrics.segments import GivenKind, Matched, Matching, Segments, given_policy, on_given
from wordorder.text.normalisation import check_steps
from wordorder.text.tokens import Tokenizer

PLACES = ("wordnet", "paraphrases")  # the signature names what was found there, not where
MATCHING = ("tokenize", "lowercase", "match", "language", "normalize")
SHARED = (*MATCHING, "refs", *PLACES)  # settings that metrics of matched words share


@dataclass(frozen=True, kw_only=True)
class MatchedMetric(Metric):
    """A metric computed from the permutations of matched words.

    A subclass gives ``reference_statistics``: statistics against one reference, and the scores by
    which the best of several references is chosen.
    """

    needs_words: ClassVar[bool] = False  # is the number of matched words part of the score?
    has_language: ClassVar[bool] = (
        False  # does the score depend on the language beyond how words are matched?
    )
    places: ClassVar[tuple[str, ...]] = PLACES
    unnamed: ClassVar[dict[str, Any]] = {"normalize": "standard"}

    tokenize: Tokenizer = "auto"
    lowercase: bool = True
    match: str = "exact"
    language: str = "en"
    normalize: str = "standard"
    refs: Literal["best", "mean"] = "best"
    wordnet: str = ""
    paraphrases: str = ""

    def __post_init__(self) -> None:
        """Check the settings, and that the matcher exists."""
        super().__post_init__()
        check_steps(self.normalize)
        if given_policy(self.match) is None:  # else alignments are given, not computed
            _ = self.matching.matcher
        elif self.needs_words:
            raise BadSetting(f"{self.name} needs matched words: it has no meaning with given alignments")

    @cached_property
    def matching(self) -> Matching:
        """How text becomes permutations."""
        return Matching(**{key: getattr(self, key) for key in (*MATCHING, *PLACES)})

    @cached_property
    def signature(self) -> str:
        """The metric's own settings, then how words are matched."""
        own = {key: value for key, value in self.settings.items() if key not in SHARED}
        shared = {key: getattr(self, key) for key in (*MATCHING, "refs")}
        return self.write_signature({**own, **self.constants, **shared, **self.resources})

    @property
    def resources(self) -> dict[str, str]:
        """Which WordNet and which paraphrases were found, where those are used."""
        if self.matching.stages & {"synonym", "paraphrase"}:
            return {"resources": self.matching.matcher.signature_part}
        return {}

    def on_alignments(
        self, policy: str, kind: GivenKind = "alignments", *, tokenize: Tokenizer = "none"
    ) -> Self:
        """Return the metric for given alignments of words that this tokenizer separates."""
        return replace(self, match=on_given(policy, kind), tokenize=tokenize, lowercase=False)

    @abstractmethod
    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute the statistics and the scores of segments against one reference."""

    def statistics(self, segments: Segments) -> Doubles:
        """Compute the statistics of the best reference of each segment, or their mean."""
        return self.combined(self.matched(segments))

    def matched(self, segments: Segments) -> list[Matched]:
        """Return the segments matched with each reference."""
        return segments.matched(self.tokenized_for(segments).matching)

    def combined(self, streams: Sequence[Matched]) -> Doubles:
        """Combine the statistics against several references into one row per segment."""
        parts = [self.reference_statistics(matched) for matched in streams]
        if len(parts) == 1:
            return parts[0][0]
        stats = np.stack([rows for rows, _ in parts])
        if self.refs == "mean":
            return np.asarray(stats.mean(axis=0))
        scores = np.stack([scores for _, scores in parts])
        choice = scores.argmax(axis=0) if self.higher_is_better else scores.argmin(axis=0)
        return np.asarray(stats[choice, np.arange(stats.shape[1])])

    def word_counts(self, segments: Segments) -> Longs:
        """Count the words of each hypothesis, and how many words the reference with most shares."""
        return segments.word_counts(self.tokenized_for(segments).matching)


def labels(metrics: Sequence[Metric]) -> list[str]:
    """Return short, distinct names of metrics, without how words are matched; signatures say that.

    Where metrics differ in nothing else, or only some of them are of given alignments, their names do say it.

    >>> from wordorder.metrics.registry import metric
    >>> labels([metric("full:alpha=0.3", tokenize="none"), metric("kendall")])
    ['full:alpha=0.3', 'kendall']
    >>> labels([metric("full"), metric("full:match=stem")])
    ['full', 'full:match=stem']
    >>> labels([metric("kendall"), metric("lrscore:match=alignments(birch)")])
    ['kendall', 'lrscore:match=alignments(birch)']
    """
    from wordorder.metrics.registry import spec_of

    given = {given_policy(m.match) is not None for m in metrics if isinstance(m, MatchedMetric)}
    hidden = [key for key in SHARED if key != "match" or len(given) < 2]
    short = [spec_of(metric, without=(*hidden, *metric.places)) for metric in metrics]
    names = [
        spec_of(metric) if short.count(name) > 1 else name
        for metric, name in zip(metrics, short, strict=True)
    ]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"metric {name!r} is asked for twice")
    return names
