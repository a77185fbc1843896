"""TrueSkill for two players (Herbrich et al. 2006), as WMT ranks systems (Sakaguchi et al. 2014).

The skill of a system is a normal distribution; a judgment moves both means and narrows both distributions, by
the formulas for a won match or for a draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from wordorder.arrays import Doubles


@dataclass(frozen=True, kw_only=True)
class TrueSkill:
    """The settings; the defaults are those of WMT, where a quarter of all judgments are draws."""

    mean: float = 0.0
    deviation: float = 0.5
    performance: float = 0.25  # beta: how far a single output deviates from the skill of its system
    drift: float = 0.0  # tau: how far skills move between judgments
    draw: float = 0.25

    @property
    def margin(self) -> float:
        """The difference of performances below which a match is a draw."""
        return NormalDist().inv_cdf((self.draw + 1) / 2) * math.sqrt(2) * self.performance


def rate(
    systems: int, matches: Iterable[tuple[int, int, int]], settings: TrueSkill | None = None
) -> tuple[Doubles, Doubles]:
    """Return means and deviations after matches: two systems, and 1, -1 or 0 if the first won, lost or drew.

    >>> means, _ = rate(2, [(0, 1, 1)])
    >>> bool(means[0] > 0 > means[1])
    True
    """
    settings = settings or TrueSkill()
    means = np.full(systems, settings.mean)
    variances = np.full(systems, settings.deviation**2)
    margin = settings.margin
    for first, second, outcome in matches:
        winner, loser = (second, first) if outcome < 0 else (first, second)
        v_w, v_l = variances[winner] + settings.drift**2, variances[loser] + settings.drift**2
        c2 = 2 * settings.performance**2 + v_w + v_l
        c = math.sqrt(c2)
        t, e = (means[winner] - means[loser]) / c, margin / c
        shift, shrink = _drawn(t, e) if outcome == 0 else _won(t, e)
        means[winner] += v_w / c * shift
        means[loser] -= v_l / c * shift
        variances[winner] = v_w * max(1 - v_w / c2 * shrink, 1e-9)
        variances[loser] = v_l * max(1 - v_l / c2 * shrink, 1e-9)
    return means, np.sqrt(variances)


def _won(t: float, e: float) -> tuple[float, float]:
    below = _area(t - e)
    shift = _density(t - e) / below if below > 1e-300 else e - t  # the limit far from the mean
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
