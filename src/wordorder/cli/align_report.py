"""``wordorder align-report``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.options import links_format

if TYPE_CHECKING:
    from wordorder.align.health import Health
    from wordorder.align.links import Links

HELP = """\
\b
  wordorder align-report text.align
  wordorder align-report text.align --source text.en --target text.ja --sample 5 --seed 7
  wordorder align-report text.align --output json

Tell how healthy a file of alignments (i-j, one sentence a line) is: words without links, words with
many, crossings, blocks, distance from the diagonal; files that probably start at 1 or are the
wrong way round are flagged; a sample of sentences is drawn. Exit code 1 if anything was flagged
and --strict is given.
"""


@click.command("align-report", help=HELP)
@click.argument("file")
@click.option("--source", metavar="FILE", help="Text of the source language.")
@click.option("--target", metavar="FILE", help="Text of the target language.")
@click.option(
    "--base", type=click.Choice(["0", "1"]), default="0", show_default=True, help="Smallest number."
)
@click.option("--format", "form", default="pharaoh", show_default=True, help="Of the links, such as wpt.")
@click.option(
    "--sample", "size", type=click.IntRange(0), default=3, show_default=True, help="Sentences to draw."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="For the sample.")
@click.option("--lenient", is_flag=True, help="Skip bad lines of any file, count and report them.")
@click.option("--strict", is_flag=True, help="Exit with code 1 if anything was flagged.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form."
)
def command(
    file: str,
    source: str | None,
    target: str | None,
    base: str,
    form: str,
    size: int,
    seed: int,
    lenient: bool,
    strict: bool,
    output: str,
) -> int:
    """Report on a file of alignments."""
    import orjson

    from wordorder.align.health import health, sample
    from wordorder.align.pharaoh import from_records
    from wordorder.errors import BadFile
    from wordorder.io.aligned import alignment_format
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import counted, split_words
    from wordorder.io.parallel import read_parallel

    skipped = Lenient() if lenient else None
    given = [path for path in (source, target) if path is not None]
    rows = list(read_parallel([(file, alignment_format(links_format(form, base))), *given], lenient=skipped))
    if not rows and skipped and skipped.total:
        raise skipped.nothing_left()
    if not rows:
        raise BadFile("is empty; expected one sentence a line", file=file)
    links = from_records(row.records[0] for row in rows)
    numbers = [row.number for row in rows]
    texts: list[list[list[str]] | None] = []
    at = 0
    for path in (source, target):
        at += path is not None
        texts.append([split_words(row.records[at]) for row in rows] if path is not None else None)
    sizes = [None if words is None else [len(line) for line in words] for words in texts]
    told = health(links, *sizes, numbers=numbers)
    drawn = {numbers[s]: _drawing(links, s, texts) for s in sample(links, size, seed)}
    if output == "json":
        pictures = [{"line": line, "drawing": picture} for line, picture in drawn.items()]
        left_out = skipped.total if skipped else 0
        data = {"file": file, **told.as_dict(), "skipped": left_out, "seed": seed, "sample": pictures}
        click.echo(orjson.dumps(data, option=orjson.OPT_INDENT_2))
    else:
        click.echo(_text(told))
        if drawn:
            click.echo(f"\nA sample of {counted(len(drawn), 'sentence')}, seed {seed}:")
        for line, picture in drawn.items():
            click.echo(f"\nline {line}\n{picture}")
    if skipped is not None and skipped.total:
        click.echo(skipped.report(), err=True)
    return 1 if strict and (told.flags or (skipped is not None and skipped.total)) else 0


def _drawing(links: Links, sentence: int, texts: list[list[list[str]] | None]) -> str:
    """One sentence as a grid; links out of range are left out, for they were counted."""
    from wordorder.core.alignment import Alignment
    from wordorder.draw.alignment import alignment_text

    pairs = links[sentence]
    words = [None if text is None else text[sentence] for text in texts]
    n, m = (
        1 + max(link[side] for link in pairs) if line is None else len(line)
        for side, line in enumerate(words)
    )
    inside = [(i, j) for i, j in pairs if i < n and j < m]
    return alignment_text(Alignment(n, m, inside), words[0], words[1])


def _text(told: Health) -> str:
    from wordorder.report.table import text_table

    rows = [
        ["sentences", f"{told.sentences:,}"],
        ["without a link", f"{told.empty:,}"],
        ["links", f"{told.links:,}"],
        ["crossings", f"{told.crossings:,}"],
        ["crossings a sentence", f"{told.crossings_per_sentence:.2f}"],
        ["pairs of links in order (Kendall)", f"{told.kendall:.3f}"],
        ["sentences without a crossing", f"{100 * told.monotone:.1f} %"],
        ["links within a word of the diagonal", f"{100 * told.on_diagonal:.1f} %"],
    ]
    known = "" if told.sizes_known else " (up to the last link; give --source and --target to know all)"
    for name, side in (("source", told.source), ("target", told.target)):
        rows.append([f"{name} words", f"{side.words:,}"])
        rows.append([f"{name} words without a link", f"{100 * side.unaligned:.1f} %"])
        rows.append([f"most links of a {name} word", f"{side.widest} (line {side.widest_sentence})"])
    parts = [text_table(rows)]
    for title, histogram in (
        (f"links of a source word{known}", told.source.links_per_word),
        (f"links of a target word{known}", told.target.links_per_word),
        ("longer side of a block (minimal phrase pair), in words", told.block_sizes),
        ("longest operator of the tree over a sentence's blocks", told.operators),
        ("words between a link and the diagonal", told.distances),
    ):
        whole = sum(histogram.values()) or 1
        bars = [[k, f"{v:,}", f"{100 * v / whole:.1f} %"] for k, v in histogram.items()]
        parts.append(f"{title}\n{text_table(bars)}")
    flags = "\n".join(f"! {flag}" for flag in told.flags) or "nothing looks wrong"
    return "\n".join([*parts, flags])
