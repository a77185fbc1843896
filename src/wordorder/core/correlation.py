"""Correlation of two lists of numbers, as sums that add up over sentences."""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles


def moments(x: Doubles, y: Doubles) -> Doubles:
    """What Pearson's r needs of each pair, a row of six; both are centred first, against cancellation."""
    if not len(x):
        return np.zeros((0, 6))
    x, y = x - x.mean(), y - y.mean()
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def pearson_of_moments(sums: Doubles) -> Doubles:
    """Pearson's r of sums of n, x, y, xx, yy, xy; NaN where a side does not vary."""
    n, x, y, xx, yy, xy = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        across, one, other = xy - x * y / n, xx - x * x / n, yy - y * y / n
        # A side that is constant keeps rounding errors of its squares: those are no variance.
        flat = (one <= 1e-12 * np.abs(xx)) | (other <= 1e-12 * np.abs(yy)) | (one <= 0) | (other <= 0)
        return np.where(flat, np.nan, across / np.sqrt(np.where(flat, 1.0, one * other)))


def average_ranks(values: Doubles) -> Doubles:
    """Ranks from 1, the mean of the places for equal values.

    >>> average_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[which], dtype=np.float64)
