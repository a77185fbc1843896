"""Misplaced words, and groups of them that share a property, such as their form or their part of speech."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Bools, Doubles, Ints, Longs
from wordorder.core.permutation import Permutation

ROWS = 256  # words that are compared with all others at a time


@dataclass(frozen=True, slots=True)
class WordErrors:
    """The compared words of a sentence: their positions, and how badly each is misplaced.

    ``wrong`` is the share of the other words that stand on the wrong side of the word. ``jump`` is true if
    the reference has another word before it (for the first word: if the reference begins with another word).
    """

    positions: Longs
    wrong: Doubles
    jump: Bools


def word_errors(rank: Ints, order: Permutation) -> WordErrors:
    """Measure how badly each word is misplaced; words of equal rank may stand in any order.

    >>> errors = word_errors(np.array([2, 0, 1]), Permutation.identity(3))
    >>> errors.wrong.tolist(), errors.jump.tolist()
    ([1.0, 0.5, 0.5], [True, True, False])
    """
    positions = np.flatnonzero(rank >= 0)
    n = len(positions)
    if n < 2:
        return WordErrors(positions, np.zeros(n), np.zeros(n, np.bool_))
    mine = rank[positions].astype(np.int64)
    place = order.ranks[positions].astype(np.int64)
    wrong = np.empty(n)
    for start in range(0, n, ROWS):  # memory grows with the number of words, not with its square
        rows = slice(start, start + ROWS)
        after, behind = mine[rows, None] < mine, place[rows, None] > place
        before, ahead = mine[rows, None] > mine, place[rows, None] < place
        wrong[rows] = ((after & behind) | (before & ahead)).sum(axis=1) / (n - 1)
    read = np.argsort(place)
    in_reference = np.empty(n, dtype=np.int64)  # equal ranks take their places in the order of the system
    in_reference[read[np.argsort(mine[read], kind="stable")]] = np.arange(n)
    jump = np.empty(n, dtype=np.bool_)
    jump[read] = np.diff(in_reference[read], prepend=-1) != 1
    return WordErrors(positions, wrong, jump)


@dataclass(frozen=True, slots=True)
class WordGroup:
    """Words that share a property: their number, and how badly they are misplaced on average."""

    name: str
    count: int
    wrong: float  # mean share of the other words that stand on the wrong side
    jumps: float  # share of the words with a jump before them
    share: float  # share of all errors in the corpus


def group_errors(
    errors: Sequence[WordErrors], key: Sequence[Sequence[Hashable]], *, min_count: int = 1
) -> list[WordGroup]:
    """Average the errors of words with the same key, the most misplaced first."""
    count: dict[Hashable, int] = defaultdict(int)
    wrong: dict[Hashable, float] = defaultdict(float)
    jumps: dict[Hashable, int] = defaultdict(int)
    for sentence, keys in zip(errors, key, strict=True):
        columns = sentence.positions.tolist(), sentence.wrong.tolist(), sentence.jump.tolist()
        for i, share, jump in zip(*columns, strict=True):
            name = keys[i]
            count[name] += 1
            wrong[name] += share
            jumps[name] += jump
    total = sum(wrong.values())
    groups = [
        WordGroup(str(name), n, wrong[name] / n, jumps[name] / n, wrong[name] / total if total else 0.0)
        for name, n in count.items()
        if n >= min_count
    ]
    return sorted(groups, key=lambda group: (-group.wrong, -group.count, group.name))


def bucket(number: int) -> str:
    """Return the range of lengths that contains a number.

    >>> bucket(7), bucket(23), bucket(60)
    ('01-10', '21-30', '51+')
    """
    if number > 50:
        return "51+"
    low = (max(number, 1) - 1) // 10 * 10 + 1
    return f"{low:02d}-{low + 9:02d}"
