"""``wordorder score``."""

from __future__ import annotations

import os

import click

from wordorder.cli.options import output_option, quiet_option, threads_option

HELP = """\
\b
  wordorder score --permutations orders.txt -m kendall,recpef
  wordorder score --permutations orders.txt --base 1 --level sentence --output tsv
  cut -f3 table.tsv | wordorder score --permutations - -m recpef:beta=0.5,gamma=0.2,fuzzy

Score permutations, one a line: the numbers of a line say where each word of the sentence
stands in the reference. Separate them by blanks or commas; <> is a sentence with nothing
aligned. A metric is written NAME or NAME:KEY=VALUE,KEY=VALUE ('wordorder metrics' lists them).
"""


@click.command("score", help=HELP)
@click.option("--permutations", "path", required=True, metavar="FILE", help="The file; - is standard input.")
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
@output_option
@click.option("--out", "target", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    path: str,
    base: str,
    specs: tuple[str, ...],
    level: str,
    output: str,
    target: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Score a file of permutations."""
    from wordorder.cli.progress import watched
    from wordorder.engine.score import score_corpus, score_sentences
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_binary, open_output
    from wordorder.io.permutations import read_blocks
    from wordorder.metrics.base import OrderingMetric
    from wordorder.metrics.registry import parse_metrics
    from wordorder.report.scores import corpus_report, sentence_report

    metrics = [m for m in parse_metrics(specs) if isinstance(m, OrderingMetric)]
    threads = threads or available_threads()
    with open_binary(path) as handle, open_output(target) as out:
        total = os.fstat(handle.fileno()).st_size if path != "-" else None
        blocks = watched(read_blocks(handle, path), total=total, quiet=quiet)
        if level == "corpus":
            scores = score_corpus(blocks, metrics, base=int(base), threads=threads)
            out.write(corpus_report(metrics, scores, output))
        else:
            rows = score_sentences(blocks, metrics, base=int(base), threads=threads)
            out.writelines(sentence_report(metrics, rows, output))
