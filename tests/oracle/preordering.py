"""Slow twins of the evaluation of preorderers: pairs and neighbours one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from wordorder.core.alignment import Alignment


def weak_order(alignment: Alignment) -> dict[int, int] | None:
    """The rank of each linked word: how many different links come before; None if two words have no order."""
    spans = {i: (min(found), max(found)) for i, found in enumerate(alignment.targets()) if found}
    for a, b in combinations(spans.values(), 2):
        before = a[0] <= b[0] and a[1] <= b[1]
        after = b[0] <= a[0] and b[1] <= a[1]
        if not before and not after:
            return None
    return {i: len({s for s in spans.values() if s != mine and s <= mine}) for i, mine in spans.items()}


def nakagawa(alignment: Alignment, order: Sequence[int]) -> tuple[float, float, float] | None:
    """Tau, fuzzy score with boundaries and complete match of one sentence."""
    ranks = weak_order(alignment)
    if ranks is None:
        return None
    read = [ranks[i] for i in order if i in ranks]
    n = len(read)
    if n <= 1:
        return 1.0, 1.0, 1.0
    wrong = sum(a > b for a, b in combinations(read, 2))
    bounded = [-1, *read, max(read) + 1]
    # The boundary is followed by rank 0 and preceded by the last one; inside, equal ranks are neighbours too.
    good = (read[0] == 0) + (read[-1] == max(read)) + sum(b - a in (0, 1) for a, b in pairwise(read))
    return 1 - wrong / (n * (n - 1) / 2), good / (len(bounded) - 1), float(wrong == 0)


def thesis(gold: Sequence[int], order: Sequence[int]) -> tuple[float, float, float]:
    """Kendall, fuzzy and exact match of an order against a gold order."""
    rank = {word: place for place, word in enumerate(gold)}
    read = [rank[i] for i in order]
    n = len(read)
    if n <= 1:
        return 1.0, 1.0, 1.0
    right = sum(a < b for a, b in combinations(read, 2))
    chunks = 1 + sum(b != a + 1 for a, b in pairwise(read))
    return right / (n * (n - 1) / 2), 1 - (chunks - 1) / (n - 1), float(list(order) == list(gold))


def lader(ranks: Sequence[int], order: Sequence[int]) -> tuple[int, int, int, int]:
    """What is right and what could be, of neighbours and of pairs, given LADER's ranks."""
    read = [ranks[i] for i in order]
    if not read:
        return 0, 0, 0, 0
    good = (read[0] == 0) + (read[-1] == max(ranks)) + sum(b in (a, a + 1) for a, b in pairwise(read))
    differ = sum(a != b for a, b in combinations(read, 2))
    wrong = sum(a > b for a, b in combinations(read, 2))
    return good, len(read) + 1, differ - wrong, differ


def blocks(alignment: Alignment) -> list[set[int]] | None:
    """Source words by LADER's blocks, in target order: spans that overlap are joined until none do.

    None where another word stands between the words of a block: there LADER's walk decides.
    """
    spans = {i: (min(found), max(found)) for i, found in enumerate(alignment.targets()) if found}
    parts = [{i} for i in spans]

    def hull(part: set[int]) -> tuple[int, int]:
        return min(spans[i][0] for i in part), max(spans[i][1] for i in part)

    def join() -> bool:
        for a, b in combinations(parts, 2):
            (low_a, high_a), (low_b, high_b) = hull(a), hull(b)
            if max(low_a, low_b) <= min(high_a, high_b):
                parts.remove(b)
                a |= b
                return True
        return False

    while join():
        pass
    if any(i not in part for part in parts for i in spans if min(part) < i < max(part)):
        return None
    return sorted(parts, key=hull)
