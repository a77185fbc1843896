"""Williams' test of two correlations with the same judgments, and Student's distribution."""

from __future__ import annotations

import math


def williams(first: float, second: float, between: float, n: int) -> float:
    """Return the one-sided p-value of Williams' test (1959) that ``first`` exceeds ``second``.

    Both are correlations of a metric with people over the same ``n`` systems; ``between`` is the correlation
    of the two metrics. The formula is that of Graham and Baldwin (2014).

    >>> round(williams(0.9, 0.5, 0.4, 20), 6)
    0.002693
    """
    if n < 4:
        return 1.0
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    below = 2 * k * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    above = (n - 1) * (1 + between)
    if below <= 1e-15:  # the two metrics are the same up to scale
        return 0.5 if first == second else float(first < second)
    t = (first - second) * math.sqrt(max(above, 0.0) / below)
    return student_tail(t, n - 3)


def student_tail(t: float, freedom: int) -> float:
    """Return the probability of a value above ``t`` under Student's distribution.

    >>> round(student_tail(2.0, 10), 6), student_tail(0.0, 5)
    (0.036694, 0.5)
    """
    tail = _beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return tail if t >= 0 else 1 - tail


def _beta_share(a: float, b: float, x: float) -> float:
    """Compute the regularised incomplete beta function by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x)
    )
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast only on the other side
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
