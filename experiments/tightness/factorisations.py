"""Weak factorisations: trees of a permutation that need not be fully factorised.

A weak factorisation keeps any of the intervals of a permutation as nodes, as long as they
nest, so its operators may have any length and may factorise further. The flattest one has a
single node; the ones to which no interval can be added are the permutation trees (PETs). They
are what the tight and semi-tight properties quantify over
(Stanojević and Sima'an 2016, sections 3 and 4; see :mod:`experiments.tightness.claims`).

Their number grows like the Schröder numbers: this is for small permutations.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from wordorder.core.permutation import Permutation
from wordorder.core.tree import is_primal
from wordorder.errors import InvalidTree

Span = tuple[int, int]


@dataclass(frozen=True)
class WeakFactorisation:
    """A tree of intervals: the spans (begin, end) of its internal nodes, each before what it holds.

    >>> weak = WeakFactorisation(Permutation([1, 3, 4, 5, 0, 2]), ((1, 3), (0, 6)))
    >>> print(weak)
    ⟨2,4,5,1,3⟩(2 ⟨1,2⟩(4 5) 6 1 3)
    >>> weak.spans, weak.is_flattest, weak.is_pet
    (((0, 6), (1, 3)), False, False)
    """

    permutation: Permutation
    spans: tuple[Span, ...]

    def __post_init__(self) -> None:
        spans = tuple(sorted(set(self.spans), key=_outer_first))
        object.__setattr__(self, "spans", spans)  # the one write to a frozen value: its normal form
        n = len(self.permutation)
        if n > 1 and (0, n) not in spans:
            raise InvalidTree(f"the span of the whole sentence, (0, {n}), is missing")
        values = list(self.permutation)
        around: list[Span] = []
        for begin, end in spans:
            if not 0 <= begin < end - 1 < n:
                raise InvalidTree(f"({begin}, {end}) is not the span of a node (n = {n})")
            part = values[begin:end]
            if max(part) - min(part) != end - begin - 1:
                raise InvalidTree(f"span ({begin}, {end}) is not an interval of {self.permutation}")
            while around and around[-1][1] <= begin:
                around.pop()
            if around and around[-1][1] < end:
                raise InvalidTree(f"span ({begin}, {end}) crosses span {around[-1]}")
            around.append((begin, end))

    @cached_property
    def _children(self) -> dict[Span, tuple[Span, ...]]:
        inside: dict[Span, list[Span]] = {span: [] for span in self.spans}
        around: list[Span] = []
        for span in self.spans:
            while around and around[-1][1] <= span[0]:
                around.pop()
            if around:
                inside[around[-1]].append(span)
            around.append(span)
        return {span: _with_words(span, nodes) for span, nodes in inside.items()}

    def children(self, span: Span) -> tuple[Span, ...]:
        """The spans of a node's children from left to right; a word k is (k, k + 1).

        >>> WeakFactorisation(Permutation([0, 1, 2]), ((0, 3), (1, 3))).children((0, 3))
        ((0, 1), (1, 3))
        """
        if span not in self._children:
            raise InvalidTree(f"{span} is not a node of {self}")
        return self._children[span]

    @cached_property
    def operators(self) -> tuple[Permutation, ...]:
        """The operator of each node, in the order of :attr:`spans`; equal ones are all listed.

        >>> [str(operator) for operator in next(weak_factorisations([2, 0, 1])).operators]
        ['⟨3,1,2⟩']
        """
        values = list(self.permutation)
        return tuple(
            Permutation.standardise(min(values[begin:end]) for begin, end in self._children[span])
            for span in self.spans
        )

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The length of each node's operator: the number of its children."""
        return tuple(len(self._children[span]) for span in self.spans)

    @cached_property
    def chain_sizes(self) -> tuple[int, ...]:
        """The sizes of the maximal groups of adjacent binary nodes with the same operator.

        >>> spans = ((0, 5), (0, 3), (0, 2), (3, 5))
        >>> weak = WeakFactorisation(Permutation([0, 1, 2, 4, 3]), spans)
        >>> print(weak, weak.chain_sizes)
        ⟨1,2⟩(⟨1,2⟩(⟨1,2⟩(1 2) 3) ⟨2,1⟩(5 4)) (3, 1)
        """
        pairs = zip(self.spans, self.operators, strict=True)
        first_place = {span: operator[0] for span, operator in pairs if len(operator) == 2}
        top: dict[Span, Span] = {}
        for span, place in first_place.items():  # outer nodes come first
            top.setdefault(span, span)
            for child in self._children[span]:
                if first_place.get(child) == place:
                    top[child] = top[span]
        return tuple(Counter(top.values()).values())

    @property
    def is_flattest(self) -> bool:
        """Whether there is a single node, or only a word: nothing is factorised."""
        return len(self.spans) <= 1

    @cached_property
    def is_pet(self) -> bool:
        """Whether every operator is primal, so that nothing can be factorised further."""
        return all(is_primal(operator) for operator in self.operators)

    def refines(self, other: WeakFactorisation) -> bool:
        """Whether ``other`` factorises into this one: the same nodes and at least one more.

        >>> flattest, *_, pet = weak_factorisations([2, 0, 1])
        >>> pet.refines(flattest), flattest.refines(pet), pet.refines(pet)
        (True, False, False)
        """
        return self.permutation == other.permutation and set(other.spans) < set(self.spans)

    def __str__(self) -> str:
        pieces: list[str] = []
        operator = dict(zip(self.spans, self.operators, strict=True))
        stack: list[Span | str] = [(0, len(self.permutation))] if len(self.permutation) else []
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                pieces.append(item)
            elif item not in operator:
                pieces.append(str(self.permutation[item[0]] + 1))
            else:
                pieces.append(f"{operator[item]}(")
                stack.append(")")
                for child in reversed(self._children[item]):
                    stack.extend((child, " "))
                stack.pop()  # no blank before the first child
        return "".join(pieces)


