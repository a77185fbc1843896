"""``wordorder preorder apply``."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.model_settings import (
    aligned_text_options,
    check_annotation,
    load_with_settings,
    preorderer_options,
    unsegmented_warning,
)
from wordorder.cli.shards import are_sharded, outputs_of, run_sharded, shards_of, where
from wordorder.cli.vocabulary import (
    as_option,
    escape_option,
    links_format,
    output_file,
    outputs_option,
    parse_option,
    quiet_option,
    refuse,
    shards_options,
    threads_option,
)
from wordorder.errors import BadFile, WordOrderError

if TYPE_CHECKING:
    from wordorder.core.permutation import Permutation
    from wordorder.engine.shards import Outcome
    from wordorder.preorder.base import Preorderer
    from wordorder.preorder.corpus import NumberedSource
    from wordorder.preorder.outputs import DecodedBlock, OutputFormat

HELP = """\
\b
  wordorder preorder apply --model en-ja-crf <<< "the boy bought a book in tokyo"
  wordorder preorder apply --model my-model --source test.en --as nbest -k 20
  wordorder preorder apply --model my-model --source test.en --as lattice --escape moses -o test.plf
  wordorder preorder apply --model oracle --source dev.en --align dev.align --as order

Reorder sentences, one per line, with words separated by spaces. Without --source and --parse, the
sentences are read from standard input. MODEL is the name of an installed model ('preorder list'), a
folder written by 'preorder train', a rule set (rules:en-ja) or a file of rules, or a method that
needs no training, such as identity.

\b
  text        the words in their new order
  order       the source positions (from 0) in their new order
  tree        the tree behind the order, in Penn brackets
  nbest       up to K orders: number ||| order ||| words ||| expected loss ||| log probability
  lattice     the same orders as a lattice, weighted by log probability (--lattice-format)
  precedence  i:j:e, the probability e that word i comes before word j
  factor      word|place: the words in source order, each with the place that it takes
  conllu      the sentence in CoNLL-U, with the place of each word, and its links, in the column MISC
  json        an object: words, order, reordered words, tree, and links if there are any
  quasiperm   the K best orders in the format of the original Reordering Grammar
An empty sentence gives an empty line, except in formats that use several lines per sentence, and in
PLF lattices with --escape moses, where it is the word &empty;, since Moses stops at empty lines. Folders
and patterns ('crawl/*.en.gz') name corpora in many files; numbers of sentences start anew in each.
"""
ENDINGS = {"text": ".txt", "factor": ".txt", "tree": ".penn", "json": ".jsonl"}  # others: their names
BLOCK, WORDS = 64, 2000  # sentences per unit of work of a thread, and words, whose charts are in memory


@click.command("apply", help=HELP)
@preorderer_options
@aligned_text_options
@parse_option
@as_option("text", "order", "tree", "nbest", "lattice", "precedence", "factor", "conllu", "json", "quasiperm")
@click.option(
    "--lattice-format", type=click.Choice(["plf", "plf-named", "openfst", "json"]), default="plf",
    show_default=True, help="Format of lattices; plf-named has the features of the original program.",
)  # fmt: skip
@click.option(
    "--original", is_flag=True,
    help="Write text, trees and precedence as the original Reordering Grammar program does.",
)  # fmt: skip
@click.option(
    "-k", type=click.IntRange(1, 100_000), default=None,
    help="Number of orders per sentence. Default: 10; 1 for quasiperm.",
)  # fmt: skip
@escape_option
@click.option(
    "--lattice-weights", type=click.Choice(["probability", "loss"]), default="probability", show_default=True,
    help="Weights of lattices: log probabilities of orders, or their expected losses (softmax).",
)  # fmt: skip
@click.option(
    "--temperature", type=float, default=None,
    help="Number by which expected losses are divided before the softmax, for --lattice-weights loss and for "
    "orders of unknown probability. Default: 1.",
)  # fmt: skip
@click.option(
    "--max-jump", type=click.IntRange(1), default=None, metavar="N",
    help="Leave out the least probable orders of a lattice until no arc advances by more than N states. "
    "Default: leave out none.",
)  # fmt: skip
@click.option(
    "--symbols", callback=output_file, metavar="FILE", help="File for the symbol table of an OpenFst lattice."
)
@click.option(
    "--output-align", callback=output_file, metavar="FILE",
    help="File for the alignments of the reordered source.",
)  # fmt: skip
@outputs_option
@shards_options
@threads_option
@quiet_option
def command(
    model: str | None,
    changes: tuple[str, ...],
    source: str | None,
    parse: str | None,
    align: str | None,
    align_format: str,
    base: str | None,
    kind: str,
    lattice_format: str,
    original: bool,
    k: int | None,
    escape: str,
    lattice_weights: str,
    temperature: float | None,
    max_jump: int | None,
    symbols: str | None,
    output_align: str | None,
    output: str,
    cluster: str | None,
    resume: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Reorder a file, or a set of files."""
    from wordorder.cli.model_settings import model_key
    from wordorder.engine.shards import Job
    from wordorder.engine.threads import available_threads
    from wordorder.preorder.lattices import LatticeOptions
    from wordorder.preorder.outputs import OutputFormat

    _check_options(kind, lattice_format, align)
    form = lattice_format if kind == "lattice" else "original" if original else ""
    k = k or (1 if kind == "quasiperm" else 10)
    lattices = LatticeOptions(
        weights=lattice_weights, temperature=1.0 if temperature is None else temperature, max_jump=max_jump
    )
    wanted = OutputFormat(kind=kind, form=form, k=k, escape=escape, lattices=lattices)
    preorderer = load_with_settings(model, changes)
    check_annotation(preorderer, parse=parse, align=align, quiet=quiet)
    if not source and not parse:
        source = "-"
    inputs = {"source": source, "parse": parse, "align": align}
    how: dict[str, Any] = {"model": model, "changes": changes, "form": links_format(align_format, base)}
    if are_sharded(source, parse, align):
        refuse("output_align", "symbols", why="it is for a single file")
        shards = shards_of(inputs)
        outputs = outputs_of(output, ENDINGS.get(kind, f".{kind}"))
        key = model_key(preorderer, model)
        settings = {"verb": "preorder apply", "model": key, "form": how["form"], **asdict(wanted)}
        with where(cluster, threads) as (run, each):
            work = partial(reorder_files, wanted=wanted, key=key, threads=each, quiet=True, **how)
            run_sharded(Job(work, settings, shards, outputs), run=run, resume=resume, quiet=quiet)
        return
    files = {kind: path for kind, path in inputs.items() if path}
    done = _reorder(
        preorderer, files, output, wanted=wanted, model=model, form=how["form"], quiet=quiet,
        threads=threads or available_threads(), output_align=output_align, symbols=symbols,
    )  # fmt: skip
    for text in () if quiet else done.notes:
        click.echo(text, err=True)


