"""Correlation of two lists of numbers, from sums that add up over sentences."""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles


def moments(x: Doubles, y: Doubles) -> Doubles:
    """Return the six moments of each pair that Pearson's r needs; both lists are centred first."""
    if not len(x):
        return np.zeros((0, 6))
    x, y = x - x.mean(), y - y.mean()
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def pearson_of_moments(sums: Doubles) -> Doubles:
    """Compute Pearson's r from sums of n, x, y, xx, yy, xy; NaN where a side does not vary."""
    n, x, y, xx, yy, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        across, x_spread, y_spread = xy - x * y / n, xx - x * x / n, yy - y * y / n
        # Squares of a constant side leave rounding errors, which are not variance.
        flat = (x_spread <= 1e-12 * np.abs(xx)) | (y_spread <= 1e-12 * np.abs(yy))
        flat |= (x_spread <= 0) | (y_spread <= 0)
        return np.where(flat, np.nan, across / np.sqrt(np.where(flat, 1.0, x_spread * y_spread)))


def average_ranks(values: Doubles) -> Doubles:
    """Rank values from 1; equal values share the mean of their ranks.

    >>> average_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[which], dtype=np.float64)
