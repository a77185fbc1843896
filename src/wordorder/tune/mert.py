"""Minimum error rate training: exact line search along directions of the weights (Och 2003)."""

from __future__ import annotations

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.objective import Objective, Report, silent

MOST_FEATURES = 100  # more directions than this are searched too slowly, and overfit
STEP = 1e-9  # a smaller gain counts as none
LEAST_GAIN = 1e-3  # a round of directions that gains less, as a share of the value, is the last one
FIRST_NOISE, LAST_NOISE = 1.0, 0.05  # of the first and the last restart, as a share of the size of the weights


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
    restarts: int = 30,
    seed: int = 12345,
    threads: int = 1,
    report: Report = silent,
) -> Doubles:
    """Tune from the start weights, and again from random changes of the best weights so far.

    Weights far from good ones lead to poor local optima, so that it pays to search around the best.
    """
    if len(start) > MOST_FEATURES:
        raise BadSetting(
            f"mert is for up to {MOST_FEATURES} features, and there are {len(start)}.",
            suggest={"method": "mira"},
        )
    rng = np.random.default_rng(seed)
    axes = np.stack([lists.model_scores(axis, threads=threads) for axis in np.eye(len(start))])
    best, best_value = _ascend(lists, objective, normalised(start), axes, rng, threads)
    for restart in range(restarts):
        report((restart + 1) / (restarts + 1), best_value)
        scaled = best * lists.spread
        size = FIRST_NOISE * (LAST_NOISE / FIRST_NOISE) ** (restart / max(restarts - 1, 1))
        noise = rng.normal(size=len(start)) * (size * np.sqrt((scaled**2).mean()))
        changed = normalised((scaled + noise) / lists.spread)
        weights, value = _ascend(lists, objective, changed, axes, rng, threads)
        if value > best_value + STEP:
            best, best_value = weights, value
    return best


def _ascend(
    lists: CandidateLists,
    objective: Objective,
    weights: Doubles,
    axes: Doubles,
    rng: np.random.Generator,
    threads: int,
) -> tuple[Doubles, float]:
    """Move along each feature and half as many random directions until they hardly gain.

    ``axes`` are the values of all candidates, one row per feature.
    """
    scores = lists.model_scores(weights, threads=threads)
    value = objective.value(lists.best(scores))
    while True:
        before = value
        random = rng.normal(size=((len(weights) + 1) // 2, len(weights))) / lists.spread
        directions = np.concatenate([np.eye(len(weights)), random])
        for number, direction in enumerate(directions):
            slope = axes[number] if number < len(axes) else direction @ axes
            step, promised = line_search(objective, scores, slope, threads=threads)
            if step == 0 or promised <= value + STEP:
                continue
            moved = normalised(weights + step * direction)
            moved_scores = lists.model_scores(moved, threads=threads)
            reached = objective.value(lists.best(moved_scores))
            if reached > value + STEP:
                weights, scores, value = moved, moved_scores, reached
        if value - before <= LEAST_GAIN * abs(value):
            return weights, value


def normalised(weights: Doubles) -> Doubles:
    """Scale weights so that their absolute values add up to 1."""
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else weights
