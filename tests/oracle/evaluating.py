"""Scores and errors of orders, from their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def fuzzy(system: Sequence[str], reference: Sequence[str]) -> float:
    """Talbot et al. (2011, 3.2), word for word; one word, or none, is in order."""
    free = list(range(len(reference)))
    matched = []
    for word in system:
        at = next(k for k in free if reference[k] == word)
        free.remove(at)
        matched.append(at)
    chunks = 1 + sum(b != a + 1 for a, b in pairwise(matched))
    return 1 - (chunks - 1) / (len(system) - 1) if len(system) > 1 else 1.0


def wrong_shares(rank: Sequence[int], order: Sequence[int]) -> dict[int, float]:
    """For each word that counts, the share of the others on whose wrong side it stands."""
    place = {word: k for k, word in enumerate(order)}
    words = [i for i in range(len(rank)) if rank[i] >= 0]
    found = {}
    for i in words:
        bad = [j for j in words if (rank[i] - rank[j]) * (place[i] - place[j]) < 0]
        found[i] = len(bad) / (len(words) - 1) if len(words) > 1 else 0.0
    return found
