"""Trees over source words, as grammars and rules build them, in Penn brackets.

A node carries a label ``P`` and its operator: in ``P2413`` child 1 goes to place 2, child 2 to place 4
and so on. Words without a counterpart are joined by ``P01`` and ``P10``, where 0 is the unaligned child and
nothing moves. Other labels (``ROOT``, ``GLUE``) keep their children in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, tree
from wordorder.core.tree_text import no_round_brackets, penn_label
from wordorder.errors import InvalidTree

_OPERATOR = re.compile(r"P([1-9]+|[0-9]+(?:\.[0-9]+)+)(?:_[0-9]+)?")  # more than nine children: P10.2.4...
_TOKENS = re.compile(r"[()]|[^()\s]+")


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A node: a label over children in source order; a child that is a number is a source position.

    >>> node = SourceTree("P12", (SourceTree("P21", (0, 1)), 2))
    >>> node.order().order.tolist(), node.to_penn(["a", "b", "c"])
    ([1, 0, 2], '(P12 (P21 (tag_a a) (tag_b b)) (tag_c c))')
    """

    label: str
    children: tuple[SourceTree | int, ...]

    @classmethod
    def of_order(cls, order: Permutation) -> SourceTree:
        """Return the flat tree of an order under ``ROOT``: a chain of one operator is one node.

        >>> SourceTree.of_order(Permutation.from_order([1, 3, 0, 2])).to_penn("abcd")
        '(ROOT (P3142 (tag_a a) (tag_b b) (tag_c c) (tag_d d)))'
        """
        if not len(order):
            return cls("ROOT", ())
        flat = tree(order)
        built: dict[tuple[int, int], SourceTree] = {}
        for node in flat.nodes(order="post"):
            children = tuple(c.begin if c.is_word else built.pop((c.begin, c.end)) for c in node.children)
            built[node.begin, node.end] = cls(penn_label(node), children)
        return cls("ROOT", tuple(built.values()) or (0,))

    @property
    def operator(self) -> tuple[int, ...]:
        """The place of each child, from 0."""
        k = len(self.children)
        match = _OPERATOR.fullmatch(self.label)
        if not match:
            return tuple(range(k))
        numbers = match[1].split(".") if "." in match[1] else list(match[1])
        places = [int(number) - 1 for number in numbers]
        if len(places) == 2 and k > 2:  # a flat chain
            return tuple(range(k)) if places == [0, 1] else tuple(reversed(range(k)))
        if sorted(places) != list(range(k)):
            raise InvalidTree(f"{self.label} over {k} children: not a permutation of them")
        return tuple(places)

    def positions(self) -> Iterator[int]:
        """Yield the source positions below, in their new order."""
        stack: list[SourceTree | int] = [self]  # no recursion: a chain may be very deep
        while stack:
            node = stack.pop()
            if isinstance(node, int):
                yield node
                continue
            by_place: list[SourceTree | int] = [0] * len(node.children)
            for place, child in zip(node.operator, node.children, strict=True):
                by_place[place] = child
            stack.extend(reversed(by_place))

    def nodes(self) -> Iterator[SourceTree]:
        """Yield this node and all below, each before its children."""
        stack: list[SourceTree | int] = [self]
        while stack:
            node = stack.pop()
            if not isinstance(node, int):
                yield node
                stack.extend(reversed(node.children))

    def spans(self) -> list[tuple[int, int, SourceTree]]:
        """List begin, end and node of all nodes, each before its children.

        >>> [(i, j) for i, j, _ in SourceTree("P12", (SourceTree("P21", (0, 1)), 2)).spans()]
        [(0, 3), (0, 2)]
        """
        every = list(self.nodes())
        ends: dict[int, tuple[int, int]] = {}
        for node in reversed(every):  # children before their parents
            sides = [(c, c + 1) if isinstance(c, int) else ends[id(c)] for c in node.children] or [(0, 0)]
            ends[id(node)] = sides[0][0], sides[-1][1]
        return [(*ends[id(node)], node) for node in every]

    def shifted(self, by: int) -> SourceTree:
        """Return the tree with all positions shifted to the right."""
        shifted: dict[int, SourceTree] = {}
        for node in reversed(list(self.nodes())):
            children = tuple(c + by if isinstance(c, int) else shifted[id(c)] for c in node.children)
            shifted[id(node)] = SourceTree(node.label, children)
        return shifted[id(self)]

    def to_tree(self, words: Sequence[str] | None = None) -> Tree:
        """Return the permutation tree with the same nodes, for drawing; numbers are the places of words.

        >>> print(SourceTree("ROOT", (SourceTree("P21", (0, SourceTree("P12", (1, 2)))),)).to_tree())
        ⟨2,1⟩(3 ⟨1,2⟩(1 2))
        """
        spans = [(begin, end) for begin, end, _ in self.spans() if end - begin > 1]
        return Tree.from_spans(self.order(), spans, words)

    def order(self) -> Permutation:
        """Return the order of the source words that the tree gives."""
        return Permutation.from_order(self.positions())

    def unaligned(self) -> tuple[int, ...]:
        """Return the source positions of unaligned words: child 0 of a ``P01`` or ``P10``."""
        joined = (node for node in self.nodes() if node.label in ("P01", "P10"))
        children = (node.children[node.label.index("0") - 1] for node in joined)
        return tuple(sorted(child for child in children if isinstance(child, int)))

    def to_penn(self, words: Sequence[str]) -> str:
        """Write in Penn brackets; brackets in words become ``-LRB-`` and ``-RRB-``."""
        pieces: list[str] = []
        stack: list[SourceTree | int | None] = [self]
        while stack:
            node = stack.pop()
            if node is None:
                pieces.append(")")
            elif isinstance(node, int):
                word = no_round_brackets(words[node])
                pieces.append(f" (tag_{word} {word})")
            else:
                pieces.append(f" ({node.label}")
                stack += [None, *reversed(node.children)]
        return "".join(pieces)[1:]

    @classmethod
    def parse(cls, text: str) -> tuple[SourceTree, list[str]]:
        """Read the output of :meth:`to_penn`: the tree and its words, as written.

        >>> SourceTree.parse("(ROOT (P21 (tag_a a) (tag_b b)))")[0].order().order.tolist()
        [1, 0]
        """
        words: list[str] = []
        stack: list[tuple[str, list[SourceTree | int]]] = []
        done: SourceTree | int | None = None
        tokens = _TOKENS.findall(text)
        at = 0
        while at < len(tokens):
            if done is not None:
                raise InvalidTree("unexpected text after the end of the tree")
            token = tokens[at]
            if token == "(":
                label = tokens[at + 1] if at + 1 < len(tokens) else ")"
                if label in "()":
                    raise InvalidTree("a bracket without a label")
                stack.append((label, []))
                at += 2
                continue
            if not stack:
                raise InvalidTree(f"{token[:40]!r} outside of brackets")
            if token != ")":
                if stack[-1][1] or tokens[at + 1 : at + 2] != [")"]:
                    raise InvalidTree(f"{token[:40]!r}: a word stands alone in its brackets, (tag word)")
                stack.pop()
                new: SourceTree | int = len(words)
                words.append(token)
                at += 2
            else:
                label, children = stack.pop()
                new = cls(label, tuple(children))
                new.operator  # noqa: B018 (a label that does not fit its children is an error)
                at += 1
            if stack:
                stack[-1][1].append(new)
            else:
                done = new
        if stack or not isinstance(done, SourceTree):
            raise InvalidTree("the tree is not closed" if stack else "no tree")
        return done, words
