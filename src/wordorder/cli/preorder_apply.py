"""``wordorder preorder apply``."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, cast

import click

from wordorder.cli.options import links_format, links_options, quiet_option, refuse, threads_option

if TYPE_CHECKING:
    from wordorder.core.permutation import Permutation
    from wordorder.preorder.base import Preorderer
    from wordorder.preorder.corpus import Numbered

HELP = """\
\b
  wordorder preorder apply --model en-ja --source test.en --output text
  wordorder preorder apply --model my-model --source test.en --output nbest -k 20
  wordorder preorder apply --model my-model --source test.en --output lattice -k 100 --format plf
  wordorder preorder apply --model oracle --source dev.en --align dev.align --output order

Reorder sentences, one a line, words separated by blanks. MODEL is a folder that 'preorder train'
wrote, the name of a model that comes with the package ('preorder list'), or a method that learns
nothing, such as identity.

\b
  order       the source positions (from 0) in their new order
  text        the words in their new order
  tree        the tree behind the order, in Penn brackets
  nbest       up to K orders: number ||| order ||| words ||| expected loss ||| log probability
  lattice     the K best orders as one lattice (--format plf, plf-named, openfst, json)
  precedence  i:j:e, the probability e that word i comes before word j
  factor      word|place: the words as they stand, each with the place that it takes
  quasiperm   the K best orders in the form of the original Reordering Grammar
An empty sentence gives an empty line where a sentence is a line.
"""
BLOCK = 64  # sentences that a thread works on at a time


@click.command("apply", help=HELP)
@click.option("--model", required=True, metavar="FOLDER|NAME", help="What to reorder with.")
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="Another setting of how the model reorders ('preorder list METHOD'); may be repeated.",
)  # fmt: skip
@click.option("--source", metavar="FILE", help="Sentences; - is standard input.")
@click.option("--parse", metavar="FILE", help="Their dependency trees (CoNLL-U), for methods that want them.")
@click.option(
    "--align", "links", metavar="FILE", help="Their links to a translation, for oracle or --out-align."
)
@links_options
@click.option(
    "--output", "output", default="order", show_default=True, metavar="WHAT",
    type=click.Choice(["order", "text", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm"]),
    help="order, text, tree, nbest, lattice, precedence, factor or quasiperm.",
)  # fmt: skip
@click.option(
    "--format", "shape", default="", metavar="FORM", help="Form of a lattice; original: see the docs."
)
@click.option(
    "-k", type=click.IntRange(1, 100_000), default=None, help="Orders a sentence; default 10, quasiperm 1."
)
@click.option("--probabilities", is_flag=True, help="With nbest: tell them, where the method can (slow).")
@click.option("--escape", is_flag=True, help="With factor: write | in words as &#124;.")
@click.option("--symbols", metavar="FILE", help="With openfst: write the table of its words.")
@click.option("--out-align", metavar="FILE", help="With --align: write the links of the new order.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    model: str,
    changes: tuple[str, ...],
    source: str | None,
    parse: str | None,
    links: str | None,
    form: str,
    base: str,
    output: str,
    shape: str,
    k: int | None,
    probabilities: bool,
    escape: bool,
    symbols: str | None,
    out_align: str | None,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Reorder a file."""
    from contextlib import ExitStack

    from wordorder.cli.progress import shown
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.io.files import open_output
    from wordorder.io.parallel import batches
    from wordorder.io.pharaoh import Pharaoh
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.models import model_or_method, namesake
    from wordorder.preorder.outputs import Once, Wanted
    from wordorder.preorder.realign import as_links, realigned
    from wordorder.preorder.rules.preorderer import Rules
    from wordorder.preorder.rules.warnings import Strangers, rule_notes

    if not source and not parse:
        raise click.UsageError("give sentences: --source FILE, or --parse FILE")
    if output not in ("nbest", "lattice", "quasiperm"):
        refuse("k", why=f"--output {output} has one order a sentence")
    if output != "factor":
        refuse("escape", why="it is for --output factor")
    if symbols and (output, shape) != ("lattice", "openfst"):
        raise click.UsageError("--symbols goes with --output lattice --format openfst")
    if not links:
        refuse("form", "base", "out_align", why="there is no --align")
    places = [os.path.realpath(place) for place in (out, out_align, symbols) if place and place != "-"]
    if len(set(places)) < len(places):
        raise click.UsageError("--out, --out-align and --symbols name the same file; one would be lost")
    if output != "nbest":
        refuse("probabilities", why="it is for --output nbest")
    k = k or (1 if output == "quasiperm" else 10)
    wanted = Wanted(output=output, form=shape, k=k, escape=escape, probabilities=probabilities)
    made = model_or_method(model, ",".join(changes))
    seen_labels = Strangers(made.rules) if isinstance(made, Rules) else None
    for need, given, option in (("parse", parse, "--parse"), ("alignment", links, "--align")):
        if need in made.needs and not given:
            raise click.UsageError(f"{made.name} needs {option} FILE")
    rows = read_sources(source, parse=parse, align=links, form=links_format(form, base))
    progress = shown(rows, lambda row: f"{row.number:,} sentences", quiet=quiet)

    def work(block: list[Numbered]) -> tuple[list[Numbered], list[str], list[Permutation]]:
        sources = [row.source for row in block]
        once = cast("Preorderer", Once(made))
        lines = wanted.writer()(once, sources, block[0].number - 1)
        return block, lines, once.reorder(sources) if out_align else []

    pharaoh = Pharaoh(base=0)
    seen: dict[str, int] = {"<eps>": 0}
    with ExitStack() as stack:
        handle = stack.enter_context(open_output(out))
        beside = stack.enter_context(open_output(out_align)) if out_align else None
        done = ordered_map(work, batches(progress, BLOCK), threads=threads or available_threads())
        for block, lines, orders in done:
            handle.write("".join(line + "\n" for line in lines).encode("utf-8"))
            if seen_labels:
                seen_labels.add(row.source.parse for row in block if row.source.parse)
            if symbols:
                for word in itertools.chain.from_iterable(row.source.words for row in block):
                    seen.setdefault(word, len(seen))
            if beside:
                for one, order in zip((row.source for row in block), orders, strict=True):
                    assert one.alignment is not None
                    line = pharaoh.to_line(as_links(realigned(one.alignment, order)))
                    beside.write(line.encode("utf-8") + b"\n")
        if symbols:
            table = stack.enter_context(open_output(symbols))
            table.write("".join(f"{word}\t{number}\n" for word, number in seen.items()).encode("utf-8"))
    if quiet:
        return
    told = [text] if parse and (text := namesake(model)) else []
    if seen_labels and isinstance(made, Rules):
        told += [*rule_notes(made.rules), *seen_labels.notes()]
    if made.glued:
        told.append(f"{len(made.glued):,} sentences have no derivation; their parts were joined in order")
    for text in told:
        click.echo(text, err=True)
