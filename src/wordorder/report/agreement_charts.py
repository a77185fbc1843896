"""Charts of the agreement of metrics with people, after those of Stanojević and Sima'an (2014)."""

from __future__ import annotations

from wordorder.draw import Dot, Scene, dot_chart, scaled_chart
from wordorder.judge.agreement import Agreement


def _name(result: Agreement, number: int) -> str:
    summary = result.sets[number]
    several = len({each.collection for each in result.sets}) > 1
    return f"{summary.pair} {summary.year}" if several and summary.year else summary.pair


def intervals_chart(result: Agreement) -> Scene:
    """Draw the agreement of each metric with its interval, set by set."""
    dots = []
    for number in range(len(result.sets)):
        for label, cells in zip(result.labels, result.cells, strict=True):
            cell = cells[number]
            if cell.value is not None:
                dots.append(Dot(label, cell.value, cell.low, cell.high, group=_name(result, number)))
    measures = ", ".join(dict.fromkeys(summary.measure for summary in result.sets))
    return dot_chart(dots, x_label=measures, title=f"Agreement with people, {result.task.level} level")


def scaled_agreement(result: Agreement) -> Scene:
    """Scale values between the worst and the best metric of each set (ibid., figures 9 and 10)."""
    names = [_name(result, number) for number in range(len(result.sets))]
    series = {
        label: [cell.value for cell in cells if cell.value is not None]
        for label, cells in zip(result.labels, result.cells, strict=True)
        if all(cell.value is not None for cell in cells)
    }
    return scaled_chart(names, series, title=f"Scaled agreement, {result.task.level} level")
