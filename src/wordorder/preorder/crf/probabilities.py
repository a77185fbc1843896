"""What the trees of a sentence in pieces say of orders, of pairs of words and of nodes, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.core.permutation import Permutation
from wordorder.preorder.crf import forest
from wordorder.preorder.long_sentences import divided
from wordorder.preorder.probabilistic import Operator, Pairs
from wordorder.preorder.trees import SourceTree


class Piece(NamedTuple):
    """A sentence, or a piece of a long one: its number of words, and the scores of its edges."""

    words: int
    scores: NDArray[np.float32]


class OrderProbabilities:
    """The probabilities of several orders of one sentence; what they share in a piece is summed once."""

    def __init__(self, pieces: Sequence[Piece], *, canonical: bool) -> None:
        self._pieces = pieces
        self._canonical = canonical
        self._known: dict[tuple[int, Permutation], float] = {}

    def of(self, order: Permutation) -> float | None:
        """The logarithm of the probability; None if the order mixes words of different pieces."""
        parts = divided(order, [piece.words for piece in self._pieces])
        return None if parts is None else sum(self._of_piece(at, part) for at, part in enumerate(parts))

    def _of_piece(self, at: int, order: Permutation) -> float:
        if (at, order) not in self._known:
            scores = self._pieces[at].scores
            self._known[at, order] = forest.log_probability(scores, order, canonical=self._canonical)
        return self._known[at, order]


def pairs_share(pieces: Sequence[Piece], pairs: Pairs, *, canonical: bool) -> float:
    """The logarithm of the probability that in all these pairs the first word comes before the second."""
    ends = np.cumsum([piece.words for piece in pieces])
    inside: list[list[tuple[int, int]]] = [[] for _ in pieces]
    for before, after in pairs:
        one, other = (int(np.searchsorted(ends, i, side="right")) for i in (before, after))
        if one > other:
            return -np.inf  # pieces stay in their order
        if one == other:
            start = int(ends[one]) - pieces[one].words
            inside[one].append((before - start, after - start))
    return sum(
        forest.log_share(scores, n, forest.pair_weights(n, some), canonical=canonical)
        for (n, scores), some in zip(pieces, inside, strict=True)
        if some
    )


def node_shares(
    pieces: Sequence[Piece], tree: SourceTree, *, canonical: bool
) -> dict[tuple[int, int], Operator]:
    """For the binary nodes of a tree: how probable their spans are, and given these their operators."""
    found: dict[tuple[int, int], Operator] = {}
    nodes = [(b, e, node.label) for b, e, node in tree.spans() if len(node.children) == 2]
    start = 0
    for n, scores in pieces:
        shares = forest.posteriors(scores, [n], canonical=canonical)[1]
        for begin, end, label in nodes:
            if label not in ("P12", "P21") or not start <= begin < end <= start + n:
                continue
            first = forest.edge_index(n, begin - start, begin - start + 1, end - start)
            by_op = shares[2 * first : 2 * (first + end - begin - 1)].reshape(-1, 2).sum(axis=0)
            span = float(by_op.sum())
            if span > 0:
                found[begin, end] = Operator(min(span, 1.0), float(by_op[int(label == "P21")]) / span)
        start += n
    return found
