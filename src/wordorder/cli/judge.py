"""``wordorder judge``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.options import quiet_option, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wordorder.judge.agreement import Agreement
    from wordorder.judge.judgments import Judgments
    from wordorder.judge.learn import ScoreSets
    from wordorder.judge.level_set import Level
    from wordorder.judge.scores import Scored
    from wordorder.metrics.base import Metric

HELP = """\
\b
  wordorder judge wmt13-rr -m kendall,ulam,recpef,full,bleu,chrf --against kendall,chrf
  wordorder judge wmt13-rr wmt14-rr -m full,lrscore --level segment --learn alpha
  wordorder judge wmt21-da -m chrf,full --pairs ja-en --measure spearman --plot pictures
  wordorder judge wmt23 --scores COMET-22-refA -m chrf --against chrf --test permutation

How well metrics agree with people. DATA is a folder of tables, an mt-metrics-eval folder, a WMT
ranking or preference file, or an MQM file (docs/judging.md). Scores are computed once and
kept; a second question is quick. Measures name their tie rule: tau:ties=counted (WMT from
2014 on, the default for rankings), tau:ties=dropped (the papers), consistency, accuracy:ties=exact,
accuracy:ties=calibrated, pearson (the default for ratings), spearman, kendall.
"""


@click.command("judge", help=HELP)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option(
    "-m", "--metrics", "specs", multiple=True, metavar="METRIC,...",
    default=["kendall,recpef,full,bleu,chrf"], show_default=True, help="Metrics; may be repeated.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["segment", "system", "both"]), default="both", show_default=True,
    help="What is compared: outputs, systems, or one after the other.",
)  # fmt: skip
@click.option("--measure", help="Measure of agreement; default by level and kind of judgments.")
@click.option(
    "--human", type=click.Choice(["auto", "published", "win_ratio", "expected_wins", "trueskill", "mean"]),
    default="auto", show_default=True, help="Human score of systems.",
)  # fmt: skip
@click.option("--against", default="", metavar="METRIC,...", help="Test each metric against these.")
@click.option(
    "--test", type=click.Choice(["bootstrap", "permutation", "williams", "t-test"]), default="bootstrap",
    show_default=True, help="How.",
)  # fmt: skip
@click.option("--pairs", default="", metavar="PAIR,...", help="Only these language pairs.")
@click.option(
    "--scores", "given", multiple=True, metavar="NAME|FILE", help="Also judge scores made elsewhere."
)
@click.option("--lower", default="", metavar="NAME,...", help="Of those, which are better when lower.")
@click.option(
    "--learn", "keys", default="", metavar="SETTING,...", help="Learn settings, such as alpha,beta."
)
@click.option("--restarts", type=click.IntRange(1), default=20, show_default=True, help="Of hill climbing.")
@click.option("--plot", "folder", metavar="FOLDER", help="Also draw pictures (SVG) there.")
@click.option("--curves", default="", metavar="SETTING,...", help="With --plot: draw the effect of settings.")
@click.option(
    "--hybrids", type=click.IntRange(0), default=0, show_default=True,
    help="At system level, correlate over so many hybrid systems instead.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(0), default=1000, show_default=True, help="Bootstrap samples; 0: none."
)
@click.option(
    "--seed", type=click.IntRange(0), default=12345, show_default=True, help="Of all that is random."
)
@click.option("--match", default="exact", show_default=True, metavar="STAGES", help="Which words match.")
@click.option("--tokenize", default="13a", show_default=True, help="What is a word; 13a: by language.")
@click.option(
    "--lowercase/--cased", default=True, show_default=True, help="Whether Cat and cat are one word."
)
@click.option("--wordnet", default="", metavar="FOLDER", help="WordNet's files, if not in the usual places.")
@click.option("--paraphrases", default="", metavar="FILE", help="Paraphrase table, likewise.")
@click.option("--source-text", metavar="PATTERN", help="Of ranking files: newstest2013.{src}, for example.")
@click.option("--reference-text", multiple=True, metavar="PATTERN", help="Likewise; or of an MQM file.")
@click.option("--output-text", metavar="PATTERN", help="Likewise: newstest2013.{pair}.{system}.")
@click.option("--testset", help="Name of the test set, where a file does not tell it.")
@click.option("--cache", metavar="FOLDER", help="Where scores are kept; default: in the user's cache.")
@click.option("--no-cache", is_flag=True, help="Keep no scores.")
@click.option("--processes", type=click.IntRange(1, 1024), default=None, help="Default: all cores.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "tsv", "json", "latex"]), default="text", show_default=True,
    help="Form.",
)  # fmt: skip
@click.option("--out", "target", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@quiet_option
def command(data: tuple[str, ...], **options: Any) -> None:
    """Judge metrics by people's judgments."""
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import parse_metrics
    from wordorder.report.agreement import agreement_report

    metrics = parse_metrics(options["specs"])
    check_options(options)
    sets = read_sets(data, options)
    score = scorer(options)
    elsewhere = given_scores(data, sets, options["given"])
    against = baselines(options["against"], list(elsewhere[0]) if elsewhere else [], metrics)
    if options["keys"]:
        report = learned(metrics, sets, score, options)
        with open_output(options["target"]) as out:
            out.write(report)
        return
    scored = score(sets, metrics)
    if elsewhere:
        sets, scored = with_given(sets, scored, elsewhere, options["lower"])
    tables, notes = judged(sets, scored, against, options)
    with open_output(options["target"]) as out:
        out.write(agreement_report(tables, options["output"]))
    for note in notes:
        click.echo(note, err=True)
    if options["folder"]:
        from wordorder.cli.judge_pictures import draw

        draw(tables, metrics, sets, score, options)


