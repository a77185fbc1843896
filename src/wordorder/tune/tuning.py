"""Tuning of the weights of a system towards a metric, with several seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting, UnknownName
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.mert import mert
from wordorder.tune.method import normalised
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
        """The standard deviation of the weights over runs; 0 for one run."""
        return _deviation([run.weights for run in self.runs])

    @property
    def scores(self) -> tuple[float, float]:
        """The mean of the scores of all runs, and their standard deviation."""
        scores = np.array([run.score for run in self.runs])
        return float(scores.mean()), float(_deviation(scores))


def _deviation(runs: Sequence[Doubles] | Doubles) -> Doubles:
    values = np.asarray(runs)
    return np.asarray(values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros_like(values[0]))


def tune(
    lists: CandidateLists,
    objective: Objective,
    start: Doubles,
    *,
    method: str = "mert",
    seeds: int = 3,
    seed: int = 12345,
    threads: int = 1,
    report: Callable[[float, float], None] = lambda done, score: None,
    **settings: Any,
) -> Tuning:
    """Tune with consecutive seeds; weights are scaled so that their absolute values add up to 1.

    Of candidates with the same model score, the worst by the metric counts. ``report`` is called with the
    number of seeds that are done, in fractions, and the best score of the current one.
    """
    if method not in METHODS:
        raise UnknownName("method", method, list(METHODS))
    check_lists(lists)
    check_start(start, lists)
    order = worst_first(objective)
    lists, objective = lists.take(order), objective.take(order)
    sign = 1 if objective.metric.higher_is_better else -1
    runs = []
    for done in range(seeds):
        weights = METHODS[method](
            lists, objective, start, seed=seed + done, threads=threads,
            report=lambda share, value, done=done: report(done + share, sign * value), **settings,
        )  # fmt: skip
        check_weights(weights, lists)
        runs.append(_run(seed + done, normalised(weights), lists, objective, order))
    runs.sort(key=lambda run: -sign * run.score)
    return Tuning(_run(0, normalised(start), lists, objective, order), runs)


def worst_first(objective: Objective) -> Longs:
    """Return an order in which the candidates of each sentence go from the worst to the best.

    The first of equal candidates counts everywhere. In this order, weights that leave a choice open cannot
    profit from it, however the lists are sorted and however a decoder would decide.
    """
    return np.lexsort((objective.segment_values(), objective.sentence))


def _run(seed: int, weights: Doubles, lists: CandidateLists, objective: Objective, order: Longs) -> TuningRun:
    choice = lists.best(lists.model_scores(weights))
    return TuningRun(seed, weights, objective.score(choice), order[choice])


def check_lists(lists: CandidateLists) -> None:
    """Refuse lists from which nothing can be learned."""
    if not lists.keys:
        raise BadSetting("the candidates have no features to tune")
    if np.diff(lists.starts).max() < 2:
        raise BadSetting("no sentence has two different candidates")
    # Sums with random weights are equal only if the features are.
    if not distinguishes(np.random.default_rng(0).normal(size=len(lists.keys)), lists):
        raise BadSetting("all candidates of every sentence have the same features")


def check_start(start: Doubles, lists: CandidateLists) -> None:
    """Refuse start weights that say nothing."""
    if not start.any():
        raise BadSetting("the start weights of the features in the lists are all zero")
    if not distinguishes(start, lists):
        raise BadSetting("with the start weights all candidates of every sentence have the same model score")


def check_weights(weights: Doubles, lists: CandidateLists) -> None:
    """Refuse degenerate weights: not finite, all zero, or unable to tell any two candidates apart."""
    if not np.isfinite(weights).all():
        raise BadSetting("tuning gave weights that are not finite")
    if not weights.any():
        raise BadSetting("tuning gave weights that are all zero: no feature helps to choose a candidate")
    if not distinguishes(weights, lists):
        raise BadSetting("with the tuned weights all candidates of every sentence have the same model score")


def distinguishes(weights: Doubles, lists: CandidateLists) -> bool:
    """Return whether any two candidates of a sentence have different model scores."""
    scores = lists.model_scores(weights)
    return bool((scores != scores[lists.starts[:-1]][lists.sentence]).any())
