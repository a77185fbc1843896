"""The Reordering Grammar the slow way: every derivation of a sentence, one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from wordorder.preorder.grammar.operators import Layout, Operator
from wordorder.preorder.grammar.tables import Tables


class Leaf(NamedTuple):
    begin: int
    end: int
    word: int


class Node(NamedTuple):
    begin: int
    end: int
    operator: Operator
    state: int  # number among all states
    children: tuple[Any, ...]


class Derivation(NamedTuple):
    probability: float
    tree: Node | Leaf
    rules: tuple[tuple[int, int], ...]  # (slot, state) used
    words: tuple[tuple[int, int], ...]  # (word, slot) used


Phrases = Sequence[tuple[int, int, int]]


class Enumerator:
    """All derivations of spans of one sentence."""

    def __init__(self, tables: Tables, words: Sequence[int], phrases: Phrases = ()) -> None:
        self.tables, self.words = tables, list(words)
        self.phrases = {(b, e): w for b, e, w in phrases}
        self.layout: Layout = tables.layout
        self.known: dict[tuple[int, int], list[Derivation]] = {}

    def all(self) -> list[Derivation]:
        return list(self.as_slot(self.layout.slot_count - 1, 0, len(self.words)))

    def as_slot(self, slot: int, i: int, j: int) -> Iterator[Derivation]:
        word = self.words[i] if j - i == 1 else self.phrases.get((i, j))
        if word is not None and (p := float(self.tables.lexical[word, slot])) > 0:
            yield Derivation(p, Leaf(i, j, word), (), ((word, slot),))
        for found in self.nodes(i, j):
            assert isinstance(found.tree, Node)
            p = float(self.tables.rules[slot, found.tree.state])
            if p > 0:
                rules = (*found.rules, (slot, found.tree.state))
                yield Derivation(p * found.probability, found.tree, rules, found.words)

    def nodes(self, i: int, j: int) -> list[Derivation]:
        if (i, j) not in self.known:
            self.known[i, j] = list(self._nodes(i, j))
        return self.known[i, j]

    def _nodes(self, i: int, j: int) -> Iterator[Derivation]:
        state = slot = 0
        for op, states in zip(self.layout.operators, self.layout.states, strict=True):
            for a in range(states):
                for cuts in itertools.combinations(range(i + 1, j), op.arity - 1):
                    bounds = (i, *cuts, j)
                    parts = [
                        list(self.as_slot(slot + k * states + a, bounds[k], bounds[k + 1]))
                        for k in range(op.arity)
                    ]
                    if op.unaligned >= 0:  # a word, always
                        k = op.unaligned
                        one = bounds[k + 1] - bounds[k] == 1
                        parts[k] = [d for d in parts[k] if one and isinstance(d.tree, Leaf)]
                    for chosen in itertools.product(*parts):
                        yield Derivation(
                            float(np.prod([d.probability for d in chosen])),
                            Node(i, j, op, state + a, tuple(d.tree for d in chosen)),
                            tuple(itertools.chain.from_iterable(d.rules for d in chosen)),
                            tuple(itertools.chain.from_iterable(d.words for d in chosen)),
                        )
            state += states
            slot += op.arity * states


def order(tree: Node | Leaf) -> list[int]:
    """Source positions as they are read."""
    if isinstance(tree, Leaf):
        return list(range(tree.begin, tree.end))
    by_place = sorted(zip(tree.operator.places, tree.children, strict=True), key=lambda pair: pair[0])
    return [i for _, child in by_place for i in order(child)]


def shape(tree: Node | Leaf) -> Any:
    """The tree without its states."""
    if isinstance(tree, Leaf):
        return (tree.begin, tree.end)
    return (tree.operator.name, *(shape(child) for child in tree.children))


def read_tree(tables: Tables, nodes: list[tuple[int, int, int, int]]) -> Node | Leaf:
    """A tree from its list in preorder."""
    rest = iter(nodes)
    firsts = np.cumsum([0, *tables.layout.states])

    def read() -> Node | Leaf:
        op, begin, end, state = next(rest)
        if op < 0:
            return Leaf(begin, end, 0)
        operator = tables.layout.operators[op]
        children = tuple(read() for _ in range(operator.arity))
        return Node(begin, end, operator, int(firsts[op]) + state, children)

    found = read()
    assert next(rest, None) is None
    return found


def precedence(derivations: Sequence[Derivation], n: int) -> np.ndarray:
    """Expected table: [i, j] = probability that i comes before j."""
    table = np.zeros((n, n))
    for d in derivations:
        rank = np.argsort(order(d.tree))
        table += d.probability * (rank[:, None] < rank[None, :])
    return table / sum(d.probability for d in derivations)


def in_forest(
    tree: Node | Leaf, ranks: Sequence[int], *, bracketing: str = "forest", side: str = "right"
) -> bool:
    """Whether a tree is one of the latent treebank: low attachment of unaligned tokens."""
    aligned = [i for i in order(tree) if ranks[i] >= 0]
    if [ranks[i] for i in aligned] != sorted(ranks[i] for i in aligned):
        return False
    return _fits(tree, ranks, bracketing, side)


def _fits(tree: Node | Leaf, ranks: Sequence[int], bracketing: str, side: str) -> bool:
    if isinstance(tree, Leaf):
        return True
    n = len(ranks)
    kinds = [isinstance(c, Leaf) and ranks[c.begin] < 0 for c in tree.children]
    if tree.operator.unaligned >= 0:
        lone = tree.children[tree.operator.unaligned]
        host = tree.children[1 - tree.operator.unaligned]
        if not kinds[tree.operator.unaligned] or kinds[1 - tree.operator.unaligned]:
            return False
        if sum(ranks[i] >= 0 for i in range(host.begin, host.end)) != 1:
            return False  # low: one aligned token and what was joined to it
        first = min(i for i in range(n) if ranks[i] >= 0)
        last = max(i for i in range(n) if ranks[i] >= 0)
        to_right = lone.begin < first or (side == "right" and lone.begin < last)
        if (tree.operator.name == "P01") != to_right:
            return False
        # What stands before is joined first, what stands after then.
        if tree.operator.name == "P01" and isinstance(host, Node) and host.operator.name == "P10":
            return False
    elif any(kinds):
        return False
    if bracketing != "forest" and tree.operator.arity == 2 and tree.operator.unaligned < 0:
        other = tree.children[1 if bracketing == "left" else 0]
        if isinstance(other, Node) and other.operator == tree.operator:
            return False
    return all(_fits(child, ranks, bracketing, side) for child in tree.children)


def expected_counts(
    tables: Tables, derivations: Sequence[Derivation]
) -> tuple[np.ndarray, np.ndarray, float]:
    """Expected uses of rules and of words in slots, and the logarithm of the sum of probabilities."""
    rules, lexical = np.zeros(tables.rules.shape), np.zeros(tables.lexical.shape)
    z = sum(d.probability for d in derivations)
    for d in derivations:
        for use in d.rules:
            rules[use] += d.probability / z
        for use in d.words:
            lexical[use] += d.probability / z
    return rules, lexical, float(np.log(z))
