"""Reference orders from manual alignments, as Talbot et al. (2011, 3.1) make them.

Source words go by the first target word that they are linked to. Words that share it form a group whose
inner order does not matter, written ``{{ }}``. A word without links goes immediately before the next that
has some, or to the end. What to do with such words, and with punctuation, is a policy.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.induce import induce
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidAlignment, InvalidPermutation
from wordorder.evaluate.gold import Ranks
from wordorder.io.reference import Groups, ReferenceText

Unaligned = Literal["next", "previous", "drop"]
Punctuation = Literal["words", "pin", "drop"]
Match = Literal["words", "positions"]

_NAMED = frozenset({"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "``", "''"})


@dataclass(frozen=True, slots=True)
class Reference:
    """The order in which a target reads the words of a source sentence.

    ``order`` lists the source positions that count, and only these; ``groups`` are runs of it whose inner
    order does not matter.

    >>> made = reference(Alignment(3, 2, [(0, 1), (1, 0), (2, 0)]), ["can", "tax", "deduction"])
    >>> made.to_text()
    '{{ tax deduction }} can'
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()

    @property
    def items(self) -> Groups:
        """The words in reference order, group by group."""
        return tuple(tuple(self.words[i] for i in run) for run in self.runs)

    @property
    def runs(self) -> list[tuple[int, ...]]:
        """The source positions in reference order, group by group; a word alone is a group of one."""
        group_of = {i: number for number, group in enumerate(self.groups) for i in group}
        runs = groupby(self.order, key=lambda i: group_of.get(i, -1 - i))
        return [tuple(run) for _, run in runs]

    def to_text(self) -> str:
        """Write as the paper does."""
        return ReferenceText().to_line(self.items)

    def to_positions(self) -> str:
        """Write source positions, from 0, with groups: with these, words that are there twice are no riddle.

        >>> Reference(("a", "b", "a"), (2, 0, 1), ((0, 1),)).to_positions()
        '2 {{ 0 1 }}'
        """
        return ReferenceText().to_line(tuple(tuple(map(str, run)) for run in self.runs))

    @classmethod
    def parse_positions(cls, text: str, words: Sequence[str]) -> Reference:
        """Read what :meth:`to_positions` wrote.

        >>> Reference.parse_positions("2 {{ 0 1 }}", ["a", "b", "a"]).to_text()
        'a {{ a b }}'
        """
        runs: list[tuple[int, ...]] = []
        taken: set[int] = set()
        for group in ReferenceText().parse(text):
            for written in group:
                if not (written.isascii() and written.isdecimal() and int(written) < len(words)):
                    last = f"0 to {len(words) - 1}" if words else "none: the sentence has no words"
                    raise InvalidPermutation(f"{written!r} is no position; expected {last}")
                if int(written) in taken:
                    raise InvalidPermutation(f"position {int(written)} stands twice")
                taken.add(int(written))
            runs.append(tuple(map(int, group)))
        order = tuple(i for run in runs for i in run)
        return cls(tuple(words), order, tuple(run for run in runs if len(run) > 1))

    @classmethod
    def parse(cls, text: str, words: Sequence[str]) -> Reference:
        """Read what :meth:`to_text` wrote; a repeated word is the first one in the source not yet taken.

        >>> Reference.parse("b {{ a a }}", ["a", "b", "a"]).order
        (1, 0, 2)
        """
        places = _places(words)
        runs = []
        for group in ReferenceText().parse(text):
            run = []
            for word in group:
                if not places[word]:
                    raise InvalidPermutation(f"{word!r} is not, or not so often, in the source")
                run.append(places[word].popleft())
            runs.append(tuple(run))
        order = tuple(i for run in runs for i in run)
        return cls(tuple(words), order, tuple(run for run in runs if len(run) > 1))

    def ranks(self) -> Ranks:
        """The rank of each source word, equal within a group; -1 for a word that does not count."""
        ranks = np.full(len(self.words), -1, dtype=np.int32)
        for rank, run in enumerate(self.runs):
            ranks[list(run)] = rank
        return ranks

    def permutation(self, order: Permutation, *, match: Match = "words") -> Permutation:
        """The places of the reference in the order of a system: what every ordering metric scores.

        Words that do not count are left out. Within a group the system's own order is taken for the
        reference's. With ``match="words"`` a system word goes with the first word of the reference that
        is the same and not yet taken (the paper), else with itself.

        >>> made, turned = Reference(("a", "b", "a"), (0, 1, 2)), Permutation([2, 1, 0])
        >>> made.permutation(turned), made.permutation(turned, match="positions")
        (Permutation([0, 1, 2]), Permutation([2, 1, 0]))
        """
        if len(order) != len(self.words):
            raise InvalidPermutation(f"the order has {len(order)} words, the sentence {len(self.words)}")
        counts = set(self.order)
        read = [i for i in order.order.tolist() if i in counts]
        if match == "words":
            places = _places([self.words[i] for i in self.order])
            found = [places[self.words[i]].popleft() for i in read]
        else:
            place = {i: k for k, i in enumerate(self.order)}
            found = [place[i] for i in read]
        # Within a group, places rise in the order of the system.
        begin = 0
        starts: list[int] = []
        for run in self.runs:
            starts += [begin] * len(run)
            begin += len(run)
        used: defaultdict[int, int] = defaultdict(int)
        settled = []
        for place_found in found:
            start = starts[place_found]
            settled.append(start + used[start])
            used[start] += 1
        return Permutation(settled)


