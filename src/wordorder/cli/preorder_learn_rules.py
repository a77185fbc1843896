"""``wordorder preorder learn-rules``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, quiet_option

HELP = """\
\b
  wordorder preorder learn-rules --parse train.conllu --align train.align --out en-xx.toml
  wordorder preorder apply --model en-xx.toml --parse test.conllu --output text

What would the rules be for my language pair? Learn them from dependency trees and word links: for each kind
of head, in which order the target puts it and its children. The result is a file of rules (docs/rules.md) to
read, to change and to use.
"""


@click.command("learn-rules", help=HELP)
@click.option("--parse", required=True, metavar="FILE", help="Dependency trees of the source (CoNLL-U).")
@click.option("--align", required=True, metavar="FILE", help="Links to the target.")
@links_options
@click.option("--name", default="learned", show_default=True, help="Of the rule set.")
@click.option("--min-count", type=click.IntRange(1), default=2, show_default=True,
              help="Votes that a kind of child needs to get a place of its own.")  # fmt: skip
@click.option("--min-heads", type=click.IntRange(1), default=50, show_default=True,
              help="Heads of one tag and relation that get a rule of their own.")  # fmt: skip
@click.option("--back-off", type=click.FloatRange(0.01), default=8.0, show_default=True,
              help="Votes that looser categories, and the source order, are worth.")  # fmt: skip
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@quiet_option
def command(
    parse: str,
    align: str,
    form: str,
    base: str,
    name: str,
    min_count: int,
    min_heads: int,
    back_off: float,
    out: str,
    quiet: bool,
) -> None:
    """Learn rules."""
    from wordorder.cli.progress import shown
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.rules.counting import linked_ranks
    from wordorder.preorder.rules.learning import Learning, learn_rules
    from wordorder.preorder.rules.writing import to_toml

    rows = read_sources(None, parse=parse, align=align, form=links_format(form, base))
    trees, ranks = [], []
    for row in shown(rows, lambda row: f"{row.number:,} sentences", quiet=quiet):
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
    with open_output(out) as handle:
        handle.write(to_toml(learned.rules, notes=learned.notes()).encode("utf-8"))
