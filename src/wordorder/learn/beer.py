"""Trains BEER on judgments; each year is reported with weights learned from the other years."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Doubles, Floats
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.segment_measures import ADDITIVE
from wordorder.learn.beer_recipes import BeerRecipe
from wordorder.learn.features import Examples, ExampleStore
from wordorder.learn.fitting import FittedWeights, fit_hidden, fit_linear
from wordorder.learn.objectives import Loss, WeightedLoss, corpora_of, ratings_of, sentences_of
from wordorder.learn.output_scaling import learned_output
from wordorder.learn.self_training import UnlabelledPairs
from wordorder.learn.years import held_out, years_of
from wordorder.metrics.beer.trained_model import Model, without_zeros
from wordorder.metrics.beer.views import views_of
from wordorder.metrics.segments import Matching

SMALL = 1e-6  # smaller weights are set to 0


@dataclass(frozen=True)
class HeldOutYear:
    """The agreement with people on the sets of a held-out year."""

    year: int
    sets: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the sets for which the agreement is defined; NaN if there are none."""
        defined = [value for value in self.values if np.isfinite(value)]
        return float(np.mean(defined)) if defined else float("nan")


@dataclass(frozen=True)
class TrainedBeer:
    """A model with its agreement on held-out years."""

    model: Model
    penalty: float
    measure: str
    years: tuple[HeldOutYear, ...]


@dataclass(frozen=True, kw_only=True)
class BeerTraining:
    """A training run: a recipe with its resources."""

    recipe: BeerRecipe
    store: ExampleStore = field(default_factory=ExampleStore)
    unlabelled: UnlabelledPairs | None = None
    progress: Callable[[int, int], None] | None = None

    @property
    def measure(self) -> str:
        """The measure of held-out years: tau of preferences, or Pearson's r of ratings."""
        return "pearson" if self.recipe.objective == "ratings" else "tau:ties=counted"

    def run(self, sets: Sequence[Judgments]) -> TrainedBeer:
        """Learn the weights, then fit the output to ratings if there are some."""
        by_ratings = self.recipe.objective == "ratings"
        rated = [judgments for judgments in sets if judgments.preferences is None]
        preferred = [judgments for judgments in sets if judgments.preferences is not None]
        learned, scaling = (rated, []) if by_ratings else (preferred, rated)
        years = years_of(learned, kind="ratings" if by_ratings else "preferences")
        everything = [*learned, *scaling]
        steps = len(everything) + len(years) * len(self.recipe.penalties) + 1
        prepared = self.store.prepared(
            everything, self.recipe, progress=lambda done: self._report(done, steps)
        )
        if self.unlabelled:
            self.store.key += self.unlabelled.tag
        examples, others = prepared[: len(learned)], prepared[len(learned) :]
        reports: dict[float, list[HeldOutYear]] = {penalty: [] for penalty in self.recipe.penalties}
        done = len(everything)
        for year, known, held in held_out(years, examples, [part.judgments.year for part in examples]):
            for penalty in self.recipe.penalties:
                fitted = self.store.kept(f"{year} {penalty}", lambda k=known, p=penalty: self.fit(k, p))  # type: ignore[misc]
                done += 1
                self._report(done, steps)
                names = tuple(part.judgments.name for part in held)
                reports[penalty].append(
                    HeldOutYear(year, names, tuple(margin_agreement(held, fitted, self.measure)))
                )
        best = max(self.recipe.penalties, key=lambda p: np.nanmean([report.mean for report in reports[p]]))
        fitted = self.store.kept(f"all {best}", lambda: self.fit(examples, best))
        self._report(steps, steps)
        model = self.model(fitted, examples, others, best, reports[best])
        return TrainedBeer(model, best, self.measure, tuple(reports[best]))

    def _report(self, done: int, steps: int) -> None:
        if self.progress:
            self.progress(done, steps)

    def fit(self, examples: Sequence[Examples], penalty: float) -> FittedWeights:
        """Fit weights to some sets, and again with unlabelled pairs labelled by these weights."""
        features = np.concatenate([part.features for part in examples])
        loss, spread = self.loss([part.judgments for part in examples], features)
        fitted = self._fitted(features, loss, spread, penalty)
        if self.unlabelled is None:
            return fitted
        more = self.unlabelled.features(self.store, self.recipe)
        labelled = self.unlabelled.loss(fitted.margins(more), start=len(features), hinge=self._hinge)
        both = np.concatenate([features, more])
        return self._fitted(
            both, WeightedLoss([(0.5, _padded(loss, len(features))), (0.5, labelled)]), spread, penalty
        )

    @property
    def uses_ratings(self) -> bool:
        """Whether the output is fitted to ratings that come with preferences."""
        return self.recipe.output == "linear" or (self.recipe.output == "quasi" and self.recipe.scaled)

    @property
    def _hinge(self) -> bool:
        return self.recipe.learner == "svm"

    def _fitted(self, features: Floats, loss: Loss, spread: Doubles, penalty: float) -> FittedWeights:
        if self.recipe.learner == "hidden":
            return fit_hidden(features, loss, spread, penalty=penalty, seed=self.recipe.seed)
        signs = None
        if self.recipe.signed:
            views = views_of(self.recipe.features, self.store.sources)
            signs = [sign for view in views for sign in view.signs]
        return fit_linear(features, loss, spread, penalty=penalty, signs=signs)

    def loss(self, sets: Sequence[Judgments], features: Floats) -> tuple[Loss, Doubles]:
        """Return the loss that the recipe minimises, and the unit of each feature."""
        if self.recipe.objective == "ratings":
            return ratings_of(sets), np.asarray(features.std(axis=0), np.float64) + 1e-9
        sentences = sentences_of(sets, self.recipe.select, hinge=self._hinge)
        spread = sentences.spread(features)
        if self.recipe.objective == "sentence":
            return sentences, spread
        corpora = corpora_of(sets)
        return (
            corpora if self.recipe.objective == "corpus" else WeightedLoss([(0.5, sentences), (0.5, corpora)])
        ), spread

    def model(
        self,
        fitted: FittedWeights,
        examples: Sequence[Examples],
        rated: Sequence[Examples],
        penalty: float,
        reports: Sequence[HeldOutYear],
    ) -> Model:
        """Return the model with its card."""
        weights = np.where(np.abs(fitted.weights) < SMALL, 0.0, fitted.weights)
        fitted = replace(fitted, weights=weights)
        output = learned_output(self.recipe, fitted, examples, rated)
        card = {
            "recipe": {**vars(self.recipe), "penalties": list(self.recipe.penalties)},
            "learned_from": [part.judgments.name for part in examples],
            "scaled_to": [part.judgments.name for part in rated if self.uses_ratings],
            "judgments": sum(_judged(part.judgments, self.recipe.objective) for part in examples),
            "unlabelled_pairs": len(self.unlabelled) if self.unlabelled else 0,
            "penalty": penalty,
            "measure": self.measure,
            "held_out": {str(r.year): round(r.mean, 4) if np.isfinite(r.mean) else None for r in reports},
            "program": __version__,
        }
        matching = Matching(match=self.recipe.match)
        views = views_of(self.recipe.features, replace(self.store.sources, matching=matching))
        model = Model(views, weights, output, card, self.store.function_words, fitted.hidden)
        if not weights.any():
            raise BadSetting(
                "no feature has a weight: none agrees with the judgments, or the penalty is too high"
            )
        return model if fitted.hidden else without_zeros(model)


