"""Choose the features and settings of BEER 4.0 without looking at the year that they are reported on.

For every year, each candidate is judged by leaving out each of the other years in turn; the best one is then
learned from all other years. Features of all outputs are computed once, and candidates are some of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from experiments.reproduction.judged import Row, show, table
from wordorder.arrays import Doubles, Floats
from wordorder.judge.judgments import Judgments
from wordorder.judge.system_scores import human_kind, system_scores
from wordorder.learn.beer import EITHER, BeerTraining, margin_agreement
from wordorder.learn.beer_recipes import RECIPES, BeerRecipe
from wordorder.learn.eras import scrambled_references
from wordorder.learn.features import Examples, ExampleStore
from wordorder.learn.fitting import FittedWeights
from wordorder.learn.output_scaling import quasi_scale
from wordorder.metrics.beer.output import ScoreScaling
from wordorder.metrics.beer.trained_model import CorpusMean, Model, corpus_weights
from wordorder.metrics.beer.views import feature_names
from wordorder.text.lexicon import shipped_lexicon

_COMMON = (
    "solid:char1-6.sf1 solid:short_char.d solid:long_char.d begin:ngram1.sf1 begin:skip3.sf1 begin:skip6.sf1 "
    "begin:lost_neighbours.n begin:lost_order.n"
)
_LISTS = "nonword{0} nonword_name{0} variant{0} variant_name{0} strange_nonword{0} derived{0}"
# Without the n-grams that hardly count but take time.
_ROOTS = f"{_COMMON} {_LISTS.format('.n0.5')}".replace("char1-6", "char2-4")
_RECALL = "solid:char2-4.r"
CANDIDATES = {
    "English list": f"{_COMMON} unknown.n strange.n strangeness.n misspelt.n foreign.n",
    "lists": f"{_COMMON} {_LISTS.format('.n')}",
    "roots": _ROOTS,
    "roots, rarity": f"{_ROOTS} rarity.r",
    "roots, rarity, recall": f"{_ROOTS} rarity.r {_RECALL}",
}
PENALTIES = (1e-3, 1e-2)
CORPORA: tuple[CorpusMean, ...] = ("mean", "root", "length")
WORD_SHARES = (1.0, 0.5, 0.25, 0.1)
RECALL_SHARES = (0.0, 0.5, 1.0)
MANY_JUDGMENTS = 1000  # of a set by which the score of a corpus is chosen
SHIPPED = RECIPES["4.0"]
Features = tuple[str, float]  # the name of a candidate, and a penalty


class OfCorpora(NamedTuple):
    """How corpora are scored."""

    corpus: CorpusMean
    words: float  # the share of the weights of unknown words
    recall: float  # the share of the weights of symmetric F1 that is given to recall


@dataclass(frozen=True)
class Choice:
    """The features and settings that are best on some years, with their agreement there."""

    features: Features
    segments: float
    of_corpora: OfCorpora
    systems: float

    @property
    def row(self) -> Row:
        """The cells of a table."""
        name, penalty = self.features
        return [name, f"{penalty:g}", show(self.segments, 4), *self.of_corpora, show(self.systems, 4)]


@dataclass
class Selection:
    """The judged outputs of all years with the features of all candidates."""

    sets: Sequence[Judgments]
    names: list[str] = field(init=False)
    examples: list[Examples] = field(init=False)
    _fits: dict[tuple[frozenset[int], Features], FittedWeights] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = dict.fromkeys(name for templates in CANDIDATES.values() for name in feature_names(templates))
        recipe = self.recipe(" ".join(names), SHIPPED.penalties[0])
        self.names, self.examples = recipe.features, []
        store = ExampleStore(lexicon=shipped_lexicon())
        for judgments in self.sets:
            apart = scrambled_references(judgments, recipe.seed)
            references = [judgments.references[0][k] for k in judgments.item_segment.tolist()]
            outputs = [text or "" for text in judgments.outputs]
            own = store.features(recipe, outputs, references, judgments.target)
            lost = store.features(recipe, apart.texts, apart.references, judgments.target)
            self.examples.append(Examples(judgments, own, apart, lost))

    def recipe(self, templates: str, penalty: float) -> BeerRecipe:
        """Return the recipe of the shipped model with other features."""
        return SHIPPED.with_settings(templates=templates, lexicon="shipped", penalties=(penalty,))

    def training(self, features: Features) -> BeerTraining:
        """Return the training run of a candidate."""
        store = ExampleStore(lexicon=shipped_lexicon())
        return BeerTraining(recipe=self.recipe(CANDIDATES[features[0]], features[1]), store=store)

    def of(self, features: Features, years: Iterable[int]) -> list[Examples]:
        """Return the examples of some years with the features of a candidate."""
        places = [self.names.index(name) for name in self.training(features).recipe.features]

        def some(matrix: Floats | None) -> Floats:
            assert matrix is not None
            return np.ascontiguousarray(matrix[:, places])

        return [
            Examples(part.judgments, some(part.features), part.scrambled, some(part.scrambled_features))
            for part in self.examples
            if part.judgments.year in years
        ]

    def fitted(self, features: Features, years: Iterable[int]) -> FittedWeights:
        """Learn the weights of a candidate from some years."""
        key = frozenset(years), features
        if key not in self._fits:
            self._fits[key] = self.training(features).fit(self.of(features, key[0]), features[1])
        return self._fits[key]

    def segment_values(self, features: Features, year: int, known: Sequence[int]) -> list[float]:
        """Return the agreement on the sets of a year with weights learned from other years."""
        return margin_agreement(self.of(features, [year]), self.fitted(features, known), EITHER)

    def over_years(self, features: Features, years: Sequence[int]) -> float:
        """Return the mean agreement over the sets of all years, each with weights learned from the others."""
        every = [self.segment_values(features, year, [y for y in years if y != year]) for year in years]
        return float(np.mean([value for values in every for value in values]))

    def system_values(self, features: Features, years: Sequence[int]) -> dict[OfCorpora, float]:
        """Return the mean agreement at system level over the large sets, by how corpora are scored."""
        found: dict[OfCorpora, list[float]] = {}
        names = self.training(features).recipe.features
        for year in years:
            known = [y for y in years if y != year]
            fitted = self.fitted(features, known)
            rated = [part for part in self.of(features, known) if part.judgments.rated]
            scale = quasi_scale(rated, fitted) if rated else 1.0
            for part in self.of(features, [year]):
                if _judgments(part.judgments) < MANY_JUDGMENTS:
                    continue
                wide = part.features.astype(np.float64)
                for words, recall in product(WORD_SHARES, RECALL_SHARES):
                    weights = corpus_weights(names, fitted.weights, words=words, recall=recall)
                    scores = ScoreScaling("quasi", scale)(wide @ weights)
                    for corpus in CORPORA:
                        if (value := system_agreement(part.judgments, scores, corpus)) is not None:
                            found.setdefault(OfCorpora(corpus, words, recall), []).append(value)
        return {settings: float(np.mean(values)) for settings, values in found.items()}

    def choose(self, years: Sequence[int]) -> Choice:
        """Choose the features by segments of some years, and then the score of corpora by their systems."""
        segments = {features: self.over_years(features, years) for features in product(CANDIDATES, PENALTIES)}
        best = max(segments, key=segments.__getitem__)
        systems = self.system_values(best, years)
        settings = max(systems, key=systems.__getitem__)
        return Choice(best, segments[best], settings, systems[settings])

    def model(self, choice: Choice, years: Sequence[int]) -> Model:
        """Learn the model of a choice from some years."""
        training = self.training(choice.features)
        corpus, words, recall = choice.of_corpora
        recipe = training.recipe.with_settings(corpus=corpus, corpus_words=words, corpus_recall=recall)
        training = BeerTraining(recipe=recipe, store=training.store)
        fitted = self.fitted(choice.features, years)
        return training.model(fitted, self.of(choice.features, years), [], choice.features[1], [])


def system_agreement(judgments: Judgments, scores: Doubles, corpus: CorpusMean) -> float | None:
    """Return the correlation of the scores of systems with those by people, None for fewer than three."""
    lengths = np.array([len(text) for text in judgments.references[0]], np.float64)[judgments.item_segment]
    weights = {"mean": np.ones(len(lengths)), "root": np.sqrt(lengths), "length": lengths}[corpus]
    weights = weights * judgments.usable
    size = len(judgments.systems)
    total = np.bincount(judgments.item_system, weights, size)
    human = system_scores(judgments, human_kind(judgments))[0]
    seen = np.flatnonzero((total > 0) & np.isfinite(human))
    if len(seen) < 3:
        return None
    mean = np.bincount(judgments.item_system, weights * scores, size)[seen] / total[seen]
    return float(np.corrcoef(mean, human[seen])[0, 1])


def _judgments(judgments: Judgments) -> int:
    return judgments.compared.untied if judgments.preferences is not None else len(judgments.rated or ())


def choices_table(choices: dict[int, Choice]) -> str:
    """Show what was chosen for each year."""
    head: Row = [
        "held out",
        "features",
        "penalty",
        "segments",
        "corpus",
        "unknown words",
        "F1 as recall",
        "large sets, systems",
    ]
    return table([head, *([year, *choice.row] for year, choice in choices.items())])


def early_table(selection: Selection, early: Sequence[int], later: int) -> str:
    """Show all candidates on the first years, and on rankings of a later year, learned from them."""
    head = f"{early[0]} to {early[-1]}, each from the others"
    rows: list[Row] = [["features", "penalty", head, f"rankings of {later}"]]
    ranked = [part for part in selection.sets if part.year == later]
    for features in product(CANDIDATES, PENALTIES):
        values = selection.segment_values(features, later, early)
        taus = [v for v, own in zip(values, ranked, strict=True) if own.preferences is not None]
        inner = selection.over_years(features, early)
        rows.append([features[0], f"{features[1]:g}", show(inner, 4), show(float(np.mean(taus)), 4)])
    return table(rows)
