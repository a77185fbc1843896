"""What a preorderer says, as lines: orders, text, trees, n-best lists, lattices, tables, factors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from wordorder.core.lattice import lattice
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.order import Order
from wordorder.io.precedence import Precedence, PrecedenceTables
from wordorder.io.quasiperm import QuasiPerm, QuasiPerms
from wordorder.preorder.base import Candidate, Preorderer, Source
from wordorder.preorder.lattices import fst_lines, json_line, plf_line
from wordorder.preorder.trees import SourceTree

Output = Literal["order", "text", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm"]
OUTPUTS: tuple[str, ...] = get_args(Output)
FORMS = {  # the first is the usual one
    "lattice": ("plf", "plf-named", "openfst", "json"),
    "text": ("plain", "original"),
    "tree": ("plain", "original"),
    "precedence": ("plain", "original"),
}
DIGITS = 6
Writer = Callable[[Preorderer, Sequence[Source], int], list[str]]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What to write: an output, its form, and how many orders a sentence.

    ``escape`` writes ``|`` in words as Moses does; ``probabilities`` has an n-best list tell those of its
    orders, which can take longer than finding the orders.
    """

    output: str = "order"
    form: str = ""
    k: int = 10
    escape: bool = False
    probabilities: bool = False

    def __post_init__(self) -> None:
        """Check that the form is one of the output."""
        if self.output not in OUTPUTS:
            raise BadSetting(f"unknown output {self.output!r}; expected one of {', '.join(OUTPUTS)}")
        forms = FORMS.get(self.output, ())
        if self.form and self.form not in forms:
            has = f"It has: {', '.join(forms)}." if forms else "It has one form only."
            raise BadSetting(f"{self.output} has no form {self.form!r}. {has}")
        if self.k < 1:
            raise BadSetting(f"{self.k} orders a sentence; expected 1 or more")

    def writer(self) -> Writer:
        """The function that turns sentences into lines; it is given the number of the first one, from 0."""
        form = self.form or FORMS.get(self.output, ("",))[0]
        if form == "original":
            return {"text": _original_text, "tree": _original_trees, "precedence": _divided}[self.output]
        writers: dict[str, Writer] = {
            "order": _orders,
            "text": _texts,
            "tree": _trees,
            "nbest": partial(_nbest, k=self.k, probabilities=self.probabilities),
            "precedence": _tables,
            "factor": partial(_factors, escape=self.escape),
            "quasiperm": partial(_quasiperms, k=self.k),
            "lattice": partial(_lattices, k=self.k, form=form),
        }
        return writers[self.output]


class Once:
    """A preorderer for one block of sentences, which it orders once: it remembers what it gave."""

    def __init__(self, made: Preorderer) -> None:
        self._made = made
        self._orders: list[Permutation] | None = None
        self._trees: list[SourceTree] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The best orders."""
        if self._orders is None:
            self._orders = self._made.reorder(sources)
        return self._orders

    def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The k best orders; their first is what :meth:`reorder` gives."""
        lists = self._made.nbest(sources, k)
        self._orders = [found[0].order for found in lists]
        return lists

    def trees(self, sources: Sequence[Source]) -> list[SourceTree]:
        """The trees of the best orders."""
        if self._trees is None:
            self._trees = self._made.trees(sources)
            self._orders = [tree.order() for tree in self._trees]
        return self._trees


