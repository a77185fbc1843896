"""``wordorder preorder references``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, quiet_option

HELP = """\
\b
  wordorder preorder references --source dev.en --align dev.align --target dev.ja > dev.reference
  wordorder preorder references --source dev.en --align dev.align --punctuation pin --output order

Reference orders from manual links, as Talbot et al. (2011) make them: words by the first target word
that they are linked to; between {{ and }} any order is right. How usable the links are as a
reference is told on standard error (--usability FILE: as JSON). Where words repeat, text does not say
which of them is meant: --output order does, and 'evaluate --reference' reads both.
"""


@click.command("references", help=HELP)
@click.option("--source", required=True, metavar="FILE", help="Source text, words between blanks.")
@click.option("--align", "links", required=True, metavar="FILE", help="Links to the target.")
@click.option("--target", metavar="FILE", help="Target text: checks the links, and tells its coverage.")
@links_options
@click.option(
    "--unaligned", type=click.Choice(["next", "previous", "drop"]), default="next", show_default=True,
    help="Words without links: before the next that has some, after the one before, or left out.",
)  # fmt: skip
@click.option(
    "--punctuation", type=click.Choice(["words", "pin", "drop"]), default="words", show_default=True,
    help="Marks: as words; those without links at the borders stay there; or left out.",
)  # fmt: skip
@click.option(
    "--output", type=click.Choice(["text", "order"]), default="text", show_default=True,
    help="Words, or source positions (from 0), both with groups.",
)  # fmt: skip
@click.option("--usability", "told", metavar="FILE", help="Write how usable the links are, as JSON.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@quiet_option
def command(
    source: str,
    links: str,
    target: str | None,
    form: str,
    base: str,
    unaligned: str,
    punctuation: str,
    output: str,
    told: str | None,
    out: str,
    quiet: bool,
) -> None:
    """Make reference orders."""
    import orjson

    from wordorder.errors import BadFile
    from wordorder.evaluate.references import reference
    from wordorder.evaluate.usability import usability
    from wordorder.io.base import Problem
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_sources

    alignments = []
    with open_output(out) as handle:
        for row in read_sources(source, align=links, target=target, form=links_format(form, base)):
            assert row.source.alignment is not None
            alignments.append(row.source.alignment)
            made = reference(
                row.source.alignment, row.source.words,
                unaligned=unaligned, punctuation=punctuation,  # type: ignore[arg-type]
            )  # fmt: skip
            try:
                line = made.to_text() if output == "text" else made.to_positions()
            except Problem as problem:
                raise BadFile(str(problem), file=source, line=row.number) from None
            handle.write(line.encode("utf-8") + b"\n")
    if not alignments:
        raise BadFile("is empty; expected sentences, one a line", file=source)
    found = usability(alignments, target=target is not None)
    if told:
        with open_output(told) as handle:
            handle.write(orjson.dumps(found.as_dict(), option=orjson.OPT_INDENT_2) + b"\n")
    if not quiet:
        for warning in found.warnings():
            click.echo(f"{links}: {warning}", err=True)
