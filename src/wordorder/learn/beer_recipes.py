"""Recipes of the versions of BEER: features, objective and output (thesis, tables 5.1 and 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, get_type_hints

from wordorder.core.plugins import read_settings
from wordorder.errors import BadSetting
from wordorder.learn.objectives import Select
from wordorder.metrics.beer.output import Kind
from wordorder.metrics.beer.trained_model import CorpusMean
from wordorder.metrics.beer.views import feature_names

Learner = Literal["logistic", "svm", "hidden"]
Tokenize = Literal["13a", "none"]
Objective = Literal["sentence", "corpus", "joint", "ratings", "eras"]
WordSource = Literal["judgments", "shipped"]


@dataclass(frozen=True, kw_only=True)
class BeerRecipe:
    """All settings of a training run.

    ``signed`` prevents weights from rewarding what a copy of the reference lacks; ``penalties`` are tried
    on held-out years.
    """

    templates: str
    learner: Learner = "logistic"
    objective: Objective = "sentence"
    output: Kind = "quasi"
    select: Select = "all"
    signed: bool = False
    scaled: bool = True  # of quasi: whether its slope is fitted to ratings
    match: str = "exact"
    tokenize: Tokenize = "13a"  # of the views cased, lower and match
    lexicon: WordSource = "judgments"  # where known words come from
    scrambled: float = 0.0  # of eras: the weight of scrambled references beside judgments
    corpus: CorpusMean = "mean"  # how the scores of segments become that of a corpus
    corpus_words: float = 1.0  # the share of the weights of unknown words that counts in scores of corpora
    corpus_recall: float = 0.0  # the share of the weights of symmetric F1 that counts as recall there
    penalties: tuple[float, ...] = (1e-6, 1e-5, 1e-4, 1e-3)
    seed: int = 1

    def __post_init__(self) -> None:
        for key, kind in (
            ("learner", Learner),
            ("objective", Objective),
            ("output", Kind),
            ("select", Select),
            ("tokenize", Tokenize),
            ("lexicon", WordSource),
            ("corpus", CorpusMean),
        ):
            if getattr(self, key) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise BadSetting(f"{key} is {getattr(self, key)!r}; expected one of {known}")
        if not self.penalties or not all(0 < penalty < 1e6 for penalty in self.penalties):
            raise BadSetting(f"penalties are {self.penalties}; expected numbers above 0")
        if self.learner == "hidden" and self.output != "quasi":
            raise BadSetting("learner=hidden needs output=quasi")
        if self.learner == "hidden" and self.signed:
            raise BadSetting("learner=hidden needs signed=false: a hidden layer has no signs to keep")
        if self.objective == "ratings" and (self.learner == "svm" or self.output == "platt"):
            raise BadSetting("ratings are learned by squared error, with the output quasi, sigmoid or linear")
        if self.objective == "eras" and (self.learner, self.output) != ("logistic", "quasi"):
            raise BadSetting("objective=eras needs learner=logistic and output=quasi")
        if not 0 <= self.scrambled < 1e6:
            raise BadSetting(f"scrambled is {self.scrambled}; expected a number from 0 on")
        for key in ("corpus_words", "corpus_recall"):
            if not 0 <= getattr(self, key) <= 1:
                raise BadSetting(f"{key} is {getattr(self, key)}; expected a number from 0 to 1")
        if self.scrambled and self.objective != "eras":
            raise BadSetting("scrambled references are part of the objective eras", suggest={"scrambled": 0})
        if not self.features:
            raise BadSetting("no features: templates are empty")
        object.__setattr__(self, "penalties", tuple(dict.fromkeys(self.penalties)))

    @property
    def features(self) -> list[str]:
        """The names of the features."""
        return feature_names(self.templates)

    @property
    def has_function_words(self) -> bool:
        """Whether a feature needs function or content words."""
        return any(name.startswith(("match:function.", "match:content.")) for name in self.features)

    @property
    def has_lexicon(self) -> bool:
        """Whether a feature needs a lexicon."""
        return any(name.startswith("lexicon:") for name in self.features)

    def with_settings(self, **settings: Any) -> BeerRecipe:
        """Return the recipe with some settings changed."""
        return replace(self, **settings)

    def with_texts(self, settings: dict[str, str]) -> BeerRecipe:
        """Return the recipe with settings given as text, such as ``{"penalties": "1e-5,1e-4"}``.

        >>> RECIPES["best"].with_texts({"learner": "svm", "penalties": "1e-5,1e-4"}).penalties
        (1e-05, 0.0001)
        """
        hints = {**get_type_hints(type(self)), "penalties": _numbers}
        return replace(self, **read_settings("beer", settings, hints, hints))


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


# BEER 0.1 to 1.1: char n-grams 1 to 6, words, skip bigrams, stems, permutation trees; signs are free.
_FIRST = (
    "lower:char1-6.p lower:char1-6.r lower:char1-6.f1 lower:ngram1-4.p lower:ngram1-4.r lower:ngram1-4.f1 "
    "lower:skip.p lower:skip.r lower:skip.f1 linked.p linked.r linked.f1 exact.p exact.r exact.f1 "
    "stem.p stem.r stem.f1 function.p function.r function.f1 content.p content.r content.f1 "
    "kendall.v kendall.s0.25 kendall.s0.5 kendall.s0.75 pet_count.v monotone.v inverted.v four.v larger.v"
)
# BEER 2.0 and 3.0 (5.3.5), in symmetric forms (6.3.2).
_SECOND = " ".join(
    f"cased:{pieces}.{measure}"
    for pieces in ("char1-5", "ngram1-4", "skip2", "skip")
    for measure in ("a", "b", "sf1", "sf2", "sf0.5")
)
_SECOND += " cased:len_disbalance_char.d cased:len_disbalance_word.d"
_TREES = (
    " chain2.f1 chain3.f1 chain4.f1 arc.f1 arc_subject.f1 arc_object.f1 arc_oblique.f1 arc_modifier.f1"
    " arc_function.f1 arc_compound.f1 arc_coordination.f1 arc_punctuation.f1 arc_root.f1"
)
# Symmetric forms, so that additions and omissions cost the same.
_BEST = (
    "solid:char1-6.sf1 solid:len_disbalance_char.d begin:ngram2.sf1 begin:ngram4.sf1 "
    "begin:skip1.sf1 begin:skip3.sf1 begin:skip.sf1 unknown.n strange.n strangeness.n foreign.n"
)
# Lengths apart, word pairs in a window, losses of order that translations by systems rarely have, and roots
# of shares of unknown words, since the first one matters most.
_FOURTH = (
    "solid:char2-4.sf1 solid:char2-4.r solid:short_char.d solid:long_char.d "
    "begin:ngram1.sf1 begin:skip3.sf1 begin:skip6.sf1 begin:lost_neighbours.n begin:lost_order.n "
    "nonword.n0.5 nonword_name.n0.5 variant.n0.5 variant_name.n0.5 strange_nonword.n0.5 "
    "derived.n0.5 rarity.r"
)
RECIPES = {
    "4.0": BeerRecipe(
        templates=_FOURTH,
        objective="eras",
        signed=True,
        scrambled=0.02,
        corpus="root",
        corpus_words=0.25,
        corpus_recall=1.0,
        penalties=(1e-2,),
    ),
    "best": BeerRecipe(templates=_BEST, signed=True),
    "0.1": BeerRecipe(templates=_FIRST, output="sigmoid", match="exact+stem"),
    "1.0": BeerRecipe(templates=_FIRST, output="sigmoid", match="exact+stem"),
    "1.1": BeerRecipe(templates=_FIRST, match="exact+stem", scaled=False),
    "treepel": BeerRecipe(templates=_FIRST + _TREES, match="exact+stem", scaled=False),
    "2.0": BeerRecipe(templates=_SECOND, learner="svm", select="agreed", output="linear"),
    "3.0": BeerRecipe(templates=_SECOND, learner="svm", objective="joint", output="sigmoid"),
}
