"""``wordorder preorder learn-rules``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import NO_TREES, aligned_text_options, require
from wordorder.cli.vocabulary import (
    links_format,
    output_option,
    parse_option,
    quiet_option,
)

HELP = """\
\b
  wordorder preorder learn-rules --source train.en --align train.align -o en-xx.toml
  wordorder preorder learn-rules --parse train.conllu --align train.align -o en-xx.toml
  wordorder preorder apply --model en-xx.toml --source test.en

Learn reordering rules for a language pair from dependency trees and word alignments: for each kind of
head, the order in which the target puts the head and its children. The result is a file of rules
(docs/rules.md) that can be read, edited and applied. Without --parse, the text of --source is parsed as
English with the shipped parser ('wordorder preorder parse').
"""


@click.command("learn-rules", help=HELP)
@aligned_text_options
@parse_option
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
    source: str | None,
    align: str,
    align_format: str,
    base: str | None,
    parse: str | None,
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
    from wordorder.preorder.parses import trees_of
    from wordorder.preorder.rules.counting import linked_ranks
    from wordorder.preorder.rules.learning import Learning, learn_rules
    from wordorder.preorder.rules.writing import to_toml

    require(align=align)
    if not parse and not source:
        raise click.UsageError("missing option --source, or --parse with the trees of the text")
    if not parse and not quiet:
        click.echo(NO_TREES, err=True)
    rows = read_sources(source, parse=parse, align=align, form=links_format(align_format, base))
    sources = [row.source for row in track(rows, "sentences", quiet=quiet)]
    trees = trees_of(sources)
    ranks = [linked_ranks(each.alignment) for each in sources if each.alignment is not None]
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
