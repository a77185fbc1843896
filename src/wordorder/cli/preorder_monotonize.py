"""``wordorder preorder monotonize``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, quiet_option, refuse

HELP = """\
\b
  wordorder preorder monotonize --source train.en --align train.align --out train.reordered \\
      --out-align train.monotone.align

Put the source side of training data into the order of its translation, by the links between
them: what an MT system that is fed reordered sentences is trained on. --out-align has the same
links between the new source and the old target.
"""


@click.command("monotonize", help=HELP)
@click.option("--source", required=True, metavar="FILE", help="Source text, words between blanks.")
@click.option("--align", "links", required=True, metavar="FILE", help="Links to the target.")
@click.option("--target", metavar="FILE", help="Target text, to check the links against.")
@links_options
@click.option(
    "--policy", type=click.Choice(["thesis", "phrases", "talbot", "birch"]), default="thesis",
    show_default=True, help="Where words with several links or none go ('wordorder induce' has the same).",
)  # fmt: skip
@click.option(
    "--link", type=click.Choice(["mean", "first", "last"]), default="mean", show_default=True,
    help="Of thesis: which target position counts.",
)  # fmt: skip
@click.option(
    "--attach", type=click.Choice(["right", "left"]), default="right", show_default=True,
    help="Of thesis and phrases: where words without links go.",
)  # fmt: skip
@click.option("--out", default="-", metavar="FILE", help="The reordered source.")
@click.option("--out-align", metavar="FILE", help="The links of the reordered source.")
@click.option("--out-order", metavar="FILE", help="The orders themselves.")
@quiet_option
def command(
    source: str,
    links: str,
    target: str | None,
    form: str,
    base: str,
    policy: str,
    link: str,
    attach: str,
    out: str,
    out_align: str | None,
    out_order: str | None,
    quiet: bool,
) -> None:
    """Reorder training data by its links."""
    from contextlib import ExitStack

    from wordorder.cli.progress import shown
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.io.order import Order
    from wordorder.io.pharaoh import Pharaoh
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.oracle import Oracle
    from wordorder.preorder.realign import as_links, realigned

    if policy != "thesis":
        refuse("link", why=f"--policy {policy} has its own")
    if policy not in ("thesis", "phrases"):
        refuse("attach", why=f"--policy {policy} has its own")
    oracle = Oracle(policy=policy, link=link, attach=attach)  # type: ignore[arg-type]
    rows = read_sources(source, align=links, target=target, form=links_format(form, base))
    pharaoh, orders = Pharaoh(), Order(empty=True)
    sentences = moved = 0
    with ExitStack() as stack:
        text = stack.enter_context(open_output(out))
        beside = stack.enter_context(open_output(out_align)) if out_align else None
        third = stack.enter_context(open_output(out_order)) if out_order else None
        for row in shown(rows, lambda row: f"{row.number:,} sentences", quiet=quiet):
            assert row.source.alignment is not None
            order = oracle.gold_order(row.source.alignment)
            sentences += 1
            moved += not order.is_identity()
            text.write(" ".join(order.apply(row.source.words)).encode("utf-8") + b"\n")
            if beside:
                line = pharaoh.to_line(as_links(realigned(row.source.alignment, order)))
                beside.write(line.encode() + b"\n")
            if third:
                third.write(orders.to_line(order).encode() + b"\n")
    if not quiet:
        click.echo(f"{counted(sentences, 'sentence')}, {moved:,} of them reordered", err=True)
