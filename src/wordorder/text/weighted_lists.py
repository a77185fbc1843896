"""Lists of texts with probabilities, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles, Longs


@dataclass(frozen=True, eq=False)
class WeightedLists:
    """List ``l`` has the texts from ``starts[l]`` to ``starts[l + 1]``; its weights add up to 1."""

    texts: Sequence[str]
    starts: Longs
    weights: Doubles

    def expected(self, values: Longs) -> Doubles:
        """Return, for each text, the weighted mean of its list; ``values`` has a column for each text."""
        sums = np.add.reduceat(values * self.weights, self.starts[:-1], axis=-1)
        return np.repeat(sums, np.diff(self.starts), axis=-1)
