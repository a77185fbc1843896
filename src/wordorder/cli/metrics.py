"""``wordorder metrics``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder metrics
  wordorder metrics recpef
  wordorder metrics recpef:variant=beer11 --output json

List the scores of word order, or explain one: what it tells, its range, its settings and
its signature.
"""


@click.command("metrics", help=HELP)
@click.argument("spec", metavar="[METRIC]", required=False)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(spec: str | None, output: str) -> None:
    """List or explain metrics."""
    import inspect
    import typing

    import orjson

    from wordorder.metrics.registry import metric, metric_names
    from wordorder.report.order_scores import describe
    from wordorder.report.table import text_table

    made = [metric(spec)] if spec else [metric(name) for name in metric_names()]
    if output == "json":
        data = [{**describe(m), "about": inspect.getdoc(type(m))} for m in made]
        click.echo(orjson.dumps(data[0] if spec else data, option=orjson.OPT_INDENT_2))
        return
    if spec:
        one = made[0]
        low, high = one.range
        about = (inspect.getdoc(type(one)) or "").partition("\n>>>")[0].rstrip().replace("``", "")
        click.echo(f"{one.name}: {about}\n")
        direction = "higher" if one.higher_is_better else "lower"
        click.echo(f"range      {low:g} to {high:g}, {direction} is better")
        for key, value in one.settings.items():
            hint = typing.get_type_hints(type(one)).get(key)
            known = f"  (of {', '.join(map(str, typing.get_args(hint)))})" if typing.get_args(hint) else ""
            click.echo(f"setting    {key}={value}{known}")
        click.echo(f"signature  {one.signature}")
        return
    rows = [
        [
            m.name,
            "higher" if m.higher_is_better else "lower",
            (inspect.getdoc(type(m)) or "").splitlines()[0].replace("``", ""),
        ]
        for m in made
    ]
    click.echo(text_table([["metric", "better", "what it tells"], *rows], left=3), nl=False)