def reorder_files(
    files: Mapping[str, str],
    output: str,
    *,
    model: str | None,
    changes: tuple[str, ...],
    key: str,
    **how: Any,
) -> Outcome:
    """Reorder the sentences of a shard; ``key`` identifies the content of the model."""
    return _reorder(_loaded(model, changes, key), files, output, model=model, **how)


@lru_cache(maxsize=1)
def _loaded(model: str | None, changes: tuple[str, ...], key: str) -> Preorderer:
    """Load a preorderer once; ``key`` changes with its content."""
    return load_with_settings(model, changes)


def _reorder(
    preorderer: Preorderer,
    files: Mapping[str, str],
    output: str,
    *,
    model: str | None,
    form: str,
    wanted: OutputFormat,
    threads: int,
    quiet: bool,
    output_align: str | None = None,
    symbols: str | None = None,
) -> Outcome:
    """Reorder the sentences of files."""
    from contextlib import ExitStack

    from wordorder.cli.progress import track
    from wordorder.engine.runners import runner
    from wordorder.engine.shards import Outcome
    from wordorder.io.files import open_output
    from wordorder.io.links import LinkRecord
    from wordorder.io.pharaoh import Pharaoh
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.outputs import DecodedBlock
    from wordorder.preorder.source import realigned

    source, parse = files.get("source"), files.get("parse")
    sentences = read_sources(source, parse=parse, align=files.get("align"), form=form)
    rows = track(sentences, "sentences", quiet=quiet)

    def work(
        block: list[NumberedSource],
    ) -> tuple[list[NumberedSource], list[str], list[Permutation], DecodedBlock]:
        decoded = DecodedBlock(preorderer, [row.source for row in block])
        lines = wanted.lines(decoded, block[0].number - 1)
        return block, lines, decoded.orders if output_align else [], decoded

    warnings = Warnings(preorderer, wanted)
    pharaoh = Pharaoh(base=0)
    symbol_numbers: dict[str, int] = {"<eps>": 0}
    with ExitStack() as stack:
        handle = stack.enter_context(open_output(output))
        beside = stack.enter_context(open_output(output_align)) if output_align else None
        run = stack.enter_context(runner(threads=threads))
        for block, lines, orders, decoded in run(work, _blocks(rows, preorderer, source, parse)):
            handle.write("".join(line + "\n" for line in lines).encode("utf-8"))
            warnings.add(block, decoded)
            if symbols:
                for word in itertools.chain.from_iterable(wanted.words(row.source) for row in block):
                    symbol_numbers.setdefault(word, len(symbol_numbers))
            if beside:
                for row, order in zip(block, orders, strict=True):
                    assert row.source.alignment is not None
                    moved = realigned(row.source.alignment, order)
                    line = pharaoh.to_line(LinkRecord(moved.sure, possible=moved.possible))
                    beside.write(f"{line}\n".encode())
        if symbols:
            table = stack.enter_context(open_output(symbols))
            table.write("".join(f"{word}\t{n}\n" for word, n in symbol_numbers.items()).encode("utf-8"))
    return Outcome(warnings.lines(model or "", source, parse))


