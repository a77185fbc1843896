"""The best mixture of pairs and neighbours the slow way: no bounds, all first and last words of all spans."""

from __future__ import annotations

import numpy as np


def best_value(inverted: np.ndarray, following: np.ndarray, adjacency: float) -> float:
    """Return the greatest expected quality of all orders that binary trees build."""
    n = len(inverted)
    pair, step = (1 - adjacency) / (n * (n - 1) / 2), adjacency / (n + 1)
    best: dict[tuple[int, int], np.ndarray] = {(i, i + 1): np.zeros((1, 1)) for i in range(n)}

    def read(head: tuple[int, int], tail: tuple[int, int]) -> np.ndarray:
        """The values of reading one span, then another, by the first word and the last."""
        steps = step * following[slice(*head), slice(*tail)]
        reached = (best[head][:, :, None] + steps[None]).max(axis=1)
        return (reached[:, :, None] + best[tail][None]).max(axis=1)

    for size in range(2, n + 1):
        for i in range(n - size + 1):
            j = i + size
            values = best[i, j] = np.full((size, size), -np.inf)
            for k in range(i + 1, j):
                turned = float(inverted[i:k, k:j].sum()) * pair
                kept = pair * (k - i) * (j - k) - turned
                first, last = slice(0, k - i), slice(k - i, None)
                values[first, last] = np.maximum(values[first, last], read((i, k), (k, j)) + kept)
                values[last, first] = np.maximum(values[last, first], read((k, j), (i, k)) + turned)
    whole = best[0, n] + step * following[n, :n, None] + step * following[None, :n, n]
    return float(whole.max())
