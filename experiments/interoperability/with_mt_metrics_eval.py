"""Figures that mt-metrics-eval computed on a folder in its layout, and scores that sacrebleu stored there.

The folder holds ``README.md`` with a table of the figures, and the test set as text and as JSON lines
(``text/TESTSET``, ``jsonl/TESTSET``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from experiments.interoperability.comparison import Comparison
from wordorder.judge.agreement import agree
from wordorder.judge.external_scores import add_external, merged_scores
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.read import read_sets
from wordorder.judge.system_scores import system_scores
from wordorder.judge.task import Level, Task
from wordorder.metrics.registry import parse_metrics

COMMAND = "python -m experiments.interoperability mt_metrics_eval --data FOLDER"
METRICS = ("chrF-refA", "BLEU-refA")
# Rows of the table of figures, by level and measure.
ROWS: dict[str, tuple[Level, str]] = {
    "segment Pearson": ("segment", "pearson"),
    "segment Spearman": ("segment", "spearman"),
    "segment Kendall tau-b": ("segment", "kendall"),
    "accuracy, ties exact, pooled": ("segment", "accuracy:ties=exact,average=none"),
    "the same averaged by item": ("segment", "accuracy:ties=exact,average=segments"),
    "accuracy with calibrated ties, by item": ("segment", "accuracy:ties=calibrated,average=segments"),
    "Kendall tau-b by item": ("segment", "kendall:average=segments"),
    "Pearson by item": ("segment", "pearson:average=segments"),
    "system Pearson": ("system", "pearson"),
    "system Spearman": ("system", "spearman"),
    "system Kendall tau-b": ("system", "kendall"),
}


def figures(page: Path) -> dict[str, list[float]]:
    """Return the figures of both metrics, by what they show."""
    rows = re.findall(r"^\| ([^|]+?)(?: \([^|]*\))? \| (-?[\d.]+) \| (-?[\d.]+) \|$", page.read_text(), re.M)
    return {name: [float(value) for value in values] for name, *values in rows}


def agreements(folder: Path) -> dict[str, list[float | None]]:
    """Compute the same figures from the stored scores."""
    data = [str(folder)]
    sets = read_sets(data)
    sets, scores = add_external(sets, [[]], merged_scores(METRICS, data, sets))
    found = {}
    for name, (level, measure) in ROWS.items():
        result = agree(Task(level=level, measure=measure, samples=0), sets, scores)
        found[name] = [row[0].value for row in result.cells]
    return found


def comparisons(data: Path | None) -> Iterator[Comparison]:
    """Compare figures of both layouts, human scores of systems, and scores of metrics."""
    page = data / "README.md" if data else None
    if data is None or page is None or not page.is_file():
        raise LookupError("needs --data FOLDER with README.md, text/ and jsonl/")
    printed = figures(page)
    folders = [path for layout in ("text", "jsonl") for path in sorted((data / layout).iterdir())]
    close = [
        value is not None and abs(value - expected) < 1e-9
        for folder in folders
        for name, values in agreements(folder).items()
        for value, expected in zip(values, printed[name], strict=True)
    ]
    yield _row("correlations and accuracies of segments and systems, both layouts", close, "within 1e-9")
    (one,) = read_sets([str(folders[0])])
    means, stored = (system_scores(one, kind)[0] for kind in ("mean", "published"))
    yield _row("MQM scores of systems: means of segments", list(np.abs(means - stored) < 1e-9), "within 1e-9")
    yield _row(
        "stored chrF and BLEU of segments and systems", list(stored_scores(folders[0], one)), "within 1e-9"
    )


def stored_scores(folder: Path, one: Judgments) -> Iterator[bool]:
    """Compare our scores with those stored in the folder, segment by segment and system by system."""
    (ours,) = Scorer()([one], parse_metrics(["chrf,bleu:tokenize=13a"]))
    (external,) = merged_scores(METRICS, [str(folder)], [one])
    for mine, name in zip(ours, METRICS, strict=True):
        theirs = external[name]
        yield from (np.abs(mine.segment - theirs.score) < 1e-9)[theirs.known].tolist()
        for number, system in enumerate(one.systems):
            total = mine.stats[one.item_system == number].sum(axis=0, keepdims=True)
            yield abs(float(mine.combine(total)[0]) - (theirs.systems or {})[system]) < 1e-9


def _row(compared: str, close: list[bool], how: str) -> Comparison:
    return Comparison(
        program="mt-metrics-eval", version="snapshot of 2026", compared=compared, cases=len(close),
        equal=sum(close), how=how, command=COMMAND,
    )  # fmt: skip
