"""What scores the edges of trees: something learned that takes sentences and gives a number for each edge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordorder.preorder.base import Arrays
from wordorder.preorder.source import Source


class Scorer(Protocol):
    """Scores for edges as :mod:`wordorder.preorder.crf.forest` numbers them; called from several threads."""

    def scores(self, sources: Sequence[Source]) -> list[NDArray[np.float32]]:
        """The scores of each sentence: ``2 * edge_count(len(words))`` numbers."""
        ...

    def arrays(self) -> Arrays:
        """What was learned, for the model's file."""
        ...
