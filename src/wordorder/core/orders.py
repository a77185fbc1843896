"""Orders of the source words of many alignments at once, by the policies of :mod:`wordorder.core.induce`.

Nothing is made for each sentence, so scoring with given alignments costs about what reading them does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Longs
from wordorder.core.alignment import Alignment
from wordorder.core.induce import PolicyName
from wordorder.core.permutation import Permutations
from wordorder.errors import InvalidPermutation


@dataclass(frozen=True, slots=True)
class Orders:
    """The order of each sentence, and which source words have a link, sentence after sentence."""

    permutations: Permutations
    aligned: NDArray[np.bool_]

    @property
    def sentence(self) -> Longs:
        """The sentence of every word."""
        return np.repeat(np.arange(len(self.permutations)), self.permutations.lengths)

    def relative_to(self, reference: Orders) -> Permutations:
        """What :func:`wordorder.core.induce.relative` gives for each sentence."""
        offsets = self.permutations.offsets
        if not np.array_equal(offsets, reference.permutations.offsets):
            raise InvalidPermutation("the two sides order different numbers of source words")
        starts = np.repeat(offsets[:-1], np.diff(offsets))
        return Permutations._trusted(
            reference.permutations.values[starts + self.permutations.orders], offsets
        )

    def linked_in_both(self, other: Orders) -> Longs:
        """How many source words of each sentence have a link here and there."""
        both = self.sentence[self.aligned & other.aligned]
        return np.bincount(both, minlength=len(self.permutations)).astype(np.int64)


def induce_orders(alignments: Sequence[Alignment], policy: PolicyName) -> Orders:
    """The orders that ``induce`` gives the alignments, each with the usual settings of the policy.

    >>> a = Alignment(4, 3, [(0, 2), (2, 0), (3, 0)])
    >>> induce_orders([a, a], "talbot").permutations.orders.reshape(2, 4).tolist()
    [[1, 2, 3, 0], [1, 2, 3, 0]]
    """
    sizes = np.array([a.source_size for a in alignments], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    words = np.arange(offsets[-1])
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    own = _first_links(alignments, offsets)
    aligned = own >= 0
    # The nearest word with a link at or before each word, and at or after; outside the sentence: none.
    before = np.maximum.accumulate(np.where(aligned, words, -1))
    after = np.minimum.accumulate(np.where(aligned, words, len(words))[::-1])[::-1]
    before = np.where(before >= offsets[sentence], before, -1)
    after = np.where(after < offsets[sentence + 1], after, -1)
    if policy == "birch":
        at, alone = before, -1
    elif policy == "talbot":
        at, alone = after, int(own.max(initial=0)) + 1
    else:
        at, alone = np.where(after >= 0, after, before), 0
    place = np.where(at >= 0, own[at], alone) if len(words) else words
    # Sorting is stable; a word without a neighbour stands for itself.
    found = np.lexsort((np.where(at >= 0, at, words), place, sentence))
    ranks = np.empty(len(words), dtype=np.int32)
    ranks[found] = words - offsets[sentence]
    return Orders(Permutations._trusted(ranks, offsets), aligned)


def _first_links(alignments: Sequence[Alignment], offsets: Longs) -> Longs:
    """The first target position of each source word, -1 where it has no link."""
    links = [a.links for a in alignments]
    pairs = np.fromiter(chain.from_iterable(chain.from_iterable(links)), dtype=np.int64).reshape(-1, 2)
    rows = np.repeat(offsets[:-1], [len(some) for some in links]) + pairs[:, 0]
    own = np.full(offsets[-1], -1, dtype=np.int64)
    own[rows[::-1]] = pairs[::-1, 1]  # links are sorted, so the first of a word is written last
    return own
