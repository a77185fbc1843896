"""``wordorder score``."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.model_settings import preorderer_options
from wordorder.cli.shards import are_sharded
from wordorder.cli.vocabulary import (
    align_format_option,
    base_option,
    chosen_format,
    format_option,
    language_option,
    lenient_option,
    links_format,
    lowercase_option,
    match_option,
    names_option,
    normalize_option,
    output_file,
    output_folder,
    outputs_option,
    pair_option,
    paraphrases_option,
    quiet_option,
    ranks_option,
    references_option,
    refuse,
    set_by_user,
    shards_options,
    source_option,
    test_options,
    testset_option,
    threads_option,
    tokenize_option,
    wordnet_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wordorder.engine.score_texts import CorpusStatistics, TextBlock
    from wordorder.engine.text_blocks import AlignmentFiles
    from wordorder.engine.threads import Runner
    from wordorder.metrics.base import Metric
    from wordorder.report.system_table import SystemTable

HELP = """\
\b
  wordorder score -r ref.txt systemA.txt systemB.txt -m kendall,recpef,full,bleu --paired bootstrap
  wordorder score -r ref.txt system.txt -m lrscore:alpha=0.3 --level sentence -o scores.tsv
  wordorder score -s source.txt systemA.txt systemB.txt --picture curve.svg
  wordorder score -t wmt23 -l en-de system.txt -m kendall,bleu,chrf
  wordorder score --permutations orders.txt -m kendall,recpef:beta=0.5,gamma=0.2,fuzzy

Score translations against references, one segment per line: words are tokenised and matched, and
their order is scored. Or score permutations, one per line: the numbers of a line say which place
each word takes in the reference; <> is a sentence with nothing aligned. A metric is written NAME
or NAME:KEY=VALUE,KEY=VALUE ('wordorder metrics' lists them).

Scores of word order are computed on matched words only. The column 'matched' shows how many words
that is; full, beer and bleu also depend on the words that are not matched.

With -s and without -r, the order of the systems is compared with that of the source: how monotone are
they? Links come from --align, or from an aligner. --source-order does so with references, too, which then
show how much reordering the language pair needs, as does a preordering --model.

