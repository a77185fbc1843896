"""Tuning towards one metric after the other: what each of them says about the result of all."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.reproduction.judged import table
from experiments.tuning.candidates import TunedSystem
from experiments.tuning.scored_outputs import METRICS, ScoredOutputs, score_outputs
from experiments.tuning.tuned_weights import tuned_weights

SEEDS = 5
START = "start weights"
OBJECTIVES = {
    **{label: (label, "mira") for label in METRICS},
    "BLEU by MERT": ("BLEU", "mert"),
}


def tuned_outputs(system: TunedSystem) -> dict[str, list[list[str]]]:
    """Return what the start weights and the weights of each objective choose, one output per seed."""
    outputs = {START: [system.chosen(system.start)]}
    for name, (label, method) in OBJECTIVES.items():
        runs = tuned_weights(system, METRICS[label], method, SEEDS)
        outputs[name] = [system.chosen(run.weights) for run in runs]
    return outputs


def objectives_tables(systems: Mapping[str, TunedSystem]) -> dict[str, str]:
    """Score what was tuned towards each metric by all metrics, for each system."""
    texts = {}
    for name, system in systems.items():
        scored = score_outputs(tuned_outputs(system), system.references, system.sources)
        texts[f"objectives_{name}"] = table(scored.table_rows(START))
        others = [each for each in OBJECTIVES if each != "BLEU"]
        texts[f"objectives_{name}_bleu"] = table(scored.difference_rows("BLEU", others))
        texts[f"objectives_{name}_own"] = own_metric_best(scored)
    return texts


def own_metric_best(scored: ScoredOutputs) -> str:
    """Say by how many metrics the best objective is the metric itself."""
    means = {label: scored.values[label].mean(axis=0) for label in METRICS}
    hits = sum(
        max(means, key=lambda name: float(means[name][column])) == label
        for column, label in enumerate(METRICS)
    )
    return f"{hits} of {len(METRICS)}"
