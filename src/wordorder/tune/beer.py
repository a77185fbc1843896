"""Training BEER, with each year reported by what the other years teach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Doubles, Floats
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.measures import ADDITIVE
from wordorder.metrics.beer.trained_model import Model, without_zeros
from wordorder.metrics.beer.views import views_of
from wordorder.metrics.segments import Matching
from wordorder.tune.examples import Examples, Workshop
from wordorder.tune.fitting import Fitted, fit_hidden, fit_linear
from wordorder.tune.objectives import Loss, Sum, corpora_of, ratings_of, sentences_of
from wordorder.tune.recipes import Recipe
from wordorder.tune.scaling import learned_output
from wordorder.tune.self_training import Unlabelled

SMALL = 1e-6  # weights below are 0


@dataclass(frozen=True)
class YearReport:
    """A year that was not learned from: agreement with people on each of its sets."""

    year: int
    sets: tuple[str, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Over its sets that have something to agree with; NaN if none has."""
        told = [value for value in self.values if np.isfinite(value)]
        return float(np.mean(told)) if told else float("nan")


@dataclass(frozen=True)
class Trained:
    """A model with what it is worth on years that it was not learned from."""

    model: Model
    penalty: float
    measure: str
    years: tuple[YearReport, ...]


@dataclass(frozen=True, kw_only=True)
class Training:
    """A recipe with its data."""

    recipe: Recipe
    workshop: Workshop = field(default_factory=Workshop)
    unlabelled: Unlabelled | None = None
    progress: Callable[[int, int], None] | None = None

    @property
    def measure(self) -> str:
        """What years are reported in: tau of preferences, Pearson's r of ratings."""
        return "pearson" if self.recipe.objective == "ratings" else "tau:ties=counted"

    def run(self, sets: Sequence[Judgments]) -> Trained:
        """Learn the weights, then the output from ratings where there are some."""
        rated = [one for one in sets if one.preferences is None]
        learned = (
            rated if self.recipe.objective == "ratings" else [s for s in sets if s.preferences is not None]
        )
        years = sorted({one.year for one in learned})
        if len(years) < 2:
            kind = "ratings" if self.recipe.objective == "ratings" else "preferences"
            seen = ", ".join(str(year) if year else "unknown" for year in years) or "none"
            raise BadSetting(
                f"training needs {kind} of two years or more, to choose the penalty on others; years are "
                f"read from names such as wmt14 or newstest2014, and here are: {seen}"
            )
        everything = [*learned, *(one for one in rated if self.recipe.objective != "ratings")]
        work = len(everything) + len(years) * len(self.recipe.penalties) + 1
        made = self.workshop.prepared(everything, self.recipe, progress=lambda done: self._tell(done, work))
        if self.unlabelled:
            self.workshop.key += self.unlabelled.tag
        examples, others = made[: len(learned)], made[len(learned) :]
        reports: dict[float, list[YearReport]] = {penalty: [] for penalty in self.recipe.penalties}
        done = len(everything)
        for year in years:
            known = [one for one in examples if one.judgments.year != year]
            held = [one for one in examples if one.judgments.year == year]
            for penalty in self.recipe.penalties:
                fitted = self.workshop.kept(f"{year} {penalty}", lambda k=known, p=penalty: self.fit(k, p))  # type: ignore[misc]
                done += 1
                self._tell(done, work)
                names = tuple(one.judgments.name for one in held)
                reports[penalty].append(YearReport(year, names, tuple(agreement(held, fitted, self.measure))))
        best = max(self.recipe.penalties, key=lambda p: np.nanmean([report.mean for report in reports[p]]))
        fitted = self.workshop.kept(f"all {best}", lambda: self.fit(examples, best))
        self._tell(work, work)
        model = self.model(fitted, examples, others, best, reports[best])
        return Trained(model, best, self.measure, tuple(reports[best]))

    def _tell(self, done: int, work: int) -> None:
        if self.progress:
            self.progress(done, work)

    def fit(self, examples: Sequence[Examples], penalty: float) -> Fitted:
        """Weights from some sets; with unlabelled pairs, again with those that these weights label."""
        features = np.concatenate([one.features for one in examples])
        loss, spread = self.loss([one.judgments for one in examples], features)
        fitted = self._fitted(features, loss, spread, penalty)
        if self.unlabelled is None:
            return fitted
        more = self.unlabelled.features(self.workshop, self.recipe)
        labelled = self.unlabelled.loss(fitted.margins(more), start=len(features), hinge=self._hinge)
        both = np.concatenate([features, more])
        return self._fitted(
            both, Sum([(0.5, _padded(loss, len(features))), (0.5, labelled)]), spread, penalty
        )

    @property
    def uses_ratings(self) -> bool:
        """Whether ratings beside preferences teach how margins become scores."""
        return self.recipe.output == "linear" or (self.recipe.output == "quasi" and self.recipe.scaled)

    @property
    def _hinge(self) -> bool:
        return self.recipe.learner == "svm"

    def _fitted(self, features: Floats, loss: Loss, spread: Doubles, penalty: float) -> Fitted:
        if self.recipe.learner == "hidden":
            return fit_hidden(features, loss, spread, penalty=penalty, seed=self.recipe.seed)
        signs = None
        if self.recipe.signed:
            views = views_of(self.recipe.features, self.workshop.sources)
            signs = [sign for view in views for sign in view.signs]
        return fit_linear(features, loss, spread, penalty=penalty, signs=signs)

    def loss(self, sets: Sequence[Judgments], features: Floats) -> tuple[Loss, Doubles]:
        """What the recipe wants of margins, and the unit of each feature."""
        if self.recipe.objective == "ratings":
            return ratings_of(sets), np.asarray(features.std(axis=0), np.float64) + 1e-9
        sentences = sentences_of(sets, self.recipe.select, hinge=self._hinge)
        spread = sentences.spread(features)
        if self.recipe.objective == "sentence":
            return sentences, spread
        corpora = corpora_of(sets)
        return (
            corpora if self.recipe.objective == "corpus" else Sum([(0.5, sentences), (0.5, corpora)])
        ), spread

    def model(
        self,
        fitted: Fitted,
        examples: Sequence[Examples],
        rated: Sequence[Examples],
        penalty: float,
        reports: Sequence[YearReport],
    ) -> Model:
        """The weights as a metric, with their card."""
        weights = np.where(np.abs(fitted.weights) < SMALL, 0.0, fitted.weights)
        fitted = replace(fitted, weights=weights)
        output = learned_output(self.recipe, fitted, examples, rated)
        card = {
            "recipe": {**vars(self.recipe), "penalties": list(self.recipe.penalties)},
            "learned_from": [one.judgments.name for one in examples],
            "scaled_to": [one.judgments.name for one in rated if self.uses_ratings],
            "judgments": sum(_judged(one.judgments, self.recipe.objective) for one in examples),
            "unlabelled_pairs": len(self.unlabelled) if self.unlabelled else 0,
            "penalty": penalty,
            "measure": self.measure,
            "held_out": {str(r.year): round(r.mean, 4) if np.isfinite(r.mean) else None for r in reports},
            "program": __version__,
        }
        matching = Matching(match=self.recipe.match)
        views = views_of(self.recipe.features, replace(self.workshop.sources, matching=matching))
        made = Model(views, weights, output, card, self.workshop.function_words, fitted.hidden)
        if not weights.any():
            raise BadSetting(
                "no feature has weight: nothing agrees with the judgments, or the penalty is too high"
            )
        return made if fitted.hidden else without_zeros(made)