def check_options(options: dict[str, Any]) -> None:
    """Refuse what would have no effect."""
    from wordorder.judge.learn import additive

    if options["curves"] and not options["folder"]:
        raise click.UsageError("--curves needs --plot FOLDER")
    if options["keys"]:
        refuse("level", "against", "test", "given", "folder", "curves", "hybrids", "human", "samples",
               why="--learn reports learned settings only")  # fmt: skip
        additive(options["measure"] or "tau:ties=counted")
    if options["curves"]:
        additive(options["measure"] or "tau:ties=counted")
    if options["hybrids"]:
        if options["level"] == "segment":
            raise click.UsageError("--hybrids are systems: use --level system or both")
        if options["level"] == "system":
            refuse("measure", "human", "test", why="hybrids have pearson and Williams' test")
    if options["lower"] and not options["given"]:
        refuse("lower", why="it is about --scores")


def baselines(text: str, given: Sequence[str], metrics: list[Metric]) -> list[str]:
    """The labels of the metrics to test against; those that are not asked for already are added."""
    from wordorder.metrics.matched import labels
    from wordorder.metrics.registry import parse_metrics

    elsewhere = [name for name in text.split(",") if name in given]
    rest = ",".join(name for name in text.split(",") if name and name not in given)
    wanted = parse_metrics([rest]) if rest else []
    metrics += [metric for metric in wanted if metric not in metrics]
    names = labels(metrics)
    return [names[metrics.index(metric)] for metric in wanted] + elsewhere


def read_sets(data: tuple[str, ...], options: dict[str, Any]) -> list[Judgments]:
    """All judgments, of the language pairs that are wanted."""
    from wordorder.errors import BadSetting
    from wordorder.judge.read import read_judgments
    from wordorder.judge.texts import Texts

    passed: dict[str, Any] = {}
    if options["source_text"] or options["reference_text"] or options["output_text"]:
        passed["texts"] = Texts(
            source=options["source_text"], references=options["reference_text"], output=options["output_text"]
        )
    if options["testset"]:
        passed["testset"] = options["testset"]
    sets = [one for path in data for one in read_judgments(path, **passed)]
    wanted = [name for name in options["pairs"].split(",") if name]
    for name in wanted:
        if name not in {one.pair for one in sets}:
            there = ", ".join(sorted({one.pair for one in sets}))
            raise BadSetting(f"no judgments of {name}; there are {there}")
    return [one for one in sets if not wanted or one.pair in wanted]


def scorer(options: dict[str, Any]) -> ScoreSets:
    """A function that scores sets with metrics, keeping what it computed."""
    from wordorder.engine.threads import available_threads
    from wordorder.judge.scores import default_folder, score_sets
    from wordorder.metrics.segments import Matching

    keys = ("tokenize", "lowercase", "match", "wordnet", "paraphrases")
    matching = Matching(**{key: options[key] for key in keys})
    _ = matching.matcher  # an unknown stage is told before anything is scored
    folder = None if options["no_cache"] else options["cache"] or default_folder()

    def score(sets: Sequence[Judgments], metrics: Sequence[Metric]) -> list[list[Scored]]:
        return score_sets(
            sets,
            metrics,
            matching=matching,
            folder=folder,
            processes=options["processes"] or available_threads(),
            progress=progress_bar(quiet=options["quiet"]),
        )

    return score


def progress_bar(*, quiet: bool, what: str = "segments") -> Callable[[int, int], None] | None:
    """Tell on a terminal how far it is."""
    if quiet or not sys.stderr.isatty():
        return None
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        left = (time.monotonic() - start) * (total - done) / done
        end = "\r\033[K" if done == total else f"\r{done:,} of {total:,} {what}, {left:.0f} s left "
        sys.stderr.write(end)
        sys.stderr.flush()

    return show


