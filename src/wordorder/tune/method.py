"""What all methods of tuning share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wordorder.arrays import Doubles

STEP = 1e-9  # a smaller gain counts as none
Report = Callable[[float, float], None]  # is told which share of tuning is done, and the best value so far


def silent(share: float, value: float) -> None:
    """Report nothing."""


def normalised(weights: Doubles) -> Doubles:
    """Scale weights so that their absolute values add up to 1."""
    total = float(np.abs(weights).sum())
    return weights / total if total > 0 else weights
