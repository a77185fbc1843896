"""Permutation trees (PETs).

Every permutation factorises into primal permutations, which do not factorise further (Albert and Atkinson
2005). The result is a tree whose internal nodes carry primal permutations, called operators: child k goes to
place ``operator[k]``. Chains of ⟨1,2⟩, and of ⟨2,1⟩, can be bracketed in any way, and each bracketing is a
different tree; the *flat* tree keeps such a chain as one node with all its children, and is the tree of
strong intervals.

:func:`tree` returns the flat tree in time linear in the number of words; :meth:`Tree.left` and
:meth:`Tree.right` return its canonical binary forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Ints
from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import InvalidTree

Kind = Literal["word", "monotone", "inverted", "prime"]
_KINDS: dict[int, Kind] = {1: "monotone", -1: "inverted", 0: "prime"}


def tree(permutation: Permutation | Sequence[int], words: Sequence[str] | None = None) -> Tree:
    """Return the flat permutation tree, over the words if given.

    >>> print(tree([1, 3, 4, 5, 0, 2]))
    ⟨2,4,1,3⟩(2 ⟨1,2⟩(4 5 6) 1 3)
    """
    perm = permutation if isinstance(permutation, Permutation) else Permutation(permutation)
    nodes, _ = _native.trees(perm.ranks, np.array([0, len(perm)]))
    return Tree(perm, nodes, words)


def is_primal(permutation: Permutation | Sequence[int]) -> bool:
    """Return whether the permutation does not factorise; a single word counts as primal.

    >>> is_primal([1, 3, 0, 2]), is_primal([0, 1]), is_primal([0, 1, 2])
    (True, True, False)
    """
    if len(permutation) <= 2:
        return len(permutation) > 0
    table = tree(permutation).table
    return len(table) == 1 and int(table[0, 3]) == 0


class Node:
    """A node of a tree: a span of positions, with an operator unless it is a single word."""

    __slots__ = ("_slot", "begin", "end", "tree")

    def __init__(self, tree: Tree, begin: int, end: int, slot: int) -> None:
        self.tree = tree
        self.begin = begin
        self.end = end
        self._slot = slot  # row of the tree's table; -1 for a word

    @property
    def is_word(self) -> bool:
        """Whether the node is a leaf."""
        return self._slot < 0

    @property
    def kind(self) -> Kind:
        """``word``, ``monotone``, ``inverted`` or ``prime``."""
        return "word" if self.is_word else _KINDS[self.tree._rows[self._slot][3]]

    @property
    def children(self) -> list[Node]:
        """The child nodes from left to right."""
        if self.is_word:
            return []
        return [self.tree._node(code) for code in self.tree._child_codes()[self._slot]]

    @property
    def arity(self) -> int:
        """The number of children."""
        return 0 if self.is_word else self.tree._rows[self._slot][2]

    @property
    def chain(self) -> int:
        """The number of operators that the node stands for: children - 1 for a chain, otherwise 1."""
        return 0 if self.is_word else (self.arity - 1 if self.kind != "prime" else 1)

    @property
    def operator(self) -> Permutation:
        """The primal permutation of the node: child k goes to place ``operator[k]``.

        A flat chain has the two-place operator that it repeats. A word has ⟨1⟩.
        """
        if self.kind == "prime":
            # The values of children are ranges that do not overlap: any value of each will do.
            ranks = self.tree.permutation.ranks
            return Permutation.standardise([int(ranks[child.begin]) for child in self.children])
        return Permutation({"word": [0], "monotone": [0, 1], "inverted": [1, 0]}[self.kind])

    @property
    def words(self) -> list[str]:
        """The words of the span, or the numbers (from 1) if the tree has no words."""
        return [self.tree.label(k) for k in range(self.begin, self.end)]

    def __len__(self) -> int:
        return self.end - self.begin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        place = self.begin, self.end, self._slot
        return place == (other.begin, other.end, other._slot) and self.tree == other.tree

    def __hash__(self) -> int:
        return hash((self.begin, self.end, self._slot))  # without the tree, which would take linear time

    def __repr__(self) -> str:
        name = "word" if self.is_word else str(self.operator)
        return f"<Node {name} {self.begin}:{self.end}>"


class Tree(Displayed):
    """An immutable permutation tree, as returned by :func:`tree`, a forest, or :meth:`parse`.

    ``table`` has one row per internal node, in postorder: begin, end, arity, and kind (1 monotone,
    -1 inverted, 0 prime). Leaves are implied.
    """

    __slots__ = ("_children", "_rows", "permutation", "table", "words")

    def __init__(self, permutation: Permutation, table: Ints, words: Sequence[str] | None = None) -> None:
        if words is not None and len(words) != len(permutation):
            given = "1 word" if len(words) == 1 else f"{len(words)} words"
            raise InvalidTree(f"{given} for a permutation of {len(permutation)}")
        if words is not None and not all(isinstance(word, str) for word in words):
            raise InvalidTree("words must be text")
        self.permutation = permutation
        self.table = table
        self.table.flags.writeable = False
        self.words = None if words is None else tuple(words)
        self._rows: list[list[int]] = table.tolist()  # much faster than arrays to read item by item
        self._children: list[list[int]] | None = None

    @classmethod
    def from_spans(
        cls,
        permutation: Permutation,
        spans: Sequence[tuple[int, int]],
        words: Sequence[str] | None = None,
    ) -> Tree:
        """Build a tree from the spans (begin, end) of its internal nodes, in any order.

        >>> print(Tree.from_spans(Permutation([0, 1, 2]), [(0, 3), (1, 3)]))
        ⟨1,2⟩(1 ⟨1,2⟩(2 3))
        """
        from wordorder.core.tree_text import table_from_spans

        return cls(permutation, table_from_spans(permutation, spans), words)

    @classmethod
    def parse(cls, text: str) -> Tree:
        """Read a tree from its bracket or Penn-style text.

        >>> Tree.parse("(P2413 2 (P12 4 5 6) 1 3)").permutation
        Permutation([1, 3, 4, 5, 0, 2])
        """
        from wordorder.core.tree_text import parse

        return parse(text)

    # ----- nodes

    @property
    def root(self) -> Node:
        """The root node; a tree of no words has none."""
        if not len(self):
            raise InvalidTree("the empty permutation has no tree")
        return self._node(len(self.table) - 1 if len(self.table) else -1)

    def nodes(self, *, order: Literal["pre", "post"] = "pre", leaves: bool = False) -> Iterator[Node]:
        """Iterate over the internal nodes, and with ``leaves`` over the words, without recursion.

        >>> [str(node.operator) for node in tree([2, 0, 1]).nodes()]
        ['⟨2,1⟩', '⟨1,2⟩']
        """
        if order not in ("pre", "post"):
            raise InvalidTree(f"order is {order!r}; expected pre or post")
        if not len(self):
            return
        stack = [(self.root, False)]
        while stack:
            node, done = stack.pop()
            if node.is_word:
                if leaves:
                    yield node
                continue
            if order == "pre" or done:
                yield node
            if not done:
                if order == "post":
                    stack.append((node, True))
                stack.extend((child, False) for child in reversed(node.children))

    @property
    def node_count(self) -> int:
        """The number of operators in any tree of the permutation; a chain of m children has m - 1."""
        arity, kind = self.table[:, 2], self.table[:, 3]
        return int(np.where(kind == 0, 1, arity - 1).sum())

    @property
    def max_arity(self) -> int:
        """The length of the longest operator; 0 if there is none."""
        arity, kind = self.table[:, 2], self.table[:, 3]
        return int(np.where(kind == 0, arity, 2).max(initial=0))

    def label(self, position: int) -> str:
        """Return the text of a leaf: its word, or its number in the permutation, from 1."""
        return str(self.permutation[position] + 1) if self.words is None else self.words[position]

    # ----- other forms of the same tree

    def flat(self) -> Tree:
        """Merge every chain of ⟨1,2⟩, and of ⟨2,1⟩, into one node."""
        return tree(self.permutation, self.words)

    def left(self) -> Tree:
        """Return the canonical left-branching binary form, as a shift-reduce parser builds it.

        >>> print(tree([0, 1, 2]).left())
        ⟨1,2⟩(⟨1,2⟩(1 2) 3)
        """
        return self._bracketed(left=True)

    def right(self) -> Tree:
        """Return the canonical right-branching binary form.

        >>> print(tree([0, 1, 2]).right())
        ⟨1,2⟩(1 ⟨1,2⟩(2 3))
        """
        return self._bracketed(left=False)

    def _bracketed(self, *, left: bool) -> Tree:
        flat = self.flat()
        rows = []
        for node in flat.nodes():
            begin, end = node.begin, node.end
            if node.kind == "prime" or node.arity == 2:
                rows.append(flat._rows[node._slot])
                continue
            kind = 1 if node.kind == "monotone" else -1
            for child in node.children[1:] if left else node.children[:-1]:
                rows.append([begin, child.end, 2, kind] if left else [child.begin, end, 2, kind])
        return Tree(self.permutation, sorted_table(rows), self.words)

    def yielded(self) -> Permutation:
        """Compute the permutation from the operators, from the root down.

        >>> tree([2, 0, 1]).yielded()
        Permutation([2, 0, 1])
        """
        values = np.zeros(len(self), dtype=np.int32)
        if not len(self):
            return Permutation.identity(0)
        lowest = {(0, len(self)): 0}
        for node in self.nodes(leaves=True):
            low = lowest.pop((node.begin, node.end))
            if node.is_word:
                values[node.begin] = low
                continue
            children = node.children
            if node.kind == "inverted":
                children = children[::-1]
            elif node.kind == "prime":
                children = [children[k] for k in node.operator.order.tolist()]
            for child in children:
                lowest[child.begin, child.end] = low
                low += len(child)
        return Permutation(values)

    # ----- text

    def to_brackets(self) -> str:
        """Write as ``⟨2,1⟩(3 ⟨1,2⟩(1 2))``."""
        from wordorder.core.tree_text import brackets

        return brackets(self)

    def to_penn(self) -> str:
        """Write in Penn style, as the Reordering Grammar does: ``(P21 3 (P12 1 2))``."""
        from wordorder.core.tree_text import penn

        return penn(self)

    def _child_codes(self) -> list[list[int]]:
        """Return the children of each row of the table: rows, or -1 - position for words."""
        if self._children is None:
            children: list[list[int]] = []  # assigned when complete, as threads share trees
            pending: list[int] = []
            for begin, end, _, _ in self._rows:
                first = len(pending)
                while first and self._rows[pending[first - 1]][0] >= begin:
                    first -= 1
                codes: list[int] = []
                at = begin
                for row in pending[first:]:
                    codes.extend(-1 - k for k in range(at, self._rows[row][0]))
                    codes.append(row)
                    at = self._rows[row][1]
                codes.extend(-1 - k for k in range(at, end))
                del pending[first:]
                pending.append(len(children))
                children.append(codes)
            self._children = children
        return self._children

    def _node(self, code: int) -> Node:
        if code < 0:
            return Node(self, -1 - code, -code, -1)
        begin, end, _, _ = self._rows[code]
        return Node(self, begin, end, code)

    def __len__(self) -> int:
        return len(self.permutation)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.permutation == other.permutation
            and np.array_equal(self.table, other.table)
            and self.words == other.words
        )

    def __hash__(self) -> int:
        return hash((self.permutation, self.table.tobytes(), self.words))

    def __reduce__(self) -> tuple[type[Tree], tuple[Permutation, Ints, tuple[str, ...] | None]]:
        return Tree, (self.permutation, self.table, self.words)

    def __str__(self) -> str:
        return self.to_brackets()

    def __repr__(self) -> str:
        return f"<Tree {self.to_brackets() if len(self) <= 20 else f'of {len(self)} words'}>"


def flat_tables(permutations: Permutations) -> tuple[Ints, NDArray[np.int64]]:
    """Return the concatenated tables of the flat trees of many permutations, and their ends."""
    return _native.trees(permutations.values, permutations.offsets)


def sorted_table(rows: Sequence[Sequence[int]]) -> Ints:
    """Sort node rows in postorder: by end, inner before outer."""
    table = np.array(rows, dtype=np.int32).reshape(-1, 4)
    return np.ascontiguousarray(table[np.lexsort((-table[:, 0], table[:, 1]))])
