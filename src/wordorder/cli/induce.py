"""``wordorder induce``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, refuse

HELP = """\
\b
  wordorder induce --source text.en --target text.ja --align text.align --out text.order
  wordorder induce --source s --target t --align a --policy thesis --link mean --attach left
  wordorder induce --source s --target t --align a --policy phrases

Permutations from word alignments: one line a sentence, the source positions (from 0) in the
order of the target. What was no permutation to begin with is counted and reported.
"""


@click.command("induce", help=HELP)
@click.option("--source", required=True, metavar="FILE", help="Source text, words between blanks.")
@click.option("--target", required=True, metavar="FILE", help="Target text.")
@click.option("--align", "links", required=True, metavar="FILE", help="Links between their words.")
@links_options
@click.option(
    "--policy", type=click.Choice(["birch", "talbot", "thesis", "phrases"]), default="talbot",
    show_default=True, help="Rule for unaligned words and several links; phrases move as one.",
)  # fmt: skip
@click.option(
    "--link",
    type=click.Choice(["first", "last", "mean"]),
    default="first",
    show_default=True,
    help="Of thesis.",
)
@click.option(
    "--attach", type=click.Choice(["left", "right"]), default="right", show_default=True,
    help="Of thesis and phrases: where unaligned words go.",
)  # fmt: skip
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@click.option("--lenient", is_flag=True, help="Skip bad lines, count and report them; they become <>.")
def command(
    source: str,
    target: str,
    links: str,
    form: str,
    base: str,
    policy: str,
    link: str,
    attach: str,
    out: str,
    lenient: bool,
) -> None:
    """Induce permutations."""
    from wordorder.core.alignment import Alignment
    from wordorder.core.induce import induce, minimal_phrases
    from wordorder.io.aligned import AlignedPair, read_aligned
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import counted
    from wordorder.io.order import Order
    from wordorder.io.parallel import placed

    form = links_format(form, base)
    if policy != "thesis":
        refuse("link", why=f"--policy {policy} has no choice of links; --policy thesis has")
    if policy not in ("thesis", "phrases"):
        refuse("attach", why=f"--policy {policy} says itself where unaligned words go")
    skipped = Lenient() if lenient else None
    counts = dict.fromkeys(("sentences", "plain", "unaligned", "one to many", "many to one"), 0)
    blank = AlignedPair(0, [], [], Alignment(0, 0))
    pairs = placed(read_aligned(source, target, links, form=form, lenient=skipped), blank, skipped)
    with open_output(out) as handle:
        for pair in pairs:
            if pair is blank:
                handle.write(b"<>\n")
                continue
            name = "thesis" if policy == "phrases" else policy
            found = induce(pair.alignment, name, link=link, attach=attach)  # type: ignore[arg-type]
            order = found.order
            if policy == "phrases":
                order = minimal_phrases(pair.alignment, attach=attach).words  # type: ignore[arg-type]
            counts["sentences"] += 1
            counts["plain"] += found.is_plain
            counts["unaligned"] += len(found.unaligned)
            counts["one to many"] += found.one_to_many
            counts["many to one"] += found.many_to_one
            handle.write(Order().to_line(order).encode() + b"\n")
    click.echo(
        f"{counted(counts['sentences'], 'sentence')}, {counts['plain']:,} of them permutations as they were;"
        f" {counted(counts['unaligned'], 'source word')} unaligned, {counts['one to many']:,} with several"
        f" links, {counted(counts['many to one'], 'target word')} with several links",
        err=True,
    )
    if skipped is not None and skipped.total:
        click.echo(f"{skipped.report()}\nskipped sentences are <> in the output", err=True)
