"""``wordorder preorder parse``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import output_option, quiet_option, source_option

if TYPE_CHECKING:
    from wordorder.io.sentence import Sentence

HELP = """\
\b
  wordorder preorder parse --udpipe english.udpipe --source test.en -o test.conllu
  wordorder preorder parse --spacy en_core_web_sm --source test.en -o test.conllu

Parse sentences, one per line, with words separated by spaces; without --source they are read from
standard input. The parser is a UDPipe model (pip install ufal.udpipe) or a spaCy pipeline (pip install
spacy). The output of any other parser can be used directly if it is CoNLL-U. The shipped rule sets are
written for Universal Dependencies.
"""


@click.command("parse", help=HELP)
@source_option
@click.option("--udpipe", metavar="FILE", help="UDPipe 1 model to parse with.")
@click.option("--spacy", metavar="NAME", help="Name of the spaCy pipeline to parse with.")
@output_option
@quiet_option
def command(source: str | None, udpipe: str | None, spacy: str | None, output: str, quiet: bool) -> None:
    """Parse a file."""
    from wordorder.cli.progress import track
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.parsing import Parser, Spacy, UDPipe, parse_all
    from wordorder.preorder.rules.warnings import UnknownLabels

    if bool(udpipe) == bool(spacy):
        raise click.UsageError("choose a parser: --udpipe FILE or --spacy NAME")
    parser: Parser = UDPipe(udpipe) if udpipe else Spacy(str(spacy))
    labels = UnknownLabels()

    def counted(trees: Iterable[Sentence]) -> Iterator[Sentence]:
        for tree in trees:
            labels.add([tree])
            yield tree

    rows = track(read_sources(source or "-"), "sentences", quiet=quiet)
    with open_output(output) as handle:
        trees = counted(parse_all(parser, (row.source.words for row in rows)))
        Conllu().write(trees, handle, file=output)
    for text in labels.warnings() if not quiet else ():
        click.echo(f"{text}; the shipped rule sets do not know them", err=True)
