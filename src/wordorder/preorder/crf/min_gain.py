"""Choosing the smallest expected gain for which a sentence is reordered.

A model learned from few sentences, or for a language with the word order of the source, can do harm by moving
words. So a part of the training sentences is held out. On these, the gain that the model expects of its
orders is compared with the gain in accuracy that they achieve. The threshold with the highest mean gain, less
one standard error, is chosen; if no threshold helps, words stay in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder.arrays import Longs
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.preorder.crf.decoding import Expectations, expected_gain
from wordorder.preorder.source import Source

THRESHOLDS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 1.0)  # 1: never reorder
FOLDS = 5  # every language holds out the last fifth of its sentences
MIN_SENTENCES = 50  # with fewer sentences, nothing is held out


class HeldOutResult(NamedTuple):
    """The expected gain of the order of a held-out sentence, and the gain in accuracy that it achieved."""

    expected: float
    achieved: float


def order_accuracy(order: Permutation, alignment: Alignment) -> float:
    """Return the accuracy of an order, 0 to 1: the mean over pairs in order and over correct next words.

    The accuracy is averaged over two views: the linked words alone, as in evaluations that leave unaligned
    words out, and all words, where an unaligned word belongs to the next linked one.

    >>> links = Alignment(3, 2, [(0, 1), (2, 0)])
    >>> order_accuracy(Permutation.from_order([1, 2, 0]), links)
    1.0
    >>> order_accuracy(Permutation.from_order([2, 0, 1]), links) < 1
    True
    """
    reference = orders_from_links([alignment], "middle")
    if reference.aligned.sum() < 2:
        return 1.0
    read = reference.ranks[0][order.order].astype(np.int64)
    return (_rank_accuracy(read) + _rank_accuracy(read[reference.aligned[order.order]])) / 2


def _rank_accuracy(read: Longs) -> float:
    """Return the accuracy of target ranks in reading order."""
    n = len(read)
    wrong = np.triu(read[:, None] > read[None], 1).sum()
    step = np.diff(read)
    right = ((step == 0) | (step == 1)).sum() + (read[0] == 0) + (read[-1] == read.max())
    return float((1 - wrong / (n * (n - 1) / 2) + right / (n + 1)) / 2)


def split_held_out(sources: Sequence[Source]) -> tuple[list[int], list[int]]:
    """Return the sentences to train on and those to hold out: the last ones of each target language.

    >>> split_held_out([Source(("a",), target="ja")] * 5 + [Source(("a",), target="ko")] * 6)
    ([0, 1, 2, 3, 5, 6, 7, 8, 9], [4, 10])
    """
    held_out: set[int] = set()
    for target in {source.target for source in sources}:
        own = [s for s, source in enumerate(sources) if source.target == target]
        held_out |= set(own[len(own) - len(own) // FOLDS :])
    return [s for s in range(len(sources)) if s not in held_out], sorted(held_out)


def held_out_results(
    orders: Sequence[Permutation],
    tables: Sequence[Sequence[Expectations]],
    alignments: Sequence[Alignment],
    adjacency: float,
) -> list[HeldOutResult]:
    """Compare expected with achieved gains; of long sentences, the piece of largest expected gain counts."""
    results = []
    for order, pieces, alignment in zip(orders, tables, alignments, strict=True):
        expected, start = 0.0, 0
        for piece in pieces:
            n = len(piece.inverted)
            own = [i - start for i in order.order.tolist()[start : start + n]]
            expected = max(expected, expected_gain(own, piece, adjacency) if n > 1 else 0.0)
            start += n
        still = Permutation.identity(len(order))
        achieved = order_accuracy(order, alignment) - order_accuracy(still, alignment)
        results.append(HeldOutResult(expected, achieved))
    return results


def choose_min_gain(results: Sequence[HeldOutResult]) -> float:
    """Return the best threshold.

    >>> rows = [(0.3, 0.2), (0.2, 0.3), (0.01, -0.2), (0.02, -0.1)]
    >>> choose_min_gain([HeldOutResult(*row) for row in rows])
    0.03
    >>> choose_min_gain([HeldOutResult(0.3, -0.1), HeldOutResult(0.2, 0.1)])
    1.0
    """

    def cautious_mean(threshold: float) -> float:
        gains = np.array([result.achieved if result.expected >= threshold else 0.0 for result in results])
        return float(gains.mean() - gains.std() / np.sqrt(len(gains)))

    return max(THRESHOLDS, key=lambda threshold: (cautious_mean(threshold), threshold == THRESHOLDS[-1]))