def reference(
    alignment: Alignment,
    words: Sequence[str],
    *,
    unaligned: Unaligned = "next",
    punctuation: Punctuation = "words",
) -> Reference:
    """The reference order of a sentence.

    ``unaligned``: words without links go before the next word that has some (the paper), after the one
    before, or do not count. ``punctuation``: is treated as words are; or marks without links at the
    beginning and the end of the sentence are pinned there; or no mark counts.
    """
    if len(words) != alignment.source_size:
        raise InvalidAlignment(f"{len(words)} words, and links of a sentence of {alignment.source_size}")
    found = induce(alignment, "birch" if unaligned == "previous" else "talbot")
    alone = set(found.unaligned)
    order = found.order.order.tolist()
    if punctuation == "pin":
        first, last = _border_marks(words, alone)
        border = {*first, *last}
        order = [*first, *(i for i in order if i not in border), *last]
    left_out = alone if unaligned == "drop" else set()
    if punctuation == "drop":
        left_out = left_out | {i for i, word in enumerate(words) if is_punctuation(word)}
    if punctuation == "pin":
        left_out = left_out - border
    kept = [tuple(i for i in group if i not in left_out) for group in _unbroken(found.groups, order)]
    return Reference(
        tuple(words), tuple(i for i in order if i not in left_out), tuple(g for g in kept if len(g) > 1)
    )


def is_punctuation(word: str) -> bool:
    """Whether a word is made of punctuation marks only.

    >>> [is_punctuation(word) for word in (",", "...", "-LRB-", "。", "$", "o'clock")]
    [True, True, True, True, False, False]
    """
    return word.upper() in _NAMED or all(unicodedata.category(letter).startswith("P") for letter in word)


def _border_marks(words: Sequence[str], alone: set[int]) -> tuple[list[int], list[int]]:
    """Marks without links at the beginning and at the end."""
    first: list[int] = []
    for i in range(len(words)):
        if i not in alone or not is_punctuation(words[i]):
            break
        first.append(i)
    last: list[int] = []
    for i in range(len(words) - 1, len(first) - 1, -1):
        if i not in alone or not is_punctuation(words[i]):
            break
        last.append(i)
    return first, last[::-1]


def _unbroken(groups: Sequence[tuple[int, ...]], order: Sequence[int]) -> list[tuple[int, ...]]:
    """Groups as runs of the order, with the unaligned words that go with their members."""
    place = {i: k for k, i in enumerate(order)}
    runs = []
    for group in groups:
        low, high = min(place[i] for i in group), max(place[i] for i in group)
        runs.append(tuple(order[low : high + 1]))
    return runs


def _places(words: Sequence[str]) -> defaultdict[str, deque[int]]:
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for i, word in enumerate(words):
        places[word].append(i)
    return places
