"""Weights tuned towards a metric with several seeds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from experiments.tuning.candidates import TunedSystem
from wordorder.metrics.registry import metric
from wordorder.tune.objective import objective
from wordorder.tune.tuning import tune
from wordorder.tune.weights import Weights

SEED = 12345


@dataclass(frozen=True)
class TunedWeights:
    """What one seed gave: weights, their score on the tuning lists, and CPU seconds of the search."""

    weights: Weights
    score: float
    seconds: float


def tuned_weights(
    system: TunedSystem, spec: str, method: str, seeds: int, *, name: str = ""
) -> list[TunedWeights]:
    """Tune with consecutive seeds, in their order; ``name`` describes a metric whose spec contains a path."""
    goal: Any = None
    runs = []
    for seed in range(SEED, SEED + seeds):

        def search(seed: int = seed) -> dict[str, Any]:
            nonlocal goal
            lists = system.tuning
            goal = goal or objective(metric(spec), lists, [system.tuning_references])
            start = time.process_time()
            found = tune(lists, goal, lists.vector(system.start), method=method, seeds=1, seed=seed)
            seconds = time.process_time() - start
            weights = lists.weights(found.weights).as_dict()
            return {"weights": weights, "score": found.runs[0].score, "seconds": seconds}

        kept = system.kept.result(f"tuned {system.name} {method} {name or spec} {seed}", search)
        values = tuple((key, tuple(numbers)) for key, numbers in kept["weights"].items())
        runs.append(TunedWeights(Weights(values), kept["score"], kept["seconds"]))
    return runs


def best_run(runs: list[TunedWeights]) -> TunedWeights:
    """Return the run with the best score on the tuning lists, the one that ``wordorder tune`` saves."""
    return max(runs, key=lambda run: run.score)
