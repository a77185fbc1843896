"""``wordorder preorder evaluate-parser``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import require
from wordorder.cli.parsers import chosen_parser
from wordorder.cli.vocabulary import (
    chosen_format,
    parser_options,
    quiet_option,
    samples_option,
    seed_option,
    table_options,
)

HELP = """\
\b
  wordorder preorder evaluate-parser --gold test.conllu
  wordorder preorder evaluate-parser --parser my-parser --gold ewt.conllu --gold gum.conllu -f latex
  wordorder preorder evaluate-parser --udpipe english.udpipe --gold test.conllu

Parse the words of gold trees, as they are and in lower case, and report the shares of words with the right
universal tag (UPOS), the right tag of the language (XPOS), the right head (UAS), and the right head and
relation (LAS). Words are not split further; all words count, also punctuation.
"""


@click.command("evaluate-parser", help=HELP)
@click.option(
    "--gold", "gold_files", multiple=True, metavar="FILE", help="Gold trees, CoNLL-U; may be repeated."
)
@parser_options
@table_options
@samples_option
@seed_option
@quiet_option
def command(
    gold_files: tuple[str, ...],
    parser: str | None,
    udpipe: str | None,
    spacy: str | None,
    form: str | None,
    output: str,
    samples: int,
    seed: int,
    quiet: bool,
) -> None:
    """Report the accuracy of a parser."""
    from wordorder.cli.progress import track
    from wordorder.errors import BadFile
    from wordorder.evaluate.columns import ComparisonSettings
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_binary, open_output
    from wordorder.parse.models import DEFAULT
    from wordorder.report.parsers import accuracy_table, tested
    from wordorder.report.table import write_table

    require(gold=gold_files)
    shape = chosen_format(form, output)
    chosen = chosen_parser(parser, udpipe, spacy, split=False)
    settings = ComparisonSettings(samples=samples, seed=seed)
    tests = []
    for path in track(gold_files, "files", quiet=quiet, total=len(gold_files)):
        with open_binary(path) as handle:
            trees = list(Conllu().read(handle, path))
        if not trees:
            raise BadFile("has no trees", file=path)
        tests.append(tested(path, trees, chosen, settings))
    title = f"parser {udpipe or spacy or parser or DEFAULT}"
    with open_output(output) as handle_out:
        handle_out.write(write_table(accuracy_table(tests, title=title), shape))
