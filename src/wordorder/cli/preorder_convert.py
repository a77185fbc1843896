"""``wordorder preorder convert``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder preorder convert grammar_10.final en-xx
  wordorder preorder convert en-xx grammar.txt --as text

Convert a grammar in the text format of the original Reordering Grammar program (NONTERMS, RULE and
SPLIT lines) into a model, or the grammar of a model into this format (--as text). The text format
holds one grammar; if a model mixes several, --grammar chooses the one to write.
"""


@click.command("convert", help=HELP)
@click.argument("input_path", metavar="FROM")
@click.argument("output_path", metavar="TO")
@click.option(
    "--as", "kind", type=click.Choice(["model", "text"]), default="model", show_default=True,
    help="What to write.",
)  # fmt: skip
@click.option("--grammar", type=click.IntRange(0), help="Number of the grammar to write as text, from 0.")
def command(input_path: str, output_path: str, kind: str, grammar: int | None) -> None:
    """Convert a grammar."""
    from wordorder.errors import BadSetting
    from wordorder.preorder.grammar import ReorderingGrammar
    from wordorder.preorder.models import check_replaceable, load_preorderer

    if kind == "model":
        if grammar is not None:
            raise click.UsageError("--grammar is for --as text")
        check_replaceable(output_path)
        ReorderingGrammar.from_text(input_path).save(output_path)
        return
    model = load_preorderer(input_path)
    if not isinstance(model, ReorderingGrammar):
        raise BadSetting(f"{input_path} is a model of {model.name}; only grammars have a text format")
    model.to_text(output_path, grammar=grammar)
