"""``wordorder judge``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.judge_options import data_options, scoring_options
from wordorder.cli.vocabulary import (
    chosen_format,
    joined_names,
    metrics_option,
    p_values_option,
    plot_option,
    quiet_option,
    refuse,
    samples_option,
    seed_option,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordorder.judge.agreement import Agreement
    from wordorder.judge.judgments import Judgments
    from wordorder.judge.metric_scores import MetricScores
    from wordorder.judge.task import Task
    from wordorder.metrics.base import Metric

HELP = """\
\b
  wordorder judge wmt13-rr -m kendall,ulam,recpef,full,bleu,chrf --baseline kendall,chrf
  wordorder judge wmt21-da -m chrf,full --pairs ja-en --measure spearman --plot pictures
  wordorder judge wmt23 --scores COMET-22-refA -m chrf --baseline chrf --paired randomisation
  wordorder judge wmt13-rr -m full -o agreement.json

Report how well metrics agree with human judgments, with confidence intervals and tests. DATA is a folder
of tables, an mt-metrics-eval folder, a WMT file of rankings, preferences or ratings, an MQM file, or an
export of Appraise ('wordorder formats' lists the formats). Scores are computed once and kept, so that further
questions about the same data are answered quickly.

Measures name their tie rule and their average: tau:ties=counted (WMT since 2014, the default for rankings),
tau:ties=dropped (the papers), consistency, accuracy:ties=calibrated,average=segments (WMT since 2023),
pearson (the default for ratings), spearman, kendall; for systems also soft_accuracy (WMT24). docs/judging.md
lists all of them.
"""

EPILOG = """\
Where judgments come from: WMT publishes rankings (2008 to 2016) and direct assessments on
https://www.statmt.org/wmt16/results.html and the pages of the other years; MQM ratings are at
https://github.com/google/wmt-mqm-human-evaluation; https://github.com/google-research/mt-metrics-eval
has test sets with outputs and scores of metrics. A file of rankings or ratings contains no texts: name their
files by --source-text, --reference-text and --output-text. To use judgments of your own, put segments.tsv
(lp testset segment source reference), outputs.tsv (lp testset segment system output) and pairs.tsv (lp
testset segment system_a system_b a_better b_better tie) or da.tsv (lp testset segment system z) into a
folder.
docs/judging.md describes all layouts.
"""


@click.command("judge", help=HELP, epilog=EPILOG)
@data_options
@metrics_option("kendall,recpef,full,bleu,chrf")
@click.option(
    "--level", type=click.Choice(["segment", "system", "both"]), default="both", show_default=True,
    help="Judge scores of segments, scores of systems, or both.",
)  # fmt: skip
@click.option("--measure", help="Measure of agreement. Default: by level and kind of judgments.")
@click.option(
    "--human",
    type=click.Choice(["auto", "published", "win_ratio", "expected_wins", "trueskill", "mean"]),
    default="auto",
    show_default=True,
    help="Human score of systems.",
)
@click.option(
    "--baseline",
    multiple=True,
    callback=joined_names,
    metavar="METRIC,...",
    help="Test all metrics against these.",
)
@click.option(
    "--paired",
    type=click.Choice(["bootstrap", "randomisation", "williams", "t-test"]),
    help="Test of the difference between two metrics. Default: bootstrap.",
)
@p_values_option
@click.option(
    "--scores", "external", multiple=True, metavar="NAME|FILE",
    help="Also judge scores computed elsewhere: a metric of an mt-metrics-eval folder, or a file in the "
    "format of WMT submissions; may be repeated.",
)  # fmt: skip
@click.option("--lower", default="", metavar="NAME,...", help="Names of --scores for which lower is better.")
@click.option(
    "--hybrids", type=click.IntRange(0), default=0, show_default=True,
    help="At system level, correlate over this number of hybrid systems instead.",
)  # fmt: skip
@plot_option
@click.option(
    "--curves", default="", metavar="SETTING,...",
    help="Also draw the effect of these settings; needs --plot.",
)  # fmt: skip
@samples_option
@seed_option
@scoring_options
@table_options
@quiet_option
def command(
    specs: tuple[str, ...],
    level: str,
    baseline: str,
    p_values: bool,
    external: tuple[str, ...],
    lower: str,
    folder: str | None,
    curves: str,
    form: str | None,
    output: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Judge metrics by human judgments."""
    from wordorder.cli.judge_options import (
        chosen_scorer,
        chosen_sets,
        names,
        refuse_unused_links,
        shared_settings,
    )
    from wordorder.io.files import open_output
    from wordorder.judge.external_scores import add_external, merged_scores
    from wordorder.metrics.registry import parse_metrics
    from wordorder.report.agreement import agreement_report
    from wordorder.report.html.agreement import agreement_page

    if curves and not folder:
        raise click.UsageError("--curves needs --plot FOLDER")
    if lower and not external:
        refuse("lower", why="it is about --scores")
    if not baseline:
        refuse("paired", "p_values", why="nothing is tested without --baseline")
    if options["hybrids"] and level == "system":
        refuse("paired", why="hybrids are compared by Williams' test")
    shared = shared_settings(options)
    metrics = parse_metrics(specs, shared)
    sets = chosen_sets(options)
    scores_elsewhere = merged_scores(external, options["data"], sets) if external else []
    elsewhere = list(scores_elsewhere[0]) if external else []
    baselines = add_baselines(metrics, names(baseline), shared, elsewhere=elsewhere)
    refuse_unused_links(metrics)
    tasks = make_tasks(level, metrics, baselines, options)
    notes: list[str] = []
    with chosen_scorer(options, quiet=quiet) as scorer:
        scored = scorer(sets, metrics)
        if external:
            sets, scored = add_external(sets, scored, scores_elsewhere, lower_is_better=names(lower))
        results = agreements(tasks, sets, scored, notes)
        with open_output(output) as out:
            chosen = chosen_format(form, output)
            if chosen == "html":
                out.write(agreement_page(results))
            else:
                out.write(agreement_report(results, chosen, p_values=p_values))
        for note in notes:
            click.echo(note, err=True)
        if folder:
            from wordorder.cli.judge_pictures import draw

            draw(folder, results, names(curves), options["measure"], metrics, sets, scorer)


