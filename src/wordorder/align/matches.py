"""Links between the words of hypotheses and references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Bools, Ints, Longs
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutations


class MatchedOrders(NamedTuple):
    """The orders of matched words, and what scores need to know of each pair."""

    values: Ints  # reference positions in the order of the hypothesis, renumbered from 0
    offsets: Longs  # pair s is values[offsets[s]:offsets[s + 1]]
    counts: Longs  # words of the hypothesis; words matched and words to match, both on both sides
    reference_lengths: Longs
    unmatched: list[int]  # numbers of the pairs with words, none of which is matched

    @property
    def permutations(self) -> Permutations:
        """The orders."""
        return Permutations._trusted(self.values, self.offsets)


@dataclass(frozen=True, eq=False)
class Matches:
    """The reference word with which each hypothesis word was matched, for many sentence pairs.

    The words of all hypotheses are concatenated; sentence s is ``offsets[s]:offsets[s + 1]``. If a phrase was
    matched with a phrase, word k has the position of word k; the remaining words of a longer phrase have no
    partner, and only their stage shows that they are covered.
    """

    positions: Ints  # reference position, or -1
    offsets: Longs
    stages: NDArray[np.int8]  # number of the stage that matched the word (0 = first), or -1
    reference_offsets: Longs
    reference_stages: NDArray[np.int8]  # the same for the words of the references
    exact: Bools  # for each pair, whether no better alignment exists

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def permutations(self) -> Permutations:
        """Return the reference positions of the matched words, renumbered from 0.

        If two words share a reference position, as RIBES allows, the later one counts as coming before the
        earlier one: the two words are then not in order.

        >>> pairs = Matches(np.array([4, -1, 0, 2], np.int32), np.array([0, 4]),
        ...                 np.array([0, -1, 0, 0], np.int8), np.array([0, 5]),
        ...                 np.array([0, -1, 0, -1, 0], np.int8), np.array([True]))
        >>> pairs.permutations()[0]
        Permutation([2, 0, 1])
        """
        values, offsets = _native.renumber(self.positions, self.offsets)
        return Permutations._trusted(values, offsets)

    def chunks(self) -> Longs:
        """Count the chunks of each pair: runs of links that are neighbours on both sides.

        Covered words without a partner belong to the link before them.

        >>> from wordorder.align.matcher import Matcher
        >>> from wordorder.text.tokens import Words
        >>> table = Words()
        >>> texts = table.encode(["on the mat sat the cat"]), table.encode(["the cat sat on the mat"])
        >>> Matcher().match(*texts, table).chunks().tolist()
        [3]
        """
        word = np.flatnonzero(self.positions >= 0)
        pair = np.repeat(np.arange(len(self)), np.diff(self.offsets))[word]
        place = self.reference_offsets[pair] + self.positions[word]
        partnered = np.zeros(len(self.reference_stages), np.bool_)
        partnered[place] = True
        # A chunk goes on over words that are covered on the left, and to the next word with a partner on the
        # right, over the remaining words of longer phrases.
        gaps = np.cumsum(self.stages < 0)
        steps = np.cumsum(partnered | (self.reference_stages < 0))
        follows = (np.diff(pair) == 0) & (np.diff(gaps[word]) == 0)
        follows &= (np.diff(place) > 0) & (np.diff(steps[place]) == 1)
        starts = np.concatenate([np.ones(min(len(word), 1), np.bool_), ~follows])
        return np.bincount(pair[starts], minlength=len(self))

    def alignment(self, s: int, reference_length: int) -> Alignment:
        """Return the links of pair s, from the hypothesis to the reference."""
        begin, end = int(self.offsets[s]), int(self.offsets[s + 1])
        places = self.positions[begin:end].tolist()
        links = [(i, j) for i, j in enumerate(places) if j >= 0]
        return Alignment(end - begin, reference_length, links)
