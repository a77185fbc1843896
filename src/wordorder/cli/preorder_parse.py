"""``wordorder preorder parse``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from wordorder.cli.options import quiet_option

if TYPE_CHECKING:
    from wordorder.io.sentence import Sentence

HELP = """\
\b
  wordorder preorder parse --udpipe english.udpipe --source test.en --out test.conllu
  wordorder preorder parse --spacy en_core_web_sm --source test.en --out test.conllu

Parse sentences, one a line, words separated by blanks, with a parser that you have: a UDPipe model
(pip install ufal.udpipe) or a spaCy pipeline (pip install spacy). Other parsers: give their CoNLL-U to
--parse. The rule sets that come with the package are written for Universal Dependencies.
"""


@click.command("parse", help=HELP)
@click.option("--source", required=True, metavar="FILE", help="Sentences; - is standard input.")
@click.option("--udpipe", metavar="FILE", help="A model of UDPipe 1.")
@click.option("--spacy", metavar="NAME", help="A spaCy pipeline with a parser.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@quiet_option
def command(source: str, udpipe: str | None, spacy: str | None, out: str, quiet: bool) -> None:
    """Parse a file."""
    from wordorder.cli.progress import shown
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.parsing import Parser, Spacy, UDPipe, parse_all
    from wordorder.preorder.rules.warnings import Strangers

    if bool(udpipe) == bool(spacy):
        raise click.UsageError("choose a parser: --udpipe FILE or --spacy NAME")
    parser: Parser = UDPipe(udpipe) if udpipe else Spacy(str(spacy))
    seen = Strangers()

    def looked_at(trees: Iterable[Sentence]) -> Iterator[Sentence]:
        for tree in trees:
            seen.add([tree])
            yield tree

    rows = shown(read_sources(source), lambda row: f"{row.number:,} sentences", quiet=quiet)
    with open_output(out) as handle:
        Conllu().write(looked_at(parse_all(parser, (row.source.words for row in rows))), handle, file=out)
    for text in seen.notes() if not quiet else ():
        click.echo(f"{text}; the rule sets that come with the package do not know them", err=True)
