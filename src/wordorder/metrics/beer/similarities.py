"""Features that a kernel computes from counts, with the same bits as :func:`~.features.measured`.

Powers and exponentials are numpy's; everything else is a quotient, a product or a square root, whose bits are
the same everywhere, or the logarithm of a quotient of lengths, which is within 1e-15.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.metrics.beer.templates import Pieces, Template

# The kernel's numbers (native/overlap/similarity.h), of measures, and of kinds that have a single one.
_KINDS = {"short_char": 8, "long_char": 9, "lost_neighbours": 10, "lost_order": 11}
_MEASURES = {"p": 0, "r": 1, "a": 2, "b": 3, "f": 4, "sf": 5, "g": 6, "sg": 6, "d": 7}
NOTHING, ONE = -2, -1  # what replaces pieces that neither text has: nothing, or one that is matched


def has_kernel(template: Template) -> bool:
    """Return whether the kernel knows a feature: it has no powers and no exponentials."""
    if template.pieces.kind in _KINDS:
        return template.weight == 1
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
        kinds = [[places[kind] for kind in template.pieces.counted] for template in templates]
        self._pieces = np.array([own[0] for own in kinds], np.int32)
        self._others = np.array([own[-1] for own in kinds], np.int32)
        numbers = [_KINDS.get(t.pieces.kind, _MEASURES.get(t.measure, 0)) for t in templates]
        self._measures = np.array(numbers, np.int32)
        self._weights = np.array([template.weight for template in templates], np.float64)
        self._copies = np.array(copies, np.float64)
        self._nothing = np.zeros(len(templates))

    def __call__(self, counts: Longs, *, below: bool) -> Doubles:
        """Compute the features from counts, kinds x 3 x pairs: one row per feature, one column per pair."""
        copies = self._copies if below else self._nothing
        return _native.similarities(
            counts,
            self._instead,
            self._pieces,
            self._others,
            self._measures,
            self._weights,
            copies,
            self._most,
        )
