"""How margins become scores, learned from ratings or from preferences (thesis 6.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.errors import BadSetting
from wordorder.judge.measures import ADDITIVE
from wordorder.metrics.beer.output import Output, logistic
from wordorder.tune.examples import Examples
from wordorder.tune.fitting import Fitted
from wordorder.tune.objectives import ratings_of, sentences_of
from wordorder.tune.recipes import Recipe

SCALES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def learned_output(
    recipe: Recipe, fitted: Fitted, examples: Sequence[Examples], rated: Sequence[Examples]
) -> Output:
    """The output of a recipe."""
    if recipe.objective == "ratings" and recipe.output == "linear":
        return Output("linear", 1.0, fitted.bias)
    if recipe.output == "sigmoid":
        return Output("sigmoid", 1.0, fitted.bias)
    if recipe.output == "platt":
        return platt(fitted, examples, recipe)
    if recipe.output == "quasi":
        told = [*rated, *(examples if recipe.objective == "ratings" else ())]
        return Output("quasi", quasi_scale(told, fitted) if told and recipe.scaled else 1.0)
    if not rated:
        raise BadSetting("output linear is fitted to ratings: give a set of them, wmt13-da for example")
    return linear(fitted, rated)


def quasi_scale(rated: Sequence[Examples], fitted: Fitted) -> float:
    """The scale under which scores correlate best with ratings, in the mean over sets."""
    rule = ADDITIVE["pearson"]

    def worth(scale: float) -> float:
        values = []
        for one in rated:
            scores = Output("quasi", scale)(fitted.margins(one.features))
            values.append(rule.value(rule.rows(one.judgments, scores).sum(axis=0)[None, :])[0])
        return float(np.nanmean(values))

    return max(SCALES, key=worth)


def linear(fitted: Fitted, rated: Sequence[Examples]) -> Output:
    """The line from margins to ratings with the least squared error."""
    margins = np.concatenate([fitted.margins(one.features) for one in rated])
    goal = ratings_of([one.judgments for one in rated])
    x, w = margins[goal.item], goal.weight
    mean_x, mean_y = w @ x, w @ goal.rating
    slope = float(w @ ((x - mean_x) * (goal.rating - mean_y)) / (w @ (x - mean_x) ** 2))
    if not slope > 0:
        raise BadSetting("ratings fall as margins rise: these ratings cannot scale this model")
    return Output("linear", slope, float(mean_y - slope * mean_x))


def platt(fitted: Fitted, examples: Sequence[Examples], recipe: Recipe, *, steps: int = 100) -> Output:
    """The chance that an output is the preferred one of its pair, by Newton's method on two numbers."""
    margins = np.concatenate([fitted.margins(one.features) for one in examples])
    said = sentences_of([one.judgments for one in examples], recipe.select, hinge=False)
    x = np.concatenate([margins[said.first], margins[said.second]])
    won = np.concatenate([said.wins, said.losses])
    lost = np.concatenate([said.losses, said.wins])
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
    return Output("platt", max(float(at[0]), 1e-6), float(at[1]))
