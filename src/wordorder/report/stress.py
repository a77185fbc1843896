"""Tables of stress tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from wordorder.draw.labels import visible
from wordorder.io.lines import counted
from wordorder.judge.manipulations import CHANGES, FORGERIES
from wordorder.judge.stress import Stress, StressOutcome
from wordorder.report.table import Table, write_table, write_tables

UNDEFINED = "–"


def stress_report(result: Stress, form: str) -> bytes:
    """Write a stress test in one of the formats of tables."""
    if form in ("tsv", "json"):
        about = asdict(result)
        records = about.pop("outcomes")
        return write_table(Table(records=records, facts=about, name="outcomes"), form)
    return write_tables(list(stress_tables(result)), form)


def stress_tables(result: Stress) -> Iterator[Table]:
    """Yield the successes of forgeries, the successes of changes, and how far changes move scores."""
    yield _table(
        result,
        "forgery",
        f"Forgeries that score at least as high as real outputs, in %: {counted(result.items, 'output')} "
        f"in {counted(result.segments, 'segment')} of {', '.join(map(visible, result.sets))}",
        _share,
    )
    yield _table(result, "change", "Changed outputs that score at least as high as before, in %", _share)
    table = _table(
        result, "change", "Mean change of the score, in standard deviations of the scores of outputs", _change
    )
    around = f"± 95 % interval, bootstrap over segments, {result.samples} samples, seed {result.seed}"
    signatures = dict.fromkeys(
        f"{label}: {signature}"
        for label, by_set in zip(result.labels, result.signatures, strict=True)
        for signature in by_set
    )
    notes = [*([around] if result.samples > 1 else [f"seed {result.seed}"]), *result.notes, *signatures]
    yield Table(title=table.title, head=table.head, rows=table.rows, notes=notes)


def _table(result: Stress, kind: str, title: str, shown) -> Table:  # type: ignore[no-untyped-def]
    names = list(FORGERIES if kind == "forgery" else CHANGES)
    rows = [[label, *(shown(result.outcome(label, kind, name)) for name in names)] for label in result.labels]
    return Table(title=title, head=["", *names], rows=rows)


def _share(outcome: StressOutcome) -> str:
    return _around(outcome.share, outcome.low, outcome.high, 100, 1)


def _change(outcome: StressOutcome) -> str:
    return _around(outcome.change, outcome.change_low, outcome.change_high, 1, 2)


def _around(value: float | None, low: float | None, high: float | None, factor: int, digits: int) -> str:
    """Write a value with the distance to the farther end of its interval.

    >>> _around(0.5, 0.45, 0.52, 100, 1), _around(None, None, None, 100, 1)
    ('50.0 ±5.0', '–')
    """
    if value is None:
        return UNDEFINED
    text = f"{round(factor * value, digits) + 0.0:.{digits}f}".replace("-", "−")  # no negative zero
    if low is None or high is None:
        return text
    return f"{text} ±{factor * max(value - low, high - value):.{digits}f}"
