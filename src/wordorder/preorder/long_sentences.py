"""Long sentences in pieces: charts grow with the cube of the length, so pieces are reordered one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Candidate, expected_loss

PAUSES = frozenset(",.;:!?、。，；：！？")  # where a long sentence is cut, if it can be
Ranked = list[tuple[float, list[int]]]  # expected number of wrong pairs, order


def cut(words: Sequence[str], longest: int) -> Iterator[Sequence[str]]:
    """The sentence, or pieces of at most so many words that end after punctuation if they can (0: never cut).

    >>> list(cut("a b , c d".split(), 4))
    [['a', 'b', ','], ['c', 'd']]
    """
    while longest and len(words) > longest:
        ends = (e for e in range(longest, longest // 2, -1) if words[e - 1] in PAUSES)
        end = next(ends, longest)
        yield words[:end]
        words = words[end:]
    yield words


def precedence_table(inverted: Sequence[Doubles]) -> Doubles:
    """``[i, j]``: i before j, of a sentence in pieces that stay in order, from their inversions."""
    n = sum(map(len, inverted))
    table: Doubles = np.triu(np.ones((n, n)), 1)
    at = 0
    for piece in inverted:
        upper: NDArray[Any] = np.triu(piece, 1)
        end = at + len(piece)
        table[at:end, at:end] += upper.T - upper
        at = end
    return table


def divided(order: Permutation, sizes: Sequence[int]) -> list[Permutation] | None:
    """The orders of pieces of these sizes; None if words of different pieces are mixed.

    >>> divided(Permutation([1, 0, 2, 4, 3]), [2, 3]), divided(Permutation([0, 2, 1]), [2, 1])
    ([Permutation([1, 0]), Permutation([0, 2, 1])], None)
    """
    parts = []
    at = 0
    for size in sizes:
        part = [int(i) - at for i in order.order[at : at + size]]
        if any(not 0 <= i < size for i in part):
            return None
        parts.append(Permutation.from_order(part))
        at += size
    return parts


def candidates(tables: Sequence[Doubles], lists: Sequence[Ranked], k: int) -> list[Candidate]:
    """Up to k orders of a sentence from the tables of inversions of its pieces and the orders of each."""
    sizes = [len(table) for table in tables]
    n = sum(sizes)
    pairs = max(n * (n - 1) / 2, 1)
    if len(lists) == 1:
        return [Candidate(Permutation.from_order(order), max(0.0, loss) / pairs) for loss, order in lists[0]]
    # Pieces stay in place, and alternatives differ in one of them.
    best = [orders[0][1] for orders in lists]
    choices = [best] + [
        [*best[:p], order, *best[p + 1 :]] for p, orders in enumerate(lists) for _, order in orders[1:]
    ]
    starts = np.cumsum([0, *sizes]).tolist()
    table = precedence_table(tables)
    ranked = []
    for choice in choices:
        read = [start + i for start, part in zip(starts, choice, strict=False) for i in part]
        order = Permutation.from_order(read)
        ranked.append(Candidate(order, expected_loss(order, table)))
    return [ranked[0], *sorted(ranked[1:], key=lambda one: one.loss)[: k - 1]]
