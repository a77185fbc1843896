"""Reports of learned settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from wordorder.learn.settings import LearnedSettings
from wordorder.report.table import Table, write_table

VALUES = ("usual", "value", "best")


class _Line(NamedTuple):
    """A line of the table: settings as numbers and as text, then the three values."""

    spec: str
    group: str
    held_out: str
    settings: dict[str, float | None]
    cells: list[str]
    values: list[float]


def learned_report(results: Sequence[LearnedSettings], form: str) -> bytes:
    """Write the settings learned for some metrics in one of the formats of tables."""
    first = results[0]
    keys = list(first.settings)
    lines = list(_lines_by_segments(results) if first.split == "segments" else _lines_by_years(results))
    table = Table(
        head=["metric", "pair", "held out", *keys, "as given", "learned", "best there"],
        rows=[
            [line.spec, line.group, line.held_out, *line.cells, *(f"{value:.4f}" for value in line.values)]
            for line in lines
        ],
        records=[
            {
                "metric": line.spec,
                "pair": line.group,
                "held_out": line.held_out,
                **line.settings,
                **dict(zip(VALUES, line.values, strict=True)),
            }
            for line in lines
        ],
        facts={"learned": [asdict(result) for result in results]},
        notes=_notes(results),
        name="held_out",
        left=3,
    )
    return write_table(table, form)


def _lines_by_years(results: Sequence[LearnedSettings]) -> Iterator[_Line]:
    """Yield a line for each year, and their mean."""
    for result in results:
        for fold in result.folds:
            cells = [f"{value:.3f}" for value in fold.learned.values()]
            values = [getattr(fold, name) for name in VALUES]
            yield _Line(result.spec, result.group, fold.held_out, {**fold.learned}, cells, values)
        yield _mean(result.spec, result.group, [result], held_out="mean")


def _lines_by_segments(results: Sequence[LearnedSettings]) -> Iterator[_Line]:
    """Yield a line for each language pair, and for each metric the mean over pairs."""
    for spec in dict.fromkeys(result.spec for result in results):
        own = [result for result in results if result.spec == spec]
        for result in own:
            cells = []
            for key, value in result.settings.items():
                learned = [fold.learned[key] for fold in result.folds]
                cells.append(f"{value:.2f} ({min(learned):.2f}-{max(learned):.2f})")
            values = [getattr(result, name) for name in VALUES]
            held_out = f"{len(result.folds)} folds"
            yield _Line(spec, result.group, held_out, {**result.settings}, cells, values)
        if len(own) > 1:
            yield _mean(spec, "mean", own, held_out="")


def _mean(spec: str, group: str, results: Sequence[LearnedSettings], *, held_out: str) -> _Line:
    keys = results[0].settings
    means = [sum(getattr(result, name) for result in results) / len(results) for name in VALUES]
    return _Line(spec, group, held_out, dict.fromkeys(keys), [""] * len(keys), means)


def _notes(results: Sequence[LearnedSettings]) -> list[str]:
    first = results[0]
    search = f"by hill climbing ({first.restarts} restarts, seed {first.seed})"
    if first.split == "segments":
        return [
            f"{first.measure}; a segment is scored with the settings learned from the other folds {search}",
            "settings: learned from all segments, and (lowest-highest) over the folds",
            "best there: the highest value found on all segments, an upper bound and not a result",
        ]
    notes = [
        f"{first.measure}, mean over the sets of a year; learned from the other years {search}",
        "best there: the highest value found on that very year, an upper bound and not a result",
    ]
    for result in results:
        learned = ",".join(f"{key}={value:g}" for key, value in result.settings.items())
        pair = "" if result.group == "all" else f" {result.group}"
        notes.append(f"{result.spec}{pair}, learned from all years: {learned}")
    return notes


def climbs_table(results: Sequence[LearnedSettings]) -> bytes:
    """Write every step of every climb as TSV; ``held_out`` is empty where all judgments were used."""
    records: list[dict[str, Any]] = []
    for result in results:
        searches = {"": result.climbed, **{fold.held_out: fold.climbed for fold in result.folds}}
        for held_out, climbed in searches.items():
            for restart, steps in enumerate(climbed.climbs, start=1):
                for number, step in enumerate(steps):
                    where = dict(zip(result.settings, step.point, strict=True))
                    records.append(
                        {
                            "metric": result.spec,
                            "pair": result.group,
                            "held_out": held_out,
                            "restart": restart,
                            "step": number,
                            **where,
                            result.measure: step.value,
                        }
                    )
    return write_table(Table(records=records), "tsv")
