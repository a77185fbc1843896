"""Tuning of the weights of a system towards a metric, with several seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting, UnknownName
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.mert import mert, normalised
from wordorder.tune.mira import mira
from wordorder.tune.objective import Objective
from wordorder.tune.pro import pro

Tuner = Callable[..., Doubles]
METHODS: Mapping[str, Tuner] = {"mert": mert, "mira": mira, "pro": pro}


@dataclass(frozen=True, eq=False)
class TuningRun:
    """The weights that one seed gave, and what they choose."""

    seed: int
    weights: Doubles
    score: float
    choice: Longs


@dataclass(frozen=True, eq=False)
class Tuning:
    """The result of tuning: a run for each seed, the best first, beside the start weights."""

    start: TuningRun
    runs: list[TuningRun]

    @property
    def weights(self) -> Doubles:
        """The weights of the best run."""
        return self.runs[0].weights

    @property
    def mean(self) -> Doubles:
        """The mean weights of all runs."""
        return np.asarray(np.mean([run.weights for run in self.runs], axis=0))

    @property
    def spread(self) -> Doubles:
        """The standard deviation of the weights over runs."""
        return np.asarray(np.std([run.weights for run in self.runs], axis=0))


def tune(
    lists: CandidateLists,
    objective: Objective,
    start: Doubles,
    *,
    method: str = "mert",
    seeds: int = 3,
    seed: int = 12345,
    threads: int = 1,
    **settings: Any,
) -> Tuning:
    """Tune with consecutive seeds; weights are scaled so that their absolute values add up to 1."""
    if method not in METHODS:
        raise UnknownName("method", method, list(METHODS))
    check_lists(lists)
    runs = []
    for number in range(seed, seed + seeds):
        weights = METHODS[method](lists, objective, start, seed=number, threads=threads, **settings)
        check_weights(weights, lists)
        runs.append(_run(number, normalised(weights), lists, objective))
    higher = objective.metric.higher_is_better
    runs.sort(key=lambda run: -run.score if higher else run.score)
    return Tuning(_run(0, normalised(start), lists, objective), runs)


def _run(seed: int, weights: Doubles, lists: CandidateLists, objective: Objective) -> TuningRun:
    choice = lists.best(lists.model_scores(weights))
    return TuningRun(seed, weights, objective.score(choice), choice)


def check_lists(lists: CandidateLists) -> None:
    """Refuse lists from which nothing can be learned."""
    if not lists.keys:
        raise BadSetting("the candidates have no features to tune")
    if np.diff(lists.starts).max() < 2:
        raise BadSetting("no sentence has two different candidates")


def check_weights(weights: Doubles, lists: CandidateLists) -> None:
    """Refuse degenerate weights: not finite, all zero, or unable to tell any two candidates apart."""
    if not np.isfinite(weights).all():
        raise BadSetting("tuning gave weights that are not finite")
    if not weights.any():
        raise BadSetting("tuning gave weights that are all zero: no feature helps to choose a candidate")
    scores = lists.model_scores(weights)
    if (scores == scores[lists.starts[:-1]][lists.sentence]).all():
        raise BadSetting("with the tuned weights all candidates of every sentence have the same model score")
