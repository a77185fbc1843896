"""``wordorder learn settings``."""

from __future__ import annotations

from typing import Any

import click

from wordorder.cli.judge_options import data_options, scoring_options
from wordorder.cli.vocabulary import chosen_format, metrics_option, quiet_option, seed_option, table_options

HELP = """\
\b
  wordorder learn settings wmt12-rr wmt13-rr wmt14-rr -m full,lrscore --learn alpha
  wordorder learn settings wmt12-rr wmt13-rr -m full --learn alpha,beta -o learned.json

Learn settings between 0 and 1 of metrics by hill climbing, maximising the mean of a measure over the sets of
judgments. Each year is reported with the settings learned from the other years.
"""


@click.command("settings", help=HELP)
@data_options
@metrics_option("full")
@click.option(
    "--learn", "keys", required=True, metavar="SETTING,...", help="Settings to learn, such as alpha,beta."
)
@click.option(
    "--measure", default="tau:ties=counted", show_default=True, help="Measure of agreement at segment level."
)
@click.option(
    "--restarts", type=click.IntRange(1), default=20, show_default=True, help="Random starts of the search."
)
@seed_option
@scoring_options
@table_options
@quiet_option
def command(
    specs: tuple[str, ...],
    keys: str,
    measure: str,
    restarts: int,
    seed: int,
    form: str | None,
    output: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn settings of metrics."""
    from wordorder.cli.judge_options import chosen_scorer, chosen_sets, names, shared_settings
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.learn.settings import additive, has_settings, learn_settings
    from wordorder.metrics.registry import parse_metrics
    from wordorder.report.learned import learned_report

    wanted, metrics = names(keys), parse_metrics(specs, shared_settings(options))
    additive(measure)
    able = [metric for metric in metrics if has_settings(metric, wanted)]
    if not able:
        raise BadSetting(
            f"no metric has {' and '.join(wanted)}: full has alpha, and beta of its ordering metric"
        )
    if others := [metric.name for metric in metrics if metric not in able]:
        click.echo(f"without {', '.join(others)}: no {' and '.join(wanted)} to learn", err=True)
    sets = chosen_sets(options)
    with chosen_scorer(options, quiet=quiet) as scorer:
        results = [
            learn_settings(metric, wanted, sets, scorer, measure=measure, restarts=restarts, seed=seed)
            for metric in able
        ]
    with open_output(output) as out:
        out.write(learned_report(results, chosen_format(form, output)))
