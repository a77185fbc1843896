"""Orders, trees and probabilities from the scores of edges.

Orders maximise an expectation over all trees, exactly: the share of word pairs in the right order, the share
of correct neighbours, or a mixture of both. Probabilities of orders and of word pairs are sums over trees.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Floats
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import expected_loss, precedence_of
from wordorder.preorder.crf import forest
from wordorder.preorder.crf.carried_words import (
    carried_inversions,
    carried_steps,
    carry,
    kept_inversions,
    without_chains,
)
from wordorder.preorder.long_sentences import Ranked, divided, precedence_table, ranked
from wordorder.preorder.probabilistic import NodeProbability, Pairs
from wordorder.preorder.trees import SourceTree

WIDEST = 100  # words move only within so many neighbouring ones, so that time is linear in the length beyond


class ScoredPiece(NamedTuple):
    """A sentence, or a piece of a long one: its number of words, and the scores of its edges.

    ``carried`` are words without a counterpart, each with the word that carries it along.
    """

    words: int
    scores: Floats
    carried: Mapping[int, int] = MappingProxyType({})


class SentenceScores(NamedTuple):
    """What a model knows of a sentence or a part of it."""

    edges: Floats  # two scores for each edge, straight and inverted, in the order of ``forest``
    linked: Floats | None = None  # the probability of each word to have a counterpart; None: not known


def carried_in_parts(parts: Iterable[tuple[int, ScoredPiece | ScoredWindows]], words: int) -> dict[int, int]:
    """Return the words of a sentence that are carried along, from its parts and where they begin.

    Only the end of the last part is the end of the sentence, which keeps a mark.
    """
    return without_chains(
        {
            start + word: start + carrier
            for start, part in parts
            for word, carrier in part.carried.items()
            if carrier < part.words or start + carrier == words
        }
    )


class ScoredWindows(NamedTuple):
    """A sentence in windows that overlap: where each of them begins, and the scores of its edges."""

    words: int
    windows: list[tuple[int, ScoredPiece]]

    @property
    def carried(self) -> Mapping[int, int]:
        """Words that are carried along, from the last window in which they are."""
        return carried_in_parts(self.windows, self.words)


class Expectations(NamedTuple):
    """Expectations over all trees of a sentence.

    ``inverted[a, b]`` for a < b is the probability that b comes before a; ``following[a, b]`` that b directly
    follows a. The last row and column of ``following`` stand for the sentence boundaries.
    """

    log_z: float
    inverted: Doubles
    following: Doubles


@dataclass(frozen=True)
class SentenceTables:
    """Expectations of a sentence, and the words that are carried along.

    ``free`` are those of all words as the model sees them, in which the best order is looked for. ``final``
    are those of the orders that come out: losses and gains follow from these, and all tables that are shown.
    """

    free: Expectations
    carried: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def inverted(self) -> Doubles:
        """The table of inversions in which words go with those that carry them."""
        return carried_inversions(self.free.inverted, self.carried) if self.carried else self.free.inverted

    @cached_property
    def final(self) -> Expectations:
        """The tables in which words go with those that carry them; ``log_z`` is that of the model."""
        if not self.carried:
            return self.free
        following = carried_steps(self.free.following, self.carried)
        return Expectations(self.free.log_z, self.inverted, following)


def expectations_of(part: ScoredPiece | ScoredWindows, *, canonical: bool) -> Expectations:
    """Return the tables of a part of a sentence that is ordered separately."""
    if isinstance(part, ScoredWindows):
        return joined_expectations(part, canonical=canonical)
    return expectations(part.scores, part.words, canonical=canonical)


def expectations(scores: Floats, n: int, *, canonical: bool) -> Expectations:
    """Sum over all trees of a sentence of n words."""
    return Expectations(*_native.crf_tables(scores, n, canonical))


def joined_expectations(scored: ScoredWindows, *, canonical: bool) -> Expectations:
    """Return the tables of a long sentence; ``log_z`` is unknown.

    A pair of words is looked up in the window in which both are farthest from a cut. Words that share no
    window keep their order and are no neighbours.
    """
    n = scored.words
    inverted, following = np.zeros((n, n)), np.zeros((n + 1, n + 1))
    margins = np.zeros((n, n))  # how far the words of a pair are from a cut, in the best window so far
    for start, (size, scores, _) in scored.windows:
        end = start + size
        found = expectations(scores, size, canonical=canonical)
        # The ends of the sentence are no cuts.
        left = np.arange(1, size + 1) if start else np.full(size, n)
        right = np.arange(size, 0, -1) if end < n else np.full(size, n)
        margin = np.minimum(left, right)
        margin = np.minimum(margin[:, None], margin[None, :])
        better = margin > margins[start:end, start:end]
        margins[start:end, start:end][better] = margin[better]
        inverted[start:end, start:end][better] = found.inverted[better]
        following[start:end, start:end][better] = found.following[:-1, :-1][better]
        if start == 0:
            following[n, :end] = found.following[size, :size]
        if end == n:
            following[start:n, n] = found.following[:size, size]
    return Expectations(np.nan, inverted, following)


def expectations_of_order(order: Permutation) -> Expectations:
    """Return the tables of an order that is certain.

    >>> expectations_of_order(Permutation.from_order([1, 0])).inverted.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    n = len(order)
    following = np.zeros((n + 1, n + 1))
    read = np.array([n, *order.order, n])
    following[read[:-1], read[1:]] = 1.0
    return Expectations(0.0, np.triu(precedence_of(order).T, 1), following)


