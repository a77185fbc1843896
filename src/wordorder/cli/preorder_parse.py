"""``wordorder preorder parse``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import output_option, quiet_option, source_option, threads_option

if TYPE_CHECKING:
    from wordorder.io.sentence import Sentence
    from wordorder.parse.base import Parser

HELP = """\
\b
  wordorder preorder parse --source test.en -o test.conllu
  wordorder preorder parse --source dev.en --nbest 20 -o dev.nbest.conllu
  wordorder preorder parse --udpipe english.udpipe --source test.en -o test.conllu
  wordorder preorder parse --spacy en_core_web_sm --source test.en -o test.conllu

Tag and parse sentences, one per line, with words separated by spaces; without --source they are read from
standard input. The parser is the one that comes with the package (English), a folder written by 'preorder
train-parser', a UDPipe model (pip install ufal.udpipe) or a spaCy pipeline (pip install spacy). The output
of any other parser can be used directly if it is CoNLL-U. The shipped rule sets are written for Universal
Dependencies.

The shipped parser was trained on text whose tokens are split as in the English treebanks: do n't, well -
known. Tokens of other corpora (don 't, well-known, &apos;s) are split for the parser, and the tree is
written over the tokens as they are given; --as-given switches this off. Case does not matter much.
"""


@click.command("parse", help=HELP)
@source_option
@click.option("--parser", metavar="NAME", help="Shipped parser, or the folder of one. Default: en.")
@click.option("--udpipe", metavar="FILE", help="UDPipe 1 model to parse with.")
@click.option("--spacy", metavar="NAME", help="Name of the spaCy pipeline to parse with.")
@click.option(
    "--nbest", type=click.IntRange(1, 10_000), default=1, show_default=True,
    help="Number of trees of each sentence, the most probable first.",
)  # fmt: skip
@click.option("--probabilities", is_flag=True, help="Write probabilities into the column MISC.")
@click.option("--as-given", is_flag=True, help="Do not split tokens for the parser.")
@output_option
@threads_option
@quiet_option
def command(
    source: str | None,
    parser: str | None,
    udpipe: str | None,
    spacy: str | None,
    nbest: int,
    probabilities: bool,
    as_given: bool,
    output: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Parse a file."""
    from dataclasses import replace

    from wordorder.cli.progress import track
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_output
    from wordorder.io.parallel import batches
    from wordorder.parse.base import BLOCK, numbered_trees
    from wordorder.parse.installed import Spacy, UDPipe
    from wordorder.parse.models import DEFAULT, load_parser
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.rules.warnings import UnknownLabels

    if sum(map(bool, (parser, udpipe, spacy))) > 1:
        raise click.UsageError("choose one parser: --parser, --udpipe or --spacy")
    if (udpipe or spacy) and (nbest > 1 or probabilities or as_given):
        raise click.UsageError("--nbest, --probabilities and --as-given are for parsers of this package")
    chosen: Parser
    if udpipe or spacy:
        chosen = UDPipe(udpipe) if udpipe else Spacy(str(spacy))
    else:
        chosen = replace(
            load_parser(parser or DEFAULT), split=not as_given, probabilities=probabilities, trees=nbest
        )
    labels = UnknownLabels()

    def checked(trees: Iterable[Sentence]) -> Iterator[Sentence]:
        for tree in trees:
            labels.add([tree])
            yield tree

    lines = (row.source.words for row in track(read_sources(source or "-"), "sentences", quiet=quiet))
    # An installed parser keeps a state of its own, so that only one thread may use it.
    count = 1 if udpipe or spacy else threads or available_threads()
    blocks = ordered_map(
        lambda block: list(numbered_trees(chosen, block)),
        batches(enumerate(lines, start=1), BLOCK),
        threads=count,
    )
    with open_output(output) as handle:
        Conllu().write(checked(tree for block in blocks for tree in block), handle, file=output)
    for text in labels.warnings() if not quiet else ():
        click.echo(f"{text}; the shipped rule sets do not know them", err=True)
