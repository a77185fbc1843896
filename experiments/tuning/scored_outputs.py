"""Outputs beside each other: scores with their spread over runs, habits, and paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from experiments.reproduction.judged import Row
from wordorder.arrays import Doubles
from wordorder.engine.compare import Comparison, Result, compare
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import References, Segments
from wordorder.report.table import stars
from wordorder.tune.habits import Habits, habits_of

# Words of the lists are separated by spaces, so nothing is tokenised again; BEER recognises the language.
METRICS = {
    "BLEU": "bleu:tokenize=none",
    "chrF": "chrf",
    "RIBES": "ribes:tokenize=none",
    "BEER": "beer",
    "full": "full:tokenize=none",
}
DIGITS = {"BLEU": 2, "chrF": 2}  # scores from 0 to 100; others are from 0 to 1
HABITS = ("length", "repeated", "copied")
SAMPLES = 1000


@cache
def metrics() -> list[Metric]:
    """Return the metrics of all columns."""
    return [metric(spec) for spec in METRICS.values()]


@dataclass(frozen=True, eq=False)
class ScoredOutputs:
    """Scores and habits of all runs of each way to choose; statistics by segment, averaged over runs."""

    values: dict[str, Doubles]  # by name: one row per run, one column per metric
    rows: dict[str, list[Doubles]]
    habits: dict[str, list[Habits]]

    def compared(self, baseline: str) -> Comparison:
        """Test the outputs of all runs together against those of a baseline, by all metrics."""
        names = list(self.rows)
        return compare(
            list(self.rows.values()),
            [each.scores for each in metrics()],
            samples=SAMPLES,
            paired="bootstrap",
            baseline=names.index(baseline),
        )

    def table_rows(self, baseline: str) -> list[Row]:
        """Make the rows of scores, with marks where they differ from those of the baseline."""
        rows: list[Row] = [["", *METRICS, *HABITS]]
        for name, results in zip(self.values, self.compared(baseline).results, strict=True):
            columns = self.values[name].T
            cells = [
                spread(column, DIGITS.get(label, 3)) + mark(result)
                for label, column, result in zip(METRICS, columns, results, strict=True)
            ]
            rows.append([name, *cells, *habit_cells(self.habits[name])])
        return rows

    def difference_rows(self, baseline: str, names: Sequence[str]) -> list[Row]:
        """Make rows of differences from a baseline with p-values."""
        results = dict(zip(self.rows, self.compared(baseline).results, strict=True))
        rows: list[Row] = [["", *METRICS]]
        for name in names:
            cells = [
                difference_cell(result, DIGITS.get(label, 3))
                for label, result in zip(METRICS, results[name], strict=True)
            ]
            rows.append([name, *cells])
        return rows


def score_outputs(
    outputs: Mapping[str, Sequence[list[str]]], references: list[str], sources: list[str]
) -> ScoredOutputs:
    """Score the outputs of all runs of each way to choose."""
    prepared = References([references])
    values, rows, habits = {}, {}, {}
    for name, runs in outputs.items():
        by_run = [_statistics(texts, prepared) for texts in runs]
        rows[name] = [np.mean(parts, axis=0) for parts in zip(*by_run, strict=True)]
        values[name] = np.array([_scores(parts) for parts in by_run])
        habits[name] = [habits_of(texts, references, sources) for texts in runs]
    return ScoredOutputs(values, rows, habits)


def _statistics(texts: list[str], references: References) -> list[Doubles]:
    segments = Segments(texts, references)
    return [each.statistics(segments) for each in metrics()]


def _scores(rows: list[Doubles]) -> list[float]:
    return [
        float(each.scores(part.sum(axis=0, keepdims=True))[0])
        for each, part in zip(metrics(), rows, strict=True)
    ]


def spread(values: Sequence[float] | Doubles, digits: int) -> str:
    """Format the mean and, of several values, the standard deviation.

    >>> spread([1.0, 2.0], 1), spread([1.0], 2)
    ('1.5 ± 0.7', '1.00')
    """
    deviation = f" ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else ""
    return f"{np.mean(values):.{digits}f}{deviation}"


def mark(result: Result) -> str:
    """Return the sign of a difference with its stars, or nothing where it may be due to chance."""
    return f" {stars(result.p_value, better=(result.difference or 0) > 0)}".rstrip()


def difference_cell(result: Result, digits: int) -> str:
    """Format a difference with its p-value."""
    if result.difference is None or result.p_value is None:
        return ""
    return f"{result.difference:+.{digits}f} (p = {result.p_value:.3f})"


def habit_cells(runs: Sequence[Habits]) -> list[str]:
    """Format the mean length ratio, and the shares of repeated word pairs and copied words in percent."""
    length = spread([run.length_ratio for run in runs], 3)
    repeated = np.mean([run.repetition for run in runs])
    copied = np.mean([run.copied or 0.0 for run in runs])
    return [length, f"{100 * repeated:.1f} %", f"{100 * copied:.1f} %"]
