"""Conditional random fields over trees the slow way: every tree of a sentence, one by one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wordorder.core.alignment import Alignment

Edge = tuple[int, int, int, int]  # begin, cut, end, op


class Tree(NamedTuple):
    edges: tuple[Edge, ...]  # the top one first, then all of the left part, then all of the right
    order: tuple[int, ...]


def trees(i: int, j: int, *, canonical: bool = False) -> Iterator[Tree]:
    """All binary trees over words i .. j-1; canonical ones have no right part with its parent's op."""
    if j - i < 2:
        yield Tree((), tuple(range(i, j)))
        return
    for k, op in itertools.product(range(i + 1, j), (0, 1)):
        for left, right in itertools.product(
            trees(i, k, canonical=canonical), list(trees(k, j, canonical=canonical))
        ):
            if canonical and right.edges and right.edges[0][3] == op:
                continue
            order = right.order + left.order if op else left.order + right.order
            yield Tree(((i, k, j, op), *left.edges, *right.edges), order)


def numbered(n: int) -> dict[Edge, int]:
    """Where the score of each edge stands."""
    every = [
        (i, k, i + d, op)
        for d in range(2, n + 1)
        for i in range(n - d + 1)
        for k in range(i + 1, i + d)
        for op in (0, 1)
    ]
    return {edge: at for at, edge in enumerate(every)}


class Field(NamedTuple):
    """All trees with their probabilities."""

    log_z: float
    trees: list[Tree]
    shares: np.ndarray


def field(scores: np.ndarray, n: int, *, canonical: bool = False) -> Field:
    place = numbered(n)
    every = list(trees(0, n, canonical=canonical))
    values = np.array([sum(float(scores[place[edge]]) for edge in tree.edges) for tree in every])
    log_z = float(np.logaddexp.reduce(values))
    return Field(log_z, every, np.exp(values - log_z))


def field_with_states(scores: np.ndarray, transitions: np.ndarray, n: int) -> Field:
    """The field whose nodes have hidden states: a tree counts with all states of its nodes.

    ``scores[state, edge]`` and ``transitions[parent label, child label, side]``; a label is 2 * state + op.
    """
    place = numbered(n)
    every = list(trees(0, n))
    values = []
    for tree in every:
        top = {(i, j): at for at, (i, _, j, _) in enumerate(tree.edges)}
        totals = []
        for states in itertools.product(range(len(scores)), repeat=len(tree.edges)):
            total = sum(float(scores[a, place[edge]]) for a, edge in zip(states, tree.edges, strict=True))
            label = [2 * a + edge[3] for a, edge in zip(states, tree.edges, strict=True)]
            for at, (i, k, j, _) in enumerate(tree.edges):
                for side, part in enumerate(((i, k), (k, j))):
                    if part in top:
                        total += float(transitions[label[at], label[top[part]], side])
            totals.append(total)
        values.append(float(np.logaddexp.reduce(totals)))
    log_z = float(np.logaddexp.reduce(values))
    return Field(log_z, every, np.exp(np.array(values) - log_z))


def posteriors(found: Field, n: int) -> np.ndarray:
    place = numbered(n)
    out = np.zeros(len(place))
    for tree, share in zip(found.trees, found.shares, strict=True):
        for edge in tree.edges:
            out[place[edge]] += share
    return out


def inverted(found: Field, n: int) -> np.ndarray:
    """``[a, b]`` for a < b: how probable it is that b comes before a."""
    out = np.zeros((n, n))
    for tree, share in zip(found.trees, found.shares, strict=True):
        for later, earlier in itertools.combinations(reversed(tree.order), 2):
            if earlier > later:
                out[later, earlier] += share
    return out


def neighbours(found: Field, n: int) -> np.ndarray:
    """``[a, b]``: how probable it is that b directly follows a; n is the boundary."""
    out = np.zeros((n + 1, n + 1))
    for tree, share in zip(found.trees, found.shares, strict=True):
        for a, b in itertools.pairwise((n, *tree.order, n)):
            out[a, b] += share
    return out


def agrees(one: Alignment, order: Sequence[int]) -> bool:
    """Whether no pair of linked words is read in the wrong order."""
    return wrong_pairs(one, order) == 0


def wrong_pairs(one: Alignment, order: Sequence[int]) -> int:
    spans = [(min(t), max(t)) if (t := [j for i, j in one.links if i == a]) else None for a in order]
    return sum(
        earlier is not None
        and later is not None
        and earlier != later
        and earlier[0] >= later[0]
        and earlier[1] >= later[1]
        for earlier, later in itertools.combinations(spans, 2)
    )


def moved_pairs(one: Alignment, order: Sequence[int]) -> int:
    """Pairs that are read the other way round and of which one or both have no link."""
    linked = {i for i, _ in one.links}
    return sum(
        earlier > later and not {earlier, later} <= linked
        for earlier, later in itertools.combinations(order, 2)
    )


def detached_pairs(one: Alignment, order: Sequence[int]) -> int:
    """Pairs with a word without links that is not read where the next one with links is, before it."""
    spans = _spans(one)

    def place(i: int) -> tuple[int, int]:
        near = [*range(i, len(order)), *range(i - 1, -1, -1)]
        return next((spans[k] for k in near if k in spans), (0, 0))

    count = 0
    for earlier, later in itertools.combinations(order, 2):
        if earlier in spans and later in spans:
            continue
        a, b = place(earlier), place(later)
        count += (a[0] >= b[0] and a[1] >= b[1]) if a != b else earlier > later
    return count


def _spans(one: Alignment) -> dict[int, tuple[int, int]]:
    """First and last target position of each word with links."""
    return {i: (min(t), max(t)) for i in range(one.source_size) if (t := [j for k, j in one.links if k == i])}


def contradict(one: Alignment, a: int, b: int) -> bool:
    """Whether two linked words would be ordered differently by their first and by their last position."""
    spans = _spans(one)
    if a not in spans or b not in spans:
        return False
    (first, last), (other_first, other_last) = spans[a], spans[b]
    return (first < other_first and last > other_last) or (first > other_first and last < other_last)


def pair_sign(one: Alignment, a: int, b: int, stay: float, *, attach: bool) -> float:
    """How the words a < b should stand: 1 as they are, -1 the other way round, and what lies between."""
    spans = _spans(one)

    def before(x: tuple[int, int], y: tuple[int, int]) -> bool:
        return x != y and x[0] <= y[0] and x[1] <= y[1]

    if a in spans and b in spans:
        if contradict(one, a, b):
            pairs = [(j, k) for i, j in one.links if i == a for h, k in one.links if h == b]
            return sum((j < k) - (j > k) for j, k in pairs) / len(pairs)
        return float(before(spans[a], spans[b]) - before(spans[b], spans[a]))
    if not attach or not spans:
        return stay
    near = [
        next(spans[k] for k in (*range(i, one.source_size), *range(i - 1, -1, -1)) if k in spans)
        for i in (a, b)
    ]
    return stay if near[0] == near[1] else stay * (before(near[0], near[1]) - before(near[1], near[0]))