def whole_expectations(pieces: Sequence[Expectations]) -> Expectations:
    """Return the tables of a sentence from those of its pieces, which stay in place and are independent."""
    if len(pieces) == 1:
        return pieces[0]
    n = sum(len(piece.inverted) for piece in pieces)
    inverted, following = np.zeros((n, n)), np.zeros((n + 1, n + 1))
    before, last = slice(n, n + 1), np.ones(1)  # the boundary, or the piece before with its last words
    at = 0
    for piece in pieces:
        end = at + len(piece.inverted)
        inverted[at:end, at:end] = piece.inverted
        following[at:end, at:end] = piece.following[:-1, :-1]
        following[before, at:end] = np.outer(last, piece.following[-1, :-1])
        before, last = slice(at, end), piece.following[:-1, -1]
        at = end
    following[before, n] = last
    return Expectations(sum(piece.log_z for piece in pieces), inverted, following)


def averaged(tables: Sequence[Expectations], weights: Sequence[float]) -> Expectations:
    """Return the weighted mean of tables of the same sentence; ``log_z`` is unknown."""
    shares = np.array(weights) / sum(weights)
    inverted = np.tensordot(shares, [each.inverted for each in tables], 1)
    following = np.tensordot(shares, [each.following for each in tables], 1)
    return Expectations(np.nan, inverted, following)


# Orders


def expected_quality(order: Sequence[int], tables: Expectations, adjacency: float) -> float:
    """Return the expected share of pairs in the right order, mixed with that of neighbours; 0 to 1."""
    n = len(order)
    pairs = 1 - expected_loss(Permutation.from_order(order), precedence_table([tables.inverted]))
    steps = sum(tables.following[a, b] for a, b in itertools.pairwise((n, *order, n))) / (n + 1)
    return float((1 - adjacency) * pairs + adjacency * steps)


def expected_gain(order: Sequence[int], tables: Expectations, adjacency: float) -> float:
    """Return the expected gain in quality over leaving the words in place."""
    still = expected_quality(range(len(order)), tables, adjacency)
    return expected_quality(order, tables, adjacency) - still


def ranked_orders(tables: Expectations, k: int, *, adjacency: float, moves: bool) -> Ranked:
    """Return the k best orders with their expected number of wrong pairs.

    Without ``adjacency`` they are sorted by that number. Otherwise the first order is the best mixture among
    all orders that binary trees build, and the others are the best orders for pairs, sorted by the mixture.
    In both cases, words move only within ``WIDEST`` neighbouring words.
    """
    if adjacency == 0 or len(tables.inverted) < 2:
        return _native.orders_of_table(tables.inverted, k, moves, WIDEST)
    best = _native.mixed_order(tables.inverted, tables.following, adjacency, WIDEST)
    others = _native.orders_of_table(tables.inverted, k, moves, WIDEST) if k > 1 else []
    return _best_and_others(best, others, k, tables, adjacency)


def carried_orders(tables: SentenceTables, k: int, *, adjacency: float, moves: bool) -> Ranked:
    """Return the k best orders in which words are carried along, like :func:`ranked_orders`.

    With ``adjacency``, words are carried along in the order that is best for all words as the model sees
    them. Other orders are looked for among the words that are kept.
    """
    if not tables.carried:
        return ranked_orders(tables.free, k, adjacency=adjacency, moves=moves)
    if adjacency == 0 or len(tables.inverted) < 2:
        return _carried_orders_of_pairs(tables, k, moves=moves)
    found = _native.mixed_order(tables.free.inverted, tables.free.following, adjacency, WIDEST)
    best = carry(found, tables.carried)
    if k == 1:
        return ranked([best], tables.inverted)
    others = _carried_orders_of_pairs(tables, k, moves=moves)
    return _best_and_others(best, others, k, tables.final, adjacency)


def _carried_orders_of_pairs(tables: SentenceTables, k: int, *, moves: bool) -> Ranked:
    """Return the k orders of least loss in which words are carried along."""
    inverted, carried = tables.inverted, tables.carried
    kept = np.setdiff1d(np.arange(len(inverted)), [*carried])
    found = _native.orders_of_table(kept_inversions(inverted, kept, carried), k, moves, WIDEST)
    return ranked([carry([*kept[order].tolist(), *carried], carried) for _, order in found], inverted)