def _blocks(
    rows: Iterable[NumberedSource], preorderer: Preorderer, source: str | None, parse: str | None
) -> Iterator[list[NumberedSource]]:
    """Cut a corpus into units of work; a sentence that is too long for a model is an error at its line."""
    from wordorder.preorder.long_sentences import check_length
    from wordorder.preorder.probabilistic import Probabilistic

    block: list[NumberedSource] = []
    words = 0
    for row in rows:
        size = len(row.source)
        if isinstance(preorderer, Probabilistic):
            try:
                check_length(row.source)
            except WordOrderError as error:
                line = row.number if source else row.source.parse.line if row.source.parse else None
                raise BadFile(str(error), file=str(source or parse), line=line) from None
        if block and (len(block) == BLOCK or words + size > WORDS):
            yield block
            block, words = [], 0
        block.append(row)
        words += size
    if block:
        yield block


def _check_options(kind: str, lattice_format: str, align: str | None) -> None:
    """Refuse options that would have no effect on this kind of output."""
    from wordorder.preorder.outputs import ESCAPING

    lists, original_forms = ("nbest", "lattice", "quasiperm"), ("text", "tree", "precedence")
    openfst = kind == "lattice" and lattice_format == "openfst"
    for option, has_effect, why in (
        ("k", kind in lists, f"--as {kind} writes one order per sentence"),
        ("escape", kind in ESCAPING, f"it is for --as {', '.join(ESCAPING)}"),
        ("lattice_format", kind == "lattice", "it is for --as lattice"),
        ("lattice_weights", kind == "lattice", "it is for --as lattice"),
        ("temperature", kind == "lattice", "it is for --as lattice"),
        ("max_jump", kind == "lattice", "it is for --as lattice"),
        ("original", kind in original_forms, "it is for --as text, tree and precedence"),
        ("symbols", openfst, "it is for --as lattice --lattice-format openfst"),
    ):
        if not has_effect:
            refuse(option, why=why)
    if not align:
        refuse("align_format", "base", "output_align", why="there is no --align")


class Warnings:
    """Collects warnings about the text, the labels, the rules, the derivations, and for decoders."""

    def __init__(self, preorderer: Preorderer, wanted: OutputFormat) -> None:
        from wordorder.cli.decoder_warnings import DecoderWarnings
        from wordorder.preorder.rules.preorderer import Rules
        from wordorder.preorder.rules.warnings import UnknownLabels

        self.preorderer = preorderer
        self.rules = preorderer.rules if isinstance(preorderer, Rules) else None
        self.labels = UnknownLabels(self.rules)
        self.first: list[tuple[str, ...]] = []  # the first block of sentences
        self.glued = 0  # sentences that the grammar cannot derive
        self.decoder = DecoderWarnings(wanted)

    def add(self, block: list[NumberedSource], decoded: DecodedBlock) -> None:
        """Look at more sentences."""
        self.decoder.add(decoded)
        self.first = self.first or [row.source.words for row in block]
        self.glued += sum(row.source.words in self.preorderer.glued for row in block)
        if self.rules:
            self.labels.add(row.source.parse for row in block if row.source.parse)

    def lines(self, model: str, source: str | None, parse: str | None) -> list[str]:
        """Return the warnings."""
        from wordorder.preorder.models import same_name_note
        from wordorder.preorder.rules.warnings import rule_warnings

        lines = unsegmented_warning(self.first, source or parse or "-")
        lines += [note] if parse and (note := same_name_note(model)) else []
        if self.rules:
            lines += [*rule_warnings(self.rules), *self.labels.warnings()]
        if self.glued:
            lines.append(
                f"{self.glued:,} sentences have no derivation; their parts were joined in source order"
            )
        return lines + self.decoder.lines()
