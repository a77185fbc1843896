"""Links between the words of hypotheses and references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutations


@dataclass(frozen=True, eq=False)
class Matches:
    """Which reference word each hypothesis word was matched with, for many sentence pairs.

    Words of all hypotheses stand one after the other; sentence s is ``offsets[s]:offsets[s + 1]``.
    Of a phrase that was matched with a phrase, word k gets the position of word k; words that a longer
    hypothesis phrase has left keep position -1, and their stage tells that they are covered.
    """

    positions: NDArray[np.int32]  # reference position, or -1
    offsets: NDArray[np.int64]
    stages: NDArray[np.int8]  # number of the stage that matched the word (0 = first), or -1
    exact: NDArray[np.bool_]  # of each pair: whether no better alignment can exist

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def permutations(self) -> Permutations:
        """Reference positions in hypothesis order, unmatched words dropped, renumbered from 0.

        Where two words share a reference position, as RIBES allows, the later one counts as coming
        before the earlier: neither of the two pairs of words is in order then.

        >>> pairs = Matches(np.array([4, -1, 0, 2], np.int32), np.array([0, 4]),
        ...                 np.array([0, -1, 0, 0], np.int8), np.array([True]))
        >>> pairs.permutations()[0]
        Permutation([2, 0, 1])
        """
        values, offsets = _native.renumber(self.positions, self.offsets)
        return Permutations._trusted(values, offsets)

    def alignment(self, s: int, reference_length: int) -> Alignment:
        """The links of pair s, from the hypothesis to the reference."""
        begin, end = int(self.offsets[s]), int(self.offsets[s + 1])
        places = self.positions[begin:end].tolist()
        links = [(i, j) for i, j in enumerate(places) if j >= 0]
        return Alignment(end - begin, reference_length, links)
