"""Minimum error rate training: exact line search along directions of the weights (Och 2003)."""

from __future__ import annotations

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.objective import Objective

MOST_FEATURES = 100  # more directions than this are searched too slowly, and overfit
STEP = 1e-9  # a smaller gain counts as none


def line_search(
    lists: CandidateLists, objective: Objective, weights: Doubles, direction: Doubles, *, threads: int = 1
) -> tuple[float, float]:
    """Return how far to move along a direction, and the value there.

    Between two points where the best candidate of some sentence changes, the value is constant; the middle of the
    best such interval is chosen, and 0 if nothing is better than not to move.
    """
    offset = lists.model_scores(weights, threads=threads)
    slope = lists.model_scores(direction, threads=threads)
    begin, at, _, before, after = _native.envelopes(lists.starts, offset, slope, threads)
    order = np.argsort(at, kind="stable")
    at = at[order]
    changes = objective.rows[after[order]] - objective.rows[before[order]]
    start = objective.rows[begin].sum(axis=0, keepdims=True)
    values = objective.values(start + np.vstack([np.zeros_like(start), np.cumsum(changes, axis=0)]))
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
    restarts: int = 20,
    seed: int = 12345,
    threads: int = 1,
) -> Doubles:
    """Tune from the start weights and from random ones, and return the best weights.

    Every search goes along each feature and as many random directions until none of them gains.
    """
    if len(start) > MOST_FEATURES:
        raise BadSetting(
            f"mert is for up to {MOST_FEATURES} features, and there are {len(start)}.",
            suggest={"method": "mira"},
        )
    rng = np.random.default_rng(seed)
    best, best_value = start, -np.inf
    for restart in range(restarts + 1):
        weights = start if restart == 0 else rng.normal(size=len(start)) / lists.spread
        weights, value = _ascend(lists, objective, weights, rng, threads)
        if value > best_value + STEP:
            best, best_value = weights, value
    return best


def _ascend(
    lists: CandidateLists, objective: Objective, weights: Doubles, rng: np.random.Generator, threads: int
) -> tuple[Doubles, float]:
    def value_of(at: Doubles) -> float:
        return objective.value(lists.best(lists.model_scores(at, threads=threads)))

    value = value_of(weights)
    gained = True
    while gained:
        gained = False
        random = rng.normal(size=(len(weights), len(weights))) / lists.spread
        for direction in np.concatenate([np.eye(len(weights)), random]):
            step, promised = line_search(lists, objective, weights, direction, threads=threads)
            if step == 0 or promised <= value + STEP:
                continue
            moved = normalised(weights + step * direction)
            reached = value_of(moved)
            if reached > value + STEP:
                weights, value, gained = moved, reached, True
    return weights, value


def normalised(weights: Doubles) -> Doubles:
    """Scale weights so that their absolute values add up to 1."""
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else weights
