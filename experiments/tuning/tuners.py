"""Tuning towards BLEU by three methods, beside the figures of Moses' own programs on the same lists."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from experiments.reproduction.judged import Row, table
from experiments.tuning.candidates import TunedSystem
from experiments.tuning.scored_outputs import METRICS, score_outputs, spread
from experiments.tuning.tuned_weights import tuned_weights

SEEDS = 5
METHODS = ("mert", "mira", "pro")
# BLEU on the lists, BLEU on the test lists, CPU seconds: from the description of the lists.
MOSES: dict[str, Row] = {
    "Moses' `mert`, 20 restarts": ["11.07", "8.81", "16.7"],
    "Moses' `kbmira`, 60 passes": ["10.71", "8.83", "2.2"],
}


def tuners_table(systems: Mapping[str, TunedSystem]) -> dict[str, str]:
    """Compare methods on the lists without preordering."""
    system = systems["base"]
    runs = {method: tuned_weights(system, METRICS["BLEU"], method, SEEDS) for method in METHODS}
    outputs = {name: [system.chosen(run.weights) for run in some] for name, some in runs.items()}
    scored = score_outputs(
        {"start": [system.chosen(system.start)], **outputs}, system.references, system.sources
    )
    tests = dict(zip(scored.rows, scored.compared("start").results, strict=True))
    column = list(METRICS).index("BLEU")
    rows: list[Row] = [["", "BLEU on the lists", "BLEU on the test lists", "p against start", "CPU seconds"]]
    rows.append(["start weights", "", spread(scored.values["start"][:, column], 2), "", ""])
    for name, some in runs.items():
        rows.append(
            [
                f"`{name}`",
                spread([run.score for run in some], 2),
                spread(scored.values[name][:, column], 2),
                f"{tests[name][column].p_value:.3f}",
                spread([run.seconds for run in some], 1),
            ]
        )
    rows += [[name, figures[0], figures[1], "", figures[2]] for name, figures in MOSES.items()]
    lowest = min(tests[name][column].p_value or 0.0 for name in METHODS)
    mean = {name: float(np.mean([run.score for run in some])) for name, some in runs.items()}
    return {
        "tuners": table(rows),
        "tuners_lowest_p": f"{lowest:.2f}",
        "tuners_best": f"`{max(mean, key=mean.__getitem__)}`",
        "tuners_worst": f"`{min(mean, key=mean.__getitem__)}`",
    }
