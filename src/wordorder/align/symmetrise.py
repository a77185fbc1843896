"""Combine the alignments of two directions into one.

Each direction links a word to at most one word, so it cannot have both one-to-many and many-to-one links.
The two are combined (Och and Ney 2003; Koehn, Och and Marcu 2003):

- ``intersection``: links of both; ``union``: links of either; ``forward``, ``reverse``: one of them
- ``grow-diag``: to the intersection, repeatedly add links of the union next to a link (also diagonally) of
  which the source or the target word has no link yet
- ``grow-diag-final``: then add links of either direction where one of the two words has none
- ``grow-diag-final-and``: then add links of either direction where both words have none

Points are visited by source position, then target position; neighbours in Moses' order.
"""

from __future__ import annotations

import numpy as np

from wordorder import _native
from wordorder.core.alignment import Alignments
from wordorder.errors import UnknownName

_NUMBERS = {  # the kernel's (native/align/symmetrise.h)
    "posterior": 0,
    "forward": 1,
    "reverse": 2,
    "intersection": 3,
    "union": 4,
    "grow-diag": 5,
    "grow-diag-final": 6,
    "grow-diag-final-and": 7,
}
SYMMETRIES: tuple[str, ...] = tuple(_NUMBERS)
HEURISTICS: tuple[str, ...] = SYMMETRIES[1:]


def symmetrise(forward: Alignments, reverse: Alignments, method: str = "grow-diag-final-and") -> Alignments:
    """Combine two directions; both have links as (source, target).

    >>> forward = Alignments.from_links([[(0, 0), (0, 1)]])
    >>> reverse = Alignments.from_links([[(0, 0), (1, 1), (2, 2)]])
    >>> print(symmetrise(forward, reverse, "intersection")[0])
    0-0
    >>> print(symmetrise(forward, reverse, "grow-diag-final-and")[0])
    0-0 0-1 1-1 2-2
    """
    if method not in HEURISTICS:
        raise UnknownName("way to symmetrise", method, HEURISTICS)
    forward.check_same_length(reverse, what="the two directions")
    pairs, offsets = _native.symmetrise(
        forward.pairs, forward.offsets, reverse.pairs, reverse.offsets, _NUMBERS[method]
    )
    sizes = (
        np.maximum(forward.source_sizes, reverse.source_sizes),
        np.maximum(forward.target_sizes, reverse.target_sizes),
    )
    return Alignments(pairs, offsets, *sizes)


def symmetry_number(method: str) -> int:
    """Return the kernel's number of a way to symmetrise, including ``posterior``."""
    if method not in _NUMBERS:
        raise UnknownName("way to symmetrise", method, SYMMETRIES)
    return _NUMBERS[method]
