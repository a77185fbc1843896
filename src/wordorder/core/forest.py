"""Permutation forests (PEFs): all the trees of a permutation, packed.

Trees of one permutation differ only in how chains are bracketed, so the flat tree already
is the forest: a chain of m children holds Catalan(m - 1) binary trees, every run of two or
more of its children is a span of the packed forest, and a run of d children has d - 1
inferences, its split points (Stanojević and Sima'an 2014, section 3). Nothing is unpacked
unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, Tree, sorted_table, tree
from wordorder.errors import InvalidTree

Row = list[int]
Span = tuple[int, int]


@lru_cache(maxsize=4096)
def catalan(n: int) -> int:
    """The number of binary trees with n internal nodes.

    >>> [catalan(n) for n in range(7)]
    [1, 1, 2, 5, 14, 42, 132]
    """
    return comb(2 * n, n) // (n + 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """One span of the packed forest: positions begin .. end-1, operator, inferences.

    Each inference is a tuple of split points, the ends of all children but the last. A
    word has neither operator nor inferences.
    """

    begin: int
    end: int
    operator: Permutation | None
    inferences: tuple[tuple[int, ...], ...]


class Forest:
    """The packed forest of a permutation.

    >>> forest = Forest([1, 3, 4, 5, 0, 2])
    >>> forest.count
    2
    >>> for tree in forest.trees():
    ...     print(tree)
    ⟨2,4,1,3⟩(2 ⟨1,2⟩(4 ⟨1,2⟩(5 6)) 1 3)
    ⟨2,4,1,3⟩(2 ⟨1,2⟩(⟨1,2⟩(4 5) 6) 1 3)
    """

    __slots__ = ("flat",)

    def __init__(self, permutation: Permutation | Sequence[int], words: Sequence[str] | None = None) -> None:
        self.flat: Tree = tree(permutation, words)

    @property
    def permutation(self) -> Permutation:
        """The permutation that every tree yields."""
        return self.flat.permutation

    @property
    def count(self) -> int:
        """How many trees there are, exactly: a product of Catalan numbers. No words: 1."""
        return prod(catalan(node.chain) for node in self._chains())

    @property
    def size(self) -> tuple[int, int]:
        """How many spans and how many inferences the packed forest has, without building it.

        A chain of m children has m(m-1)/2 spans and (m+1)m(m-1)/6 inferences; words are
        spans without inferences.

        >>> Forest(range(4)).size
        (10, 10)
        """
        spans, inferences = len(self.flat), 0
        for _, _, m, kind in self.flat.table.tolist():
            spans += 1 if kind == 0 else m * (m - 1) // 2
            inferences += 1 if kind == 0 else (m + 1) * m * (m - 1) // 6
        return spans, inferences

    def entries(self) -> Iterator[Entry]:
        """Iterate over the packed spans, words first, each chain from short runs to long.

        >>> [e.inferences for e in Forest([3, 2, 1, 0]).entries() if (e.begin, e.end) == (0, 4)]
        [((1,), (2,), (3,))]
        """
        for k in range(len(self.flat)):
            yield Entry(k, k + 1, None, ())
        for node in self.flat.nodes(order="post"):
            ends = [child.end for child in node.children]
            if node.kind == "prime":
                yield Entry(node.begin, node.end, node.operator, (tuple(ends[:-1]),))
                continue
            bounds = [node.begin, *ends]
            for d in range(2, node.arity + 1):
                for a in range(node.arity - d + 1):
                    splits = tuple((bounds[k],) for k in range(a + 1, a + d))
                    yield Entry(bounds[a], bounds[a + d], node.operator, splits)

    def trees(self) -> Iterator[Tree]:
        """Iterate over all trees, one at a time; there may be very many."""
        index = 0
        while index < self.count:
            yield self.tree_at(index)
            index += 1

    def tree_at(self, index: int) -> Tree:
        """The tree with this number, from 0 (all chains right-branching) to count - 1 (left).

        >>> print(Forest(range(3)).tree_at(1))
        ⟨1,2⟩(⟨1,2⟩(1 2) 3)
        """
        if not 0 <= index < self.count:
            raise InvalidTree(f"tree {index} of {self.count}: expected 0 to {self.count - 1}")
        rows: list[Row] = []
        for node in reversed(list(self.flat.nodes())):
            index, here = divmod(index, catalan(node.chain) if node.kind != "prime" else 1)
            rows += self._rows(node, bracketing(node.arity, here) if node.kind != "prime" else [])
        return self._tree(rows)

    def random_tree(self, rng: np.random.Generator) -> Tree:
        """Draw one of the trees, each with the same probability, in linear time.

        >>> str(Forest(range(3)).random_tree(np.random.default_rng(0)))
        '⟨1,2⟩(1 ⟨1,2⟩(2 3))'
        """
        rows: list[Row] = []
        for node in self.flat.nodes():
            rows += self._rows(node, random_bracketing(node.arity, rng) if node.kind != "prime" else [])
        return self._tree(rows)

    def _rows(self, node: Node, spans: list[Span]) -> list[Row]:
        """The table rows of a prime node, or of a chain bracketed by spans of its children."""
        if node.kind == "prime":
            return [[node.begin, node.end, node.arity, 0]]
        bounds = [node.begin, *(child.end for child in node.children)]
        kind = 1 if node.kind == "monotone" else -1
        return [[bounds[a], bounds[b], 2, kind] for a, b in spans]

    def _tree(self, rows: list[Row]) -> Tree:
        return Tree(self.permutation, sorted_table(rows), self.flat.words)

    def _chains(self) -> Iterator[Node]:
        return (node for node in self.flat.nodes() if node.kind != "prime")

    def __bool__(self) -> bool:
        return True  # there is always a tree, if only of no words

    def __len__(self) -> int:
        raise InvalidTree("a forest can hold more trees than len() can say: use .count")

    def __repr__(self) -> str:
        return f"<Forest of {self.permutation.to_text() if len(self.flat) <= 20 else len(self.flat)}>"


def bracketing(leaves: int, index: int) -> list[Span]:
    """Binary bracketing number ``index`` of the Catalan(leaves - 1), as spans of two leaves or more.

    >>> [bracketing(3, i) for i in range(2)]
    [[(0, 3), (1, 3)], [(0, 3), (0, 2)]]
    """
    spans: list[Span] = []
    stack = [(0, leaves, index)]
    while stack:
        a, b, rest = stack.pop()
        if b - a < 2:
            continue
        spans.append((a, b))
        k = a + 1
        while rest >= (here := catalan(k - a - 1) * catalan(b - k - 1)):
            rest -= here
            k += 1
        left, right = divmod(rest, catalan(b - k - 1))
        stack += [(k, b, right), (a, k, left)]
    return spans


def random_bracketing(leaves: int, rng: np.random.Generator) -> list[Span]:
    """A uniformly random binary bracketing by Rémy's algorithm, in linear time.

    Grows a tree leaf by leaf: pick any of the nodes so far and put a new inner node in its
    place, with the old subtree on one side and the new leaf on the other.
    """
    left = np.full(2 * leaves - 1, -1, dtype=np.int64)
    right = left.copy()
    root = 0
    parent_of: dict[int, tuple[int, bool]] = {}
    for size in range(1, leaves):
        inner, leaf = 2 * size - 1, 2 * size
        old = int(rng.integers(2 * size - 1))
        on_left = bool(rng.integers(2))
        left[inner], right[inner] = (leaf, old) if on_left else (old, leaf)
        if old in parent_of:
            up, was_left = parent_of[old]
            (left if was_left else right)[up] = inner
            parent_of[inner] = (up, was_left)
        else:
            root = inner
        parent_of[old] = (inner, not on_left)
        parent_of[leaf] = (inner, on_left)
    spans: list[Span] = []
    begin_of: dict[int, int] = {}
    position = 0
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            spans.append((begin_of[node], position))
        elif left[node] < 0:
            position += 1
        else:
            begin_of[node] = position
            stack += [(node, True), (int(right[node]), False), (int(left[node]), False)]
    return spans
