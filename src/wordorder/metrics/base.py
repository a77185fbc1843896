"""The contract of a metric.

A metric is a frozen dataclass: its fields are its settings, and its signature is made from them and
known before anything is scored. It turns segments into rows of *additive* statistics; the score of a
corpus, of a resample or of a single segment is a function of the sum of rows, so resampling is matrix
work and nothing is scored twice. The calls have the shape of sacrebleu's:
``corpus_score(hypotheses, [references])``, ``sentence_score(hypothesis, references)`` and
``get_signature()``, and scores have a ``format``, so that metrics can take the place of sacrebleu's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from wordorder import _native
from wordorder._version import __version__
from wordorder.arrays import Doubles, Longs
from wordorder.core.displayed import Displayed
from wordorder.core.plugins import check_bounds, check_choices, field_types
from wordorder.core.resample import Interval, bootstrap_scores, interval
from wordorder.errors import BadSetting
from wordorder.metrics.segments import GivenKind, Segments
from wordorder.text.tokens import Tokenizer, as_lines

if TYPE_CHECKING:
    from wordorder.core.permutation import Permutations
    from wordorder.metrics.given_alignments import GivenAlignments
    from wordorder.metrics.weighted_features import WeightedFeatures


@dataclass(frozen=True, slots=True)
class Score(Displayed):
    """A score with its interval, its signature, and what it was computed from.

    >>> print(Score(0.75, "kendall|v:1", segments=2, words=9, matched=0.5))
    0.7500, 50.0 % of words matched (kendall|v:1)
    """

    score: float
    signature: str
    segments: int
    words: int = 0  # of the hypotheses, or of the permutations
    empty: int = 0  # segments without a word
    single: int = 0  # segments of one word
    interval: Interval | None = None
    matched: float | None = None  # share of words matched; None where no words are matched

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON or a data frame."""
        data = {name: getattr(self, name) for name in self.__slots__ if name != "interval"}
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        return {**data, "low": low, "high": high}

    @property
    def name(self) -> str:
        """The name of the metric, as sacrebleu's scores have one."""
        return self.signature.partition("|")[0]

    def format(
        self, width: int = 4, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Write the score as sacrebleu's scores write themselves, for programs that expect one of them.

        >>> score = Score(0.75, "kendall|v:1", segments=2)
        >>> score.format(width=2), score.format(score_only=True)
        ('kendall = 0.75', '0.7500')
        """
        number = f"{self.score:.{width}f}"
        if is_json:
            import json

            return json.dumps({"name": self.name, "score": float(number), "signature": signature}, indent=1)
        if score_only:
            return number
        return f"{self.name}|{signature} = {number}" if signature else f"{self.name} = {number}"

    def __str__(self) -> str:
        around = f" [{self.interval.low:.4f}, {self.interval.high:.4f}]" if self.interval else ""
        matched = f", {100 * self.matched:.1f} % of words matched" if self.matched is not None else ""
        return f"{self.score:.4f}{around}{matched} ({self.signature})"


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """Base of all metrics: settings, signature, statistics of segments and scores from their sums."""

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    percent: ClassVar[bool] = False  # are scores percentages?
    reference_is_best: ClassVar[bool] = True  # does a copy of the reference get the best score?
    bounds: ClassVar[dict[str, tuple[float, float]]] = {}  # the least and greatest values of settings
    late: ClassVar[tuple[str, ...]] = ()  # settings that do not change the statistics, only the scores
    places: ClassVar[tuple[str, ...]] = ()  # settings that name a file or folder: not in the signature
    unnamed: ClassVar[dict[str, Any]] = {}  # settings that are in the signature unless they have this value
    fixed: ClassVar[tuple[str, ...]] = ()  # settings that define the metric: shared settings skip them
    standard_tokenizer: ClassVar[str] = "13a"  # of text with spaces between words, for tokenize=auto

    def __post_init__(self) -> None:
        """Check the settings; subclasses that add conditions call this first."""
        check_choices(self, field_types(type(self)))
        check_bounds(self, self.bounds)

    @property
    def equation(self) -> str:
        """The equation of a segment's score, with {names} for its :meth:`terms`; empty if there is none."""
        return ""

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the numbers of each segment that stand in the equation.

        ``rows`` are statistics; ``permutations`` are those of the matched words, where they are known.
        """
        return {}

    def weighted_features(self, segments: Segments) -> WeightedFeatures | None:
        """Return the features and weights of a linear model behind the scores, if there is one.

        Its ``terms`` stand in the equation, too.
        """
        return None

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value; :attr:`higher_is_better` says which is best."""
        return 0.0, 1.0

    @abstractmethod
    def statistics(self, segments: Segments) -> Doubles:
        """Compute additive statistics, one row per segment."""

    def scores(self, sums: Doubles) -> Doubles:
        """Compute scores from sums of statistics, one sum per row: by default the mean of one column."""
        return mean_of(sums)

    def segment_scores(self, rows: Doubles) -> Doubles:
        """Compute the score of each segment alone from its row of statistics."""
        return self.scores(rows)

    @property
    def best(self) -> float:
        """The value of a perfect translation or order."""
        return self.range[1] if self.higher_is_better else self.range[0]

    # Settings and signature

    @classmethod
    def setting_names(cls) -> list[str]:
        """Return the names of the settings: the metric's own first, shared ones last."""
        names = {field.name for field in fields(cls)}
        own_first = [key for base in cls.__mro__ for key in vars(base).get("__annotations__", ())]
        return [key for key in dict.fromkeys(own_first) if key in names]

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name."""
        return {key: getattr(self, key) for key in self.setting_names()}

    @property
    def constants(self) -> dict[str, Any]:
        """Further parts of the signature: decisions that are not settings."""
        return {}

    def settle(self, **settings: Any) -> None:
        """Replace settings such as ``auto`` by what they mean; only for ``__post_init__``."""
        for key, value in settings.items():
            object.__setattr__(self, key, value)

    @cached_property
    def signature(self) -> str:
        """Everything that can change the number: ``name|setting:value|...|v:version``."""
        return self.write_signature({**self.settings, **self.constants})

    def write_signature(self, pairs: dict[str, Any]) -> str:
        """Write a signature from some settings and constants."""
        hidden = {key for key, usual in self.unnamed.items() if pairs.get(key) == usual}
        shown = {key: value for key, value in pairs.items() if key not in {*self.places, *hidden}}
        for key, value in shown.items():
            if set("|:,") & set(str(value)):
                raise BadSetting(f"{self.name}: {key} is {value!r}; a setting may not hold | : or ,")
        shown["v"] = __version__
        return "|".join([self.name, *(f"{key}:{value}" for key, value in shown.items())])

    def get_signature(self) -> str:
        """Return the signature, under the name that it has in sacrebleu."""
        return self.signature

    def signature_for(self, references: int, *, segment: bool = False) -> str:
        """Return the signature of scores against this number of references.

        Some metrics compute the score of a ``segment`` in another way than that of a corpus.
        """
        head, _, version = self.signature.rpartition("|v:")
        return f"{head}|nrefs:{references}|v:{version}"

    @classmethod
    def read_signature(cls, pairs: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Sort the pairs of a signature into settings as text, and what is not a setting."""
        settings = {key: pairs[key] for key in cls.setting_names() if key in pairs}
        return settings, {key: value for key, value in pairs.items() if key not in settings}

    def __getstate__(self) -> dict[str, Any]:
        """Keep only the settings: everything else is computed again elsewhere."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    # Text

    def for_segments(self, segments: Segments) -> Self:
        """Return the metric for these segments: with their tokenizer, or for given alignments."""
        given = segments.given
        metric = (
            self if given is None else self.on_alignments(given.policy, given.kind, tokenize=given.tokenize)
        )
        return metric.tokenized_for(segments)

    def tokenized_for(self, segments: Segments) -> Self:
        """Replace ``tokenize=auto`` by the tokenizer of the references, which are looked at only for that."""
        if getattr(self, "tokenize", "") != "auto":
            return self
        return self.with_tokenizer(segments.references.tokenizer)

    def with_tokenizer(self, tokenizer: str | None) -> Self:
        """Replace ``tokenize=auto`` by a tokenizer; None stands for the standard one.

        ``intl``, for text with spaces and punctuation of its own, takes the place of ``13a`` only.
        """
        if getattr(self, "tokenize", "") != "auto":
            return self
        needless = tokenizer == "intl" and self.standard_tokenizer != "13a"
        name = self.standard_tokenizer if tokenizer is None or needless else tokenizer
        if name not in self._resolved:
            self._resolved[name] = replace(self, tokenize=name)  # type: ignore[call-arg]
        return self._resolved[name]

    @cached_property
    def _resolved(self) -> dict[str, Self]:
        return {}

    def on_alignments(
        self, policy: str, kind: GivenKind = "alignments", *, tokenize: Tokenizer = "none"
    ) -> Self:
        """Return the metric for given alignments, if it looks at alignments at all."""
        return self

    def word_counts(self, segments: Segments) -> Longs:
        """Count the words of each hypothesis, words matched, and words to match: one row per segment.

        The last two count words on both sides. They are 0 where no words are matched.
        """
        return counts_of(segments.words)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        given: GivenAlignments | None = None,
        n_bootstrap: int = 1,
        seed: int = 12345,
    ) -> Score:
        """Score a corpus; with ``n_bootstrap`` > 1 also compute its 95 % interval.

        Alignments that are ``given`` replace matching; words are then those of the alignments.
        """
        segments = Segments(hypotheses, references, given=given)
        metric = self.for_segments(segments)
        rows = metric.statistics(segments)
        signature = metric.signature_for(len(segments.references))
        return metric.make_score(rows, tally(metric.word_counts(segments)), signature, n_bootstrap, seed)

    def sentence_score(
        self, hypothesis: str, references: Sequence[str], *, given: GivenAlignments | None = None
    ) -> Score:
        """Score one segment against its references."""
        streams = [[reference] for reference in as_lines(references, "references")]
        segments = Segments([hypothesis], streams, given=given)
        metric = self.for_segments(segments)
        value = float(metric.segment_scores(metric.statistics(segments))[0])
        signature = metric.signature_for(len(streams), segment=True)
        words, matched, to_match = metric.word_counts(segments)[0].tolist()
        share = matched / to_match if to_match else None
        return Score(value, signature, 1, words, int(words == 0), int(words == 1), None, share)

    def make_score(
        self, rows: Doubles, counts: Longs, signature: str, n_bootstrap: int = 1, seed: int = 12345
    ) -> Score:
        """Make the score of a corpus from its statistics and its :func:`tally`."""
        around = None
        if n_bootstrap > 1:
            around = interval(bootstrap_scores(rows, self.scores, samples=n_bootstrap, seed=seed))
        value = float(self.scores(rows.sum(axis=0, keepdims=True))[0])
        return counted_score(value, signature, counts, around)


def counts_of(words: Longs) -> Longs:
    """Return word counts of segments in which no words are matched."""
    counts = np.zeros((len(words), 3), dtype=np.int64)
    counts[:, 0] = words
    return counts


def tally(word_counts: Longs) -> Longs:
    """Count segments, words, empty segments, segments of one word, words matched and words to match."""
    return _native.tally(word_counts)


def counted_score(value: float, signature: str, counts: Longs, around: Interval | None = None) -> Score:
    """Make a score from its value and a :func:`tally`."""
    segments, words, empty, single, matched, to_match = counts.tolist()
    share = matched / to_match if to_match else None
    return Score(value, signature, segments, words, empty, single, around, share)


def mean_of(sums: Doubles) -> Doubles:
    """Divide the first column by the second; 1 where there is nothing to divide by."""
    return np.asarray(np.divide(sums[:, 0], sums[:, 1], out=np.ones(len(sums)), where=sums[:, 1] != 0))
