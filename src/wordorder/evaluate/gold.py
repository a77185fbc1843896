"""Ranks of the source words of one sentence, as papers on preordering make them for evaluation.

See :mod:`wordorder.core.orders`, which makes those of many sentences at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links

Ranks = NDArray[np.int32]


def thesis_ranks(alignment: Alignment, words: Sequence[str] | None = None) -> Ranks:
    """Rank words by mean target position; one without links goes with the next that has some.

    >>> thesis_ranks(Alignment(3, 3, [(0, 2), (2, 0)])).tolist()
    [2, 0, 1]
    """
    return orders_from_links([alignment], "thesis").ranks[0]


def nakagawa_ranks(alignment: Alignment, words: Sequence[str] | None = None) -> Ranks | None:
    """Rank linked words by first and last target position; None where these contradict each other.

    >>> nakagawa_ranks(Alignment(4, 4, [(0, 2), (0, 3), (2, 1), (3, 1)])).tolist()
    [1, -1, 0, 0]
    >>> nakagawa_ranks(Alignment(2, 3, [(0, 0), (0, 2), (1, 1)])) is None
    True
    """
    orders = orders_from_links([alignment], "nakagawa")
    return orders.ranks[0] if orders.counts[0] else None


def lader_ranks(alignment: Alignment, words: Sequence[str] | None = None, *, attach: str = "right") -> Ranks:
    """Rank all words, in blocks whose target spans do not overlap, as LADER does.

    >>> lader_ranks(Alignment(4, 3, [(0, 2), (1, 0), (1, 1), (2, 1)])).tolist()
    [1, 0, 0, 0]
    """
    known = None if words is None else [words]
    return orders_from_links([alignment], f"lader:attach={attach}", words=known).ranks[0]
