"""Trains BEER on judgments; each year is reported with weights learned from the other years.

Of a single year, language pairs are held out instead.
"""

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
from wordorder.learn.eras import eras_of
from wordorder.learn.features import Examples, ExampleStore
from wordorder.learn.fitting import FittedWeights, fit_hidden, fit_linear
from wordorder.learn.objectives import (
    Loss,
    PreferenceLoss,
    WeightedLoss,
    corpora_of,
    ratings_of,
    sentences_of,
)
from wordorder.learn.output_scaling import learned_output
from wordorder.learn.self_training import UnlabelledPairs
from wordorder.learn.years import folds_of, held_out
from wordorder.metrics.beer.trained_model import Model, without_zeros
from wordorder.metrics.beer.views import views_of
from wordorder.metrics.segments import Matching

EITHER = "tau or pearson"  # of preferences and of ratings
SMALL = 1e-6  # smaller weights are set to 0


@dataclass(frozen=True)
class HeldOut:
    """The agreement with people on held-out sets: those of a year, or of a language pair."""

    name: str
    sets: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over the sets for which the agreement is defined; NaN if there are none."""
        defined = [value for value in self.values if np.isfinite(value)]
        return float(np.mean(defined)) if defined else float("nan")


@dataclass(frozen=True)
class TrainedBeer:
    """A model with its agreement on held-out sets."""

    model: Model
    penalty: float
    measure: str
    reports: tuple[HeldOut, ...]


@dataclass(frozen=True, kw_only=True)
class BeerTraining:
    """A training run: a recipe with its resources."""

    recipe: BeerRecipe
    store: ExampleStore = field(default_factory=ExampleStore)
    unlabelled: UnlabelledPairs | None = None
    progress: Callable[[int, int], None] | None = None

    @property
    def measure(self) -> str:
        """The measure of held-out sets: tau of preferences, or Pearson's r of ratings."""
        if self._all_kinds:
            return EITHER
        return "pearson" if self.recipe.objective == "ratings" else "tau:ties=counted"

    def run(self, sets: Sequence[Judgments]) -> TrainedBeer:
        """Learn the weights, then fit the output to ratings if there are some."""
        by_ratings = self.recipe.objective == "ratings"
        rated = [judgments for judgments in sets if judgments.preferences is None]
        preferred = [judgments for judgments in sets if judgments.preferences is not None]
        learned, scaling = (rated, []) if by_ratings else (preferred, rated)
        if self._all_kinds:
            learned, scaling = [*sets], []
        fold_of = self._folds(learned, "ratings" if by_ratings else "preferences")
        folds = sorted(set(fold_of)) if len(set(fold_of)) > 1 else []
        everything = [*learned, *scaling]
        steps = len(everything) + len(folds) * len(self.recipe.penalties) + 1
        prepared = self.store.prepared(
            everything, self.recipe, progress=lambda done: self._report(done, steps)
        )
        if self.unlabelled:
            self.store.key += self.unlabelled.tag
        examples, others = prepared[: len(learned)], prepared[len(learned) :]
        width = examples[0].features.shape[1]
        reports: dict[float, list[HeldOut]] = {penalty: [] for penalty in self.recipe.penalties}
        done = len(everything)
        for fold, known, held in held_out(folds, examples, fold_of):
            for penalty in self.recipe.penalties:
                fitted = self.store.kept(
                    f"{fold} {penalty}",
                    width,
                    lambda k=known, p=penalty: self.fit(k, p),  # type: ignore[misc]
                )
                done += 1
                self._report(done, steps)
                names = tuple(part.judgments.name for part in held)
                values = tuple(margin_agreement(held, fitted, self.measure))
                reports[penalty].append(HeldOut(fold, names, values))
        best = self.recipe.penalties[0]
        if len(self.recipe.penalties) > 1:
            best = max(reports, key=lambda p: np.nanmean([report.mean for report in reports[p]]))
        fitted = self.store.kept(f"all {best}", width, lambda: self.fit(examples, best))
        self._report(steps, steps)
        model = self.model(fitted, examples, others, best, reports[best])
        return TrainedBeer(model, best, self.measure, tuple(reports[best]))

    def _folds(self, learned: Sequence[Judgments], kind: str) -> list[str]:
        """Return what each set is held out with; a single set can only be learned from as a whole."""
        if not learned:
            raise BadSetting(f"there are no {kind} to learn from")
        folds = folds_of(learned)
        if len(set(folds)) < 2 and len(self.recipe.penalties) > 1:
            raise BadSetting(
                f"{learned[0].name} is the only set, so nothing can be held out to choose among "
                f"{len(self.recipe.penalties)} penalties: give one penalty, or sets of another year or "
                "language pair; years are read from names such as wmt14 or newstest2014",
                suggest={"penalties": "1e-4"},
            )
        return folds

    def _report(self, done: int, steps: int) -> None:
        if self.progress:
            self.progress(done, steps)

    def fit(self, examples: Sequence[Examples], penalty: float) -> FittedWeights:
        """Fit weights to some sets, and again with unlabelled pairs labelled by these weights."""
        scrambled = [part.scrambled_features for part in examples if part.scrambled_features is not None]
        features = np.concatenate([*(part.features for part in examples), *scrambled])
        loss, moments = self.loss(examples, features)
        fitted = self._fitted(features, loss, moments, penalty)
        if self.unlabelled is None:
            return fitted
        more = self.unlabelled.features(self.store, self.recipe)
        labelled = self.unlabelled.loss(fitted.margins(more), start=len(features), hinge=self._hinge)
        both = np.concatenate([features, more])
        return self._fitted(
            both, WeightedLoss([(0.5, _padded(loss, len(features))), (0.5, labelled)]), moments, penalty
        )

    @property
    def uses_ratings(self) -> bool:
        """Whether the output is fitted to ratings that come with preferences."""
        return self.recipe.output == "linear" or (self.recipe.output == "quasi" and self.recipe.scaled)

    @property
    def _all_kinds(self) -> bool:
        return self.recipe.objective == "eras"

    @property
    def _hinge(self) -> bool:
        return self.recipe.learner == "svm"

    def _fitted(self, features: Floats, loss: Loss, moments: Doubles, penalty: float) -> FittedWeights:
        if self.recipe.learner == "hidden":
            return fit_hidden(features, loss, moments, penalty=penalty, seed=self.recipe.seed)
        signs = None
        if self.recipe.signed:
            views = views_of(self.recipe.features, self.store.sources)
            signs = [sign for view in views for sign in view.signs]
        if isinstance(loss, PreferenceLoss):  # most outputs are not in any pair
            used, loss = loss.compact()
            features = features[used]
        return fit_linear(features, loss, moments, penalty=penalty, signs=signs)

    def loss(self, examples: Sequence[Examples], features: Floats) -> tuple[Loss, Doubles]:
        """Return the loss that the recipe minimises, and the mean products of features that set its units."""
        sets = [part.judgments for part in examples]
        if self._all_kinds:
            scrambled = [part.scrambled for part in examples]
            eras = eras_of(sets, scrambled, share=self.recipe.scrambled, seed=self.recipe.seed)
            return eras, eras.moments(features)
        if self.recipe.objective == "ratings":
            return ratings_of(sets), np.cov(features, rowvar=False, ddof=0).reshape(-1, features.shape[1])
        sentences = sentences_of(sets, self.recipe.select, hinge=self._hinge)
        moments = sentences.moments(features)
        if self.recipe.objective == "sentence":
            return sentences, moments
        corpora = corpora_of(sets)
        return (
            corpora if self.recipe.objective == "corpus" else WeightedLoss([(0.5, sentences), (0.5, corpora)])
        ), moments

    def model(
        self,
        fitted: FittedWeights,
        examples: Sequence[Examples],
        rated: Sequence[Examples],
        penalty: float,
        reports: Sequence[HeldOut],
    ) -> Model:
        """Return the model with its card."""
        weights = np.where(np.abs(fitted.weights) < SMALL, 0.0, fitted.weights)
        fitted = replace(fitted, weights=weights)
        scaled = [part for part in examples if part.judgments.rated] if self._all_kinds else rated
        output = learned_output(self.recipe, fitted, examples, scaled)
        card = {
            "recipe": {**vars(self.recipe), "penalties": list(self.recipe.penalties)},
            "learned_from": [part.judgments.name for part in examples],
            "scaled_to": [part.judgments.name for part in scaled if self.uses_ratings],
            "judgments": sum(_judged(part.judgments, self.recipe.objective) for part in examples),
            "unlabelled_pairs": len(self.unlabelled) if self.unlabelled else 0,
            "penalty": penalty,
            "measure": self.measure,
            "held_out": {r.name: round(r.mean, 4) if np.isfinite(r.mean) else None for r in reports},
            "program": __version__,
        }
        matching = Matching(match=self.recipe.match, tokenize=self.recipe.tokenize)
        views = views_of(self.recipe.features, replace(self.store.sources, matching=matching))
        model = Model(
            views,
            weights,
            output,
            card,
            self.store.function_words,
            fitted.hidden,
            self.recipe.corpus,
            self.recipe.corpus_words,
            self.recipe.corpus_recall,
        )
        if not weights.any():
            raise BadSetting(
                "no feature has a weight: none agrees with the judgments, or the penalty is too high"
            )
        return model if fitted.hidden else without_zeros(model)


def _judged(judgments: Judgments, objective: str) -> int:
    """Return the number of judgments of a set that can be learned from."""
    if objective == "ratings" or (objective == "eras" and judgments.preferences is None):
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
        own = measure
        if measure == EITHER:
            own = "pearson" if part.judgments.preferences is None else "tau:ties=counted"
        values.append(ADDITIVE[own].of(part.judgments, margins))
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
        f"| held out | sets | {trained.measure} |",
        "|---|---|---|",
        *(f"| {report.name} | {len(report.sets)} | {report.mean:.4f} |" for report in trained.reports),
        "",
        "Held-out sets are scored with weights learned from the others; the penalty was chosen by these same "
        "figures. The weights of the model were then learned from all sets.",
    ]
    return "\n".join(lines) + "\n"
