"""Measures of agreement at system level: correlations between a metric's and human scores of systems.

====================  ==================================================================
pearson               Pearson's r
spearman:ties=average Pearson's r of ranks; equal values share their mean rank
kendall:ties=b        Kendall's tau b
accuracy:ties=wrong   share of pairs of systems that the metric ranks as people do (Kocmi et al. 2021)
soft_accuracy         agreement about how sure it is that a system is better (:mod:`.soft_accuracy`)
====================  ==================================================================
"""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting


def pearson_rows(x: Doubles, y: Doubles) -> Doubles:
    """Compute Pearson's r of each row; NaN where a side is constant."""
    # Equal numbers minus their mean leave only rounding errors, relative to their size.
    rounding = [(1e-14 * np.abs(side).max(axis=1)) ** 2 * side.shape[1] for side in (x, y)]
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    x_squares, y_squares = (x * x).sum(axis=1), (y * y).sum(axis=1)
    flat = (x_squares <= rounding[0]) | (y_squares <= rounding[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(flat, np.nan, (x * y).sum(axis=1) / np.sqrt(x_squares * y_squares))


def rank_rows(x: Doubles) -> Doubles:
    """Compute ranks within each row, from 1; equal values share their mean rank."""
    less = (x[:, :, None] > x[:, None, :]).sum(axis=2)
    same = (x[:, :, None] == x[:, None, :]).sum(axis=2)
    return np.asarray(less + (same + 1) / 2, dtype=np.float64)


def spearman_rows(x: Doubles, y: Doubles) -> Doubles:
    """Compute Spearman's rho of each row."""
    return pearson_rows(rank_rows(x), rank_rows(y))


def _signs(x: Doubles) -> Doubles:
    i, j = np.triu_indices(x.shape[1], 1)
    return np.sign(x[:, i] - x[:, j])


def kendall_rows(x: Doubles, y: Doubles) -> Doubles:
    """Compute Kendall's tau b of each row."""
    a, b = _signs(x), _signs(y)
    below = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, (a * b).sum(axis=1) / below, np.nan)


def accuracy_rows(x: Doubles, y: Doubles) -> Doubles:
    """Compute the share of the pairs not tied by people that the metric ranks in the same order."""
    a, b = _signs(x), _signs(y)
    untied = (b != 0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(untied > 0, ((a == b) & (b != 0)).sum(axis=1) / untied, np.nan)


SYSTEM_MEASURES = {
    "pearson": pearson_rows,
    "spearman:ties=average": spearman_rows,
    "kendall:ties=b": kendall_rows,
    "accuracy:ties=wrong": accuracy_rows,
}
SOFT_ACCURACY = "soft_accuracy"  # needs scores of segments
SYSTEM_MEASURE_NAMES = (*SYSTEM_MEASURES, SOFT_ACCURACY)
SHARES = ("accuracy:ties=wrong", SOFT_ACCURACY)  # measures that are not correlations


def correlate(name: str, metric: Doubles, human: Doubles) -> Doubles:
    """Compute a measure of each row, whose columns are systems.

    The correlation of fewer than three systems is undefined, as is that of a row with a missing score.
    """
    if metric.shape != human.shape:
        raise BadSetting(f"metric scores have the shape {metric.shape}, but human scores {human.shape}")
    values = np.full(len(metric), np.nan)
    known = np.isfinite(metric).all(axis=1) & np.isfinite(human).all(axis=1)
    if metric.shape[1] >= 3 and known.any():
        values[known] = SYSTEM_MEASURES[name](metric[known], human[known])
    return values
