"""``wordorder preorder convert``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder preorder convert grammar_10.final en-xx
  wordorder preorder convert en-xx grammar.txt --to text

Turn a grammar in the text form of the original Reordering Grammar program (NONTERMS, RULE and
SPLIT lines) into a model, or the grammar of a model into that form (--to text). That form holds one
grammar; of a model that mixes several, --grammar names the one to write.
"""


@click.command("convert", help=HELP)
@click.argument("what", metavar="FROM")
@click.argument("place", metavar="TO")
@click.option(
    "--to", type=click.Choice(["model", "text"]), default="model", show_default=True, help="What to make."
)
@click.option("--grammar", type=click.IntRange(0), help="With --to text: which of several, from 0.")
def command(what: str, place: str, to: str, grammar: int | None) -> None:
    """Convert a grammar."""
    from wordorder.errors import BadSetting
    from wordorder.preorder.grammar import ReorderingGrammar
    from wordorder.preorder.models import check_replaceable, load_model

    if to == "model":
        if grammar is not None:
            raise click.UsageError("--grammar goes with --to text")
        check_replaceable(place)
        ReorderingGrammar.from_text(what).save(place)
        return
    made = load_model(what)
    if not isinstance(made, ReorderingGrammar):
        raise BadSetting(f"{what} is a model of {made.name}; only grammars have a text form")
    made.to_text(place, grammar=grammar)
