"""``wordorder stress``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.judge_options import data_options
from wordorder.cli.vocabulary import (
    chosen_format,
    language_option,
    lowercase_option,
    match_option,
    metrics_option,
    names_option,
    normalize_option,
    paraphrases_option,
    quiet_option,
    references_option,
    refuse,
    samples_option,
    seed_option,
    set_by_user,
    source_option,
    table_options,
    threads_option,
    tokenize_option,
    wordnet_option,
)

if TYPE_CHECKING:
    from wordorder.judge.judgments import Judgments

HELP = """\
\b
  wordorder stress wmt21-mqm -m bleu,chrf,beer,full
  wordorder stress -r ref.txt -s source.txt systemA.txt systemB.txt --language de -m bleu,kendall
  wordorder stress wmt15-rr --pairs de-en --items 0 -o stress.json

Find out what metrics can be fooled by. References are shuffled, their halves exchanged and their neighbouring
words swapped: how often do they score at least as high as the outputs of real systems? Outputs are shuffled,
lengthened, truncated, repeated, negated, and changed in punctuation, case, blanks and digits: how far do
their scores move, and how often do they not fall? DATA are human judgments as for 'judge' (only their texts
are used) or, with -r, files of system outputs, one segment per line. Outputs are drawn at random.
"""
MATCHING = ("match", "tokenize", "lowercase", "normalize", "wordnet", "paraphrases")
JUDGED_ONLY = ("pairs", "source_text", "reference_text", "output_text", "testset")
FILES_ONLY = ("source", "language", "names")


@click.command("stress", help=HELP)
@data_options
@references_option
@source_option
@names_option
@language_option
@metrics_option("kendall,recpef,full,beer,bleu,chrf")
@click.option(
    "--items", type=click.IntRange(0), default=500, show_default=True,
    help="Number of outputs to draw from each set; 0 takes all.",
)  # fmt: skip
@match_option
@tokenize_option
@lowercase_option
@normalize_option
@wordnet_option
@paraphrases_option
@samples_option
@seed_option
@table_options
@threads_option
@quiet_option
def command(
    specs: tuple[str, ...],
    references: tuple[str, ...],
    form: str | None,
    output: str,
    items: int,
    samples: int,
    seed: int,
    threads: int | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Manipulate texts and score them."""
    from wordorder.cli.judge_options import chosen_sets
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output
    from wordorder.judge.stress import stress
    from wordorder.metrics.registry import parse_metrics
    from wordorder.report.stress import stress_report

    chosen = chosen_format(form, output)
    metrics = parse_metrics(specs, {name: options[name] for name in set_by_user(*MATCHING)})
    if references:
        refuse(*JUDGED_ONLY, why="the texts are files, not human judgments")
        sets = [files_as_set(references, options)]
    else:
        refuse(*FILES_ONLY, why="human judgments bring their own texts; for files, give -r REFERENCE")
        sets = chosen_sets(options)
    with runner(threads=threads or available_threads()) as run:
        result = stress(sets, metrics, items=items, samples=samples, seed=seed, run=run)
    with open_output(output) as out:
        out.write(stress_report(result, chosen))


def files_as_set(references: tuple[str, ...], options: dict[str, Any]) -> Judgments:
    """Read files of texts as a set without judgments."""
    from wordorder.cli.score import system_names
    from wordorder.errors import BadFile
    from wordorder.io.parallel import read_parallel
    from wordorder.judge.stress import set_of_texts

    systems = options["data"]
    names = system_names(systems, options["names"])
    source = [options["source"]] if options["source"] else []
    rows = [row.records for row in read_parallel([*references, *systems, *source])]
    if not rows:
        raise BadFile("is empty; expected one segment per line", file=references[0])
    streams = [list(stream) for stream in zip(*rows, strict=True)]
    outputs = dict(zip(names, streams[len(references) :], strict=False))
    return set_of_texts(
        streams[: len(references)],
        outputs,
        sources=streams[-1] if source else None,
        language=options["language"],
    )
