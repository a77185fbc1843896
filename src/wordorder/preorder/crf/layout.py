"""What the network in torch and its twin in numpy must agree on: buckets of widths."""

from __future__ import annotations

import math

WIDTHS = 16  # buckets of the width of a span


def width_bucket(width: int) -> int:
    """Widths up to 8 have a bucket each, longer ones share: 9-10, 11-12, 13-16, ...; the last has no end.

    >>> [width_bucket(width) for width in (0, 1, 8, 9, 11, 20, 1000)]
    [0, 1, 8, 9, 10, 12, 15]
    """
    return width if width <= 8 else min(WIDTHS - 1, 8 + math.ceil(3 * math.log2(width / 8)))
