"""What a metric is.

A metric is a frozen dataclass: its fields are all its settings, its signature is made from
them and known before anything is scored. It turns sentences into rows of *additive*
statistics; the score of a corpus, of a resample or of a single sentence is a function of
the sum of rows, so that resampling is matrix work and nothing is scored twice.
"""

from __future__ import annotations

import typing
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.plugins import check_choices
from wordorder.errors import BadSetting

Aggregate = Literal["macro", "micro", "length"]


@dataclass(frozen=True, slots=True)
class Score:
    """A corpus score, with what is needed to cite and to doubt it."""

    score: float
    signature: str
    sentences: int
    words: int
    empty: int  # sentences of no words: in order by definition
    single: int  # sentences of one word: likewise

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON or a data frame."""
        return {name: getattr(self, name) for name in self.__slots__}


@cache
def _hints(cls: type) -> dict[str, Any]:
    """The types of the settings; working them out takes longer than making a metric."""
    return typing.get_type_hints(cls)


class Metric(ABC):
    """Base of all metrics: settings, signature, and scores from summed statistics."""

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    places: ClassVar[tuple[str, ...]] = ()  # settings that say where something is found: in no signature

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """The least and the greatest value; which is best says :attr:`higher_is_better`."""

    @abstractmethod
    def score_from_stats(self, total: Doubles) -> float:
        """The score of a sum of statistics rows."""

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """The same for many sums, one a row; resampling asks for thousands."""
        return np.array([self.score_from_stats(row) for row in totals], dtype=np.float64)

    @classmethod
    def setting_names(cls) -> list[str]:
        """The names of the settings: the metric's own first, those that all share last."""
        names = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        own_first = [key for base in cls.__mro__ for key in vars(base).get("__annotations__", ())]
        return [key for key in dict.fromkeys(own_first) if key in names]

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name."""
        return {key: getattr(self, key) for key in self.setting_names()}

    def check_choices(self) -> None:
        """Check that each setting with named choices has one of them; numbers are kept as floats."""
        check_choices(self, _hints(type(self)))

    @property
    def constants(self) -> dict[str, Any]:
        """What else the signature should tell: decisions that are not settings."""
        return {}

    @cached_property
    def signature(self) -> str:
        """All that can move the number: ``name|setting:value|...|v:version``."""
        settings = {key: value for key, value in self.settings.items() if key not in self.places}
        pairs = {**settings, **self.constants, "v": __version__}
        for key, value in pairs.items():
            if set("|:,") & set(str(value)):
                raise BadSetting(f"{self.name}: {key} is {value!r}; a setting may not hold | : or ,")
        return "|".join([self.name, *(f"{key}:{value}" for key, value in pairs.items())])

    def __getstate__(self) -> dict[str, Any]:
        """The settings alone: what was worked out from them is worked out again elsewhere."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @classmethod
    def read_signature(cls, pairs: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Sort the pairs of a signature into settings as text, and what is not a setting."""
        own = cls.setting_names()
        return (
            {key: value for key, value in pairs.items() if key in own},
            {key: value for key, value in pairs.items() if key not in own},
        )

    def get_signature(self) -> str:
        """Return the signature (the call that sacrebleu's users know)."""
        return self.signature

    @property
    def best(self) -> float:
        """The value of a perfect order."""
        return self.range[1] if self.higher_is_better else self.range[0]


@dataclass(frozen=True, kw_only=True)
class OrderingMetric(Metric):
    """A score of permutations.

    A subclass gives ``counts``, the numerator and the denominator of each sentence, and may
    bend the quotient with ``curve``. Where the denominator is 0 (no words, one word; two words
    for the scores over trees) there is nothing to put in order, and the score is the best.

    ``agg`` says what the score of a corpus is: ``macro`` the mean over sentences, ``length`` the
    mean weighted by their words, ``micro`` the quotient of the summed counts.
    """

    has_micro: ClassVar[bool] = True  # are numerator and denominator counts that may be summed?
    agg: Aggregate = "macro"

    def __post_init__(self) -> None:
        """Check the settings; subclasses that add conditions call this first."""
        self.check_choices()
        if self.agg == "micro" and not self.has_micro:
            raise BadSetting(
                f"{self.name} is no quotient of counts: agg=micro has no meaning. Use macro or length."
            )

    @abstractmethod
    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Numerator and denominator of each sentence."""

    def curve(self, quotient: Doubles) -> Doubles:
        """Turn quotients into scores."""
        return quotient

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value."""
        return 0.0, 1.0

    @property
    def constants(self) -> dict[str, Any]:
        """The score of sentences too short for the formula."""
        return {"short": self.best}

    def sentence_scores(self, permutations: Permutations | Iterable[Iterable[int]]) -> Doubles:
        """The score of each sentence."""
        return self.batch_scores(as_batch(permutations))

    def batch_scores(self, permutations: Permutations) -> Doubles:
        """The quotients of the counts, bent by ``curve``; the best score where there are none."""
        numerator, denominator = self.counts(permutations)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = self.curve(numerator / denominator)
        return np.where(denominator == 0, self.best, scores)

    def stats(self, permutations: Permutations | Iterable[Iterable[int]]) -> Doubles:
        """Statistics that add up: a row a sentence."""
        batch = as_batch(permutations)
        if self.agg == "micro":
            return np.column_stack(self.counts(batch))
        weight = batch.lengths.astype(np.float64) if self.agg == "length" else np.ones(len(batch))
        return np.column_stack([self.batch_scores(batch) * weight, weight])

    def score_from_stats(self, total: Doubles) -> float:
        """The score of a sum of statistics rows."""
        numerator, denominator = total
        if not denominator:
            return self.best
        quotient = np.array([numerator / denominator])
        return float(self.curve(quotient)[0] if self.agg == "micro" else quotient[0])

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """The scores of many sums."""
        with np.errstate(invalid="ignore", divide="ignore"):
            quotient = totals[:, 0] / totals[:, 1]
            scores = self.curve(quotient) if self.agg == "micro" else quotient
        return np.where(totals[:, 1] == 0, self.best, scores)

    def corpus_score(self, permutations: Permutations | Iterable[Iterable[int]]) -> Score:
        """The score of all sentences together."""
        batch = as_batch(permutations)
        return self.make_score(self.stats(batch).sum(axis=0), sizes(batch))

    def make_score(self, total: Doubles, counted: NDArray[np.int64]) -> Score:
        """Wrap sums: of statistics rows, and of :func:`sizes`."""
        sentences, words, empty, single = counted.tolist()
        return Score(self.score_from_stats(total), self.signature, sentences, words, empty, single)

    def sentence_score(self, permutation: Permutation | Sequence[int]) -> Score:
        """The score of one sentence, with its signature."""
        return self.corpus_score(Permutations([permutation]))

    def __call__(self, permutation: Permutation | Sequence[int]) -> float:
        """The score of one permutation."""
        return float(self.sentence_scores([permutation])[0])


@dataclass(frozen=True, kw_only=True)
class VariantMetric(OrderingMetric):
    """A score that exists as published and as the released BEER 1.1 program computes it."""

    variant: Literal["paper", "beer11"] = "paper"
    beer11_lacks: ClassVar[tuple[str, ...]] = ()  # settings that the program does not have

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

    def batch_scores(self, permutations: Permutations) -> Doubles:
        """The score of each sentence, by the chosen variant."""
        return super().batch_scores(permutations) if self.variant == "paper" else self.beer11(permutations)

    @abstractmethod
    def beer11(self, permutations: Permutations) -> Doubles:
        """The score of each sentence as BEER 1.1 has it, short sentences included."""


def sizes(permutations: Permutations) -> NDArray[np.int64]:
    """How many sentences, words, sentences of no words and of one word; adds up like statistics."""
    n = permutations.lengths
    return np.array([len(n), n.sum(), (n == 0).sum(), (n == 1).sum()], dtype=np.int64)


def as_batch(permutations: Permutations | Iterable[Iterable[int]]) -> Permutations:
    """Permutations as they are, or anything that can be made into them."""
    return permutations if isinstance(permutations, Permutations) else Permutations(permutations)
