"""Reports of learned settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wordorder.learn.settings import LearnedSettings
from wordorder.report.table import Table, write_table

VALUES = ("usual", "value", "best")


def learned_report(results: Sequence[LearnedSettings], form: str) -> bytes:
    """Write the settings learned for some metrics in one of the formats of tables."""
    first = results[0]
    keys = list(first.settings)
    rows, records = [], []
    for result in results:
        values = [[getattr(fold, name) for name in VALUES] for fold in result.folds]
        lines: list[tuple[int | str, dict[str, Any], list[float]]] = [
            (fold.year, fold.learned, row) for fold, row in zip(result.folds, values, strict=True)
        ]
        means = [sum(column) / len(column) for column in zip(*values, strict=True)]
        for year, learned, row in [*lines, ("mean", dict.fromkeys(keys), means)]:
            settings = ["" if learned[key] is None else f"{learned[key]:.3f}" for key in keys]
            rows.append([result.spec, str(year), *settings, *(f"{value:.4f}" for value in row)])
            records.append(
                {"metric": result.spec, "held_out": year, **learned, **dict(zip(VALUES, row, strict=True))}
            )
    notes = [
        f"{first.measure}, mean over the sets of a year; learned from the other years by hill climbing "
        f"({first.restarts} restarts, seed {first.seed})",
        "best there: the highest value found on that very year, an upper bound and not a result",
    ]
    for result in results:
        learned_settings = ",".join(f"{key}={value:g}" for key, value in result.settings.items())
        notes.append(f"{result.spec}, learned from all years: {learned_settings}")
    table = Table(
        head=["metric", "held out", *keys, "as given", "learned", "best there"],
        rows=rows,
        records=records,
        facts={"learned": [asdict(result) for result in results]},
        notes=notes,
        name="years",
        left=2,
    )
    return write_table(table, form)
