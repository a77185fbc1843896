"""Permutation forests (PEFs): all trees of a permutation, packed.

The trees of a permutation differ only in the bracketing of chains, so the flat tree already represents the
forest: a chain of m children has Catalan(m - 1) binary trees, every run of two or more of its children is a
span of the packed forest, and a run of d children has d - 1 inferences, its split points (Stanojević and
Sima'an 2014, section 3). Nothing is unpacked until it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod

import numpy as np

from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, Tree, sorted_table, tree
from wordorder.errors import InvalidTree

Span = tuple[int, int]


@lru_cache(maxsize=4096)
def catalan(n: int) -> int:
    """Return the number of binary trees with n internal nodes.

    >>> [catalan(n) for n in range(7)]
    [1, 1, 2, 5, 14, 42, 132]
    """
    return comb(2 * n, n) // (n + 1)


@dataclass(frozen=True, slots=True)
class Entry:
    """A span of the packed forest: positions begin .. end-1, operator, inferences.

    Each inference is a tuple of split points, the ends of all children except the last. A word has neither
    an operator nor inferences.
    """

    begin: int
    end: int
    operator: Permutation | None
    inferences: tuple[tuple[int, ...], ...]


class Forest(Displayed):
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
        """The permutation that all trees have in common."""
        return self.flat.permutation

    @property
    def count(self) -> int:
        """The exact number of trees, a product of Catalan numbers; 1 for no words."""
        return prod(catalan(node.chain) for node in self.flat.nodes() if node.kind != "prime")

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of spans and inferences of the packed forest, computed without building it.

        A chain of m children has m(m-1)/2 spans and (m+1)m(m-1)/6 inferences; words are spans without
        inferences.

        >>> Forest(range(4)).size
        (10, 10)
        """
        spans, inferences = len(self.flat), 0
        for _, _, m, kind in self.flat.table.tolist():
            spans += 1 if kind == 0 else m * (m - 1) // 2
            inferences += 1 if kind == 0 else (m + 1) * m * (m - 1) // 6
        return spans, inferences

    def entries(self) -> Iterator[Entry]:
        """Iterate over the packed spans: words first, then each chain from short to long runs.

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
        """Iterate over all trees, of which there may be very many."""
        index, count = 0, self.count
        while index < count:  # the count may be larger than a range can hold
            yield self.tree_at(index)
            index += 1

    def tree_at(self, index: int) -> Tree:
        """Return the tree with this number, from 0 (all chains right-branching) to count - 1 (left).

        >>> print(Forest(range(3)).tree_at(1))
        ⟨1,2⟩(⟨1,2⟩(1 2) 3)
        """
        if not 0 <= index < self.count:
            raise InvalidTree(f"tree {index} of {self.count}: expected 0 to {self.count - 1}")
        spans: list[list[Span]] = []
        nodes = list(self.flat.nodes())
        for node in reversed(nodes):
            index, here = divmod(index, catalan(node.chain) if node.kind != "prime" else 1)
            spans.append(bracketing(node.arity, here) if node.kind != "prime" else [])
        return self._tree(nodes, reversed(spans))

    def random_tree(self, rng: np.random.Generator) -> Tree:
        """Draw one of the trees uniformly at random, in linear time.

        >>> str(Forest(range(3)).random_tree(np.random.default_rng(0)))
        '⟨1,2⟩(1 ⟨1,2⟩(2 3))'
        """
        nodes = list(self.flat.nodes())
        spans = (random_bracketing(node.arity, rng) if node.kind != "prime" else [] for node in nodes)
        return self._tree(nodes, spans)

    def _tree(self, nodes: Iterable[Node], spans: Iterable[list[Span]]) -> Tree:
        """Build the tree of which each chain is bracketed by spans of its children."""
        rows: list[list[int]] = []
        for node, bracketed in zip(nodes, spans, strict=True):
            if node.kind == "prime":
                rows.append([node.begin, node.end, node.arity, 0])
                continue
            bounds = [node.begin, *(child.end for child in node.children)]
            kind = 1 if node.kind == "monotone" else -1
            rows += [[bounds[a], bounds[b], 2, kind] for a, b in bracketed]
        return Tree(self.permutation, sorted_table(rows), self.flat.words)

    def __bool__(self) -> bool:
        return True  # there is always a tree, even of no words

    def __len__(self) -> int:
        raise InvalidTree("a forest can have more trees than len() can return: use .count")

    def __repr__(self) -> str:
        return f"<Forest of {self.permutation.to_text() if len(self.flat) <= 20 else len(self.flat)}>"


def bracketing(leaves: int, index: int) -> list[Span]:
    """Return binary bracketing number ``index`` of Catalan(leaves - 1), as spans of two or more leaves.

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
    """Draw a binary bracketing uniformly at random by Rémy's algorithm, in linear time.

    The tree grows leaf by leaf: a random node is replaced by a new inner node, which has the old subtree on
    one side and the new leaf on the other.
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