def add_baselines(
    metrics: list[Metric], wanted: Sequence[str], shared: dict[str, Any], *, elsewhere: Sequence[str]
) -> list[str]:
    """Return the labels of the baselines; those that are not among the metrics are added to them."""
    from wordorder.metrics.matched import labels
    from wordorder.metrics.registry import parse_metrics

    rest = ",".join(name for name in wanted if name not in elsewhere)
    chosen = parse_metrics([rest], shared) if rest else []
    metrics += [metric for metric in chosen if metric not in metrics]
    known = labels(metrics)
    return [known[metrics.index(metric)] for metric in chosen] + [
        name for name in wanted if name in elsewhere
    ]


def make_tasks(
    level: str, metrics: Sequence[Metric], baselines: Sequence[str], options: dict[str, Any]
) -> list[Task]:
    """Return one task per level; of two levels, a measure or test applies to those that have it."""
    from wordorder.cli.judge_options import names
    from wordorder.judge.paired_tests import WILLIAMS
    from wordorder.judge.task import Task
    from wordorder.metrics.registry import spec_of

    shared = {
        "data": options["data"],
        "pairs": tuple(names(options["pairs"])),
        "metrics": tuple(spec_of(metric) for metric in metrics),
        "baselines": tuple(baselines),
        **{key: options[key] for key in ("human", "samples", "seed")},
    }
    test = options["paired"] or "bootstrap"
    if level != "both":
        own = {key: options[key] for key in ("measure", "hybrids")}
        return [Task(level=level, paired=test, **own, **shared)]  # type: ignore[arg-type]
    measures = measures_by_level(options["measure"])
    correlated = measures.get("segment") in WILLIAMS
    by_level: list[dict[str, Any]] = [
        {"level": "segment", "paired": test if test != "williams" or correlated else "bootstrap"},
        {"level": "system", "paired": test, "hybrids": options["hybrids"]},
    ]
    return [Task(measure=measures.get(own["level"]), **own, **shared) for own in by_level]


def measures_by_level(measure: str | None) -> dict[str, str]:
    """Return the full name of a measure at the levels that have it."""
    from wordorder.errors import UnknownName
    from wordorder.judge.segment_measures import SEGMENT_MEASURES, measure_named
    from wordorder.judge.system_measures import SYSTEM_MEASURE_NAMES

    by_level: dict[str, str] = {}
    problems: list[UnknownName] = []
    for level, known in (("segment", SEGMENT_MEASURES), ("system", SYSTEM_MEASURE_NAMES)):
        try:
            if measure is not None:
                by_level[level] = measure_named(measure, known)
        except UnknownName as error:
            problems.append(error)
    if len(problems) == 2:
        raise problems[0]
    return by_level


def agreements(
    tasks: Sequence[Task],
    sets: Sequence[Judgments],
    scored: Sequence[Sequence[MetricScores]],
    notes: list[str],
) -> list[Agreement]:
    """Answer the tasks; of several, one that cannot be answered becomes a note."""
    from wordorder.errors import BadSetting
    from wordorder.judge.agreement import agree

    results: list[Agreement] = []
    for task in tasks:
        try:
            results.append(agree(task, sets, scored))
        except BadSetting as error:
            if len(tasks) == 1:
                raise
            notes.append(f"{task.level} level: {error}")
    if not results:
        raise BadSetting("; ".join(notes))
    return results
