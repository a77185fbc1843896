"""Is one metric really better than another? Tests of two correlations with the same judgments.

Resampling tests are in :mod:`wordorder.core.resample`; here are those that only this question has.
"""

from __future__ import annotations

import math

import numpy as np

from wordorder.arrays import Doubles
from wordorder.judge.judgments import Judgments
from wordorder.judge.system_scores import human_kind


def williams(one: float, other: float, between: float, n: int) -> float:
    """Williams' test (1959): the p-value, one-sided, that ``one`` correlates more with people than ``other``.

    ``one`` and ``other`` are the correlations of two metrics with people over the same ``n`` systems,
    ``between`` that of the two metrics. Formula of Graham and Baldwin (2014).

    >>> round(williams(0.9, 0.5, 0.4, 20), 6)
    0.002693
    """
    if n < 4:
        return 1.0
    k = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    below = 2 * k * (n - 1) / (n - 3) + (one + other) ** 2 / 4 * (1 - between) ** 3
    above = (n - 1) * (1 + between)
    if below <= 1e-15:  # the two metrics are the same up to scale
        return 0.5 if one == other else float(one < other)
    t = (one - other) * math.sqrt(max(above, 0.0) / below)
    return student_tail(t, n - 3)


def student_tail(t: float, freedom: int) -> float:
    """The chance of a value above ``t`` under Student's distribution.

    >>> round(student_tail(2.0, 10), 6), student_tail(0.0, 5)
    (0.036694, 0.5)
    """
    tail = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return tail if t >= 0 else 1 - tail


def _beta_share(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x)
    )
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side only
        return 1 - _beta_share(b, a, 1 - x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 300):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / (1 + step * d), 1 + step / c
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value / a


def hybrids(
    judgments: Judgments, stats: Doubles, combine: object, *, samples: int, seed: int
) -> tuple[Doubles, Doubles]:
    """Scores by a metric and by people of hybrid systems (Graham and Liu 2016).

    Each hybrid takes, for every segment, the output of one system at random among those that have
    both an output and a judgment there. Thousands of them stand in for a dozen systems.
    """
    good, number = _said(judgments)
    usable = (number > 0) & judgments.usable
    items = np.flatnonzero(usable)
    segment = judgments.item_segment[items]
    first = np.searchsorted(segment, np.arange(len(judgments.segments)))
    count = np.bincount(segment, minlength=len(judgments.segments))
    first, count = first[count > 0], count[count > 0]
    rng = np.random.default_rng(seed)
    totals = np.empty((samples, stats.shape[1]))
    people = np.empty(samples)
    for k in range(samples):
        chosen = items[first + (rng.random(len(first)) * count).astype(np.int64)]
        totals[k] = stats[chosen].sum(axis=0)
        people[k] = good[chosen].sum() / number[chosen].sum()
    return combine(totals), people  # type: ignore[operator]


def judged_systems(judgments: Judgments) -> float:
    """The mean number of systems that a judged segment can be taken from."""
    number = _said(judgments)[1]
    items = np.flatnonzero((number > 0) & judgments.usable)
    return len(items) / max(len(np.unique(judgments.item_segment[items])), 1)


def _said(judgments: Judgments) -> tuple[Doubles, Doubles]:
    """Of each item, what people said: the sum and the number of its ratings, or wins and judgments."""
    good, number = np.zeros(len(judgments)), np.zeros(len(judgments))
    if judgments.rated is not None and human_kind(judgments) != "win_ratio":
        np.add.at(good, judgments.rated.item, judgments.rated.score)
        np.add.at(number, judgments.rated.item, 1.0)
        return good, number
    pairs = judgments.compared
    np.add.at(good, pairs.first, pairs.wins)
    np.add.at(good, pairs.second, pairs.losses)
    for side in (pairs.first, pairs.second):
        np.add.at(number, side, pairs.wins + pairs.losses)
    return good, number