def _judged(judgments: Judgments, objective: str) -> int:
    """Return the number of judgments of a set that can be learned from."""
    if objective == "ratings":
        return len(judgments.rated) if judgments.rated else 0
    return judgments.compared.untied


def _padded(loss: Loss, known: int) -> Loss:
    """Return a loss that ignores all but the first items."""

    def padded(margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        value, slope, bias_slope = loss(margins[:known], bias)
        return value, np.concatenate([slope, np.zeros(len(margins) - known)]), bias_slope

    return padded


def margin_agreement(examples: Sequence[Examples], fitted: FittedWeights, measure: str) -> list[float]:
    """Return the agreement of margins with people for each set."""
    values = []
    for part in examples:
        # Margins of equal features may differ in their last bits; they are ties.
        wide = part.features.astype(np.float64)
        margins = (fitted.hidden.margins(wide) if fitted.hidden else wide @ fitted.weights).round(9)
        values.append(ADDITIVE[measure].of(part.judgments, margins))
    return values


def card_text(trained: TrainedBeer) -> str:
    """Return the card of a model as Markdown."""
    card = trained.model.card
    recipe = card["recipe"]
    lines = [
        "# A BEER model",
        "",
        f"{len(trained.model.names)} features; learner {recipe['learner']}, objective {recipe['objective']}, "
        f"output {recipe['output']}, penalty {trained.penalty:g}.",
        "",
        f"Learned from {card['judgments']:,} judgments: {', '.join(card['learned_from'])}.",
        f"Scaled to: {', '.join(card['scaled_to']) or 'nothing'}.",
        "",
        f"| held-out year | sets | {trained.measure} |",
        "|---|---|---|",
        *(f"| {report.year} | {len(report.sets)} | {report.mean:.4f} |" for report in trained.years),
        "",
        "Each year is scored with weights learned from the other years; the penalty was chosen by these same "
        "figures. The weights of the model were then learned from all years.",
    ]
    return "\n".join(lines) + "\n"
