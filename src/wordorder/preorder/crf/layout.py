"""What the network in torch and its twin in numpy must agree on: the order of edges, buckets of widths."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

WIDTHS = 16  # buckets of the width of a span


def edge_rows(words: int) -> NDArray[np.int64]:
    """Start, cut and end of all edges, ``[3, edge]``: by width, then start, then cut.

    >>> edge_rows(3).T.tolist()
    [[0, 1, 2], [1, 2, 3], [0, 1, 3], [0, 2, 3]]
    """
    rows = [np.empty((3, 0), dtype=np.int64)]
    for width in range(2, words + 1):
        start, size = np.meshgrid(np.arange(words - width + 1), np.arange(1, width), indexing="ij")
        rows.append(np.stack([start.ravel(), (start + size).ravel(), (start + width).ravel()]))
    return np.concatenate(rows, axis=1)


def width_bucket(width: int) -> int:
    """Widths up to 8 have a bucket each, longer ones share: 9-10, 11-12, 13-16, ...; the last has no end.

    >>> [width_bucket(width) for width in (0, 1, 8, 9, 11, 20, 1000)]
    [0, 1, 8, 9, 10, 12, 15]
    """
    return width if width <= 8 else min(WIDTHS - 1, 8 + math.ceil(3 * math.log2(width / 8)))
