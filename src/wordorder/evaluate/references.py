"""Reference orders with groups, as Talbot et al. (2011) write them: ``{{ }}`` around words in any order."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

from wordorder.arrays import Ints
from wordorder.core.alignment import Alignment
from wordorder.core.orders import Policy, orders_from_links
from wordorder.errors import InvalidPermutation
from wordorder.io.reference import Groups, ReferenceText

Unaligned = Literal["next", "previous", "drop"]
Punctuation = Literal["words", "pin", "drop"]


@dataclass(frozen=True, slots=True)
class Reference:
    """The order in which a target reads the words of a source sentence.

    ``order`` lists the source positions that count, and only these; ``groups`` are runs of it whose inner
    order does not matter.

    >>> reference(Alignment(3, 2, [(0, 1), (1, 0), (2, 0)]), ["can", "tax", "deduction"]).to_text()
    '{{ tax deduction }} can'
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def from_ranks(cls, words: Sequence[str], ranks: Ints) -> Reference:
        """Make a reference from the rank of each word: equal in a group, -1 for a word that does not count.

        >>> Reference.from_ranks("abcd", np.array([1, 0, 0, -1])).to_text()
        '{{ b c }} a'
        """
        order = [i for i in np.argsort(ranks, kind="stable").tolist() if ranks[i] >= 0]
        return cls._from_runs(words, [tuple(run) for _, run in groupby(order, key=ranks.__getitem__)])

    @classmethod
    def _from_runs(cls, words: Sequence[str], runs: Sequence[tuple[int, ...]]) -> Reference:
        order = tuple(i for run in runs for i in run)
        return cls(tuple(words), order, tuple(run for run in runs if len(run) > 1))

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
        """Write source positions, from 0, with groups; unlike words, positions are never ambiguous.

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
                    raise InvalidPermutation(f"{written!r} is not a position; expected {last}")
                if int(written) in taken:
                    raise InvalidPermutation(f"position {int(written)} occurs twice")
                taken.add(int(written))
            runs.append(tuple(map(int, group)))
        return cls._from_runs(words, runs)

    @classmethod
    def parse(cls, text: str, words: Sequence[str]) -> Reference:
        """Read what :meth:`to_text` wrote; a repeated word is taken for its first unused occurrence.

        >>> Reference.parse("b {{ a a }}", ["a", "b", "a"]).order
        (1, 0, 2)
        """
        places: defaultdict[str, deque[int]] = defaultdict(deque)
        for i, word in enumerate(words):
            places[word].append(i)
        runs = []
        for group in ReferenceText().parse(text):
            run = []
            for word in group:
                if not places[word]:
                    raise InvalidPermutation(f"{word!r} is not in the source, or not as often")
                run.append(places[word].popleft())
            runs.append(tuple(run))
        return cls._from_runs(words, runs)

    def ranks(self) -> Ints:
        """Return the rank of each source word: equal in a group, -1 for a word that does not count."""
        ranks = np.full(len(self.words), -1, dtype=np.int32)
        for rank, run in enumerate(self.runs):
            ranks[list(run)] = rank
        return ranks


def reference(
    alignment: Alignment,
    words: Sequence[str],
    *,
    unaligned: Unaligned = "next",
    punctuation: Punctuation = "words",
) -> Reference:
    """Make the reference order of a sentence by the policy ``talbot`` of :mod:`wordorder.core.orders`."""
    policy = Policy(name="talbot", unaligned=unaligned, punctuation=punctuation)
    return Reference.from_ranks(words, orders_from_links([alignment], policy, words=[words]).ranks[0])
