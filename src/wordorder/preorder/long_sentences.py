"""Long sentences in pieces that are reordered separately, or in windows that overlap.

Charts grow with the cube of the length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.io.lines import limit
from wordorder.preorder.base import expected_loss
from wordorder.preorder.source import Candidate, Source

LONGEST_SENTENCE = "WORDORDER_LONGEST_SENTENCE"  # the environment variable with the limit
LONGEST = 2000  # words of a sentence; tables of all pairs of words take 0.1 GB then, and several are in use
PUNCTUATION = frozenset(",.;:!?、。，；：！？")  # a long sentence is cut after these if possible
Ranked = list[tuple[float, list[int]]]  # expected number of wrong pairs, order


def cut(words: Sequence[str], longest: int) -> Iterator[Sequence[str]]:
    """Yield the sentence, or pieces of up to ``longest`` words, cut at punctuation if possible (0: never).

    >>> list(cut("a b , c d".split(), 4))
    [['a', 'b', ','], ['c', 'd']]
    """
    while longest and len(words) > longest:
        ends = (e for e in range(longest, longest // 2, -1) if words[e - 1] in PUNCTUATION)
        end = next(ends, longest)
        yield words[:end]
        words = words[end:]
    yield words


def check_length(source: Source) -> None:
    """Raise an error if a sentence has more words than the limit, which keeps its tables in memory."""
    longest = limit(LONGEST_SENTENCE, LONGEST, "words")
    if len(source) > longest:
        raise WordOrderError(
            f"a sentence of {len(source):,} words is not reordered, only one of up to {longest:,}. "
            f"Divide it, or raise the limit: wordorder --longest-sentence WORDS, or {LONGEST_SENTENCE}=WORDS"
        )


def section(source: Source, begin: int, end: int) -> Source:
    """Return some words of a sentence, with their labels."""
    layers = tuple(row[begin:end] for row in source.layers)
    return replace(source, words=source.words[begin:end], parse=None, alignment=None, layers=layers)


def window_starts(n: int, size: int) -> list[int]:
    """Return where windows of ``size`` of n words begin; each overlaps half of the one before it, or more.

    >>> window_starts(10, 4), window_starts(9, 4), window_starts(3, 4)
    ([0, 2, 4, 6], [0, 2, 4, 5], [0])
    """
    last = max(0, n - size)
    return [*range(0, last, max(1, size // 2)), last]


def precedence_table(inverted: Sequence[Doubles]) -> Doubles:
    """Return the precedence table of a sentence in pieces, from the tables of inversions of the pieces."""
    n = sum(map(len, inverted))
    table: Doubles = np.triu(np.ones((n, n)), 1)
    at = 0
    for piece in inverted:
        upper: Doubles = np.triu(piece, 1)
        end = at + len(piece)
        table[at:end, at:end] += upper.T - upper
        at = end
    return table


def ranked(orders: Sequence[list[int]], inverted: Doubles) -> Ranked:
    """Return orders of a piece with their expected numbers of wrong pairs, from its table of inversions."""
    n, table = len(inverted), precedence_table([inverted])
    pairs = n * (n - 1) / 2
    return [(expected_loss(Permutation.from_order(order), table) * pairs, order) for order in orders]


def divided(order: Permutation, sizes: Sequence[int]) -> list[Permutation] | None:
    """Return the orders of pieces of these sizes; None if the order mixes words of different pieces.

    >>> divided(Permutation.from_order([1, 0, 2, 4, 3]), [2, 3])
    [Permutation([1, 0]), Permutation([0, 2, 1])]
    >>> divided(Permutation.from_order([0, 2, 1]), [2, 1]) is None
    True
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
    """Return up to k orders of a sentence from the tables of inversions and the orders of its pieces."""
    sizes = [len(table) for table in tables]
    n = sum(sizes)
    pairs = max(n * (n - 1) / 2, 1)
    if len(lists) == 1:
        return [Candidate(Permutation.from_order(order), max(0.0, loss) / pairs) for loss, order in lists[0]]
    # Pieces stay in place, and each alternative differs from the best order in one piece.
    best = [orders[0][1] for orders in lists]
    choices = [best] + [
        [*best[:p], order, *best[p + 1 :]] for p, orders in enumerate(lists) for _, order in orders[1:]
    ]
    starts = np.cumsum([0, *sizes]).tolist()
    table = precedence_table(tables)
    ranked = []
    for choice in choices:
        positions = [start + i for start, part in zip(starts, choice, strict=False) for i in part]
        order = Permutation.from_order(positions)
        ranked.append(Candidate(order, expected_loss(order, table)))
    return [ranked[0], *sorted(ranked[1:], key=lambda candidate: candidate.loss)[: k - 1]]
