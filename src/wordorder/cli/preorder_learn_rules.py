"""``wordorder preorder learn-rules``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import require
from wordorder.cli.vocabulary import (
    align_option,
    links_format,
    links_options,
    output_option,
    parse_option,
    quiet_option,
)

HELP = """\
\b
  wordorder preorder learn-rules --parse train.conllu --align train.align -o en-xx.toml
  wordorder preorder apply --model en-xx.toml --parse test.conllu

Learn reordering rules for a language pair from dependency trees and word alignments: for each kind of
head, the order in which the target puts the head and its children. The result is a file of rules
(docs/rules.md) that can be read, edited and applied.
"""


@click.command("learn-rules", help=HELP)
@parse_option
@align_option
@links_options
@click.option("--name", default="learned", show_default=True, help="Name of the rule set.")
@click.option("--min-count", type=click.IntRange(1), default=2, show_default=True,
              help="Smallest number of votes for which a kind of child gets its own place.")  # fmt: skip
@click.option("--min-heads", type=click.IntRange(1), default=50, show_default=True,
              help="Smallest number of heads of one tag and relation that get a rule.")  # fmt: skip
@click.option("--back-off", type=click.FloatRange(0.01), default=8.0, show_default=True,
              help="Number of votes that broader categories, and the source order, count as.")  # fmt: skip
@output_option
@quiet_option
def command(
    parse: str,
    align: str,
    align_format: str,
    base: str | None,
    name: str,
    min_count: int,
    min_heads: int,
    back_off: float,
    output: str,
    quiet: bool,
) -> None:
    """Learn rules."""
    from wordorder.cli.progress import track
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.rules.counting import linked_ranks
    from wordorder.preorder.rules.learning import Learning, learn_rules
    from wordorder.preorder.rules.writing import to_toml

    require(parse=parse, align=align)
    rows = read_sources(None, parse=parse, align=align, form=links_format(align_format, base))
    trees, ranks = [], []
    for row in track(rows, "sentences", quiet=quiet):
        assert row.source.parse is not None and row.source.alignment is not None
        trees.append(row.source.parse)
        ranks.append(linked_ranks(row.source.alignment))
    how = Learning(min_count=min_count, min_heads=min_heads, back_off=back_off)
    linked = sum(bool((rank >= 0).any()) for rank in ranks)
    about = f"Learned from {counted(len(trees), 'aligned tree')}."
    if linked < len(trees):
        about = f"Learned from {counted(linked, 'aligned tree')}, of {len(trees)}; the others have no links."
        if not quiet and linked:
            click.echo(f"{align}: {linked:,} of {len(trees):,} trees have links", err=True)
    learned = learn_rules(trees, ranks, name=name, about=about, how=how)
    with open_output(output) as handle:
        handle.write(to_toml(learned.rules, notes=learned.notes()).encode("utf-8"))
