"""Scores and errors of orders, from their definitions."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import pairwise

from wordorder.core.permutation import Permutation
from wordorder.evaluate.references import Reference


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


def reference_permutation(reference: Reference, order: Permutation, *, match: str = "words") -> Permutation:
    """The place of each word of a system's order in the reference, matched one by one.

    Words that do not count are left out. Within a group the system's own order is accepted. With
    ``match="words"`` a system word is matched with the first unused equal word of the reference (the
    paper), otherwise with itself.
    """
    counts = set(reference.order)
    read = [i for i in order.order.tolist() if i in counts]
    if match == "words":
        places = _places([reference.words[i] for i in reference.order])
        matched = [places[reference.words[i]].popleft() for i in read]
    else:
        place = {i: k for k, i in enumerate(reference.order)}
        matched = [place[i] for i in read]
    # Within a group, places rise in the order of the system.
    begin = 0
    starts: list[int] = []
    for run in reference.runs:
        starts += [begin] * len(run)
        begin += len(run)
    used: defaultdict[int, int] = defaultdict(int)
    final = []
    for position in matched:
        start = starts[position]
        final.append(start + used[start])
        used[start] += 1
    return Permutation(final)


def _places(words: Sequence[str]) -> defaultdict[str, deque[int]]:
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for i, word in enumerate(words):
        places[word].append(i)
    return places
