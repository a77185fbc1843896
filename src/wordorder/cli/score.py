"""``wordorder score``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.options import links_format, quiet_option, refuse, threads_option

if TYPE_CHECKING:
    from wordorder.engine.text_blocks import AlignmentFiles

HELP = """\
\b
  wordorder score -r ref.txt systemA.txt systemB.txt -m kendall,recpef,full,bleu --paired bootstrap
  wordorder score -r ref.txt system.txt -m lrscore:alpha=0.3 --level sentence --output tsv
  wordorder score --permutations orders.txt -m kendall,recpef:beta=0.5,gamma=0.2,fuzzy

Score translations against references, one segment a line: words are tokenised, matched, and
their order is scored. Or score permutations, one a line: the numbers of a line say where each
word of the sentence stands in the reference; <> is a sentence with nothing aligned. A metric
is written NAME or NAME:KEY=VALUE,KEY=VALUE ('wordorder metrics' lists them).
"""
MATCHING = ("match", "tokenize", "lowercase", "language", "wordnet", "paraphrases")
LINKS = ("policy", "align_format", "base")
TEXT_ONLY = (
    *MATCHING, *LINKS[:2], "refs", "source", "ref_align", "aligns", "samples", "seed", "lenient"
)  # fmt: skip
TOKENIZERS = ["none", "13a", "letters", "intl", "zh", "ja-mecab", "ko-mecab", "char"]


@click.command("score", help=HELP)
@click.argument("systems", nargs=-1, metavar="[SYSTEM]...")
@click.option(
    "-r", "--reference", "references", multiple=True, metavar="FILE", help="A reference; may be repeated."
)
@click.option(
    "--permutations", "path", metavar="FILE", help="Permutations instead of text; - is standard input."
)
@click.option(
    "--base", type=click.Choice(["0", "1"]), default="0", show_default=True, help="Smallest number."
)
@click.option(
    "-m", "--metrics", "specs", multiple=True, default=["kendall,fuzzy,pet_size,recpef"], show_default=True,
    metavar="METRIC,...", help="Metrics; may be repeated.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["corpus", "sentence"]), default="corpus", show_default=True,
    help="One score, or one a line.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Choice(["text", "tsv", "json", "latex"]), default="text", show_default=True,
    help="Form.",
)  # fmt: skip
@click.option("--out", "target", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@click.option(
    "--tokenize",
    type=click.Choice(TOKENIZERS),
    default="13a",
    show_default=True,
    help="What counts as a word.",
)
@click.option(
    "--lowercase/--cased", default=True, show_default=True, help="Whether Cat and cat are the same word."
)
@click.option(
    "--match", default="exact", show_default=True, metavar="STAGES",
    help="Which words match: exact+stem+synonym+paraphrase, some of them, or ribes.",
)  # fmt: skip
@click.option("--language", default="en", show_default=True, help="Of stems, synonyms and paraphrases.")
@click.option("--wordnet", default="", metavar="FOLDER", help="WordNet's files, if not in the usual places.")
@click.option(
    "--paraphrases", default="", metavar="FILE", help="Table in METEOR's form, if not in the usual places."
)
@click.option(
    "--refs",
    type=click.Choice(["best", "mean"]),
    default="best",
    show_default=True,
    help="Of several references.",
)
@click.option("--source", metavar="FILE", help="The source, where alignments are given.")
@click.option(
    "--ref-align", multiple=True, metavar="FILE", help="Links of source and reference, one a reference."
)
@click.option(
    "--align", "aligns", multiple=True, metavar="FILE", help="Links of source and system, one a system."
)
@click.option(
    "--policy", type=click.Choice(["birch", "talbot", "thesis"]), default="birch", show_default=True,
    help="How alignments become permutations.",
)  # fmt: skip
@click.option(
    "--align-format", default="pharaoh", show_default=True, help="Their format, such as pharaoh:base=1."
)
@click.option(
    "--samples", type=click.IntRange(0), default=1000, show_default=True, help="Bootstrap samples; 0: none."
)
@click.option(
    "--paired", type=click.Choice(["bootstrap", "randomisation"]), help="Test against the first system."
)
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="Of resampling.")
@click.option("--lenient", is_flag=True, help="Skip bad lines, count and report them.")
@threads_option
@quiet_option
def command(path: str | None, references: tuple[str, ...], systems: tuple[str, ...], **options: Any) -> None:
    """Score permutations or text."""
    if path is not None:
        if references or systems or options["paired"]:
            raise click.UsageError("--permutations goes without references, systems and --paired")
        refuse(*TEXT_ONLY, why="--permutations are scored, not text")
        if options["output"] == "latex":
            raise click.UsageError("--output latex is for tables of systems, not for permutations")
        score_permutations(path, **options)
        return
    if not references or not systems:
        raise click.UsageError("give -r REFERENCE and at least one SYSTEM, or --permutations FILE")
    score_text(references, systems, **options)


def score_permutations(
    path: str,
    *,
    base: str,
    specs: tuple[str, ...],
    level: str,
    output: str,
    target: str,
    threads: int | None,
    quiet: bool,
    **_: Any,
) -> None:
    """Score a file of permutations."""
    from wordorder.cli.progress import watched
    from wordorder.engine.score_orders import score_corpus, score_sentences
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_binary, open_output
    from wordorder.io.permutations import read_blocks
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.report.order_scores import corpus_report, sentence_report

    metrics = parse_ordering_metrics(specs)
    threads = threads or available_threads()
    with open_binary(path) as handle, open_output(target) as out:
        total = os.path.getsize(path) if path != "-" and os.path.isfile(path) else None
        blocks = watched(read_blocks(handle, path), total=total, quiet=quiet)
        if level == "corpus":
            scores = score_corpus(blocks, metrics, base=int(base), threads=threads)
            out.write(corpus_report(metrics, scores, output))
        else:
            rows = score_sentences(blocks, metrics, base=int(base), threads=threads)
            for piece in sentence_report(metrics, rows, output):  # writelines would keep all in memory
                out.write(piece)


def score_text(references: tuple[str, ...], systems: tuple[str, ...], **options: Any) -> None:
    """Score translations."""
    from wordorder.cli.progress import counted
    from wordorder.engine.score_texts import collect_stats, compare, score_segments
    from wordorder.engine.text_blocks import read_blocks
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.metrics.registry import parse_metrics
    from wordorder.metrics.segments import Matching, given_policy
    from wordorder.metrics.text import labels, on_text
    from wordorder.report.system_table import Comparison, segment_report, system_report

    if options["paired"] and (options["samples"] < 2 or len(systems) < 2):
        raise click.UsageError("--paired needs two systems and --samples of 2 or more")
    if options["level"] == "sentence":
        refuse("paired", why="--level sentence tests nothing")
        if options["output"] == "latex":
            raise click.UsageError("--output latex is for corpus scores")
    matching = Matching(**{key: options[key] for key in MATCHING})
    metrics = [on_text(m, matching, refs=options["refs"]) for m in parse_metrics(options["specs"])]
    threads = options["threads"] or available_threads()
    lenient = Lenient() if options["lenient"] else None
    alignments = _alignment_files(options)
    if alignments:
        metrics = [m.on_alignments(alignments.policy) for m in metrics]
    elif any(given_policy(getattr(m, "match", "")) is not None for m in metrics):
        raise click.UsageError(
            "match=alignments(...) stands in signatures where links were given: give them by --source, "
            "--ref-align, --align and --policy"
        )
    labels(metrics)  # one that is asked for twice is told before anything is read
    blocks = read_blocks(references, systems, alignments=alignments, lenient=lenient)
    blocks = counted(blocks, quiet=options["quiet"])
    names = system_names(systems)
    with open_output(options["target"]) as out:
        if options["level"] == "sentence":
            rows = score_segments(blocks, metrics, threads=threads)
            for piece in segment_report(names, metrics, len(references), rows, options["output"]):
                out.write(piece)
            if options["output"] == "tsv" and not options["quiet"]:  # a table has no place for them
                for m in metrics:
                    click.echo(m.segment_signature_for(len(references)), err=True)
        else:
            stats = collect_stats(blocks, metrics, names, threads=threads)
            settings = {key: options[key] for key in ("samples", "seed", "paired")}
            cells = compare(stats, metrics, **settings)
            segments = len(stats[0].stats[0])
            model = Comparison(stats, metrics, cells, segments, len(references), **settings)
            out.write(system_report(model, options["output"]))
    if lenient is not None and lenient.total:
        click.echo(lenient.report(), err=True)


def _alignment_files(options: dict[str, Any]) -> AlignmentFiles | None:
    """The links that the user has; options of what is not there are refused."""
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


def system_names(paths: tuple[str, ...]) -> list[str]:
    """Names for tables: the file names where they differ, else the paths."""
    short = [os.path.basename(path) for path in paths]
    return short if len(set(short)) == len(short) else list(paths)
