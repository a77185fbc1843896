"""Fits the function from margins to scores, to ratings or to preferences (thesis 6.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.errors import BadSetting
from wordorder.judge.segment_measures import ADDITIVE
from wordorder.learn.beer_recipes import BeerRecipe
from wordorder.learn.features import Examples
from wordorder.learn.fitting import FittedWeights
from wordorder.learn.objectives import ratings_of, sentences_of
from wordorder.metrics.beer.output import ScoreScaling, logistic

TUBE = 1e-3  # errors of ratings between 0 and 1 that cost nothing
SCALES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def learned_output(
    recipe: BeerRecipe, fitted: FittedWeights, examples: Sequence[Examples], rated: Sequence[Examples]
) -> ScoreScaling:
    """Return the output of a recipe, fitted where it has parameters."""
    if recipe.objective == "ratings" and recipe.output == "linear":
        return ScoreScaling("linear", 1.0, fitted.bias)
    if recipe.output == "sigmoid":
        return ScoreScaling("sigmoid", 1.0, fitted.bias)
    if recipe.output == "platt":
        return platt(fitted, examples, recipe)
    if recipe.output == "quasi":
        with_ratings = [*rated, *(examples if recipe.objective == "ratings" else ())]
        return ScoreScaling(
            "quasi", quasi_scale(with_ratings, fitted) if with_ratings and recipe.scaled else 1.0
        )
    if not rated:
        raise BadSetting("the output linear is fitted to ratings: add a set of them, such as wmt13-da")
    return linear(fitted, rated)


def quasi_scale(rated: Sequence[Examples], fitted: FittedWeights) -> float:
    """Return the scale whose scores correlate best with ratings, averaged over sets."""
    rule = ADDITIVE["pearson"]

    def correlation(scale: float) -> float:
        output = ScoreScaling("quasi", scale)
        return float(
            np.nanmean([rule.of(part.judgments, output(fitted.margins(part.features))) for part in rated])
        )

    return max(SCALES, key=correlation)


def linear(fitted: FittedWeights, rated: Sequence[Examples], *, steps: int = 100) -> ScoreScaling:
    """Fit a line from margins to ratings by support vector regression, as BEER 2.0 does (thesis 6.1.2).

    The loss is the sum of squared errors beyond :data:`TUBE`, plus (a² + b²) / 2: the settings of liblinear
    in the program (C = 1, epsilon = 0.1 of 100 points). The minimum is found by Newton's method.
    """
    margins = np.concatenate([fitted.margins(part.features) for part in rated])
    goal = ratings_of([part.judgments for part in rated])
    design = np.column_stack([margins[goal.item], np.ones(len(goal.item))])
    ridge = np.eye(2) / len(goal.item)
    at = np.zeros(2)
    for _ in range(steps):
        off = design @ at - goal.rating
        weight = 2 * goal.weight * (np.abs(off) > TUBE)
        slope = design.T @ (weight * (off - TUBE * np.sign(off))) + ridge @ at
        step = np.linalg.solve((design * weight[:, None]).T @ design + ridge, slope)
        at = at - step
        if np.abs(step).max() < 1e-12:
            break
    if not at[0] > 0:
        raise BadSetting("ratings fall as margins rise, so they cannot scale this model")
    return ScoreScaling("linear", float(at[0]), float(at[1]))


def platt(
    fitted: FittedWeights, examples: Sequence[Examples], recipe: BeerRecipe, *, steps: int = 100
) -> ScoreScaling:
    """Fit the probability that an output is the preferred one of its pair, by Newton's method."""
    margins = np.concatenate([fitted.margins(part.features) for part in examples])
    pairs = sentences_of([part.judgments for part in examples], recipe.select, hinge=False)
    x = np.concatenate([margins[pairs.first], margins[pairs.second]])
    won = np.concatenate([pairs.wins, pairs.losses])
    lost = np.concatenate([pairs.losses, pairs.wins])
    design = np.column_stack([x, np.ones(len(x))])
    at = np.zeros(2)
    for _ in range(steps):
        chance = logistic(design @ at)
        slope = design.T @ ((won + lost) * chance - won)
        curve = (design * ((won + lost) * chance * (1 - chance))[:, None]).T @ design
        step = np.linalg.solve(curve + 1e-12 * np.eye(2), slope)
        at = at - step
        if np.abs(step).max() < 1e-10:
            break
    return ScoreScaling("platt", max(float(at[0]), 1e-6), float(at[1]))
