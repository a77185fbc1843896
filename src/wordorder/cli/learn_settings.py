"""``wordorder learn settings``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.judge_options import data_options, scoring_options
from wordorder.cli.vocabulary import (
    chosen_format,
    metrics_option,
    plot_option,
    quiet_option,
    seed_option,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordorder.learn.settings import LearnedSettings

HELP = """\
\b
  wordorder learn settings wmt12-rr wmt13-rr wmt14-rr -m full,lrscore --learn alpha
  wordorder learn settings wmt12-rr wmt13-rr -m full --learn alpha,beta -o learned.json
  wordorder learn settings wmt12-rr -m lrscore --learn alpha --per-pair --folds 10 --measure consistency

Learn settings between 0 and 1 of metrics by hill climbing, maximising the mean of a measure over the sets of
judgments. Each year is reported with the settings learned from the other years; with --folds, each part of
the segments is reported with the settings learned from the other parts, which takes one year only.
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
@click.option("--per-pair", is_flag=True, help="Learn settings of their own for each language pair.")
@click.option(
    "--folds", type=click.IntRange(2), default=None,
    help="Number of parts of the segments, each held out once. Default: years are held out.",
)  # fmt: skip
@click.option(
    "--restarts", type=click.IntRange(1), default=20, show_default=True, help="Random starts of the search."
)
@plot_option
@seed_option
@scoring_options
@table_options
@quiet_option
def command(
    specs: tuple[str, ...],
    keys: str,
    measure: str,
    per_pair: bool,
    folds: int | None,
    restarts: int,
    folder: str | None,
    seed: int,
    form: str | None,
    output: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Learn settings of metrics."""
    from wordorder.cli.judge_options import (
        chosen_scorer,
        chosen_sets,
        names,
        refuse_unused_links,
        shared_settings,
    )
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.learn.setting_space import additive, has_settings
    from wordorder.learn.settings import learn_settings
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
    refuse_unused_links(able)
    sets = chosen_sets(options)
    groups = [sets]
    if per_pair:
        pairs = dict.fromkeys(judgments.pair for judgments in sets)
        groups = [[judgments for judgments in sets if judgments.pair == pair] for pair in pairs]
    how: Any = {"measure": measure, "folds": folds or 0, "restarts": restarts, "seed": seed}
    with chosen_scorer(options, quiet=quiet) as scorer:
        results = [
            learn_settings(metric, wanted, group, scorer, **how) for metric in able for group in groups
        ]
    with open_output(output) as out:
        out.write(learned_report(results, chosen_format(form, output)))
    if folder:
        _draw(folder, results)


def _draw(target: str, results: Sequence[LearnedSettings]) -> None:
    """Write the climbs as a table, and a chart for each metric and language pair."""
    import re
    from pathlib import Path

    from wordorder.draw import Series, line_chart, to_svg
    from wordorder.io.files import open_output
    from wordorder.report.learned import climbs_table

    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    files = {"climbs.tsv": climbs_table(results)}
    for result in results:
        lines = []
        for steps in result.climbed.climbs:
            start = ", ".join(f"{value:g}" for value in steps[0].point)
            finite = [(k, step.value) for k, step in enumerate(steps) if step.value > float("-inf")]
            lines.append(Series(f"from {start}", [k for k, _ in finite], [value for _, value in finite]))
        title = f"Climbing {', '.join(result.settings)} of {result.spec}, {result.group}"
        chart = line_chart(lines, x_label="step", y_label=result.measure, title=title)
        name = re.sub(r"[^\w=.]+", "-", f"{result.spec} {result.group}").strip("-")
        files[f"climb-{name}.svg"] = to_svg(chart).encode()
    for name, content in files.items():
        with open_output(str(folder / name)) as out:
            out.write(content)
    click.echo("wrote " + ", ".join(str(folder / name) for name in files), err=True)
