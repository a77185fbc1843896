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


def recentred(values: Doubles, resampled: Doubles) -> Doubles:
    """Reflect resampled correlations about their mean and move them to the value, on Fisher's scale.

    Noise sometimes lowers a correlation by a lot, and often raises it by a little; the true one lies on the
    other side.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        limit = 1 - 1e-12
        scaled = np.arctanh(np.clip(resampled, -limit, limit))
        means = np.nanmean(np.where(np.isfinite(scaled), scaled, np.nan), axis=0) if len(scaled) else 0.0
        moved = np.arctanh(np.clip(values, -limit, limit)) - (scaled - means)
    return np.asarray(np.tanh(moved))
