"""Options that ``judge`` and ``learn`` share: which judgments are read, and how they are scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.progress import steps
from wordorder.cli.vocabulary import (
    lowercase_option,
    normalize_option,
    pair_option,
    paraphrases_option,
    refuse,
    several,
    testset_option,
    tokenize_option,
    wordnet_option,
)

if TYPE_CHECKING:
    from wordorder.judge.judgments import Judgments
    from wordorder.judge.metric_scores import Scorer
    from wordorder.metrics.base import Metric

data_options = several(
    click.argument("data", nargs=-1, required=True, metavar="DATA..."),
    click.option("--pairs", default="", metavar="PAIR,...", help="Use only these language pairs."),
    click.option(
        "--source-text",
        metavar="PATTERN",
        help="Source files of a file of rankings or ratings, such as newstest2013.{src}.",
    ),
    click.option(
        "--reference-text",
        multiple=True,
        metavar="PATTERN",
        help="Reference files of a file of judgments, such as newstest2013.{trg}; may be repeated.",
    ),
    click.option(
        "--output-text",
        metavar="PATTERN",
        help="System outputs of a file of rankings or ratings, such as newstest2013.{pair}.{system}.",
    ),
    testset_option("Name of the test set, if a file does not contain it."),
    pair_option("Language pair, such as en-de, if neither a file nor its name contains it."),
    click.option(
        "--gold",
        metavar="NAME",
        help="Human scores to use, where the data have several (mt-metrics-eval, tables of ratings).",
    ),
    click.option(
        "--reference-name",
        metavar="NAME",
        help="Reference to use, where the data have several (MQM, mt-metrics-eval).",
    ),
)
scoring_options = several(
    click.option(
        "--match",
        default="exact",
        show_default=True,
        metavar="STAGES",
        help="Stages of word matching, such as exact+stem. Languages without a stage skip it.",
    ),
    tokenize_option,
    lowercase_option,
    normalize_option,
    wordnet_option,
    paraphrases_option,
    click.option(
        "--align",
        metavar="FILE",
        help="Word alignments of the sources, for match=alignments(POLICY); 'align-judgments' writes them.",
    ),
    click.option(
        "--cache", metavar="FOLDER", help="Folder for computed scores. Default: in the user's cache."
    ),
    click.option("--no-cache", is_flag=True, help="Do not keep computed scores."),
    click.option(
        "--processes",
        type=click.IntRange(1, 1024),
        default=None,
        help="Number of processes for scoring. Default: one per core.",
    ),
)


def names(text: str) -> list[str]:
    """Split a list at its commas."""
    return [name for name in text.split(",") if name]


def chosen_sets(options: dict[str, Any]) -> list[Judgments]:
    """Read the judgments that the options name."""
    from wordorder.judge.read import read_sets
    from wordorder.judge.text_files import TextFiles

    reading: dict[str, Any] = {}
    source, references, outputs = (options[f"{kind}_text"] for kind in ("source", "reference", "output"))
    if source or references or outputs:
        reading["texts"] = TextFiles(source=source, references=references, output=outputs)
    for name in ("testset", "pair", "gold", "reference_name"):
        if options[name]:
            reading[name] = options[name]
    sets = read_sets(options["data"], pairs=names(options["pairs"]), **reading)
    refuse_missing_texts(sets, options["data"])
    if not options.get("align"):
        return sets
    from wordorder.judge.source_links import with_links

    return with_links(sets, options["align"])


def refuse_missing_texts(sets: Sequence[Judgments], data: Sequence[str]) -> None:
    """Raise a usage error if there are judgments without texts, which may be in files that were not named."""
    from wordorder.judge.read import sniff_judgments

    for judgments in sets:
        without = {
            "references": "--reference-text newstest2013-ref.{trg}" if not judgments.references else "",
            "outputs": "--output-text newstest2013.{pair}.{system}" if judgments.missing.all() else "",
        }
        options = [option for option in without.values() if option]
        if not options:
            continue
        what = " and ".join(name for name, option in without.items() if option)
        forms = (sniff_judgments(path) for path in data)
        named = any(form is not None and "texts" in form.option_names() for form in forms)
        how = f" Name their files, for example by {' and '.join(options)}." if named else ""
        raise click.UsageError(
            f"{judgments.name} has no {what} to score.{how} docs/judging.md says where WMT publishes texts, "
            "and how to arrange them."
        )


def refuse_unused_links(metrics: Sequence[Metric]) -> None:
    """Raise a usage error if there is --align, but no metric that uses alignments."""
    from wordorder.metrics.segments import given_policy

    if all(given_policy(getattr(metric, "match", "")) is None for metric in metrics):
        refuse("align", why="no metric has match=alignments(POLICY)")


def shared_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of matching that the options give to all metrics; the others keep their own."""
    defaults = {"tokenize": "auto", "lowercase": None, "normalize": None, "match": "exact"}
    defaults |= {"wordnet": "", "paraphrases": ""}
    return {key: options[key] for key, default in defaults.items() if options[key] != default}


@contextmanager
def chosen_scorer(options: dict[str, Any], *, quiet: bool) -> Iterator[Scorer]:
    """Provide the scorer that the options describe, with a progress bar."""
    from wordorder.engine.threads import available_threads
    from wordorder.judge.metric_scores import Scorer
    from wordorder.judge.score_cache import ScoreCache, default_folder

    with steps("segments", quiet=quiet) as update:
        yield Scorer(
            cache=ScoreCache(None if options["no_cache"] else options["cache"] or default_folder()),
            processes=options["processes"] or available_threads(),
            progress=lambda done, total: update(done, total=total),
        )