def _best_and_others(
    best: list[int], found: Ranked, k: int, tables: Expectations, adjacency: float
) -> Ranked:
    """Return the best order for a mixture, then others that were found, sorted by the mixture."""
    others = [order for _, order in found if order != best]
    others.sort(key=lambda order: -expected_quality(order, tables, adjacency))
    return ranked([best, *others][:k], tables.inverted)


def apply_min_gain(orders: Ranked, tables: Expectations, *, adjacency: float, min_gain: float) -> Ranked:
    """Put the source order first unless the expected gain of the best order is at least ``min_gain``.

    Nothing is expected of an order if ``min_gain`` is 0: that of the best tree may promise a loss.
    """
    best = orders[0][1]
    still = list(range(len(best)))
    if min_gain == 0 or best == still or expected_gain(best, tables, adjacency) >= min_gain:
        return orders
    return put_first(still, orders, tables.inverted, len(orders))


def put_first(order: list[int], orders: Ranked, inverted: Doubles, k: int) -> Ranked:
    """Return up to k orders with this one first, with its expected number of wrong pairs."""
    others = [other for other in orders if other[1] != order]
    return [*ranked([order], inverted), *others][:k]


def best_tree(scores: Floats, n: int, *, canonical: bool, order: Permutation | None = None) -> SourceTree:
    """Return the most probable tree, or the most probable one that yields ``order``; flat if none does."""
    if n < 2:
        return SourceTree("ROOT", tuple(range(n)))
    allowed = scores if order is None else scores + forest.order_weights(order)
    score, nodes = _native.crf_best_tree(allowed, n, canonical)
    if score == -np.inf:
        assert order is not None
        return SourceTree.of_order(order)
    built: dict[tuple[int, int], SourceTree] = {}
    for begin, middle, end, op in reversed(nodes):  # children follow their parents
        parts = tuple(i if j - i == 1 else built[i, j] for i, j in ((begin, middle), (middle, end)))
        built[begin, end] = SourceTree("P21" if op else "P12", parts)
    return SourceTree("ROOT", (built[0, n],))


# Probabilities


class OrderProbabilities:
    """Probabilities of several orders of one sentence; the sum for each order of a piece is computed once."""

    def __init__(self, pieces: Sequence[ScoredPiece], *, canonical: bool) -> None:
        self._pieces = pieces
        self._canonical = canonical
        self._known: dict[tuple[int, Permutation], float] = {}

    def of(self, order: Permutation) -> float | None:
        """Return the log probability; None if the order mixes words of different pieces."""
        parts = divided(order, [piece.words for piece in self._pieces])
        return None if parts is None else sum(self._of_piece(p, part) for p, part in enumerate(parts))

    def _of_piece(self, piece: int, order: Permutation) -> float:
        if (piece, order) not in self._known:
            scores = self._pieces[piece].scores
            self._known[piece, order] = forest.log_probability(scores, order, canonical=self._canonical)
        return self._known[piece, order]


def log_agreement(pieces: Sequence[ScoredPiece], pairs: Pairs, *, canonical: bool) -> float:
    """Return the log probability that in all these pairs the first word comes before the second."""
    ends = np.cumsum([piece.words for piece in pieces])
    within: list[list[tuple[int, int]]] = [[] for _ in pieces]
    for before, after in pairs:
        first, second = (int(np.searchsorted(ends, i, side="right")) for i in (before, after))
        if first > second:
            return -np.inf  # pieces keep their order
        if first == second:
            start = int(ends[first]) - pieces[first].words
            within[first].append((before - start, after - start))
    return sum(
        forest.log_share(scores, n, forest.pair_weights(n, own), canonical=canonical)
        for (n, scores, _), own in zip(pieces, within, strict=True)
        if own
    )


def operator_probabilities(
    pieces: Sequence[ScoredPiece], tree: SourceTree, *, canonical: bool
) -> dict[tuple[int, int], NodeProbability]:
    """Return, for the binary nodes of a tree, the probability of the span and of its operator given it."""
    operators: dict[tuple[int, int], NodeProbability] = {}
    nodes = [(b, e, node.label) for b, e, node in tree.spans() if len(node.children) == 2]
    start = 0
    for n, scores, _ in pieces:
        shares = forest.posteriors(scores, [n], canonical=canonical)[1]
        for begin, end, label in nodes:
            if label not in ("P12", "P21") or not start <= begin < end <= start + n:
                continue
            first = forest.edge_index(n, begin - start, begin - start + 1, end - start)
            by_op = shares[2 * first : 2 * (first + end - begin - 1)].reshape(-1, 2).sum(axis=0)
            span = float(by_op.sum())
            if span > 0:
                operators[begin, end] = NodeProbability(
                    min(span, 1.0), float(by_op[int(label == "P21")]) / span
                )
        start += n
    return operators
