"""``wordorder orders``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.shards import are_sharded, outcome, outputs_of, run_sharded, shards_of, where
from wordorder.cli.vocabulary import (
    as_option,
    escape_option,
    lenient_option,
    links_format,
    links_options,
    output_file,
    outputs_option,
    quiet_option,
    refuse,
    shards_options,
)

if TYPE_CHECKING:
    from wordorder.core.orders import Orders
    from wordorder.engine.shards import Outcome
    from wordorder.preorder.corpus import NumberedSource

HELP = """\
\b
  wordorder orders -s text.en -t text.ja --align text.align -o text.order
  wordorder orders -s train.en --align train.align --as text -o train.reordered
  wordorder orders -s train.en --align train.align --as links -o train.reordered.align
  wordorder orders -s dev.en --align dev.align --policy talbot:punctuation=pin --as reference

Put source words into the order of the target, by the word alignments of both. POLICY decides where a
word goes that has several links, or none:

\b
  talbot    by first link; unaligned words before the next linked one (Talbot et al. 2011).
            Settings: unaligned=next|previous|drop, inside=free|fixed, punctuation=words|pin|drop
  birch     by first link; unaligned words after the previous linked one (Birch and Osborne 2010)
  thesis    by mean link (Stanojević 2017).
            Settings: link=mean|first|last|probable, attach=right|left
  phrases   minimal phrases move as one. Setting: attach=right|left
  nakagawa  linked words by first and last link (Nakagawa 2015)
  lader     in blocks of overlapping links (Neubig et al. 2012). Setting: attach=right|left
  middle    by the middle of first and last link

Settings are written after a colon: thesis:link=first,attach=left. What --as writes, one line per
sentence:

\b
  order      source positions (from 0) as the target reads them
  ranks      the place (from 0) of each source word
  text       the words in their new order
  links      the word alignments of the reordered source with the target
  reference  the words, with {{ }} around those that may stand in any order
  positions  source positions (from 0) with {{ }}; unlike words, these are never ambiguous
  conllu     the words in CoNLL-U, with their places and links in the column MISC
  json       an object: words, order, reordered words, links, and the target words if --target is given

