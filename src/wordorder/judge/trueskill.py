"""TrueSkill for two (Herbrich et al. 2006), as WMT ranks systems by it (Sakaguchi et al. 2014).

A system's skill is a normal distribution; a judgment moves both means and narrows both
distributions by the formulas for the winner of a match, or for a draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles


@dataclass(frozen=True, kw_only=True)
class TrueSkill:
    """The settings of WMT: means start at 0, draws are a quarter of all judgments."""

    mean: float = 0.0
    deviation: float = 0.5
    performance: float = 0.25  # beta: how far one output strays from its system's skill
    drift: float = 0.0  # tau: how far skills move between judgments
    draw: float = 0.25

    @property
    def margin(self) -> float:
        """The difference of performances below which a match is a draw."""
        return inverse_normal((self.draw + 1) / 2) * math.sqrt(2) * self.performance


def rate(
    systems: int, matches: Iterable[tuple[int, int, int]], settings: TrueSkill | None = None
) -> tuple[Doubles, Doubles]:
    """Means and deviations after matches: one, other, and 1 if one won, -1 if it lost, 0 if drawn.

    >>> means, _ = rate(2, [(0, 1, 1)])
    >>> bool(means[0] > 0 > means[1])
    True
    """
    set_ = settings or TrueSkill()
    means = np.full(systems, set_.mean)
    variances = np.full(systems, set_.deviation**2)
    margin = set_.margin
    for one, other, said in matches:
        winner, loser = (other, one) if said < 0 else (one, other)
        v_w, v_l = variances[winner] + set_.drift**2, variances[loser] + set_.drift**2
        c2 = 2 * set_.performance**2 + v_w + v_l
        c = math.sqrt(c2)
        t, e = (means[winner] - means[loser]) / c, margin / c
        shift, shrink = _drawn(t, e) if said == 0 else _won(t, e)
        means[winner] += v_w / c * shift
        means[loser] -= v_l / c * shift
        variances[winner] = v_w * max(1 - v_w / c2 * shrink, 1e-9)
        variances[loser] = v_l * max(1 - v_l / c2 * shrink, 1e-9)
    return means, np.sqrt(variances)


def _won(t: float, e: float) -> tuple[float, float]:
    below = _area(t - e)
    shift = _density(t - e) / below if below > 1e-300 else e - t  # the limit far out
    return shift, shift * (shift + t - e)


def _drawn(t: float, e: float) -> tuple[float, float]:
    a, b = e - abs(t), -e - abs(t)
    inside = _area(a) - _area(b)
    if inside <= 1e-300:
        return (-t - e if t < 0 else e - t), 1.0
    shift = (_density(b) - _density(a)) / inside
    shrink = shift * shift + (a * _density(a) - b * _density(b)) / inside
    return (shift if t >= 0 else -shift), shrink


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _area(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def inverse_normal(p: float) -> float:
    """Where the standard normal distribution reaches p, by bisection."""
    low, high = -10.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _area(middle) < p else (low, middle)
    return (low + high) / 2
