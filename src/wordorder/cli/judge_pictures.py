"""The pictures of ``wordorder judge --plot``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from wordorder.draw.chart import Series, line_chart, scaled_chart
from wordorder.draw.dots import Dot, dot_chart
from wordorder.io.files import open_output
from wordorder.judge.agreement import Agreement
from wordorder.judge.judgments import Judgments
from wordorder.judge.learn import ScoreSets, curve, has_settings
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of


def draw(
    tables: Sequence[Agreement],
    metrics: Sequence[Metric],
    sets: Sequence[Judgments],
    score: ScoreSets,
    options: dict[str, Any],
) -> None:
    """Write pictures into a folder and name them."""
    folder = Path(options["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, str] = {}
    for table in tables:
        made[f"{table.level}-intervals.svg"] = _intervals(table)
        if len(table.columns) > 1:
            made[f"{table.level}-scaled.svg"] = _scaled(table)
    for key in [name for name in options["curves"].split(",") if name]:
        made[f"{key}.svg"] = _curves(key, metrics, sets, score, options["measure"] or "tau:ties=counted")
    for name, picture in made.items():
        with open_output(str(folder / name)) as out:
            out.write(picture.encode("utf-8"))
    click.echo("wrote " + ", ".join(str(folder / name) for name in made), err=True)


def _name(table: Agreement, number: int) -> str:
    column = table.columns[number]
    several = len({c.collection for c in table.columns}) > 1
    return f"{column.pair} {column.year}" if several and column.year else column.pair


def _intervals(table: Agreement) -> str:
    dots = []
    for number in range(len(table.columns)):
        for label, cells in zip(table.labels, table.cells, strict=True):
            cell = cells[number]
            if cell.value is not None:
                dots.append(Dot(label, cell.value, cell.low, cell.high, group=_name(table, number)))
    measures = ", ".join(dict.fromkeys(column.measure for column in table.columns))
    return dot_chart(dots, x_label=measures, title=f"Agreement with people, {table.level} level")


def _scaled(table: Agreement) -> str:
    """Between the worst and the best metric of each set (Stanojević and Sima'an 2014, figures 9, 10)."""
    names = [_name(table, number) for number in range(len(table.columns))]
    series = {
        label: [cell.value for cell in cells if cell.value is not None]
        for label, cells in zip(table.labels, table.cells, strict=True)
        if all(cell.value is not None for cell in cells)
    }
    return scaled_chart(names, series, title=f"Scaled agreement, {table.level} level")


def _curves(
    key: str, metrics: Sequence[Metric], sets: Sequence[Judgments], score: ScoreSets, measure: str
) -> str:
    """Figures 7 and 8: the effect of one setting."""
    able = [metric for metric in metrics if has_settings(metric, [key])]
    if not able:
        raise click.UsageError(f"no metric has {key}: --curves {key} has nothing to draw")
    lines = []
    for metric in able:
        xs, values = curve(metric, key, sets, score, measure=measure)
        known = [(x, y) for x, y in zip(xs, values, strict=True) if y is not None]
        lines.append(Series(spec_of(metric), [x for x, _ in known], [y for _, y in known]))
    return line_chart(lines, x_label=key, y_label=measure, title=f"Effect of {key}")
