"""The results of a preorderer as lines: orders, text, trees, n-best lists, lattices, tables, factors."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import orjson

from wordorder.arrays import Doubles
from wordorder.core.lattice import Lattice, lattice
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.openfst import Fst, FstArc, OpenFst
from wordorder.io.order import Order
from wordorder.io.plf import Plf, PlfArc
from wordorder.io.precedence import Precedence, PrecedenceTables
from wordorder.io.quasiperm import QuasiPerm, QuasiPerms
from wordorder.preorder.base import Preorderer
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.trees import SourceTree

KINDS = ("text", "order", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm")
FORMS = {  # the first is the default
    "lattice": ("plf", "plf-named", "openfst", "json"),
    "text": ("plain", "original"),
    "tree": ("plain", "original"),
    "precedence": ("plain", "original"),
}
DIGITS = 6


@dataclass(frozen=True, kw_only=True)
class OutputFormat:
    """What to write: the kind of output, its format, and how many orders per sentence.

    ``escape`` writes ``|`` in words as Moses does.
    """

    kind: str = "order"
    form: str = ""
    k: int = 10
    escape: bool = False

    def __post_init__(self) -> None:
        """Check the kind and its format."""
        if self.kind not in KINDS:
            raise BadSetting(f"unknown output {self.kind!r}; expected one of {', '.join(KINDS)}")
        forms = FORMS.get(self.kind, ())
        if self.form and self.form not in forms:
            known = f"Formats: {', '.join(forms)}." if forms else "It has only one format."
            raise BadSetting(f"{self.kind} has no format {self.form!r}. {known}")
        if self.k < 1:
            raise BadSetting(f"{self.k} orders per sentence; expected 1 or more")

    def lines(self, block: DecodedBlock, first: int) -> list[str]:
        """Return the lines for a block of sentences; ``first`` is the number of its first one, from 0."""
        original = self.form == "original"
        match self.kind:
            case "order":
                return [Order(empty=True).to_line(order) for order in block.orders]
            case "text":
                return _original_text(block, first) if original else _texts(block)
            case "tree":
                return _original_trees(block, first) if original else _trees(block)
            case "nbest":
                return _nbest(block, first, k=self.k)
            case "precedence":
                form = PrecedenceTables(divided=original)
                return [form.to_line(Precedence.of(table, digits=DIGITS)) for table in block.precedence]
            case "factor":
                return _factors(block, first, escape=self.escape)
            case "quasiperm":
                return _quasiperms(block, first, k=self.k)
            case _:
                return _lattices(block, k=self.k, form=self.form)


class DecodedBlock:
    """The results of a preorderer for a block of sentences; each is computed once, when it is asked for."""

    def __init__(self, preorderer: Preorderer, sources: Sequence[Source]) -> None:
        self.preorderer, self.sources = preorderer, sources
        self._orders: list[Permutation] | None = None

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


def _texts(block: DecodedBlock) -> list[str]:
    pairs = zip(block.sources, block.orders, strict=True)
    return [" ".join(order.apply(source.words)) for source, order in pairs]


def _trees(block: DecodedBlock) -> list[str]:
    pairs = zip(block.sources, block.trees, strict=True)
    return [tree.to_penn(source.words) if len(source) else "" for source, tree in pairs]


def _nbest(block: DecodedBlock, first: int, *, k: int) -> list[str]:
    """Return lines ``number ||| order ||| words ||| expected loss ||| log probability``."""
    lines = []
    for number, (source, candidates) in enumerate(
        zip(block.sources, block.nbest(k), strict=True), start=first
    ):
        if "|||" in source.words:
            raise WordOrderError(
                f"sentence {number + 1}: the word '|||' separates the fields of an n-best list."
                " Escape it first."
            )
        for candidate in candidates:
            order = Order(empty=True).to_line(candidate.order)
            log_prob = "-" if candidate.log_prob is None else f"{candidate.log_prob:.{DIGITS}g}"
            words = " ".join(candidate.order.apply(source.words))
            lines.append(f"{number} ||| {order} ||| {words} ||| {candidate.loss:.{DIGITS}g} ||| {log_prob}")
    return lines


def _factors(block: DecodedBlock, first: int, *, escape: bool) -> list[str]:
    """Return the words in source order, each with the place (from 0) that it takes: ``word|place``."""
    lines = []
    pairs = zip(block.sources, block.orders, strict=True)
    for number, (source, order) in enumerate(pairs, start=first + 1):
        words = [word.replace("|", "&#124;") for word in source.words] if escape else source.words
        bad = next((word for word in words if "|" in word), None)
        if bad is not None:
            raise WordOrderError(
                f"sentence {number}: the word {bad[:40]!r} contains |, which separates factors."
                " Escape it first (as &#124;, like Moses).",
                suggest={"escape": True},
            )
        lines.append(" ".join(f"{w}|{r}" for w, r in zip(words, order.ranks.tolist(), strict=True)))
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


def _original_text(block: DecodedBlock, first: int) -> list[str]:
    lines = []
    for source, (head, candidate) in zip(block.sources, _heads(block, first), strict=True):
        marked = list(source.words)
        for i in candidate.unaligned:
            marked[i] = f"UNALIGNED_{marked[i]}_UNALIGNED"
        lines.append(" ".join([head, *candidate.order.apply(marked)]))
    return lines


def _original_trees(block: DecodedBlock, first: int) -> list[str]:
    heads = _heads(block, first)
    return [f"{head} {line}" for (head, _), line in zip(heads, _trees(block), strict=True)]


# Lattices


def _lattices(block: DecodedBlock, *, k: int, form: str) -> list[str]:
    lines: list[str] = []
    for source, candidates, table in zip(block.sources, block.nbest(k), block.precedence, strict=True):
        graph = order_lattice(candidates, table)
        if form == "openfst":
            lines += [*_fst_lines(graph, source.words), ""]
        elif form == "json":
            lines.append(_json_line(graph, source.words))
        else:
            lines.append(_plf_line(graph, source.words, named=form == "plf-named"))
    return lines


def order_lattice(candidates: Sequence[Candidate], precedence: Doubles) -> Lattice:
    """Pack orders weighted by their probabilities; those without probability are left out.

    Where no probability is known, all orders are equally probable.
    """
    known = [(one.order, one.log_prob) for one in candidates if one.log_prob not in (None, -math.inf)]
    if not known:
        known = [(one.order, -math.log(len(candidates))) for one in candidates]
    orders, log_probs = zip(*known, strict=True)
    return lattice(orders, precedence, log_probs)


def _plf_line(graph: Lattice, words: Sequence[str], *, named: bool = False) -> str:
    """Write a lattice for Moses: one weight per arc, so that a path has the probability of its order.

    ``named`` writes named features like the original program (source position, gain, both states), and the
    log probability.
    """
    states = []
    for state, arcs in graph.out():
        plf_arcs = []
        for a in arcs:
            _, to, position = graph.arcs[a].tolist()
            log_prob = float(graph.log_probs[a])
            numbers: tuple[tuple[str, float], ...] = (("", _short(math.exp(log_prob))),)
            if named:
                gain = round(float(graph.gains[a]), 9)
                numbers = ("index", position), ("KTau", gain), ("src_state", state), ("tgt_state", to)
                numbers = (*numbers, ("LogP", _short(log_prob)))
            plf_arcs.append(PlfArc(words[position], numbers, to - state))
        states.append(tuple(plf_arcs))
    return Plf().to_line(tuple(states))


def _fst_lines(graph: Lattice, words: Sequence[str]) -> list[str]:
    """Write a lattice for OpenFst: input positions from 1, output words, minus the log probability."""
    arcs = tuple(
        FstArc(state, to, str(position + 1), words[position], _short(-log_prob))
        for (state, to, position), log_prob in zip(graph.arcs.tolist(), graph.log_probs, strict=True)
    )
    out = io.BytesIO()
    OpenFst().write([Fst(arcs, ((graph.states, 0.0),))], out)
    return out.getvalue().decode("utf-8").rstrip("\n").split("\n")


def _json_line(graph: Lattice, words: Sequence[str]) -> str:
    """Write a JSON object: words, number of states, final state, arcs with log probabilities and losses."""
    numbers = zip(graph.arcs.tolist(), graph.log_probs, graph.losses, strict=True)
    arcs = [[*arc, _short(log_prob), round(float(loss), 9)] for arc, log_prob, loss in numbers]
    data = {"words": list(words), "states": graph.states + 1, "final": graph.states, "arcs": arcs}
    return orjson.dumps(data).decode()


def _short(weight: float) -> float:
    """Round a weight to nine significant digits, since a probability may be very small."""
    return float(f"{weight:.9g}") + 0.0  # not -0.0
