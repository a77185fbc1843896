"""Reads numbers that statistics are computed from."""

from __future__ import annotations

import math

LARGEST = 1e50  # products of variances stay finite
SMALLEST_RANGE = 1e-50  # and so do numbers that are divided by a range


def read_number(text: str) -> float:
    """Return a text as a number; a ValueError says what was expected.

    >>> read_number("-2.5e3")
    -2500.0
    >>> read_number("1e308")
    Traceback (most recent call last):
    ...
    ValueError: expected a number from -1e+50 to 1e+50
    """
    try:
        value = float(text)
    except ValueError:
        raise ValueError("expected a number") from None
    if not math.isfinite(value):
        raise ValueError("expected a finite number")
    if abs(value) > LARGEST:
        raise ValueError(f"expected a number from {-LARGEST:g} to {LARGEST:g}")
    return value