Folders and patterns ('out/*.gz', 'out/*.jsonl#text') name corpora in many files. The references of a test
set with a name (-t wmt23 -l en-de) are those of sacrebleu, which downloads them if it does not have them yet.
"""
TEXT_METRICS = "kendall,fuzzy,pet_size,recpef,full,beer"
ORDER_METRICS = "kendall,fuzzy,pet_size,recpef"
MATCHING = ("match", "tokenize", "lowercase", "normalize", "language", "wordnet", "paraphrases")
LINKS = ("policy", "align_format", "base")
TESTS = ("paired", "baseline", "all_pairs", "p_values")
SOURCE_ORDER = ("aligner", "model", "changes", "picture")  # options of comparisons with the source
TEXT_ONLY = (
    *MATCHING, *LINKS[:2], *TESTS, "refs", "source", "ref_align", "aligns", "samples", "seed", "lenient",
    "names", "cluster", "resume", "folder", "testset", "pair", "source_order", *SOURCE_ORDER,
)  # fmt: skip


@click.command("score", help=HELP)
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@references_option
@testset_option("Test set whose references sacrebleu provides, such as wmt23; needs --pair.")
@pair_option("Language pair of --testset, such as en-de.")
@click.option(
    "--permutations", "path", metavar="FILE",
    help="Score permutations instead of text; - is standard input.",
)  # fmt: skip
@ranks_option
@base_option
@click.option(
    "-m", "--metrics", "specs", multiple=True, metavar="METRIC,...",
    help="Metrics to compute ('wordorder metrics' lists them); may be repeated. "
    f"Default: {TEXT_METRICS}; for permutations {ORDER_METRICS}.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["corpus", "sentence"]), default="corpus", show_default=True,
    help="Report one score for the whole corpus, or one per sentence.",
)  # fmt: skip
@format_option
@outputs_option
@names_option
@tokenize_option
@lowercase_option
@normalize_option
@match_option
@language_option
@wordnet_option
@paraphrases_option
@click.option(
    "--refs", type=click.Choice(["best", "mean"]), default="best", show_default=True,
    help="Score against the best of several references, or average over them.",
)  # fmt: skip
@source_option
@click.option(
    "--ref-align", multiple=True, metavar="FILE",
    help="Word alignments of source and reference, one file per reference.",
)  # fmt: skip
@click.option(
    "--align", "aligns", multiple=True, metavar="FILE",
    help="Word alignments of source and system, one file per system.",
)  # fmt: skip
@click.option(
    "--policy", default="talbot", show_default=True, metavar="POLICY",
    help="Rule that turns alignments into orders, such as thesis:link=first ('wordorder orders --help').",
)  # fmt: skip
@align_format_option
@click.option(
    "--source-order", is_flag=True,
    help="Compare the order with that of the source; references are translations by people. "
    "Default without references.",
)  # fmt: skip
@click.option(
    "--aligner", metavar="FOLDER",
    help="Saved aligner (see 'wordorder align') for the comparison with the source. "
    "Default: one that is trained on the texts.",
)  # fmt: skip
@preorderer_options
@click.option(
    "--picture", callback=output_file, metavar="FILE",
    help="Also draw anticipation by lag, compared with the source (.svg, .png, .tex, .tikz or .txt).",
)  # fmt: skip
@test_options
@lenient_option
@shards_options
@click.option(
    "--folder", callback=output_folder, metavar="FOLDER",
    help="Folder for the statistics of a corpus in many files, from which a run can be resumed.",
)  # fmt: skip
@threads_option
@quiet_option
def command(path: str | None, references: tuple[str, ...], systems: tuple[str, ...], **options: Any) -> None:
    """Score permutations or text."""
    options["form"] = chosen_format(options["form"], options["output"])
    if options["level"] == "sentence" and options["form"] in ("markdown", "latex"):
        raise click.UsageError(f"--format {options['form']} is for corpus scores")
    if path is not None:
        if references or systems:
            raise click.UsageError("--permutations goes without references and systems")
        refuse(*TEXT_ONLY, why="--permutations are scored, not text")
        score_permutations(path, **options)
        return
    if options["testset"] and not systems:  # before anything is downloaded
        raise click.UsageError("give at least one SYSTEM to score against --testset")
    if references:
        refuse("testset", "pair", why="-r gives the references")
    references = references or testset_references(options)
    if not systems or not (references or options["source"]):
        instead = "" if options["form"] == "html" else ", or --permutations FILE"
        raise click.UsageError(
            "give -r REFERENCE (or -t TESTSET, or -s SOURCE, to compare with the source) and at least one"
            f" SYSTEM{instead}"
        )
    refuse("ranks", why="text is scored, not --permutations")
    if options.pop("source_order") or not references:
        from wordorder.cli.score_source import score_source

        score_source(references, systems, **options)
        return
    refuse(*SOURCE_ORDER, why="the order is compared with references, not with the source (--source-order)")
    score_text(references, systems, **options)


def testset_references(options: dict[str, Any]) -> tuple[str, ...]:
    """Return the references of the test set that the options name, if they do."""
    testset, pair = options["testset"], options["pair"]
    if not testset and not pair:
        return ()
    if not testset or not pair:
        raise click.UsageError("a test set needs both: -t TESTSET and -l PAIR, such as -t wmt23 -l en-de")
    from wordorder.io.testsets import find_testset

    return tuple(find_testset(testset, pair).references)


def score_permutations(path: str, **options: Any) -> None:
    """Score a file of permutations."""
    from wordorder.cli.progress import track
    from wordorder.engine.score_orders import Reading, score_corpus, score_sentences
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_binary, open_output
    from wordorder.io.permutations import read_blocks
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.report.order_scores import corpus_report, sentence_report

    metrics = parse_ordering_metrics(options["specs"] or [ORDER_METRICS])
    base = int(options["base"]) if options["base"] else None
    how: Any = {
        "reading": Reading(base=base, ranks=options["ranks"]),
        "threads": options["threads"] or available_threads(),
    }
    with open_binary(path) as handle, open_output(options["output"]) as out:
        total = os.path.getsize(path) if path != "-" and os.path.isfile(path) else None
        blocks = read_blocks(handle, path)
        blocks = track(blocks, "bytes", total=total, size=lambda b: len(b.text), quiet=options["quiet"])
        if options["level"] == "corpus":
            out.write(corpus_report(metrics, score_corpus(blocks, metrics, **how), options["form"]))
        else:
            rows = score_sentences(blocks, metrics, **how)
            for piece in sentence_report(metrics, rows, options["form"]):  # writelines would keep all
                out.write(piece)


def score_text(references: tuple[str, ...], systems: tuple[str, ...], **options: Any) -> None:
    """Score translations."""
    from wordorder.cli.progress import track
    from wordorder.engine.runners import runner
    from wordorder.engine.score_texts import collect, resolve_tokenizers
    from wordorder.engine.text_blocks import ScoredFiles
    from wordorder.engine.threads import available_threads
    from wordorder.io.lenient import Lenient
    from wordorder.metrics.matched import labels

    names = system_names(systems, options["names"])
    settle_tests(options, names)
    alignments = _alignment_files(options)
    metrics = _metrics(options, alignments)
    keys = labels(metrics)  # a metric that is asked for twice is reported before anything is read
    texts = ScoredFiles(references, systems, alignments)
    if are_sharded(*texts.by_kind().values()):
        refuse_reports_on_shards(options)
        from wordorder.cli.score_shards import score_shards

        score_shards(texts, names, dict(zip(keys, metrics, strict=True)), options)
        return
    refuse("folder", why="the texts are single files")
    lenient = Lenient() if options["lenient"] else None
    blocks = track(texts.read(lenient), "segments", size=lambda b: len(b.numbers), quiet=options["quiet"])
    first = next(blocks)  # an empty file is an error already
    metrics, notes = resolve_tokenizers(metrics, first.references)
    labelled = dict(zip(keys, metrics, strict=True))
    notes += unmoved(labelled)
    blocks = chain([first], blocks)
    with runner(threads=options["threads"] or available_threads()) as run:
        if options["level"] == "sentence":
            write_sentences(blocks, labelled, names, len(references), options["output"], options["form"], run)
            notes = sentence_notes(labelled, len(references), options["form"], notes)
        else:
            kept = list(blocks) if options["form"] == "html" else blocks  # a report shows the sentences
            scored = collect(kept, metrics, names, run)
            table = system_table(scored, labelled, len(references), notes, run, options)
            if isinstance(kept, list):
                from wordorder.cli.score_page import write_page

                write_page(table, scored, kept, texts, options)
            else:
                notes = write_corpus(table, options)
    for note in () if options["quiet"] else notes:
        click.echo(note, err=True)
    if lenient is not None and lenient.total:
        click.echo(lenient.report(), err=True)


def refuse_reports_on_shards(options: dict[str, Any]) -> None:
    """Raise a usage error if a report is asked for, which shows all sentences."""
    if options["form"] == "html":
        raise click.UsageError(
            "a report is on single files, not on a corpus in many files; choose one of them, or a sample"
        )


def write_sentences(
    blocks: Iterable[TextBlock],
    metrics: dict[str, Metric],
    names: list[str],
    references: int,
    output: str,
    form: str,
    run: Runner,
) -> None:
    """Write the scores of all segments."""
    from wordorder.engine.score_texts import score_blocks
    from wordorder.io.files import open_output
    from wordorder.report.system_table import segment_report

    with open_output(output) as out:
        rows = score_blocks(blocks, list(metrics.values()), run)
        for piece in segment_report(names, metrics, references, rows, form):  # writelines would keep all
            out.write(piece)


def sentence_notes(metrics: dict[str, Metric], references: int, form: str, notes: list[str]) -> list[str]:
    """Add the signatures to the notes if the output, a table of numbers, has no place for them."""
    if form != "tsv":
        return notes
    return [*(m.signature_for(references, segment=True) for m in metrics.values()), *notes]


def system_table(
    scored: CorpusStatistics,
    metrics: dict[str, Metric],
    references: int,
    notes: list[str],
    run: Runner,
    options: dict[str, Any],
) -> SystemTable:
    """Compare all systems."""
    from wordorder.report.system_table import compared_systems

    settings = {
        key: options[key] for key in ("samples", "seed", "paired", "baseline", "all_pairs", "p_values")
    }
    return compared_systems(scored, metrics, references, notes=notes, run=run, **settings)


def write_corpus(table: SystemTable, options: dict[str, Any]) -> list[str]:
    """Write the table of all systems; return the notes that a table of numbers cannot hold."""
    from wordorder.io.files import open_output
    from wordorder.report.system_table import system_report, table_notes

    with open_output(options["output"]) as out:
        out.write(system_report(table, options["form"]))
    if options["form"] not in ("tsv", "json"):
        return []
    return table_notes(table)


def settle_tests(options: dict[str, Any], names: Sequence[str]) -> None:
    """Settle what is tested: --baseline and --all-pairs ask for a test, too."""
    if options["level"] == "sentence":
        refuse(*TESTS, why="--level sentence tests nothing")
    if options["form"] == "html" and len(names) > 1 and options["samples"] > 1:
        options["all_pairs"] = True
    if options["all_pairs"] or options["baseline"]:
        options["paired"] = options["paired"] or "bootstrap"
    if not options["paired"]:
        refuse("p_values", why="nothing is tested without --paired")
    elif options["samples"] < 2 or len(names) < 2:
        raise click.UsageError("a test needs two systems and --samples of 2 or more")
    if options["baseline"] and options["baseline"] not in names:
        raise click.UsageError(f"--baseline is {options['baseline']!r}; the systems are {', '.join(names)}")
    options["baseline"] = names.index(options["baseline"]) if options["baseline"] else 0


def _metrics(options: dict[str, Any], alignments: AlignmentFiles | None) -> list[Metric]:
    """Make the metrics; options that the user gave reach all metrics that have such a setting."""
    from wordorder.metrics.registry import parse_metrics
    from wordorder.metrics.segments import given_policy

    missing = click.UsageError(
        "match=alignments(...) is part of signatures where alignments were given: give them by --source, "
        "--ref-align, --align and --policy"
    )
    if given_policy(options["match"]) is not None:
        raise missing
    shared = {name: options[name] for name in set_by_user(*MATCHING, "refs")}
    metrics = parse_metrics(options["specs"] or [TEXT_METRICS], shared)
    if alignments:
        if not options["specs"]:  # those of the defaults that need no matched words
            metrics = [m for m in metrics if not getattr(m, "needs_words", False)]
        return [m.on_alignments(alignments.policy) for m in metrics]
    if any(given_policy(getattr(m, "match", "")) is not None for m in metrics):
        raise missing
    return metrics


def unmoved(metrics: dict[str, Metric]) -> list[str]:
    """Say which metrics do not have a setting that the user gave for all."""
    notes = []
    for name in set_by_user("tokenize", "lowercase", "normalize", "refs"):
        without = [label for label, metric in metrics.items() if name not in metric.setting_names()]
        if without:
            notes.append(f"{name} has no effect on {', '.join(without)}")
    return notes


def _alignment_files(options: dict[str, Any]) -> AlignmentFiles | None:
    """Return the files of given alignments; options that would have no effect are refused."""
    from wordorder.engine.text_blocks import AlignmentFiles

    files = [options[key] for key in ("source", "ref_align", "aligns")]
    if not any(files):
        refuse(*LINKS, why="no alignments are given (--source, --ref-align, --align)")
        return None
    if not all(files):
        raise click.UsageError(
            "alignments need --source, one --ref-align for each reference and one --align for each system"
        )
    refuse(*MATCHING, why="alignments are given, so no words are matched")
    return AlignmentFiles(
        source=options["source"],
        references=options["ref_align"],
        systems=options["aligns"],
        form=links_format(options["align_format"], options["base"]),
        policy=options["policy"],
    )


def system_names(paths: Sequence[str], names: str = "") -> list[str]:
    """Return the names of systems: as given, else the file names where they differ, else the paths."""
    if names:
        chosen = [name.strip() for name in names.split(",")]
        if len(chosen) != len(paths) or len(set(chosen)) != len(chosen):
            raise click.UsageError(f"--names has {names!r}; expected {len(paths)} different names")
        return chosen
    for path in paths:
        if paths.count(path) > 1:
            raise click.UsageError(f"{path} is given twice; name the systems with --names A,B")
    short = [_short_name(path) for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


def _short_name(path: str) -> str:
    """Return the name of a file or folder; that of its folder for a pattern."""
    from wordorder.io.paths import is_pattern, split_column

    file, column = split_column(path)
    if is_pattern(file):
        return column or os.path.basename(os.path.dirname(file)) or file
    return column or os.path.basename(file.rstrip(os.sep))
