"""Tables about tuning: scores and habits of each run, and the weights with their spread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.report.table import Table
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.habits import Habits, habits_of
from wordorder.tune.tuning import Tuning, TuningRun


def tuning_tables(
    tuning: Tuning,
    lists: CandidateLists,
    metric: Metric,
    references: Sequence[str],
    sources: Sequence[str] | None,
    facts: dict[str, Any],
) -> list[Table]:
    """Return a table of runs and a table of weights."""
    runs = [("start", tuning.start), *((f"seed {run.seed}", run) for run in tuning.runs)]
    habits = [_habits(run, lists, references, sources) for _, run in runs]
    head = ["run", metric.name, "length ratio", "repetition", *(["copied"] if sources is not None else [])]
    rows = [
        [name, f"{run.score:.4f}", f"{h.length_ratio:.3f}", f"{h.repetition:.3f}"]
        + ([f"{h.copied:.3f}"] if h.copied is not None else [])
        for (name, run), h in zip(runs, habits, strict=True)
    ]
    records = [
        {"run": name, metric.name: run.score, "length_ratio": h.length_ratio, "repetition": h.repetition}
        | ({"copied": h.copied} if h.copied is not None else {})
        for (name, run), h in zip(runs, habits, strict=True)
    ]
    sizes = ((len(lists), "sentence"), (lists.size, "candidate"), (len(lists.keys), "feature"))
    mean, spread = tuning.scores
    over = f"; mean {mean:.4f}, standard deviation {spread:.4f}" if len(tuning.runs) > 1 else ""
    facts = facts | {"mean": mean, "spread": spread if len(tuning.runs) > 1 else None}
    notes = [
        ", ".join(counted(size, what) for size, what in sizes) + over,
        "scores are those of the tuning set, the best run first; its weights are the ones that are saved",
        str(facts["metric"]),
    ]
    weights = _weights_table(tuning, lists)
    return [Table(head=head, rows=rows, records=records, notes=notes, facts=facts, name="runs"), weights]


def _habits(
    run: TuningRun, lists: CandidateLists, references: Sequence[str], sources: Sequence[str] | None
) -> Habits:
    return habits_of(lists.chosen_texts(run.choice), references, sources)


def _weights_table(tuning: Tuning, lists: CandidateLists, most: int = 30) -> Table:
    columns = [tuning.start.weights, tuning.weights, tuning.mean, tuning.spread]
    records = [
        dict(zip(("feature", "start", "best", "mean", "spread"), (name, *values), strict=True))
        for name, *values in zip(lists.names, *(column.tolist() for column in columns), strict=True)
    ]
    shown = ("start", "best", "mean", "spread") if len(tuning.runs) > 1 else ("start", "best")
    rows = [[record["feature"], *(f"{record[k]:.4f}" for k in shown)] for record in records]
    notes = ["weights are scaled so that their absolute values add up to 1"]
    if len(tuning.runs) > 1:
        notes = [f"{notes[0]}; the spread is the standard deviation over seeds"]
    if len(rows) > most:
        notes.append(f"{len(rows) - most:,} more features are in the file of weights")
    return Table(
        head=["feature", *shown],
        rows=rows[:most],
        records=records,
        notes=notes,
        name="weights",
    )
