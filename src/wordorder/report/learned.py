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
        for fold in result.folds:
            settings = [f"{fold.learned[key]:.3f}" for key in keys]
            values = [f"{getattr(fold, name):.4f}" for name in VALUES]
            rows.append([result.spec, str(fold.year), *settings, *values])
            records.append({"metric": result.spec, "held_out": fold.year, **fold.learned, **_values(fold)})
        means = [sum(getattr(fold, name) for fold in result.folds) / len(result.folds) for name in VALUES]
        rows.append([result.spec, "mean", *("" for _ in keys), *(f"{value:.4f}" for value in means)])
        records.append(
            {
                "metric": result.spec,
                "held_out": "mean",
                **dict.fromkeys(keys),
                **dict(zip(VALUES, means, strict=True)),
            }
        )
    notes = [
        f"{first.measure}, mean over the sets of a year; learned from the other years by hill climbing "
        f"({first.restarts} restarts, seed {first.seed})",
        "best there: the highest value found on that very year, an upper bound and not a result",
    ]
    for result in results:
        settings_ = ",".join(f"{key}={value:g}" for key, value in result.settings.items())
        notes.append(f"{result.spec}, learned from all years: {settings_}")
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


def _values(fold: Any) -> dict[str, float]:
    return {name: getattr(fold, name) for name in VALUES}
