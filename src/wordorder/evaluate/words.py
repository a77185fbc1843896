"""Which words stand in the wrong place: by form, part of speech, relation, length and depth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.evaluate.gold import Ranks
from wordorder.io.sentence import Sentence


@dataclass(frozen=True, slots=True)
class WordErrors:
    """The words of a sentence that are compared: their positions, and how wrong each stands.

    ``wrong`` is the share of the other words on whose wrong side it stands; ``jump`` whether the word
    read before it is not the one that the reference reads before it (at the beginning: whether it is not
    the first).
    """

    positions: NDArray[np.int64]
    wrong: Doubles
    jump: NDArray[np.bool_]


def word_errors(rank: Ranks, order: Permutation) -> WordErrors:
    """How wrong each word of a sentence stands; words of equal rank are in order either way.

    >>> found = word_errors(np.array([2, 0, 1]), Permutation([0, 1, 2]))
    >>> found.wrong.tolist(), found.jump.tolist()
    ([1.0, 0.5, 0.5], [True, True, False])
    """
    positions = np.flatnonzero(rank >= 0)
    n = len(positions)
    if n < 2:
        return WordErrors(positions, np.zeros(n), np.zeros(n, np.bool_))
    mine = rank[positions].astype(np.int64)
    place = order.ranks[positions].astype(np.int64)
    apart = np.sign(mine[:, None] - mine[None, :]) * np.sign(place[:, None] - place[None, :])
    wrong = (apart < 0).sum(axis=1) / (n - 1)
    read = np.argsort(place)
    in_reference = np.empty(n, dtype=np.int64)  # equal ranks take their places in the order of the system
    in_reference[read[np.argsort(mine[read], kind="stable")]] = np.arange(n)
    jump = np.empty(n, dtype=np.bool_)
    jump[read] = np.diff(in_reference[read], prepend=-1) != 1
    return WordErrors(positions, wrong, jump)


@dataclass(frozen=True, slots=True)
class Group:
    """Words that have something in common: how many, and how wrong they stand in the mean."""

    name: str
    count: int
    wrong: float  # mean share of the other words on whose wrong side they stand
    jumps: float  # share of them before which a reader must jump
    share: float  # of all that is wrong in the corpus

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def group_errors(
    errors: Sequence[WordErrors], key: Sequence[Sequence[Hashable]], *, min_count: int = 1
) -> list[Group]:
    """Means over words with the same key, the most often misordered first, normalised by their frequency."""
    count: dict[Hashable, int] = defaultdict(int)
    wrong: dict[Hashable, float] = defaultdict(float)
    jumps: dict[Hashable, int] = defaultdict(int)
    for one, keys in zip(errors, key, strict=True):
        for i, bad, jump in zip(one.positions.tolist(), one.wrong.tolist(), one.jump.tolist(), strict=True):
            name = keys[i]
            count[name] += 1
            wrong[name] += bad
            jumps[name] += jump
    total = sum(wrong.values())
    groups = [
        Group(str(name), n, wrong[name] / n, jumps[name] / n, wrong[name] / total if total else 0.0)
        for name, n in count.items()
        if n >= min_count
    ]
    return sorted(groups, key=lambda group: (-group.wrong, -group.count, group.name))


def bucket(number: int) -> str:
    """A range of lengths.

    >>> bucket(7), bucket(23), bucket(60)
    ('01-10', '21-30', '51+')
    """
    if number > 50:
        return "51+"
    low = (max(number, 1) - 1) // 10 * 10 + 1
    return f"{low:02d}-{low + 9:02d}"


def depths(parse: Sentence) -> list[int]:
    """How many heads are above each word."""
    heads = [head - 1 for head in parse.heads]
    found: list[int] = []
    for i in range(len(heads)):
        depth, at = 0, heads[i]
        while at >= 0 and depth <= len(heads):
            depth, at = depth + 1, heads[at]
        found.append(depth)
    return found
