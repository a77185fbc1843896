"""Minimum error rate training: exact line search along directions of the weights (Och 2003)."""

from __future__ import annotations

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.method import STEP, Report, normalised, silent
from wordorder.tune.mira import mira
from wordorder.tune.objective import Objective

MOST_FEATURES = 100  # more directions than this are searched too slowly, and overfit
LEAST_GAIN = 1e-3  # a round of directions that gains less, as a share of the value, is the last one
NOISE = 0.1  # of restarts, as a share of the size of the weights
FIRST_PASSES = 20  # of MIRA, for a good start


def line_search(
    objective: Objective, offset: Doubles, slope: Doubles, *, threads: int = 1
) -> tuple[float, float]:
    """Return how far to move along a direction, and the value there.

    ``offset`` and ``slope`` are the model scores of all candidates by the weights and by the direction.

    Between two points where the best candidate of some sentence changes, the value is constant; the middle of
    the best such interval is chosen, and 0 if nothing is better than not to move.
    """
    at, sums = _native.line_sums(objective.starts, offset, slope, objective.rows, threads)
    values = objective.values(sums)
    if not len(at):
        return 0.0, float(values[0])
    edge = 1.0 + abs(at[0]) + abs(at[-1])
    ends = np.concatenate([[at[0] - edge], at, [at[-1] + edge]])
    here = int(np.searchsorted(at, 0.0, side="right"))
    width = np.diff(ends)
    values = np.where(width > 1e-9 * (1 + np.abs(ends[:-1])), values, -np.inf)
    best = int(values.argmax())
    if values[best] <= values[here] + STEP:
        return 0.0, float(values[here])
    return float((ends[best] + ends[best + 1]) / 2), float(values[best])


def mert(
    lists: CandidateLists,
    objective: Objective,
    start: Doubles,
    *,
    restarts: int = 40,
    seed: int = 12345,
    threads: int = 1,
    report: Report = silent,
) -> Doubles:
    """Search from the start weights, from those of a few passes of MIRA, and around the best weights so far.

    Most weights are close to poor local optima. Those that MIRA finds are not, and neither are small random
    changes of good weights, so that few restarts find better weights than many starts from anywhere.
    """
    if len(start) > MOST_FEATURES:
        raise BadSetting(
            f"mert is for up to {MOST_FEATURES} features, and there are {len(start)}.",
            suggest={"method": "mira"},
        )
    rng = np.random.default_rng(seed)
    axes = np.stack([lists.model_scores(axis, threads=threads) for axis in np.eye(len(start))])
    best, best_value = start, -np.inf
    for number in range(restarts + 2):
        if number == 0:
            weights = start
        elif number == 1:
            weights = mira(lists, objective, start, passes=FIRST_PASSES, seed=seed, threads=threads)
        else:
            scaled = best * lists.spread
            noise = rng.normal(size=len(start)) * (NOISE * np.sqrt((scaled**2).mean()))
            weights = (scaled + noise) / lists.spread
        weights, value = _ascend(lists, objective, normalised(weights), axes, best_value, rng, threads)
        if value > best_value + STEP:
            best, best_value = weights, value
        report((number + 1) / (restarts + 2), best_value)
    return best


def _ascend(
    lists: CandidateLists,
    objective: Objective,
    weights: Doubles,
    axes: Doubles,
    goal: float,
    rng: np.random.Generator,
    threads: int,
) -> tuple[Doubles, float]:
    """Move along each feature and half as many random directions until they hardly gain.

    ``axes`` are the values of all candidates, one row per feature. The search also ends if ``goal``, the best
    value so far, would not be reached with half the last gain.
    """
    scores = lists.model_scores(weights, threads=threads)
    value = objective.value(lists.best(scores))
    while True:
        before = value
        random = rng.normal(size=((len(weights) + 1) // 2, len(weights))) / lists.spread
        directions = np.concatenate([np.eye(len(weights)), random])
        for number, direction in enumerate(directions):
            # Not by BLAS, whose threads would cost more than they save.
            slope = axes[number] if number < len(axes) else np.einsum("f,fc->c", direction, axes)
            step, promised = line_search(objective, scores, slope, threads=threads)
            if step == 0 or promised <= value + STEP:
                continue
            moved = normalised(weights + step * direction)
            moved_scores = lists.model_scores(moved, threads=threads)
            reached = objective.value(lists.best(moved_scores))
            if reached > value + STEP:
                weights, scores, value = moved, moved_scores, reached
        gain = value - before
        if gain <= LEAST_GAIN * abs(value) or value + gain / 2 < goal:
            return weights, value
