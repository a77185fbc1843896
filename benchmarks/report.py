"""Tables of results beside the kept ones."""

from __future__ import annotations

from benchmarks.comparison import Comparison
from benchmarks.results import HEAD, Results, figures
from wordorder.report.table import Table


def comparison_table(now: Results, rows: list[Comparison]) -> Table:
    """Return the table of a run: figures, and what changed since the kept results."""
    body = []
    for row in rows:
        if row.now is None:
            continue
        change = "" if row.change is None else f"{row.change:.2f}"
        body.append([*figures(row.now), change, "; ".join([*row.failures, *row.notes])])
    return Table(
        head=[*HEAD, "times the kept ratio", "remarks"],
        rows=body,
        left=2,
        notes=[*notes(now, rows), f"{now.wall_seconds:.0f} s in all."],
    )


def kept_table(kept: Results) -> Table:
    """Return the table of kept results."""
    return Table(head=HEAD, rows=[figures(row) for row in kept.measurements], left=2, notes=notes(kept, []))


def notes(results: Results, rows: list[Comparison]) -> list[str]:
    """Say where the figures come from, and what is missing."""
    machine = dict(results.machine)
    versions = ", ".join(f"{name} {value}" for name, value in machine.items() if name not in ("cpu", "cores"))
    said = [
        f"wordorder {results.version}, {results.date}, {machine.get('cpu')}, {machine.get('cores')} cores;"
        f" {versions}."
    ]
    said += [f"{name}: {text}." for name, text in results.texts.items()]
    said += [f"{'Holds' if check.holds else 'DOES NOT HOLD'}: {check.what}." for check in results.checks]
    for skipped in results.skipped:
        beside = f" beside {skipped.peer}" if skipped.peer else ""
        said.append(f"Left out: {skipped.name}{beside}: {skipped.reason}.")
    gone = [row for row in rows if row.now is None and row.failures]
    return said + [f"{row.id.name} beside {row.id.peer}: {row.failures[0]}." for row in gone]
