"""Slow twins of aligning: enumeration of all alignments, symmetrising by sets."""

from __future__ import annotations

import itertools
import math

import numpy as np

Links = set[tuple[int, int]]
NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def step_class(width: int) -> int:
    """The class of a step, from -16 to 16, and how many widths share it: as in native/align/hmm.h."""
    far = abs(width)
    ends = [10, 13, 18, 26, 40, 64, 128]
    k = far if far <= 8 else 9 + sum(far > end for end in ends)
    return k if width >= 0 else -k


def step_weight(width: int, weights: np.ndarray) -> float:
    k = step_class(width)
    sizes = [1] * 9 + [2, 3, 5, 8, 14, 24, 64, 1024 - 128]
    return float(weights[16 + k]) / sizes[abs(k)]


def hmm_by_enumeration(
    lexical: np.ndarray, null_lexical: np.ndarray, weights: np.ndarray, null: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Posteriors and log-likelihood from every sequence of source positions, None being null."""
    J, I = lexical.shape  # noqa: E741
    posterior, none, total = np.zeros((J, I)), np.zeros(J), 0.0
    for path in itertools.product([None, *range(I)], repeat=J):
        p, at = 1.0, -1
        for j, i in enumerate(path):
            if i is None:
                p *= null * null_lexical[j]
                continue
            whole = sum(step_weight(k - at, weights) for k in range(I))
            p *= (1 - null) * step_weight(i - at, weights) / whole * lexical[j, i]
            at = i
        total += p
        for j, i in enumerate(path):
            if i is None:
                none[j] += p
            else:
                posterior[j, i] += p
    return posterior / total, none / total, math.log(total)


def symmetrise(forward: Links, reverse: Links, how: str) -> Links:
    """As in the papers, on sets."""
    if how in ("forward", "reverse"):
        return set(forward if how == "forward" else reverse)
    union = forward | reverse
    chosen = forward & reverse
    if how in ("intersection", "union"):
        return chosen if how == "intersection" else union

    def free(link: tuple[int, int]) -> tuple[bool, bool]:
        return all(i != link[0] for i, _ in chosen), all(j != link[1] for _, j in chosen)

    before = None
    while before != chosen:
        before = set(chosen)
        for i, j in sorted(union):
            if (i, j) not in chosen:
                continue
            for a, b in NEIGHBOURS:
                link = i + a, j + b
                if link in union and link not in chosen and any(free(link)):
                    chosen.add(link)
    if how != "grow-diag":
        for side in (forward, reverse):
            for link in sorted(side - chosen):
                if (all if how.endswith("-and") else any)(free(link)):
                    chosen.add(link)
    return chosen


def blocks(links: Links) -> list[tuple[int, int, int, int]]:
    """Join ranges of source and target words while any two overlap on a side."""
    spans = [(i, i, j, j) for i, j in links]
    while True:
        for a, b in itertools.combinations(spans, 2):
            if max(a[0], b[0]) <= min(a[1], b[1]) or max(a[2], b[2]) <= min(a[3], b[3]):
                joined = min(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), max(a[3], b[3])
                spans.remove(a)
                spans.remove(b)
                spans.append(joined)
                break
        else:
            return sorted(spans)
