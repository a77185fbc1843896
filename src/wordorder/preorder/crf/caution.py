"""When not to move words: how much better an order must look than the one that stands there.

A model that was taught by few sentences, or a language whose order is that of the source, can do harm by
moving words. So a part of the sentences is held out at first. What the model expects of its own orders there
is compared with how right they are, and the least gain that is worth a move is chosen: the one with which
orders are the most right, less one standard error. If no gain is worth it, words stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Source
from wordorder.preorder.crf.decoding import Expectations, gain

LEVELS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 1.0)  # nothing is expected to gain 1
PART = 5  # each so-and-so-many-th part is held out
LEAST = 50  # sentences; with fewer, nothing is held out


class Trial(NamedTuple):
    """A sentence that was held out: what its order was expected to gain, and what it gained."""

    expected: float
    gained: float


def rightness(order: Permutation, alignment: Alignment) -> float:
    """How well words stand, from 0 to 1: the mean of pairs in order and of steps to the right next word.

    Once the linked words alone are looked at, once all of them; then a word without links belongs to the next
    one that has some. These are the views of the evaluations that leave such words out and of those that do
    not.

    >>> links = Alignment(3, 2, [(0, 1), (2, 0)])
    >>> rightness(Permutation.from_order([1, 2, 0]), links), rightness(Permutation([1, 2, 0]), links) < 1
    (1.0, True)
    """
    reached: dict[int, list[int]] = {}
    for i, j in alignment.links:
        reached.setdefault(i, []).append(j)
    if len(reached) < 2:
        return 1.0
    middle = np.array([min(reached[i]) + max(reached[i]) if i in reached else -1 for i in range(len(order))])
    ranks = np.unique(middle[middle >= 0], return_inverse=True)[1]
    linked = np.flatnonzero(middle >= 0)
    every = ranks[np.searchsorted(linked, np.arange(len(order))).clip(max=len(linked) - 1)]
    read = every[order.order]
    return (_rightness(read) + _rightness(read[middle[order.order] >= 0])) / 2


def _rightness(read: NDArray[np.int64]) -> float:
    """Of ranks as they are read."""
    n = len(read)
    wrong = np.triu(read[:, None] > read[None], 1).sum()
    step = np.diff(read)
    right = ((step == 0) | (step == 1)).sum() + (read[0] == 0) + (read[-1] == read.max())
    return float((1 - wrong / (n * (n - 1) / 2) + right / (n + 1)) / 2)


def held_out(sources: Sequence[Source]) -> tuple[list[int], list[int]]:
    """The sentences to learn from and those that are held out: the last ones of each target language.

    >>> held_out([Source(("a",), target="ja")] * 5 + [Source(("a",), target="ko")] * 6)
    ([0, 1, 2, 3, 5, 6, 7, 8, 9], [4, 10])
    """
    left: set[int] = set()
    for target in {one.target for one in sources}:
        own = [s for s, one in enumerate(sources) if one.target == target]
        left |= set(own[len(own) - len(own) // PART :])
    return [s for s in range(len(sources)) if s not in left], sorted(left)


def trials(
    orders: Sequence[Permutation],
    found: Sequence[Sequence[Expectations]],
    alignments: Sequence[Alignment],
    adjacency: float,
) -> list[Trial]:
    """What was expected of orders and what they gained; of sentences in pieces the most hopeful counts."""
    made = []
    for order, pieces, links in zip(orders, found, alignments, strict=True):
        expected, at = 0.0, 0
        for piece in pieces:
            n = len(piece.inverted)
            own = [i - at for i in order.order.tolist()[at : at + n]]
            expected, at = max(expected, gain(own, piece, adjacency) if n > 1 else 0.0), at + n
        still = Permutation.identity(len(order))
        made.append(Trial(expected, rightness(order, links) - rightness(still, links)))
    return made


def least_gain(tried: Sequence[Trial]) -> float:
    """The level that is worth a move.

    >>> least_gain([Trial(0.3, 0.2), Trial(0.2, 0.3), Trial(0.01, -0.2), Trial(0.02, -0.1)])
    0.03
    >>> least_gain([Trial(0.3, -0.1), Trial(0.2, 0.1)])
    1.0
    """

    def sure(level: float) -> float:
        gains = np.array([one.gained if one.expected >= level else 0.0 for one in tried])
        return float(gains.mean() - gains.std() / np.sqrt(len(gains)))

    return max(LEVELS, key=lambda level: (sure(level), level == LEVELS[-1]))
