"""The conditional random field over all binary trees of a sentence: its loss and its gradient.

A tree divides the sentence recursively. An *edge* ``(i, k, j, op)`` divides the words ``i .. j-1`` before
word ``k`` and reads the parts straight (op 0) or inverted (op 1). Every edge has a score; the score of a tree
is the sum of the scores of its edges, and its probability is proportional to the exponential of its score.

The scores of a batch are one flat array of 32- or 64-bit floats, sentence after sentence. Within a sentence
of n words, edges are in the order of :func:`edges`: spans by increasing length, then start, then cut. Each
edge has two scores, straight and inverted: ``scores[2 * edge + op]``. A sentence has ``2 * edge_count(n)``
scores, none if it has fewer than two words.

Several trees read one order. By default all of them count, so scores may prefer one bracketing to another;
with ``canonical`` the right part of an edge never has the same op, and every order has a single tree.

The *soft forest* of an alignment (:func:`log_weights`) subtracts ``strength`` from an edge for every pair of
words that it puts in the wrong order, and a little for unaligned words that it moves. No tree is ruled out,
so any alignment can be learned from; with infinite strength the trees that remain are the hard forest.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Doubles, Floats, Ints
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import target_spans
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting

Scores = TypeVar("Scores", NDArray[np.float32], NDArray[np.float64])


def edge_count(n: int) -> int:
    """Return the number of edges of a sentence of n words, without the direction.

    >>> [edge_count(n) for n in range(6)]
    [0, 0, 1, 4, 10, 20]
    """
    return (n + 1) * n * (n - 1) // 6 if n > 1 else 0


@cache
def edges(n: int) -> Ints:
    """Return start, cut and end of every edge, in the order of their scores.

    >>> edges(3).tolist()
    [[0, 1, 2], [1, 2, 3], [0, 1, 3], [0, 2, 3]]
    """
    rows = [
        np.stack(
            [np.repeat(starts, d - 1), (starts[:, None] + cuts).ravel(), np.repeat(starts + d, d - 1)], axis=1
        )
        for d in range(2, n + 1)
        for starts, cuts in [(np.arange(n - d + 1, dtype=np.int32), np.arange(1, d, dtype=np.int32))]
    ]
    every: Ints = np.concatenate([np.empty((0, 3), np.int32), *rows])
    every.flags.writeable = False
    return every


def edge_index(n: int, i: int, k: int, j: int) -> int:
    """Return the number of an edge, whose scores are ``scores[2 * edge_index(...) + op]``.

    >>> edge_index(3, 0, 2, 3)
    3
    """
    m = j - i - 2
    return n * m * (m + 1) // 2 - m * (m + 1) * (2 * m + 1) // 6 + i * (j - i - 1) + k - i - 1


def posteriors(
    scores: Scores, lengths: Sequence[int] | Ints, *, canonical: bool = False, threads: int = 1
) -> tuple[Doubles, Scores]:
    """Return the log sum over all trees of each sentence, and the probability of every edge."""
    return _native.crf_posteriors(scores, np.asarray(lengths, np.int32), canonical, threads)


def loss_and_gradient(
    scores: Scores,
    lengths: Sequence[int] | Ints,
    weights: Scores,
    *,
    canonical: bool = False,
    threads: int = 1,
) -> tuple[Doubles, Scores]:
    """Return log Z of all trees minus log Z of the weighted trees per sentence, and its gradient.

    ``weights`` are logarithms, one for each score, as :func:`log_weights` returns them. If they leave no
    tree, the loss is infinite and the gradient zero.
    """
    return _native.crf_loss(scores, np.asarray(lengths, np.int32), weights, canonical, threads)


def misordered(
    alignments: Sequence[Alignment], *, attach: bool = True, threads: int = 1
) -> tuple[Floats, Floats]:
    """Return, for every edge, the number of linked pairs in the wrong order, and of other pairs it inverts.

    A word belongs before another if neither its first nor its last target position is after the other's; if
    these contradict each other, or are the same, no order is wrong. With ``attach`` an unaligned word belongs
    before the next aligned word, and pairs count that move it away from there.

    >>> misordered([Alignment(2, 2, [(0, 1), (1, 0)])])[0].tolist()
    [1.0, 0.0]
    >>> misordered([Alignment(2, 2, [(0, 1)])])[1].tolist()
    [0.0, 1.0]
    """
    lengths = np.array([alignment.source_size for alignment in alignments], dtype=np.int32)
    first, last = (side.astype(np.int32) for side in target_spans(Alignments.from_alignments(alignments)))
    return _native.crf_misordered(first, last, lengths, attach, threads)


def log_weights(
    alignments: Sequence[Alignment],
    strength: float,
    *,
    stay: float = 0.03,
    attach: bool = True,
    threads: int = 1,
) -> Floats:
    """Return the soft forests of alignments: the log weight of each edge, 0 or less.

    ``strength`` (lambda) is the cost of a pair in the wrong order, ``stay`` that of moving an unaligned word
    past another word or, with ``attach``, away from the next aligned word.

    >>> log_weights([Alignment(2, 2, [(0, 1), (1, 0)])], 2.0).tolist()
    [-2.0, 0.0]
    """
    if not (strength >= 0 and 0 <= stay < np.inf):
        raise BadSetting(f"strength is {strength} and stay {stay}; expected finite stay and both 0 or more")
    wrong, moved = misordered(alignments, attach=attach, threads=threads)
    with np.errstate(invalid="ignore"):
        lost = np.where(wrong > 0, wrong * np.float32(strength), np.float32(0))
    weights: Floats = -(lost + moved * np.float32(stay)) + np.float32(0)
    return weights


def order_weights(order: Permutation) -> Floats:
    """Return the hard forest of one order: 0 for edges that agree with it, minus infinity for others."""
    n = len(order)
    links = [(int(i), place) for place, i in enumerate(order.order)]
    return log_weights([Alignment(n, n, links)], np.inf, stay=0)


def pair_weights(n: int, pairs: Sequence[tuple[int, int]]) -> Floats:
    """Return the hard forest of pairs of words of which the first must come before the second.

    >>> pair_weights(2, [(1, 0)]).tolist()
    [-inf, 0.0]
    """
    wrong = np.zeros((2, n + 1, n + 1), dtype=np.int64)  # by op: pairs that it must not separate
    for before, after in pairs:
        op = 1 if before < after else 0
        wrong[op, min(before, after) + 1, max(before, after) + 1] += 1
    sums = wrong.cumsum(axis=1).cumsum(axis=2)
    i, k, j = edges(n).T
    separated = sums[:, k, j] - sums[:, i, j] - sums[:, k, k] + sums[:, i, k]
    weights: Floats = np.where(separated > 0, np.float32(-np.inf), np.float32(0)).T.ravel()
    return weights


def log_share(scores: Scores, n: int, weights: Floats, *, canonical: bool = False) -> float:
    """Return the log probability of a hard forest; minus infinity if it has no tree."""
    loss, _ = _native.crf_loss(scores, np.array([n], np.int32), weights.astype(scores.dtype), canonical, 1)
    return min(0.0, -float(loss[0]))


def log_probability(scores: Scores, order: Permutation, *, canonical: bool = False) -> float:
    """Return the log probability of an order, summed over the trees that read it."""
    return log_share(scores, len(order), order_weights(order), canonical=canonical)
