"""The results of a preorderer as lines: orders, text, trees, n-best lists, lattices, tables, annotation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.jsonl import JsonLines
from wordorder.io.order import Order
from wordorder.io.precedence import Precedence, PrecedenceTables
from wordorder.io.quasiperm import QuasiPerm, QuasiPerms
from wordorder.io.sentence import Sentence
from wordorder.preorder.annotated import annotated, as_record, conllu_lines
from wordorder.preorder.base import Preorderer
from wordorder.preorder.lattices import (
    LATTICE_FORMATS,
    LatticeOptions,
    OrderLattice,
    lattice_lines,
    order_lattice,
)
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.trees import SourceTree
from wordorder.text.escapes import ESCAPES, escaped

KINDS = ("text", "order", "tree", "nbest", "lattice", "precedence", "factor", "conllu", "json", "quasiperm")
FORMS = {  # the first is the default
    "lattice": LATTICE_FORMATS,
    "text": ("plain", "original"),
    "tree": ("plain", "original"),
    "precedence": ("plain", "original"),
}
ESCAPING = ("text", "nbest", "lattice", "factor")  # kinds of output for which words may be escaped
DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class OutputFormat:
    """What to write: the kind of output, its format, and how many orders per sentence.

    With ``escape="moses"``, words are escaped as by Moses' own script, and an empty sentence has a word in a
    PLF lattice. ``lattices`` says how lattices are weighted.
    """

    kind: str = "order"
    form: str = ""
    k: int = 10
    escape: str = "none"
    lattices: LatticeOptions = field(default_factory=LatticeOptions)

    def __post_init__(self) -> None:
        """Check the kind and its format."""
        if self.kind not in KINDS:
            raise BadSetting(f"unknown output {self.kind!r}; expected one of {', '.join(KINDS)}")
        forms = FORMS.get(self.kind, ())
        if self.form and self.form not in forms:
            known = f"Formats: {', '.join(forms)}." if forms else "It has only one format."
            raise BadSetting(f"{self.kind} has no format {self.form!r}. {known}")
        if self.escape not in ESCAPES:
            raise BadSetting(f"unknown escapes {self.escape!r}; expected one of {', '.join(ESCAPES)}")
        if self.escape != "none" and self.kind not in ESCAPING:
            raise BadSetting(f"{self.kind} has no escaped words; only {', '.join(ESCAPING)} have")
        if self.k < 1:
            raise BadSetting(f"{self.k} orders per sentence; expected 1 or more")

    def lines(self, block: DecodedBlock, first: int) -> list[str]:
        """Return the lines for a block of sentences; ``first`` is the number of its first one, from 0."""
        original = self.form == "original"
        match self.kind:
            case "order":
                return [Order(empty=True).to_line(order) for order in block.orders]
            case "text":
                return _original_text(block, first, self) if original else _texts(block, self)
            case "tree":
                return _original_trees(block, first) if original else _trees(block)
            case "nbest":
                return _nbest(block, first, self)
            case "precedence":
                form = PrecedenceTables(divided=original)
                return [form.to_line(Precedence.of(table, digits=DIGITS)) for table in block.precedence]
            case "factor":
                return _factors(block, first, self)
            case "conllu":
                return [line for sentence in _annotated(block, first) for line in conllu_lines(sentence)]
            case "json":
                return _json(block, first)
            case "quasiperm":
                return _quasiperms(block, first, k=self.k)
            case _:
                return _lattices(block, self)

    def words(self, source: Source) -> list[str]:
        """Return the words of a sentence as they are written."""
        return [escaped(word, self.escape) for word in source.words]


class DecodedBlock:
    """The results of a preorderer for a block of sentences; each is computed once, when it is asked for."""

    def __init__(self, preorderer: Preorderer, sources: Sequence[Source]) -> None:
        self.preorderer, self.sources = preorderer, sources
        self._orders: list[Permutation] | None = None
        self.lattices: list[OrderLattice] = []  # those that were asked for

    @property
    def orders(self) -> list[Permutation]:
        """The best orders."""
        if self._orders is None:
            self._orders = self.preorderer.reorder_batch(self.sources)
        return self._orders

    @cached_property
    def trees(self) -> list[SourceTree]:
        """The trees of the best orders."""
        trees = self.preorderer.trees_batch(self.sources)
        self._orders = [tree.order() for tree in trees]
        return trees

    @cached_property
    def precedence(self) -> list[Doubles]:
        """The precedence tables."""
        return self.preorderer.precedence_batch(self.sources)

    def nbest(self, k: int) -> list[list[Candidate]]:
        """Return the k best orders of each sentence."""
        lists = self.preorderer.nbest_batch(self.sources, k)
        self._orders = [candidates[0].order for candidates in lists]
        return lists

    def build_lattices(self, k: int, options: LatticeOptions) -> list[OrderLattice]:
        """Return the lattice of the k best orders of each sentence, and keep them."""
        pairs = zip(self.nbest(k), self.precedence, strict=True)
        self.lattices = [order_lattice(candidates, table, options) for candidates, table in pairs]
        return self.lattices


def _texts(block: DecodedBlock, wanted: OutputFormat) -> list[str]:
    pairs = zip(block.sources, block.orders, strict=True)
    return [" ".join(order.apply(wanted.words(source))) for source, order in pairs]


def _trees(block: DecodedBlock) -> list[str]:
    pairs = zip(block.sources, block.trees, strict=True)
    return [tree.to_penn(source.words) if len(source) else "" for source, tree in pairs]


def _nbest(block: DecodedBlock, first: int, wanted: OutputFormat) -> list[str]:
    """Return lines ``number ||| order ||| words ||| expected loss ||| log probability``."""
    lines = []
    for number, (source, candidates) in enumerate(
        zip(block.sources, block.nbest(wanted.k), strict=True), start=first
    ):
        written = wanted.words(source)
        if "|||" in written:
            raise WordOrderError(
                f"sentence {number + 1}: the word '|||' separates the fields of an n-best list."
                " Escape it, as Moses does.",
                suggest={"escape": "moses"},
            )
        for candidate in candidates:
            order = Order(empty=True).to_line(candidate.order)
            log_prob = "-" if candidate.log_prob is None else f"{candidate.log_prob:.{DIGITS}g}"
            words = " ".join(candidate.order.apply(written))
            lines.append(f"{number} ||| {order} ||| {words} ||| {candidate.loss:.{DIGITS}g} ||| {log_prob}")
    return lines


def _factors(block: DecodedBlock, first: int, wanted: OutputFormat) -> list[str]:
    """Return the words in source order, each with the place (from 0) that it takes: ``word|place``."""
    lines = []
    pairs = zip(block.sources, block.orders, strict=True)
    for number, (source, order) in enumerate(pairs, start=first + 1):
        words = wanted.words(source)
        bad = next((word for word in words if "|" in word), None)
        if bad is not None:
            raise WordOrderError(
                f"sentence {number}: the word {bad[:40]!r} contains |, which separates factors."
                " Escape it, as Moses does.",
                suggest={"escape": "moses"},
            )
        lines.append(" ".join(f"{w}|{r}" for w, r in zip(words, order.ranks.tolist(), strict=True)))
    return lines


def _annotated(block: DecodedBlock, first: int) -> Iterator[Sentence]:
    pairs = zip(block.sources, block.orders, strict=True)
    for number, (source, order) in enumerate(pairs, start=first + 1):
        yield annotated(source, order, number)


def _json(block: DecodedBlock, first: int) -> list[str]:
    """Return one JSON object per sentence, with the tree behind the order in Penn brackets."""
    triples = zip(block.sources, _trees(block), block.orders, strict=True)
    return [
        JsonLines().to_line({**as_record(source, order, number), "tree": tree})
        for number, (source, tree, order) in enumerate(triples, start=first + 1)
    ]


def _lattices(block: DecodedBlock, wanted: OutputFormat) -> list[str]:
    lines: list[str] = []
    for source, (graph, _) in zip(
        block.sources, block.build_lattices(wanted.k, wanted.lattices), strict=True
    ):
        placeholder = wanted.escape != "none"
        lines += lattice_lines(graph, wanted.words(source), form=wanted.form, placeholder=placeholder)
    return lines


# The formats of the original Reordering Grammar program


def _marked(block: DecodedBlock, k: int) -> list[list[Candidate]]:
    """Return the k best orders with probabilities; the best one with the unaligned words of its tree."""
    lists = block.nbest(k)
    for candidates, tree in zip(lists, block.trees, strict=True):
        if not candidates[0].unaligned:
            candidates[0] = candidates[0]._replace(unaligned=tree.unaligned())
    return lists


def _quasiperm(candidate: Candidate, number: int, rank: int) -> str:
    score = round(1 - candidate.loss, 9)
    log_prob = -math.inf if candidate.log_prob is None else min(candidate.log_prob, 0.0) + 0.0
    record = QuasiPerm(number, rank, score, log_prob, candidate.order, candidate.unaligned)
    return QuasiPerms().to_line(record)


def _quasiperms(block: DecodedBlock, first: int, *, k: int) -> list[str]:
    return [
        _quasiperm(candidate, number, rank)
        for number, candidates in enumerate(_marked(block, k), start=first)
        for rank, candidate in enumerate(candidates)
    ]


def _heads(block: DecodedBlock, first: int) -> list[tuple[str, Candidate]]:
    """Return the best candidate of each sentence, and the first field of its line."""
    numbered = enumerate((candidates[0] for candidates in _marked(block, 1)), start=first)
    return [(_quasiperm(best, number, 0).partition("|||")[0] + "|||", best) for number, best in numbered]


def _original_text(block: DecodedBlock, first: int, wanted: OutputFormat) -> list[str]:
    lines = []
    for source, (head, candidate) in zip(block.sources, _heads(block, first), strict=True):
        marked = wanted.words(source)
        for i in candidate.unaligned:
            marked[i] = f"UNALIGNED_{marked[i]}_UNALIGNED"
        lines.append(" ".join([head, *candidate.order.apply(marked)]))
    return lines


def _original_trees(block: DecodedBlock, first: int) -> list[str]:
    heads = _heads(block, first)
    return [f"{head} {line}" for (head, _), line in zip(heads, _trees(block), strict=True)]