def _orders(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    form = Order(empty=True)
    return [form.to_line(order) for order in made.reorder(sources)]


def _texts(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    pairs = zip(sources, made.reorder(sources), strict=True)
    return [" ".join(order.apply(source.words)) for source, order in pairs]


def _trees(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    trees = made.trees(sources)
    return [t.to_penn(s.words) if len(s) else "" for s, t in zip(sources, trees, strict=True)]


def _nbest(
    made: Preorderer, sources: Sequence[Source], first: int, *, k: int, probabilities: bool
) -> list[str]:
    """Lines ``number ||| order ||| words ||| expected loss ||| log probability``."""
    lines = []
    lists = _likely(made, sources, k) if probabilities else made.nbest(sources, k)
    for number, (source, found) in enumerate(zip(sources, lists, strict=True), start=first):
        if "|||" in source.words:
            raise WordOrderError(
                f"sentence {number + 1}: the word '|||' parts the fields of an n-best list. Escape it first."
            )
        for one in found:
            order = " ".join(map(str, one.order.order.tolist()))
            log_prob = "-" if one.log_prob is None else f"{one.log_prob:.{DIGITS}g}"
            words = " ".join(one.order.apply(source.words))
            lines.append(f"{number} ||| {order} ||| {words} ||| {one.loss:.{DIGITS}g} ||| {log_prob}")
    return lines


def _likely(made: Preorderer, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
    """The k best orders of each sentence, with their probabilities where the method can tell them."""
    lists = []
    for source, found in zip(sources, made.nbest(sources, k), strict=True):
        if any(one.log_prob is None for one in found):
            known = made.log_probability([source] * len(found), [one.order for one in found])
            found = [one._replace(log_prob=p) for one, p in zip(found, known, strict=True)]
        lists.append(found)
    return lists


def _tables(
    made: Preorderer, sources: Sequence[Source], first: int, *, form: PrecedenceTables | None = None
) -> list[str]:
    form = form or PrecedenceTables()
    return [form.to_line(Precedence.of(table, digits=DIGITS)) for table in made.precedence(sources)]


def _divided(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    return _tables(made, sources, first, form=PrecedenceTables(divided=True))


def _factors(made: Preorderer, sources: Sequence[Source], first: int, *, escape: bool) -> list[str]:
    """The words where they stand, each with the place (from 0) that it takes: ``word|place``."""
    lines = []
    for number, (source, order) in enumerate(
        zip(sources, made.reorder(sources), strict=True), start=first + 1
    ):
        words = [word.replace("|", "&#124;") for word in source.words] if escape else source.words
        bad = next((word for word in words if "|" in word), None)
        if bad is not None:
            raise WordOrderError(
                f"sentence {number}: the word {bad[:40]!r} holds a |, which parts factors."
                " Escape it first, or try --escape (&#124;, as Moses does)."
            )
        lines.append(" ".join(f"{w}|{r}" for w, r in zip(words, order.ranks.tolist(), strict=True)))
    return lines


# The forms of the original program


def _marked(made: Preorderer, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
    """The k best orders with their probabilities; of the best one, the unaligned words of its tree."""
    lists = _likely(made, sources, k)
    for found, tree in zip(lists, made.trees(sources), strict=True):
        if not found[0].unaligned:
            found[0] = found[0]._replace(unaligned=tree.unaligned())
    return lists


def _record(one: Candidate, number: int, rank: int) -> QuasiPerm:
    log_prob = -math.inf if one.log_prob is None else min(one.log_prob, 0.0) + 0.0
    return QuasiPerm(number, rank, round(1 - one.loss, 9), log_prob, one.order, one.unaligned)


def _quasiperms(made: Preorderer, sources: Sequence[Source], first: int, *, k: int) -> list[str]:
    form = QuasiPerms()
    return [
        form.to_line(_record(one, number, rank))
        for number, found in enumerate(_marked(made, sources, k), start=first)
        for rank, one in enumerate(found)
    ]


def _heads(made: Preorderer, sources: Sequence[Source], first: int) -> list[tuple[str, Candidate]]:
    form = QuasiPerms()
    best = [found[0] for found in _marked(made, sources, 1)]
    lines = [form.to_line(_record(one, number, 0)) for number, one in enumerate(best, start=first)]
    return [(line.partition("|||")[0] + "|||", one) for line, one in zip(lines, best, strict=True)]


def _original_text(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    lines = []
    for source, (head, one) in zip(sources, _heads(made, sources, first), strict=True):
        alone = set(one.unaligned)
        marked = [
            f"UNALIGNED_{word}_UNALIGNED" if i in alone else word for i, word in enumerate(source.words)
        ]
        lines.append(" ".join([head, *one.order.apply(marked)]))
    return lines


def _original_trees(made: Preorderer, sources: Sequence[Source], first: int) -> list[str]:
    heads = _heads(made, sources, first)
    return [f"{head} {line}" for (head, _), line in zip(heads, _trees(made, sources, first), strict=True)]


# Lattices


def _lattices(made: Preorderer, sources: Sequence[Source], first: int, *, k: int, form: str) -> list[str]:
    tables = made.precedence(sources)
    found = made.nbest(sources, k)
    lines: list[str] = []
    for source, candidates, table in zip(sources, found, tables, strict=True):
        one = lattice([candidate.order for candidate in candidates], table)
        if form == "openfst":
            lines += [*fst_lines(one, source.words), ""]
        elif form == "json":
            lines.append(json_line(one, source.words))
        else:
            lines.append(plf_line(one, source.words, named=form == "plf-named"))
    return lines
