"""Agreement of raters and correlation with ratings, by their definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from scipy import stats


def alpha(items: Sequence[Sequence[float]]) -> float:
    """Krippendorff's alpha with squared differences; each item is the list of its ratings."""
    pairable = [item for item in items if len(item) > 1]
    n = sum(map(len, pairable))
    observed = sum((a - b) ** 2 / (len(item) - 1) for item in pairable for a, b in permutations(item, 2)) / n
    values = [value for item in pairable for value in item]
    expected = sum((a - b) ** 2 for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected


def resampled_correlations(
    x: np.ndarray, y: np.ndarray, samples: int, seed: int
) -> tuple[list[float], list[float]]:
    """Correlate the means of systems on resampled sentences; the tables hold sentences by systems."""
    rng = np.random.default_rng(seed)
    pearson, spearman = [], []
    for _ in range(samples):
        drawn = rng.integers(len(x), size=len(x))
        means = x[drawn].mean(axis=0), np.nanmean(y[drawn], axis=0)
        pearson.append(float(stats.pearsonr(*means)[0]))
        spearman.append(float(stats.spearmanr(*means)[0]))
    return pearson, spearman
