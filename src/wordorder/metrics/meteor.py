"""METEOR (Denkowski and Lavie 2014; thesis, equations 2.42 to 2.46) on the links of our matcher."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from wordorder.align.matcher import STAGES, Matcher
from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.core.plugins import check_bounds
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.matched import PLACES, MatchedMetric
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Matched, MatchedTexts
from wordorder.text.function_words import FunctionWords, function_words
from wordorder.text.tokens import Tokens

BY_LANGUAGE = -1.0  # stands for METEOR's value for the language


@dataclass(frozen=True)
class Parameters:
    """The numbers of the formula; the weight of exact matches is 1."""

    alpha: float = 0.75
    beta: float = 1.4
    gamma: float = 0.7
    delta: float = 0.5
    stem_weight: float = 0.5
    synonym_weight: float = 0.5
    paraphrase_weight: float = 0.5
    name: ClassVar[str] = "meteor"

    @property
    def kinds(self) -> Doubles:
        """What a content word and a function word count."""
        return np.array([self.delta, 1 - self.delta])

    @property
    def credits(self) -> Doubles:
        """What a matched word counts, by stage and kind."""
        stages = [1.0, self.stem_weight, self.synonym_weight, self.paraphrase_weight]
        return np.outer(stages, self.kinds).ravel()


# METEOR 1.5's parameters, tuned to rankings by people; other languages have those of Parameters itself.
TUNED = {
    "en": Parameters(0.85, 0.20, 0.60, 0.75, stem_weight=0.6, synonym_weight=0.8, paraphrase_weight=0.6),
    "cs": Parameters(0.95, 0.20, 0.60, 0.80, paraphrase_weight=0.4),
    "de": Parameters(0.95, 1.00, 0.55, 0.55, stem_weight=0.8, paraphrase_weight=0.2),
    "es": Parameters(0.65, 1.30, 0.50, 0.80, stem_weight=0.8, paraphrase_weight=0.6),
    "fr": Parameters(0.90, 1.40, 0.60, 0.65, stem_weight=0.2, paraphrase_weight=0.4),
}
BOUNDS = {key: (0.0, 10.0 if key == "beta" else 1.0) for key in asdict(Parameters())}
KINDS = 2 * len(STAGES)  # of matched words: content and function words of each stage


@register
@dataclass(frozen=True, kw_only=True, eq=False)
class Meteor(MatchedMetric):
    """METEOR: weighted precision and recall of matched words, with a penalty for broken order.

    P and R count content words ``delta`` and function words ``1 - delta``; words matched by a later
    stage than ``exact`` count ``stem_weight``, ``synonym_weight`` or ``paraphrase_weight`` times that.
    The score is ``F * (1 - gamma * (chunks / matched)^beta)`` with ``F = P R / (alpha P + (1 - alpha) R)``;
    a segment that is matched as a whole in one chunk has no penalty. A corpus is scored from its summed
    counts. A parameter of -1 stands for METEOR 1.5's value for ``language``. ``function_words`` is a file
    of words, or METEOR's jar; without it, the package's lists are used.

    >>> round(Meteor(match="exact").sentence_score("the cats walked home", ["the cat walks home"]).score, 4)
    0.16
    """

    name = "meteor"
    needs_words = True
    has_language: ClassVar[bool] = True
    late = tuple(BOUNDS)
    places: ClassVar[tuple[str, ...]] = (*PLACES, "function_words")
    alpha: float = BY_LANGUAGE
    beta: float = BY_LANGUAGE
    gamma: float = BY_LANGUAGE
    delta: float = BY_LANGUAGE
    stem_weight: float = BY_LANGUAGE
    synonym_weight: float = BY_LANGUAGE
    paraphrase_weight: float = BY_LANGUAGE
    match: str = "exact+stem"
    function_words: str = ""

    def __post_init__(self) -> None:
        """Check the settings, and that the function words can be read."""
        super().__post_init__()
        check_bounds(self.parameters, BOUNDS)
        if not isinstance(self.matching.matcher, Matcher):
            raise BadSetting(f"meteor: match={self.match} has no stages; expected some such as exact+stem")
        _ = self.functions

    @cached_property
    def parameters(self) -> Parameters:
        """The parameters in use."""
        tuned = asdict(TUNED.get(self.language, Parameters()))
        given = {key: getattr(self, key) for key in tuned}
        return Parameters(**{key: tuned[key] if v == BY_LANGUAGE else v for key, v in given.items()})

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name, with the parameters in use."""
        return {**super().settings, **asdict(self.parameters)}

    def __eq__(self, other: object) -> bool:
        """Compare the settings in use."""
        return isinstance(other, Meteor) and self.settings == other.settings

    def __hash__(self) -> int:
        return hash(tuple(self.settings.values()))

    @cached_property
    def functions(self) -> FunctionWords:
        """The function words of the language."""
        return function_words(self.language, self.function_words)

    @property
    def resources(self) -> dict[str, str]:
        """Which data were found: those of the matcher, and the function words."""
        return {**super().resources, "functions": self.functions.signature_part}

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Count words and matched words of both sides by stage and kind, and chunks."""
        texts = matched.texts
        if texts is None:
            raise WordOrderError("meteor needs words: it has no meaning with given alignments")
        functions = self.functions.among(texts.words)
        sides = [
            (texts.hypotheses, texts.matches.stages),
            (texts.references, texts.matches.reference_stages),
        ]
        counts = [_count(tokens, _stage_numbers(texts)[stages], functions) for tokens, stages in sides]
        covered = [count[:, :KINDS].sum(axis=1) for count in counts]
        chunks = texts.matches.chunks()
        whole = (covered[0] == matched.hypothesis_lengths) & (covered[1] == matched.reference_lengths)
        chunks = np.where(whole & (chunks == 1), 0, chunks)
        rows = np.column_stack([*counts, chunks]).astype(np.float64)
        return rows, self.scores(rows)

    def scores(self, sums: Doubles) -> Doubles:
        """Compute scores from sums of counts; 0 where nothing is matched, 1 where there are no words."""
        use = self.parameters
        mean, matched = self._mean_and_matched(sums)
        with np.errstate(invalid="ignore", divide="ignore"):
            scores = mean * (1 - use.gamma * (sums[:, -1] / matched) ** use.beta)
        empty = sum(side[:, KINDS:].sum(axis=1) for side in _sides(sums)) == 0
        return np.where(empty, 1.0, np.nan_to_num(scores))

    @property
    def equation(self) -> str:
        """The mean of precision and recall, and the penalty."""
        use = self.parameters
        return (
            "F · (1 − γ · (chunks / matched)^β), with the weighted mean F of precision and recall = "
            f"{{mean}} · (1 − {use.gamma:g} · ({{chunks}} / {{denominator}})^{use.beta:g})"
        )

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the mean of precision and recall, chunks, and matched words (the mean of both sides)."""
        mean, matched = self._mean_and_matched(rows)
        return {"mean": mean, "chunks": rows[:, -1], "denominator": matched}

    def _mean_and_matched(self, sums: Doubles) -> tuple[Doubles, Doubles]:
        use = self.parameters
        matched = np.sum([side[:, :KINDS].sum(axis=1) for side in _sides(sums)], axis=0) / 2
        with np.errstate(invalid="ignore", divide="ignore"):
            precision, recall = (
                side[:, :KINDS] @ use.credits / (side[:, KINDS:] @ use.kinds) for side in _sides(sums)
            )
            mean = precision * recall / (use.alpha * precision + (1 - use.alpha) * recall)
        return mean, matched


def _sides(sums: Doubles) -> tuple[Doubles, Doubles]:
    """Return the counts of the hypothesis and of the reference."""
    return sums[:, : KINDS + 2], sums[:, KINDS + 2 : 2 * (KINDS + 2)]


def _stage_numbers(texts: MatchedTexts) -> Longs:
    """Return the place in STAGES of each stage of the matcher; the last, which -1 finds, is no stage."""
    return np.array([*(STAGES.index(stage) for stage in texts.stages), len(STAGES)])


def _count(tokens: Tokens, stages: Longs, functions: Bools) -> Longs:
    """Count the words of each line: matched ones by stage and kind, and all of them by kind."""
    kinds = functions[tokens.ids] if len(functions) else np.zeros(0, np.bool_)
    line = np.repeat(np.arange(len(tokens)), tokens.lengths)
    places = KINDS + 2
    counts = np.bincount(line * places + 2 * stages + kinds, minlength=len(tokens) * places)
    table = counts.reshape(len(tokens), places)
    table[:, KINDS:] += table[:, :KINDS].reshape(len(tokens), len(STAGES), 2).sum(axis=1)
    return table
