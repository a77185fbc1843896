"""Slow, obvious twins of the matchers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Link = tuple[int, int]
Objective = tuple[int, int, int]


def objective(links: Sequence[Link]) -> Objective:
    """What METEOR's papers minimise: minus the links, chunks, distance."""
    links = sorted(links)
    follows = sum((i - 1, j - 1) in links for i, j in links)
    return -len(links), len(links) - follows, sum(abs(i - j) for i, j in links)


def all_matchings(allowed: Sequence[Sequence[int]], i: int = 0, used: int = 0) -> Iterator[list[Link]]:
    """Every one-to-one alignment; ``allowed[i]`` are the reference words that word i may be linked with."""
    if i == len(allowed):
        yield []
        return
    yield from all_matchings(allowed, i + 1, used)
    for j in allowed[i]:
        if not used >> j & 1:
            for rest in all_matchings(allowed, i + 1, used | 1 << j):
                yield [(i, j), *rest]


def best_objective(allowed: Sequence[Sequence[int]]) -> Objective:
    return min(map(objective, all_matchings(allowed)))


def equal_words(hypothesis: Sequence[object], reference: Sequence[object]) -> list[list[int]]:
    return [[j for j, other in enumerate(reference) if other == word] for word in hypothesis]


def occurrences(part: Sequence[object], whole: Sequence[object]) -> list[int]:
    return [k for k in range(len(whole) - len(part) + 1) if list(whole[k : k + len(part)]) == list(part)]


def ribes_positions(hypothesis: Sequence[object], reference: Sequence[object]) -> list[int]:
    """By growing contexts, the left one before the right one."""
    n = len(hypothesis)
    found = []
    for i in range(n):
        place = -1
        for width in range(n):
            left, right = hypothesis[max(i - width, 0) : i + 1], hypothesis[i : i + width + 1]
            for part, offset in ((left, width), (right, 0)):
                if len(part) != width + 1:
                    continue
                places = occurrences(part, reference)
                if len(places) == len(occurrences(part, hypothesis)) == 1:
                    place = places[0] + offset
                    break
            if place >= 0:
                break
        found.append(place)
    return found


def renumbered(positions: Sequence[int]) -> list[int]:
    """Ranks of the positions that are there; of equal ones the later ranks lower."""
    there = [(place, -k) for k, place in enumerate(positions) if place >= 0]
    ranks = {item: rank for rank, item in enumerate(sorted(there))}
    return [ranks[item] for item in there]