Folders and patterns ('crawl/*.en.gz') name corpora in many files.
"""
ENDINGS = {
    "order": ".order",
    "ranks": ".ranks",
    "text": ".txt",
    "links": ".align",
    "reference": ".txt",
    "positions": ".txt",
    "conllu": ".conllu",
    "json": ".jsonl",
}

# What is written for a sentence that is skipped; else an empty line, so that lines stay parallel.
SKIPPED = {"order": "<>\n", "ranks": "<>\n", "conllu": "", "json": ""}


@click.command("orders", help=HELP)
@click.option(
    "-s", "--source", required=True, metavar="FILE",
    help="Source sentences, one per line, words separated by spaces.",
)  # fmt: skip
@click.option("--align", required=True, metavar="FILE", help="Word alignments of source and target.")
@links_options
@click.option("-t", "--target", metavar="FILE", help="Target sentences; the links are checked against them.")
@click.option(
    "--policy", "spec", default="talbot", show_default=True, metavar="POLICY",
    help="Rule that turns alignments into orders: NAME or NAME:SETTING=VALUE,... (see above).",
)  # fmt: skip
@as_option("order", "ranks", "text", "links", "reference", "positions", "conllu", "json")
@escape_option
@click.option(
    "--usability",
    callback=output_file,
    metavar="FILE",
    help="Also write how usable the links are as a reference (JSON).",
)
@outputs_option
@lenient_option
@shards_options
@quiet_option
def command(
    source: str,
    align: str,
    align_format: str,
    base: str | None,
    target: str | None,
    spec: str,
    kind: str,
    escape: str,
    usability: str | None,
    output: str,
    lenient: bool,
    cluster: str | None,
    resume: bool,
    quiet: bool,
) -> None:
    """Order source words by their links."""
    from wordorder.core.orders import LinkCounts, policy_of
    from wordorder.engine.shards import Job
    from wordorder.io.lines import counted

    policy_of(spec)  # an unknown name is reported before anything is read
    how: dict[str, Any] = {"policy": spec, "kind": kind, "form": links_format(align_format, base)}
    how |= {"lenient": lenient, "escape": escape}
    if kind != "text":
        refuse("escape", why="it is for --as text")
    if are_sharded(source, align, target):
        refuse("usability", why="it is for a single file")
        shards = shards_of({"source": source, "align": align, "target": target})
        work = partial(order_files, shard=True, quiet=True, **how)
        job = Job(work, {"verb": "orders", **how}, shards, outputs_of(output, ENDINGS[kind]))
        with where(cluster, None) as (run, _):
            records = run_sharded(job, run=run, resume=resume, quiet=quiet)
        facts = [record.facts for record in records]
    else:
        files = {"source": source, "align": align, **({"target": target} if target else {})}
        done = order_files(files, output, quiet=quiet, usability=usability, **how)
        for note in done.notes if lenient or not quiet else ():
            click.echo(note, err=True)
        facts = [dict(done.facts)]
    if quiet or kind in ("reference", "positions"):
        return
    counts = LinkCounts(*(sum(one["counts"][k] for one in facts) for k in range(5)))
    click.echo(
        f"{counted(counts.sentences, 'sentence')}, {sum(one['moved'] for one in facts):,} reordered,"
        f" {counts.plain:,} with one-to-one links; {counted(counts.unaligned, 'source word')} unaligned,"
        f" {counts.one_to_many:,} with several links; {counted(counts.many_to_one, 'target word')} with"
        " several links",
        err=True,
    )


def order_files(
    files: Mapping[str, str],
    output: str,
    *,
    policy: str,
    kind: str,
    form: str,
    lenient: bool,
    escape: str,
    quiet: bool,
    usability: str | None = None,
    shard: bool = False,
) -> Outcome:
    """Order the source words of files; files without sentences are an error unless they are a ``shard``."""
    import orjson

    from wordorder.cli.progress import track
    from wordorder.core.orders import LinkCounts, count_links, orders_from_links, policy_of
    from wordorder.errors import BadFile
    from wordorder.io.files import open_output
    from wordorder.io.lenient import Lenient
    from wordorder.io.parallel import batches, placed
    from wordorder.preorder.corpus import NumberedSource, read_sources
    from wordorder.preorder.source import Source

    rule = policy_of(policy)
    skipped = Lenient() if lenient else None
    blank = NumberedSource(0, Source(()))
    source, target = files["source"], files.get("target")
    beside = [target] if target and kind == "json" else []  # the words, beyond their number
    rows = read_sources(
        source, align=files["align"], target=target, form=form, beside=beside, lenient=skipped
    )
    lines = track(placed(rows, blank, skipped), "sentences", quiet=quiet)
    moved, counts = 0, LinkCounts(0, 0, 0, 0, 0)
    is_reference = kind in ("reference", "positions")
    alignments = []
    with open_output(output) as out:
        for block in batches(lines):
            kept = [row for row in block if row is not blank]
            links = [row.source.alignment for row in kept if row.source.alignment is not None]
            orders = orders_from_links(links, rule, words=[row.source.words for row in kept])
            moved += sum(not order.is_identity() for order in orders.permutations)
            counts += count_links(links)
            if usability or is_reference:
                alignments += links
            written = _lines(kind, kept, orders, source, escape)
            pieces = (SKIPPED.get(kind, "\n") if row is blank else f"{next(written)}\n" for row in block)
            out.write("".join(pieces).encode("utf-8"))
        if not counts.sentences and not shard:
            raise BadFile("is empty; expected sentences, one per line", file=source)
    notes = []
    if usability or is_reference:
        from wordorder.evaluate.usability import usability as look_at

        usable = look_at(alignments, target=target is not None)
        if usability:
            with open_output(usability) as out:
                out.write(orjson.dumps(usable.as_dict(), option=orjson.OPT_INDENT_2) + b"\n")
        if is_reference:
            notes += [f"{files['align']}: {warning}" for warning in usable.warnings()]
    if skipped is not None and skipped.total:
        how = "are left out of" if SKIPPED.get(kind) == "" else "have an empty line (<>) in"
        notes.append(f"skipped sentences {how} the output")
    return outcome(notes, skipped, moved=moved, counts=list(counts))


def _lines(kind: str, rows: list[NumberedSource], orders: Orders, file: str, escape: str) -> Iterator[str]:
    """Write the order of each sentence."""
    from wordorder.errors import BadFile
    from wordorder.io.base import Problem
    from wordorder.io.jsonl import JsonLines
    from wordorder.io.lines import split_words
    from wordorder.io.order import Order
    from wordorder.preorder.annotated import annotated, as_record, conllu_lines
    from wordorder.preorder.source import realigned
    from wordorder.text.escapes import escaped

    form = Order()
    if kind in ("reference", "positions"):
        from wordorder.evaluate.references import Reference
    for s, (row, order) in enumerate(zip(rows, orders.permutations, strict=True)):
        words = row.source.words
        if kind == "order":
            yield form.to_line(order)
        elif kind == "ranks":
            yield form.to_line(order.inverse())
        elif kind == "text":
            yield " ".join(order.apply([escaped(word, escape) for word in words]))
        elif kind == "conllu":
            yield "\n".join(conllu_lines(annotated(row.source, order, row.number)))
        elif kind == "json":
            target = split_words(row.beside[0]) if row.beside else None
            yield JsonLines().to_line(as_record(row.source, order, row.number, target=target))
        elif kind == "links":
            assert row.source.alignment is not None
            yield str(realigned(row.source.alignment, order))
        else:
            reference = (
                Reference.from_ranks(words, orders.ranks[s]) if orders.counts[s] else Reference((), ())
            )
            try:
                yield reference.to_text() if kind == "reference" else reference.to_positions()
            except Problem as problem:
                raise BadFile(str(problem), file=file, line=row.number) from None
