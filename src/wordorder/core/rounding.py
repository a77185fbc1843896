"""How many decimals to show."""

from __future__ import annotations

import math
from collections.abc import Sequence

NEAR = 1e-3
MOST = 6


def decimals(values: Sequence[float], least: int, *, best: float = 1.0) -> int:
    """Choose the number of decimals of scores: more if one is near the best, so that its distance is seen.

    >>> decimals([0.99959, 0.5], 3), decimals([0.996, 1.0], 3)
    (5, 3)
    """
    distances = [abs(value - best) for value in values if value != best and math.isfinite(value)]
    nearest = min(distances, default=NEAR)
    if nearest >= NEAR:
        return least
    return min(max(least, 2 + math.floor(-math.log10(nearest))), MOST)  # two digits of the distance
