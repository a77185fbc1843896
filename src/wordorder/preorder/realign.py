"""Alignments of reordered sentences."""

from __future__ import annotations

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.io.links import LinkRecord


def realigned(alignment: Alignment, order: Permutation) -> Alignment:
    """Return the alignment of the source in its new order with the same target.

    >>> print(realigned(Alignment(3, 3, [(0, 2), (1, 0), (2, 1)]), Permutation.from_order([1, 2, 0])))
    0-0 1-1 2-2
    """
    place = order.ranks.tolist()
    return Alignment(
        alignment.source_size,
        alignment.target_size,
        [(place[i], j) for i, j in alignment.sure],
        possible=[(place[i], j) for i, j in alignment.possible],
    )


def as_links(alignment: Alignment) -> LinkRecord:
    """Return the links of an alignment as a record of a file."""
    return LinkRecord(alignment.sure, possible=alignment.possible)
