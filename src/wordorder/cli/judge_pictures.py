"""The charts of ``wordorder judge --plot``, after those of Stanojević and Sima'an (2014)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from wordorder.draw import Scene, Series, line_chart, to_svg
from wordorder.io.files import open_output
from wordorder.judge.agreement import Agreement
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.learn.setting_space import has_settings
from wordorder.learn.settings import MEASURE, curve
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of
from wordorder.report.agreement_charts import intervals_chart, scaled_agreement


def draw(
    target: str,
    results: Sequence[Agreement],
    settings: Sequence[str],
    measure: str | None,
    metrics: Sequence[Metric],
    sets: Sequence[Judgments],
    scorer: Scorer,
) -> None:
    """Write the charts of some results, and the effects of some settings, into a folder."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    charts: dict[str, Scene] = {}
    for result in results:
        charts[f"{result.task.level}-intervals.svg"] = intervals_chart(result)
        if len(result.sets) > 1:
            charts[f"{result.task.level}-scaled.svg"] = scaled_agreement(result)
    for key in settings:
        charts[f"{key}.svg"] = _curves(key, metrics, sets, scorer, measure or MEASURE)
    for name, chart in charts.items():
        with open_output(str(folder / name)) as out:
            out.write(to_svg(chart).encode("utf-8"))
    click.echo("wrote " + ", ".join(str(folder / name) for name in charts), err=True)


def _curves(
    key: str, metrics: Sequence[Metric], sets: Sequence[Judgments], scorer: Scorer, measure: str
) -> Scene:
    """Draw the effect of one setting (ibid., figures 7 and 8)."""
    able = [metric for metric in metrics if has_settings(metric, [key])]
    if not able:
        raise click.UsageError(f"no metric has {key}: --curves {key} has nothing to draw")
    lines = []
    for metric in able:
        xs, values = curve(metric, key, sets, scorer, measure=measure)
        defined = [(x, y) for x, y in zip(xs, values, strict=True) if y is not None]
        lines.append(Series(spec_of(metric), [x for x, _ in defined], [y for _, y in defined]))
    return line_chart(lines, x_label=key, y_label=measure, title=f"Effect of {key}")
