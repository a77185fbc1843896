"""``wordorder align-report``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    chosen_format,
    lenient_option,
    links_format,
    links_options,
    seed_option,
    source_option,
    table_options,
    target_option,
)

if TYPE_CHECKING:
    from wordorder.core.alignment import Alignments
    from wordorder.report.html.alignments import DrawnPair

HELP = """\
\b
  wordorder align-report text.align
  wordorder align-report text.align -s text.en -t text.ja --sample 5 --seed 7
  wordorder align-report text.align -o report.json

Report how healthy a file of alignments (i-j, one line per sentence) is: words without links, words with
many, crossings, blocks, distance from the diagonal. Files that probably start at 1 or are the wrong way
round are flagged, and a sample of sentences is drawn. Exit code 1 if anything was flagged and --strict
is given.
"""


LARGEST = 400  # words of a side of a drawing


@click.command("align-report", help=HELP)
@click.argument("file")
@source_option
@target_option
@links_options
@click.option(
    "--sample", "size", type=click.IntRange(0), default=3, show_default=True, help="Sentences to draw."
)
@seed_option
@lenient_option
@click.option("--strict", is_flag=True, help="Exit with code 1 if anything was flagged.")
@table_options
def command(
    file: str,
    source: str | None,
    target: str | None,
    align_format: str,
    base: str | None,
    size: int,
    seed: int,
    lenient: bool,
    strict: bool,
    form: str | None,
    output: str,
) -> int:
    """Report on a file of alignments."""
    from dataclasses import asdict

    import orjson

    from wordorder.align.health import health, sample
    from wordorder.errors import BadFile
    from wordorder.io.aligned import alignment_format
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import counted, split_words
    from wordorder.io.links import collect_links
    from wordorder.io.parallel import read_parallel
    from wordorder.report.alignment_health import health_tables
    from wordorder.report.html.alignments import alignments_page
    from wordorder.report.table import write_tables

    skipped = Lenient() if lenient else None
    texts_given = [path for path in (source, target) if path is not None]
    links_file = (file, alignment_format(links_format(align_format, base)))
    rows = list(read_parallel([links_file, *texts_given], lenient=skipped))
    if not rows and skipped and skipped.total:
        raise skipped.nothing_left()
    if not rows:
        raise BadFile("is empty; expected one line per sentence", file=file)
    links = collect_links(row.records[0] for row in rows)
    numbers = [row.number for row in rows]
    texts: list[list[list[str]] | None] = []
    at = 0
    for path in (source, target):
        at += path is not None
        texts.append([split_words(row.records[at]) for row in rows] if path is not None else None)
    sizes = [None if words is None else [len(line) for line in words] for words in texts]
    report = health(links, *sizes, numbers=numbers)
    pairs = [_drawn_pair(links, s, numbers[s], texts) for s in sample(links, size, seed)]
    chosen = chosen_format(form, output)
    drawn = {} if chosen == "html" else {pair.line: _drawing(pair) for pair in pairs}
    with open_output(output) as out:
        if chosen == "html":
            out.write(alignments_page(file, report, pairs, seed=seed))
        elif chosen == "json":
            pictures = [{"line": line, "drawing": picture} for line, picture in drawn.items()]
            left_out = skipped.total if skipped else 0
            data = {"file": file, **asdict(report), "skipped": left_out, "seed": seed, "sample": pictures}
            out.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
        else:
            out.write(write_tables(health_tables(report, merged=chosen == "tsv"), chosen))
        if chosen == "text":
            flags = "\n".join(f"! {flag}" for flag in report.flags) or "nothing looks wrong"
            pieces = [f"\n{flags}\n"]
            if drawn:
                pieces.append(f"\nA sample of {counted(len(drawn), 'sentence')}, seed {seed}:\n")
            pieces += [f"\nline {line}\n{picture}\n" for line, picture in drawn.items()]
            out.write("".join(pieces).encode("utf-8"))
    if skipped is not None and skipped.total:
        click.echo(skipped.report(), err=True)
    return 1 if strict and (report.flags or (skipped is not None and skipped.total)) else 0


def _drawn_pair(
    links: Alignments, sentence: int, number: int, texts: list[list[list[str]] | None]
) -> DrawnPair:
    """Return a sentence pair to draw; links out of range are left out, for they were counted."""
    from wordorder.core.alignment import Alignment
    from wordorder.report.html.alignments import DrawnPair

    pairs = links.links(sentence)
    words = [None if text is None else text[sentence] for text in texts]
    n, m = (
        1 + max(link[side] for link in pairs) if line is None else len(line)
        for side, line in enumerate(words)
    )
    inside = [(i, j) for i, j in pairs if i < n and j < m]
    sure = set(links.sure().links(sentence))
    perhaps = [link for link in inside if link not in sure]
    alignment = Alignment(n, m, [link for link in inside if link in sure], possible=perhaps)
    return DrawnPair(number, words[0], words[1], alignment)


def _drawing(pair: DrawnPair) -> str:
    """Draw one sentence as a grid, unless it has more words than can be looked at."""
    from wordorder.draw.grid import matrix_text

    n, m = pair.alignment.source_size, pair.alignment.target_size
    if max(n, m) > LARGEST:
        return f"{n:,} by {m:,} words are too many to draw."
    return matrix_text(pair.alignment, pair.source, pair.target)
