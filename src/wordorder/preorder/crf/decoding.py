"""From scores of edges to orders: exact consensus for pairs of words, for neighbours or both; best trees."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Floats
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import expected_loss
from wordorder.preorder.crf.forest import order_weights
from wordorder.preorder.long_sentences import Ranked, precedence_table
from wordorder.preorder.trees import SourceTree

LONGEST, SOME = 100, 20


class Expectations(NamedTuple):
    """What a sentence's trees agree on.

    ``inverted[a, b]`` for a < b is the probability that b comes before a, ``following[a, b]`` that b directly
    follows a; the last row and column stand for the sentence's boundaries.
    """

    log_z: float
    inverted: Doubles
    following: Doubles


def expectations(scores: Floats, n: int, *, canonical: bool) -> Expectations:
    """Sums over all trees."""
    return Expectations(*_native.crf_tables(scores, n, canonical))


def value(order: Sequence[int], found: Expectations, adjacency: float) -> float:
    """The expected share of pairs in order, mixed with that of steps made; from 0 to 1."""
    n = len(order)
    pairs = 1 - expected_loss(Permutation.from_order(order), precedence_table([found.inverted]))
    steps = sum(found.following[a, b] for a, b in itertools.pairwise((n, *order, n))) / (n + 1)
    return float((1 - adjacency) * pairs + adjacency * steps)


def ranked(found: Expectations, k: int, *, adjacency: float, moves: bool) -> Ranked:
    """The k best orders with their expected number of wrong pairs.

    Without ``adjacency`` they come by that number. With it, the first is the best mixture of all orders that
    binary trees build, and the others are the best for pairs, in the order of the mixture. To find that
    first one takes time with the fifth power of the length: beyond ``LONGEST`` words it is the best of some.
    """
    orders = _native.orders_of_table(found.inverted, k, moves)
    n = len(found.inverted)
    if adjacency == 0 or n < 2:
        return orders
    if n > LONGEST:
        orders = _native.orders_of_table(found.inverted, max(k, SOME), moves)
    others = sorted((order for _, order in orders), key=lambda order: -value(order, found, adjacency))
    best = _native.mixed_order(found.inverted, found.following, adjacency) if n <= LONGEST else others[0]
    others = [order for order in others if order != best]
    table = precedence_table([found.inverted])
    pairs = len(best) * (len(best) - 1) / 2
    return [(expected_loss(Permutation.from_order(one), table) * pairs, one) for one in [best, *others][:k]]


def gain(order: Sequence[int], found: Expectations, adjacency: float) -> float:
    """What an order is expected to gain over leaving words where they are."""
    return value(order, found, adjacency) - value(range(len(order)), found, adjacency)


def cautious(orders: Ranked, found: Expectations, *, adjacency: float, caution: float) -> Ranked:
    """The same orders, but that of the source first unless the best is expected to gain ``caution``."""
    best, n = orders[0][1], len(orders[0][1])
    still = list(range(n))
    if n < 2 or best == still or gain(best, found, adjacency) >= caution:
        return orders
    loss = expected_loss(Permutation.from_order(still), precedence_table([found.inverted])) * n * (n - 1) / 2
    return [(loss, still), *(one for one in orders if one[1] != still)][: len(orders)]


def best_tree(scores: Floats, n: int, *, canonical: bool, order: Permutation | None = None) -> SourceTree:
    """The most probable tree, or the most probable of those that read an order; flat if there is none."""
    if n < 2:
        return SourceTree("ROOT", tuple(range(n)))
    given = scores if order is None else scores + order_weights(order)
    score, nodes = _native.crf_best_tree(given, n, canonical)
    if score == -np.inf:
        assert order is not None
        return SourceTree.of_order(order)
    built: dict[tuple[int, int], SourceTree] = {}
    for begin, middle, end, op in reversed(nodes):  # parts come after what they are parts of
        parts = tuple(i if j - i == 1 else built[i, j] for i, j in ((begin, middle), (middle, end)))
        built[begin, end] = SourceTree("P21" if op else "P12", parts)
    return SourceTree("ROOT", (built[0, n],))
