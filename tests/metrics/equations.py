"""Equations of metrics, computed: a slow way from the numbers that are shown to the score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

KNOWN = {"exp": math.exp, "min": min, "max": max, "√": math.sqrt}


def value_of(equation: str, terms: Mapping[str, Sequence[float]], row: int) -> float | None:
    """Compute an equation with the numbers of a segment; None where it has no numbers to fill in."""
    numbers = {name: values[row] for name, values in terms.items()}
    if "{" not in equation or numbers.get("denominator", 1) == 0:
        return None
    if "{discordant}" in equation:  # "1 without wrong pairs, otherwise 0"
        return float(numbers["discordant"] == 0)
    right = equation.rpartition(" = ")[2].format(**numbers)
    return eval(right.replace("·", "*").replace("−", "-"), KNOWN)