def intervals(permutation: Permutation | Sequence[int]) -> list[Span]:
    """The spans of two words or more whose values are consecutive, by begin and then end.

    >>> intervals([1, 3, 4, 5, 0, 2])
    [(0, 6), (1, 3), (1, 4), (2, 4)]
    """
    values = list(permutation)
    found = []
    for begin in range(len(values)):
        low = high = values[begin]
        for end in range(begin + 2, len(values) + 1):
            low, high = min(low, values[end - 1]), max(high, values[end - 1])
            if high - low == end - begin - 1:
                found.append((begin, end))
    return found


def weak_factorisations(permutation: Permutation | Sequence[int]) -> Iterator[WeakFactorisation]:
    """Iterate over all weak factorisations, fewer nodes first: sets of intervals that nest.

    >>> for weak in weak_factorisations([0, 1, 2]):
    ...     print(weak)
    ⟨1,2,3⟩(1 2 3)
    ⟨1,2⟩(⟨1,2⟩(1 2) 3)
    ⟨1,2⟩(1 ⟨1,2⟩(2 3))
    """
    perm = permutation if isinstance(permutation, Permutation) else Permutation(permutation)
    whole = (0, len(perm))
    inner = [span for span in intervals(perm) if span != whole]
    root = (whole,) if len(perm) > 1 else ()
    # Each set grows only by intervals that come later in the list, so it is met once.
    waiting: deque[tuple[tuple[Span, ...], int]] = deque([(root, 0)])
    while waiting:
        spans, first = waiting.popleft()
        yield WeakFactorisation(perm, spans)
        for k in range(first, len(inner)):
            if not _crosses_any(inner[k], spans):
                waiting.append(((*spans, inner[k]), k + 1))


def refinement_steps(weak: Sequence[WeakFactorisation]) -> list[tuple[int, int]]:
    """The pairs (x, y) of places in the list of which y is x and one node more.

    Given all weak factorisations of a permutation, every refinement is a chain of such steps,
    since any part of a set of nested spans is nested.

    >>> refinement_steps(list(weak_factorisations([0, 1, 2])))
    [(0, 1), (0, 2)]
    """
    place = {frozenset(one.spans): k for k, one in enumerate(weak)}
    return sorted(
        (place[spans - {span}], y) for spans, y in place.items() for span in spans if spans - {span} in place
    )


def _crosses_any(span: Span, others: Iterable[Span]) -> bool:
    begin, end = span
    return any(a < begin < b < end or begin < a < end < b for a, b in others)


def _outer_first(span: Span) -> tuple[int, int]:
    return span[0], -span[1]


def _with_words(span: Span, nodes: Sequence[Span]) -> tuple[Span, ...]:
    """Fill what the child nodes leave of the span with single words."""
    children: list[Span] = []
    at = span[0]
    for begin, end in nodes:
        children.extend((k, k + 1) for k in range(at, begin))
        children.append((begin, end))
        at = end
    children.extend((k, k + 1) for k in range(at, span[1]))
    return tuple(children)
