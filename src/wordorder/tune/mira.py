"""Batch MIRA over k-best lists (Cherry and Foster 2012)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.method import STEP, Report, normalised, silent
from wordorder.tune.objective import Objective

MARGIN = 0.25  # standard deviation of the margins, in units of which features have 1


def mira(
    lists: CandidateLists,
    objective: Objective,
    start: Doubles,
    *,
    passes: int = 60,
    largest_step: float = 0.1,
    seed: int = 12345,
    threads: int = 1,
    report: Report = silent,
) -> Doubles:
    """Return the averaged weights of the pass that scores best on the lists.

    Gains are computed anew before each pass, in the context of the candidates that the averaged weights
    choose. Features are divided by their spread, so that ``largest_step`` (C in the paper) does not depend on
    their units.
    """
    rng = np.random.default_rng(seed)
    scaled = replace(lists, value=lists.value / lists.spread[lists.index])
    weights = normalised(start * lists.spread)
    correction, steps = np.zeros(len(weights)), 0
    average, best, best_value = weights, weights, -np.inf
    for done in range(passes + 1):
        choice = scaled.best(scaled.model_scores(average, threads=threads))
        value = objective.value(choice)
        if value > best_value + STEP:
            best, best_value = average, value
        report(done / (passes + 1), best_value)
        if done == passes:
            break
        weights, correction, steps = _native.mira_pass(
            scaled.starts, scaled.rows, scaled.index, scaled.value, objective.scaled_gains(choice, MARGIN),
            rng.permutation(len(scaled)).astype(np.int64), weights, correction, steps, largest_step,
        )  # fmt: skip
        average = weights - correction / steps
    return normalised(best / lists.spread)
