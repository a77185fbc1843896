"""How well metrics agree with people on several sets of judgments, with intervals and tests.

Segments are drawn with replacement, and all metrics share the same draws. At segment level only judged
segments are drawn. At system level a sample changes the scores of systems by the metric and, if they are
computed from the judgments at hand, by people; published scores and TrueSkill stay as they are.

Noise in the segments lowers a correlation over systems, and resampled segments are noisier than the segments
themselves. The samples at system level are therefore reflected about their mean and moved to the value, on
Fisher's scale. The interval describes correlations measured on test sets of this size; it does not cover the
correlation that an infinitely large test set would give.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks
from wordorder.core.displayed import Displayed
from wordorder.engine.compare import Entries, PairedTest, results_against
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.level_set import LevelSet, SetSummary, Unusable
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.paired_tests import paired_test, test_of_means
from wordorder.judge.task import Task


@dataclass(frozen=True, slots=True)
class AgreementCell:
    """The agreement of a metric with people on one set; ``value`` is None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    p_values: tuple[float | None, ...] = ()  # against each baseline
    better: tuple[bool | None, ...] = ()  # than each baseline, significantly or not


@dataclass(frozen=True, slots=True)
class Agreement(Displayed):
    """The answer to a task: a table of metrics by sets."""

    task: Task
    sets: list[SetSummary]
    labels: list[str]
    signatures: list[list[str]]  # by metric and set
    cells: list[list[AgreementCell]]
    means: list[AgreementCell]
    ranks: list[float | None]
    notes: list[str]

    def __repr__(self) -> str:
        return f"<Agreement of {', '.join(self.labels)} with people: {self.task}>"

    def tally(self, metric: int, baseline: int, *, p: float = 0.05) -> tuple[int, int, int]:
        """Count the sets on which the metric is significantly better, significantly worse, and neither."""
        won = lost = 0
        for cell in self.cells[metric]:
            p_value = cell.p_values[baseline]
            if p_value is not None and p_value < p:
                won += cell.better[baseline] is True
                lost += cell.better[baseline] is False
        return won, lost, len(self.sets) - won - lost


def agree(task: Task, sets: Sequence[Judgments], scored: Sequence[Sequence[MetricScores]]) -> Agreement:
    """Answer a task; ``scored`` has, for each set, the scores of the same metrics in the same order."""
    labels = check_labels(task, sets, scored)
    if task.hybrids:
        if only := [metric.label for metric in scored[0] if not metric.has_segments]:
            raise BadSetting(f"{only[0]} has scores of systems only; hybrids need scores of segments")
        from wordorder.judge.hybrids import agree_over_hybrids

        return agree_over_hybrids(task, sets, scored)
    bases = [labels.index(name) for name in task.baselines]
    summaries, cells, notes = [], [], []
    signatures: list[list[str]] = []
    all_entries: list[Entries] = []
    for judgments, metrics in zip(sets, scored, strict=True):
        try:
            level_set = LevelSet(judgments, metrics, task)
        except Unusable as reason:
            notes.append(f"{judgments.name} is left out: {reason}")
            continue
        # The seed includes the name of the set, so that other sets in the task change nothing.
        seed = [task.seed, zlib.crc32(judgments.name.encode())]
        entries = level_set.entries(task.samples, seed, task.seed)
        summaries.append(level_set.summary())
        signatures.append([metric.signature_at(task.level) for metric in metrics])
        cells.append(agreement_cells(entries, bases, paired_test(task.paired, level_set) if bases else None))
        all_entries.append(entries)
        notes += level_set.notes(entries.values)
    if not summaries:
        raise BadSetting("no set of judgments can be used: " + "; ".join(notes))
    all_values = np.array([entries.values for entries in all_entries])
    means = Entries(all_values.mean(axis=0), np.mean([entries.resampled for entries in all_entries], axis=0))
    measures = sorted({summary.measure for summary in summaries})
    if len(measures) > 1:
        notes.append(f"the means are over different measures: {', '.join(measures)}")
    return Agreement(
        task=task,
        sets=summaries,
        labels=labels,
        signatures=[list(by_set) for by_set in zip(*signatures, strict=True)],
        cells=[list(row) for row in zip(*cells, strict=True)],
        means=agreement_cells(means, bases, test_of_means(task.paired)),
        ranks=mean_ranks(all_values),
        notes=notes,
    )


def check_labels(
    task: Task, sets: Sequence[Judgments], scored: Sequence[Sequence[MetricScores]]
) -> list[str]:
    """Return the labels of the metrics; baselines must be among them, and no set may occur twice."""
    labels = [metric.label for metric in scored[0]]
    for name in task.baselines:
        if name not in labels:
            raise BadSetting(f"the baseline {name} is not among the metrics: {', '.join(labels)}")
    names = [judgments.name for judgments in sets]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"{name} is given twice; different judgments need folders of different names")
    return labels


def agreement_cells(entries: Entries, bases: Sequence[int], test: PairedTest | None) -> list[AgreementCell]:
    """Return a cell for each metric, with its interval and its tests against the baselines."""
    by_base = [results_against(entries, base, test) for base in bases]
    cells = []
    for k, result in enumerate(results_against(entries, 0, None)):
        if not np.isfinite(result.score):
            undefined = (None,) * len(bases)
            cells.append(AgreementCell(None, p_values=undefined, better=undefined))
            continue
        around = result.interval
        low, high = (around.low, around.high) if around else (None, None)
        tests = [results[k] for results in by_base]
        p_values = tuple(against.p_value for against in tests)
        better = tuple(_is_better(against.difference) for against in tests)
        cells.append(AgreementCell(result.score, low, high, p_values, better))
    return cells


def _is_better(difference: float | None) -> bool | None:
    return difference > 0 if difference and np.isfinite(difference) else None


def mean_ranks(values: Doubles) -> list[float | None]:
    """Return the mean rank of each metric over sets, 1 being best; None if it is undefined on some set."""
    ranks = np.array([average_ranks(-np.where(np.isfinite(row), row, -np.inf)) for row in values])
    defined = np.isfinite(values.sum(axis=0)).tolist()
    return [float(rank) if there else None for rank, there in zip(ranks.mean(axis=0), defined, strict=True)]
