"""``wordorder align``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from wordorder.cli.options import quiet_option, refuse, threads_option

if TYPE_CHECKING:
    from wordorder.align.links import Links
    from wordorder.io.aligned import Pair
    from wordorder.io.lenient import Lenient

HELP = """\
\b
  wordorder align --source text.en --target text.ja --out text.align
  wordorder align --source text.en --target text.ja --save en-ja --out text.align
  wordorder align --source new.en --target new.ja --model en-ja --scores --out new.align

Align the words of two languages, one sentence a line, words separated by blanks; gzip and zstd
files are unpacked. Writes links i-j (source-target, from 0), one sentence a line. The aligner is trained on
the text itself unless --model gives one. The same text gives the same links, whatever the
number of threads.
"""


@click.command("align", help=HELP)
@click.option("--source", required=True, metavar="FILE", help="Text of the source language.")
@click.option(
    "--target", metavar="FILE", help="Text of the target language; without it, --source holds both (a ||| b)."
)
@click.option(
    "--method", type=click.Choice(["default", "ibm1", "eflomal"]), default=None,
    help="default: an HMM that agrees in both directions; ibm1: IBM model 1; eflomal: the program.",
)  # fmt: skip
@click.option(
    "--symmetrise", "how", default="grow-diag-final-and", show_default=True, metavar="HOW",
    help="intersection, union, grow-diag, grow-diag-final, grow-diag-final-and, forward, reverse, posterior.",
)  # fmt: skip
@click.option(
    "--threshold", type=click.FloatRange(0, 1), default=0.3, show_default=True,
    help="Least score of a link with --symmetrise posterior.",
)  # fmt: skip
@click.option("--model", metavar="FOLDER", help="Use an aligner that was saved; nothing is trained.")
@click.option("--save", metavar="FOLDER", help="Save the trained aligner.")
@click.option("--keep-case", is_flag=True, help="Do not lower-case words.")
@click.option("--scores", is_flag=True, help="Write i-j:score.")
@click.option("--lenient", is_flag=True, help="Skip bad lines, count and report them; they get no links.")
@click.option("--gold-format", default="pharaoh", show_default=True, help="Its format, such as wpt.")
@click.option("--gold", metavar="FILE", help="Manual links (i-j sure, i?j possible): tell the error rate.")
@click.option(
    "--out", default="-", show_default=True, metavar="FILE", help="Write to a file, all or nothing."
)
@threads_option
@quiet_option
def command(
    source: str,
    target: str | None,
    method: str | None,
    how: str,
    threshold: float,
    model: str | None,
    save: str | None,
    keep_case: bool,
    scores: bool,
    lenient: bool,
    gold: str | None,
    gold_format: str,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Align two files."""
    from wordorder.align.pharaoh import format_links
    from wordorder.align.symmetrise import symmetry_number
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient

    symmetry_number(how)  # an unknown name is told before anything is read
    if model and (method or save or keep_case):
        raise click.UsageError("--model cannot go with --method, --save or --keep-case: it has its own")
    if method == "eflomal" and (save or scores or keep_case or how == "posterior"):
        raise click.UsageError("eflomal has no --save, --scores, --keep-case or --symmetrise posterior")
    if how != "posterior":
        refuse("threshold", why=f"--symmetrise is {how}, not posterior")
    if not gold:
        refuse("gold_format", why="there is no --gold")
    if [source, target, gold].count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    skipped, unjudged = (Lenient(), Lenient()) if lenient else (None, None)
    pairs = read_texts(source, target, skipped)
    judged = read_gold(gold, gold_format, pairs, source, unjudged) if gold else None
    one, other = [pair.source for pair in pairs], [pair.target for pair in pairs]
    links = _links(one, other, method or "default", how, threshold, model, save, keep_case, threads, quiet)
    with open_output(out) as handle:
        handle.write(format_links(links, scores=scores).encode())
    if skipped is not None and skipped.total:
        click.echo(f"{skipped.report()}\nskipped pairs have an empty line in the output", err=True)
    if judged:
        _tell_error_rate(links, judged, unjudged, pairs=len(pairs))


def _links(
    source: list[str],
    target: list[str],
    method: str,
    how: str,
    threshold: float,
    model: str | None,
    save: str | None,
    keep_case: bool,
    threads: int | None,
    quiet: bool,
) -> Links:
    from dataclasses import replace

    from wordorder.align.aligner_files import load_model, save_model
    from wordorder.align.bilingual import AlignerSettings, train
    from wordorder.engine.threads import available_threads

    if method == "eflomal":
        from wordorder.align.eflomal import run_eflomal
        from wordorder.align.symmetrise import symmetrise

        return symmetrise(*run_eflomal(source, target), how)
    threads = threads or available_threads()
    if model:
        aligner = load_model(model)
    else:
        settings = AlignerSettings.for_method("hmm" if method == "default" else method)
        settings = replace(settings, lowercase=not keep_case)
        show = not quiet and sys.stderr.isatty()
        aligner = train(
            source, target, settings=settings, threads=threads, progress=_progress if show else None
        )
        if save:
            save_model(aligner, save)
    return aligner.align(source, target, symmetrise=how, threshold=threshold, threads=threads)


def _tell_error_rate(links: Links, judged: Judged, unjudged: Lenient | None, *, pairs: int) -> None:
    from wordorder.align.error_rate import error_rate
    from wordorder.align.links import Links

    if unjudged is not None and unjudged.total:
        click.echo(unjudged.report(), err=True)
    found = links if len(judged.places) == pairs else Links.of(links[place] for place in judged.places)
    rate = error_rate(found, judged.links)
    told = f"AER {rate.aer:.4f}  precision {rate.precision:.4f}  recall {rate.recall:.4f}"
    if missing := pairs - len(judged.places):
        told += f"  (without {missing:,} skipped of {pairs:,} pairs)"
    click.echo(told, err=True)


def _progress(done: int, total: int) -> None:
    sys.stderr.write("\r\033[K" if done == total else f"\rtraining, iteration {done + 1} of {total}")
    sys.stderr.flush()


def read_texts(source: str, target: str | None, lenient: Lenient | None) -> list[Pair]:
    """All pairs; one that was skipped is empty and has number 0, so that lines keep their numbers."""
    from wordorder.errors import BadFile
    from wordorder.io.aligned import Pair, read_pairs
    from wordorder.io.parallel import placed

    pairs = list(placed(read_pairs(source, target, lenient=lenient), Pair(0, "", ""), lenient))
    if not pairs:
        raise BadFile("has no pair of sentences to align", file=source)
    return pairs


class Judged(NamedTuple):
    """Links of people, and the places (from 0) of the pairs that have them."""

    places: list[int]
    links: Links


def read_gold(path: str, form: str, pairs: list[Pair], source: str, lenient: Lenient | None) -> Judged:
    """Links of people for the pairs that were read; each must be between words that exist."""
    from wordorder.align.pharaoh import from_records
    from wordorder.io.aligned import alignment_format, fitted
    from wordorder.io.lenient import BadLine
    from wordorder.io.lines import split_words
    from wordorder.io.parallel import read_beside

    made = alignment_format(form)
    places, records = [], []
    for number, (record,) in read_beside(path, made, of=source, count=len(pairs), lenient=lenient):
        pair = pairs[number - 1]
        if not pair.number:
            continue
        sizes = len(split_words(pair.source)), len(split_words(pair.target))
        try:
            fitted(record, *sizes, path=path, form=made, number=number)
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            places.append(number - 1)
            records.append(record)
    if lenient and lenient.total and not places:
        raise lenient.nothing_left()
    return Judged(places, from_records(records))
