"""``wordorder preorder parse``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from wordorder.cli.parsers import chosen_parser
from wordorder.cli.vocabulary import (
    output_option,
    parser_options,
    quiet_option,
    source_option,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.io.sentence import Sentence
    from wordorder.preorder.rules.warnings import UnknownLabels

HELP = """\
\b
  wordorder preorder parse --source test.en -o test.conllu
  wordorder preorder parse --source dev.en -k 20 -o dev.nbest.conllu
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
@parser_options
@click.option(
    "-k", type=click.IntRange(1, 100_000), default=None,
    help="Number of trees of each sentence, the most probable first. Default: 1.",
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
    k: int | None,
    probabilities: bool,
    as_given: bool,
    output: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Parse a file."""
    from wordorder.cli.progress import track
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_output
    from wordorder.io.lines import split_words
    from wordorder.io.parallel import batches
    from wordorder.io.read_write import read_records
    from wordorder.parse.base import BLOCK, numbered_trees

    installed = bool(udpipe or spacy)
    if installed and (k or probabilities or as_given):
        raise click.UsageError("-k, --probabilities and --as-given are for parsers of this package")
    chosen = chosen_parser(
        parser, udpipe, spacy, split=not as_given, probabilities=probabilities, trees=k or 1
    )
    text = track(read_records(source or "-", "text"), "sentences", quiet=quiet)
    blocks = ordered_map(
        lambda block: list(numbered_trees(chosen, block)),
        batches(enumerate(map(split_words, text), start=1), BLOCK),
        # An installed parser keeps a state of its own, so that only one thread may use it.
        threads=1 if installed else threads or available_threads(),
    )
    trees: Iterator[Sentence] = (tree for block in blocks for tree in block)
    labels = None
    if installed:  # labels of other parsers are those of their treebanks, and were looked at in training
        from wordorder.preorder.rules.warnings import UnknownLabels

        labels = UnknownLabels()
        trees = _counted(trees, labels)
    with open_output(output) as handle:
        Conllu().write(trees, handle, file=output)
    for line in labels.warnings() if labels and not quiet else ():
        click.echo(f"{line}; the shipped rule sets do not know them", err=True)


def _counted(trees: Iterable[Sentence], labels: UnknownLabels) -> Iterator[Sentence]:
    for tree in trees:
        labels.add([tree])
        yield tree
