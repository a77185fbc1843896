"""``wordorder metrics``."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.vocabulary import chosen_format, table_options

if TYPE_CHECKING:
    from wordorder.metrics.base import Metric

HELP = """\
\b
  wordorder metrics
  wordorder metrics recpef
  wordorder metrics recpef:variant=beer11 -f json

List the metrics, or explain one: what it measures, its range, its settings and its signature.
"""


@click.command("metrics", help=HELP)
@click.argument("spec", metavar="[METRIC]", required=False)
@table_options
def command(spec: str | None, form: str | None, output: str) -> None:
    """List or explain metrics."""
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import metric, metric_names

    form = chosen_format(form, output)
    metrics = [metric(spec)] if spec else [metric(name) for name in metric_names()]
    report = explanation(metrics[0]).encode() if spec and form == "text" else listing(metrics, form)
    with open_output(output) as out:
        out.write(report)


def listing(metrics: list[Metric], form: str) -> bytes:
    """List metrics, one per row or record."""
    from wordorder.report.order_scores import describe
    from wordorder.report.table import Table, write_table

    rows = [[m.name, "higher" if m.higher_is_better else "lower", _about(m).splitlines()[0]] for m in metrics]
    head = ["metric", "better", "what it measures"]
    records: list[dict[str, Any]] = [dict(zip(head, row, strict=True)) for row in rows]
    if form == "json":
        records = [{**describe(m), "about": inspect.getdoc(type(m))} for m in metrics]
    return write_table(Table(head=head, rows=rows, records=records, name="metrics", left=3), form)


def explanation(metric: Metric) -> str:
    """Explain one metric."""
    from wordorder.core.plugins import field_types

    low, high = metric.range
    hints = field_types(type(metric))
    direction = "higher" if metric.higher_is_better else "lower"
    lines = [
        f"{metric.name}: {_about(metric)}",
        "",
        f"range      {low:g} to {high:g}, {direction} is better",
    ]
    for key, value in metric.settings.items():
        choices = ", ".join(map(str, typing.get_args(hints.get(key))))
        lines.append(f"setting    {key}={value}" + (f"  (one of {choices})" if choices else ""))
    lines.append(f"signature  {metric.signature}")
    if hasattr(metric, "order_signature"):
        lines.append(f"           {metric.order_signature}  (of permutations)")
    return "".join(f"{line}\n" for line in lines)


def _about(metric: Metric) -> str:
    return (inspect.getdoc(type(metric)) or "").partition("\n>>>")[0].rstrip().replace("``", "")
