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
    from wordorder.align.health import Health
    from wordorder.core.alignment import Alignments
    from wordorder.report.table import Table

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
    drawn = {numbers[s]: _drawing(links, s, texts) for s in sample(links, size, seed)}
    chosen = chosen_format(form, output)
    with open_output(output) as out:
        if chosen == "json":
            pictures = [{"line": line, "drawing": picture} for line, picture in drawn.items()]
            left_out = skipped.total if skipped else 0
            data = {"file": file, **asdict(report), "skipped": left_out, "seed": seed, "sample": pictures}
            out.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
        else:
            out.write(write_tables(_tables(report, merged=chosen == "tsv"), chosen))
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


def _drawing(links: Alignments, sentence: int, texts: list[list[list[str]] | None]) -> str:
    """Draw one sentence as a grid; links out of range are left out, for they were counted.

    A grid of more than a few hundred words cannot be looked at.
    """
    from wordorder.core.alignment import Alignment
    from wordorder.draw.grid import matrix_text

    pairs = links.links(sentence)
    words = [None if text is None else text[sentence] for text in texts]
    n, m = (
        1 + max(link[side] for link in pairs) if line is None else len(line)
        for side, line in enumerate(words)
    )
    if max(n, m) > LARGEST:
        return f"{n:,} by {m:,} words are too many to draw."
    inside = [(i, j) for i, j in pairs if i < n and j < m]
    return matrix_text(Alignment(n, m, inside), words[0], words[1])


def _tables(report: Health, *, merged: bool) -> list[Table]:
    """The figures, and a table for each histogram; ``merged``: all of them as one table."""
    from wordorder.report.table import Table

    figures: list[tuple[str, float, str]] = [
        ("sentences", report.sentences, f"{report.sentences:,}"),
        ("sentences without a link", report.empty, f"{report.empty:,}"),
        ("links", report.links, f"{report.links:,}"),
        ("crossings", report.crossings, f"{report.crossings:,}"),
        ("crossings per sentence", report.crossings_per_sentence, f"{report.crossings_per_sentence:.2f}"),
        ("pairs of links in order (Kendall)", report.kendall, f"{report.kendall:.3f}"),
        ("sentences without a crossing", report.monotone, f"{100 * report.monotone:.1f} %"),
        ("links within a word of the diagonal", report.on_diagonal, f"{100 * report.on_diagonal:.1f} %"),
    ]
    for name, side in (("source", report.source), ("target", report.target)):
        figures += [
            (f"{name} words", side.words, f"{side.words:,}"),
            (f"{name} words without a link", side.unaligned, f"{100 * side.unaligned:.1f} %"),
            (f"most links of a {name} word", side.widest, f"{side.widest} (line {side.widest_sentence})"),
        ]
    records = [{"figure": name, "value": value} for name, value, _ in figures]
    tables = []
    known = "" if report.sizes_known else " (up to the last link: the texts are not given)"
    for title, unit, histogram in (
        (f"Links of a source word{known}", "links", report.source.links_per_word),
        (f"Links of a target word{known}", "links", report.target.links_per_word),
        ("Longer side of a block (minimal phrase pair)", "words", report.block_sizes),
        ("Longest operator of the tree over a sentence's blocks", "children", report.operators),
        ("Distance of a link from the diagonal", "words", report.distances),
    ):
        whole = sum(histogram.values()) or 1
        bars = [[size, f"{count:,}", f"{100 * count / whole:.1f} %"] for size, count in histogram.items()]
        records += [{"figure": f"{title}: {size}", "value": count} for size, count in histogram.items()]
        tables.append(Table(head=[unit, "count", "share"], rows=bars, title=title))
    rows = [[name, text] for name, _, text in figures]
    whole_table = Table(
        head=["figure", "value"], rows=rows, records=records, notes=report.flags if merged else ()
    )
    return [whole_table] if merged else [whole_table, *tables]
