"""How the versions of BEER are made: features, objective, output (thesis, tables 5.1 and 6.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from wordorder.errors import BadSetting
from wordorder.learn.objectives import Select
from wordorder.metrics.beer.output import Kind
from wordorder.metrics.beer.views import feature_names

Learner = Literal["logistic", "svm", "hidden"]
Objective = Literal["sentence", "corpus", "joint", "ratings"]


@dataclass(frozen=True, kw_only=True)
class BeerRecipe:
    """All that training is told, but the data.

    ``signed`` keeps weights from rewarding what a copy of the reference lacks; ``penalties`` are tried
    on years left out in turn.
    """

    templates: str
    learner: Learner = "logistic"
    objective: Objective = "sentence"
    output: Kind = "quasi"
    select: Select = "all"
    signed: bool = False
    scaled: bool = True  # quasi: whether ratings may say how steep it is
    match: str = "exact"
    penalties: tuple[float, ...] = (1e-6, 1e-5, 1e-4, 1e-3)
    seed: int = 1

    def __post_init__(self) -> None:
        for key, kind in (
            ("learner", Learner),
            ("objective", Objective),
            ("output", Kind),
            ("select", Select),
        ):
            if getattr(self, key) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise BadSetting(f"{key} is {getattr(self, key)!r}; expected one of {known}")
        if not self.penalties or not all(0 < one < 1e6 for one in self.penalties):
            raise BadSetting(f"penalties are {self.penalties}; expected numbers above 0")
        if self.learner == "hidden" and self.output != "quasi":
            raise BadSetting("a hidden layer ranks by the distance from a copy; output is quasi then")
        if self.learner == "hidden" and self.signed:
            raise BadSetting("a hidden layer has no signs to keep; say --free")
        if self.objective == "ratings" and (self.learner == "svm" or self.output == "platt"):
            raise BadSetting("ratings are learned by squared error, and scaled by quasi, sigmoid or linear")
        if not self.features:
            raise BadSetting("no features: templates are empty")
        object.__setattr__(self, "penalties", tuple(dict.fromkeys(self.penalties)))

    @property
    def features(self) -> list[str]:
        """The features by name."""
        return feature_names(self.templates)

    @property
    def has_function_words(self) -> bool:
        """Whether a feature asks for function or content words."""
        return any(name.startswith(("match:function.", "match:content.")) for name in self.features)

    @property
    def has_lexicon(self) -> bool:
        """Whether a feature asks a lexicon."""
        return any(name.startswith("lexicon:") for name in self.features)

    def with_settings(self, **settings: Any) -> BeerRecipe:
        """The recipe with some settings changed; None changes nothing."""
        return replace(self, **{key: value for key, value in settings.items() if value is not None})


# BEER 0.1 to 1.1: char n-grams 1 to 6, words, skip bigrams, stems, permutation trees, all free in sign.
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
# Symmetric forms: a longer and a shorter copy of the same content are equally far from it.
_BEST = (
    "solid:char1-6.sf1 solid:len_disbalance_char.d begin:ngram2.sf1 begin:ngram4.sf1 "
    "begin:skip1.sf1 begin:skip3.sf1 begin:skip.sf1 unknown.n strange.n strangeness.n foreign.n"
)
RECIPES = {
    "best": BeerRecipe(templates=_BEST, signed=True),
    "0.1": BeerRecipe(templates=_FIRST, output="sigmoid", match="exact+stem"),
    "1.1": BeerRecipe(templates=_FIRST, match="exact+stem", scaled=False),
    "treepel": BeerRecipe(templates=_FIRST + _TREES, match="exact+stem", scaled=False),
    "2.0": BeerRecipe(templates=_SECOND, learner="svm", select="agreed", output="linear"),
    "3.0": BeerRecipe(templates=_SECOND, learner="svm", objective="joint", output="sigmoid"),
}