def judged(
    sets: Sequence[Judgments], scored: Sequence[Sequence[Scored]], against: list[str], options: dict[str, Any]
) -> tuple[list[Agreement], list[str]]:
    """One table a level; where both are wanted and one cannot be, a note."""
    from wordorder.errors import BadSetting
    from wordorder.judge.agreement import agreement
    from wordorder.judge.hybrid import hybrid_agreement

    levels: tuple[Level, ...] = ("segment", "system") if options["level"] == "both" else (options["level"],)
    tables: list[Agreement] = []
    notes: list[str] = []
    for level in levels:
        try:
            if level == "system" and options["hybrids"]:
                made = hybrid_agreement(
                    sets, scored, against=against, hybrids=options["hybrids"], seed=options["seed"]
                )
            else:
                made = agreement(
                    sets,
                    scored,
                    level=level,
                    measure=_fitting(options["measure"], level, both=len(levels) > 1),
                    human=options["human"],
                    against=against,
                    test="bootstrap"
                    if level == "segment" and len(levels) > 1 and options["test"] == "williams"
                    else options["test"],
                    samples=options["samples"],
                    seed=options["seed"],
                )
        except BadSetting as error:
            if len(levels) == 1:
                raise
            notes.append(f"{level} level: {error}")
        else:
            tables.append(made)
    if not tables:
        raise BadSetting("; ".join(notes))
    return tables, notes


def _fitting(measure: str | None, level: str, *, both: bool) -> str | None:
    """The measure asked for; of two levels, the usual one where it does not exist."""
    from wordorder.errors import BadSetting, UnknownName, WordOrderError
    from wordorder.judge.measures import segment_measure
    from wordorder.judge.systems import system_measure

    if measure is None or not both:
        return measure
    found: dict[str, str] = {}
    problem: WordOrderError | None = None
    for name, known in (("segment", segment_measure), ("system", system_measure)):
        try:
            found[name] = known(measure)
        except UnknownName as error:
            problem = problem or error
        except BadSetting as error:  # several tie rules: which one must be said
            raise click.UsageError(str(error)) from None
    if not found and problem:
        raise problem
    return found.get(level)


def given_scores(
    data: tuple[str, ...], sets: Sequence[Judgments], given: Sequence[str]
) -> list[dict[str, Any]]:
    """Scores made elsewhere, by set: of a file in the submission form, or of an mt-metrics-eval folder."""
    import os

    from wordorder.judge.external import submitted_scores
    from wordorder.judge.mt_metrics_eval import is_mt_metrics_eval, read_metric_scores

    known: list[dict[str, Any]] = [{} for _ in sets]
    for name in given:
        if os.path.exists(name):
            found = submitted_scores(name, sets)
        else:
            folders = [path for path in data if is_mt_metrics_eval(path)]
            if not folders:
                raise click.UsageError(f"{name} is no file, and no mt-metrics-eval folder was given")
            held = [read_metric_scores(folders[0], one) for one in sets]
            if any(name not in mine for mine in held):
                raise click.UsageError(
                    f"{folders[0]} has no scores of {name}; it has {', '.join(held[0]) or 'none'}"
                )
            found = [{name: mine[name]} for mine in held]
        for mine, more in zip(known, found, strict=True):
            if again := set(mine) & set(more):
                raise click.UsageError(f"scores of {sorted(again)[0]} are given twice")
            mine.update(more)
    return known if given else []


def with_given(
    sets: list[Judgments], scored: list[list[Scored]], elsewhere: list[dict[str, Any]], lower: str
) -> tuple[list[Judgments], list[list[Scored]]]:
    """Add scores made elsewhere to those of our metrics."""
    from wordorder.judge.external import with_external

    names = list(dict.fromkeys(name for mine in elsewhere for name in mine))
    for name in names:
        if name in {one.label for one in scored[0]}:
            raise click.UsageError(f"{name} is a metric of ours and one of --scores: rename one of them")
    turned = [name for name in lower.split(",") if name]
    if unknown := [name for name in turned if name not in names]:
        raise click.UsageError(f"--lower {unknown[0]} is not among the --scores: {', '.join(names)}")
    kept, extra = with_external(sets, elsewhere, names, lower_is_better=turned)
    return kept, [[*row, *more] for row, more in zip(scored, extra, strict=True)]


def learned(
    metrics: Sequence[Metric], sets: Sequence[Judgments], score: ScoreSets, options: dict[str, Any]
) -> bytes:
    """Learn settings of each metric that has them."""
    from wordorder.errors import BadSetting
    from wordorder.judge.learn import has_settings, learn
    from wordorder.report.learned import learned_report

    keys = [key for key in options["keys"].split(",") if key]
    able = [metric for metric in metrics if has_settings(metric, keys)]
    if not able:
        raise BadSetting(
            f"no metric has {' and '.join(keys)}: full has alpha, and beta of its ordering score"
        )
    if left := [metric.name for metric in metrics if metric not in able]:
        click.echo(f"without {', '.join(left)}: no {' and '.join(keys)} to learn", err=True)
    settings = {key: options[key] for key in ("restarts", "seed")}
    measure = options["measure"] or "tau:ties=counted"
    found = [learn(metric, keys, sets, score, measure=measure, **settings) for metric in able]
    return learned_report(found, options["output"])
