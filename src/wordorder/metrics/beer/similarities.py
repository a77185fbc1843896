"""Features that a kernel computes from counts, with the same bits as :func:`~.features.measured`.

Powers and exponentials are numpy's; everything else is a quotient, a product or a square root, whose bits are
the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.metrics.beer.templates import LOST, ONE_SIDED, Pieces, Template

# The kernel's numbers (native/overlap/similarity.h).
_MEASURES = {"p": 0, "r": 1, "a": 2, "b": 3, "f": 4, "sf": 5, "g": 6, "sg": 6, "d": 7}
NOTHING, ONE = -2, -1  # what replaces pieces that neither text has: nothing, or one that is matched


def has_kernel(template: Template) -> bool:
    """Return whether the kernel knows a feature: it has no powers, exponentials and logarithms."""
    if template.pieces.kind in (*ONE_SIDED, *LOST):
        return False
    power = template.measure in ("g", "sg", "d") and template.weight != 1
    return template.measure in _MEASURES and not power and "_exp_" not in template.pieces.kind


class Similarities:
    """Some features of pairs of texts, of counted kinds of pieces.

    ``instead`` are the numbers of the kinds that replace each kind where neither text has any; ``copies`` are
    the values of a copy, which are subtracted where this is asked for; values above ``most`` become that.
    """

    def __init__(
        self,
        templates: Sequence[Template],
        counted: Sequence[Pieces],
        instead: Sequence[int],
        copies: Sequence[float],
        most: float,
    ) -> None:
        places = {kind: k for k, kind in enumerate(counted)}
        self._instead, self._most = list(instead), most
        self._pieces = np.array([places[template.pieces] for template in templates], np.int32)
        self._measures = np.array([_MEASURES[template.measure] for template in templates], np.int32)
        self._weights = np.array([template.weight for template in templates], np.float64)
        self._copies = np.array(copies, np.float64)
        self._nothing = np.zeros(len(templates))

    def __call__(self, counts: Longs, *, below: bool) -> Doubles:
        """Compute the features from counts, kinds x 3 x pairs: one row per feature, one column per pair."""
        copies = self._copies if below else self._nothing
        return _native.similarities(
            counts, self._instead, self._pieces, self._measures, self._weights, copies, self._most
        )