def _judged(one: Judgments, objective: str) -> int:
    """How many judgments a set has to learn from."""
    if objective == "ratings":
        return len(one.rated) if one.rated else 0
    return one.compared.untied


def _padded(loss: Loss, known: int) -> Loss:
    """A loss of the first items only."""

    def padded(margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        value, slope, at_bias = loss(margins[:known], bias)
        return value, np.concatenate([slope, np.zeros(len(margins) - known)]), at_bias

    return padded


def agreement(examples: Sequence[Examples], fitted: Fitted, measure: str) -> list[float]:
    """Agreement of margins with people, for each set."""
    rule = ADDITIVE[measure]
    values = []
    for one in examples:
        # Margins of equal features may differ in their last bits: those are ties.
        wide = one.features.astype(np.float64)
        margins = (fitted.hidden.margins(wide) if fitted.hidden else wide @ fitted.weights).round(9)
        values.append(float(rule.value(rule.rows(one.judgments, margins).sum(axis=0)[None, :])[0]))
    return values


def card_text(trained: Trained) -> str:
    """The card of a model, for people."""
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
        f"| year left out | sets | {trained.measure} |",
        "|---|---|---|",
        *(f"| {one.year} | {len(one.sets)} | {one.mean:.4f} |" for one in trained.years),
        "",
        "Each year is scored with weights that the other years teach; the penalty was chosen on these same "
        "figures. The weights of the model were then learned from all years.",
    ]
    return "\n".join(lines) + "\n"
