"""Minimum Bayes risk with several utilities, next to the weights of the model alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from experiments.reproduction.judged import Row, table
from experiments.tuning.candidates import TunedSystem
from experiments.tuning.scored_outputs import METRICS, score_outputs
from experiments.tuning.tuned_weights import best_run, tuned_weights
from wordorder.metrics.registry import metric
from wordorder.tune.choice import choose_by_risk
from wordorder.tune.weights import Weights

SEEDS = 5
UTILITIES = {
    "chrF": METRICS["chrF"],
    "BLEU": METRICS["BLEU"],
    "RIBES": METRICS["RIBES"],
    "recpef": "recpef:tokenize=none",
    "BEER": METRICS["BEER"],
}
TEMPERATURES = (None, 0.5, 0.15, 0.05)  # None: all candidates count alike
FIRST = 50  # candidates per sentence when temperatures are compared
TUNED = "tuned weights"
START = "start weights"


def chosen_by_risk(
    system: TunedSystem, part: str, utility: str, weights: Weights, temperature: float | None
) -> list[str]:
    """Choose among the candidates for each sentence; on the tuning part, only among the first ones."""
    most = FIRST if part == "tune" else None
    model = "uniform" if temperature is None else f"T = {temperature:g} {' '.join(str(weights).split())}"

    def choose() -> list[str]:
        lists = system.test if part == "test" else system.last_round
        groups = [(number, candidates[:most]) for number, candidates in lists]
        choices = choose_by_risk(
            groups, metric(utility), weights=None if temperature is None else weights, temperature=temperature
        )
        return [choice.ranked[0].text for choice in choices]

    return system.kept.result(f"risk {system.name} {part} {most} {utility} {model}", choose)


def best_temperature(system: TunedSystem, utility: str, weights: Weights) -> float | None:
    """Return the temperature with the best score by the utility itself on the tuning lists."""
    measure = metric(utility)
    scores = [
        measure.corpus_score(
            chosen_by_risk(system, "tune", utility, weights, temperature), [system.tuning_references]
        ).score
        for temperature in TEMPERATURES
    ]
    return TEMPERATURES[int(np.argmax(scores))]


def risk_tables(systems: Mapping[str, TunedSystem]) -> dict[str, str]:
    """Score the choices of all utilities, with paired tests against the tuned weights."""
    texts = {}
    for name, system in systems.items():
        weights = best_run(tuned_weights(system, METRICS["BLEU"], "mira", SEEDS)).weights
        outputs = {START: [system.chosen(system.start)], TUNED: [system.chosen(weights)]}
        for label, utility in UTILITIES.items():
            outputs[f"{label}, uniform"] = [chosen_by_risk(system, "test", utility, weights, None)]
            temperature = best_temperature(system, utility, weights)
            if temperature is not None:
                chosen = chosen_by_risk(system, "test", utility, weights, temperature)
                outputs[f"{label}, T = {temperature:g}"] = [chosen]
        scored = score_outputs(outputs, system.references, system.sources)
        texts[f"risk_{name}"] = table(scored.table_rows(START))
        ways = [way for way in outputs if way not in (START, TUNED)]
        rows: list[Row] = scored.difference_rows(TUNED, ways)
        texts[f"risk_{name}_tuned"] = table(rows)
    return texts
