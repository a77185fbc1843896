"""What people said about translations, as arrays.

One :class:`Judgments` holds one language pair of one test set. An *item* is the output of one
system for one segment; everything that was said is about items, by their number. Nothing is
filled in: an item that was judged but has no text keeps ``None``, and what is odd is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles, Longs


class Ranked(NamedTuple):
    """A system's place in one ranking by one judge; 1 is best, equal ranks are ties."""

    judge: str
    ranking: str
    segment: str
    system: str
    rank: int


@dataclass(frozen=True, eq=False)
class Preferences:
    """Comparisons of two items of one segment, with how many judgments said what."""

    first: Longs
    second: Longs
    wins: Longs  # judgments that prefer the first item
    losses: Longs  # that prefer the second
    ties: Longs

    def __len__(self) -> int:
        return len(self.first)

    @property
    def untied(self) -> int:
        """How many judgments prefer one side."""
        return int(self.wins.sum() + self.losses.sum())

    @property
    def tied(self) -> int:
        """How many judgments are ties."""
        return int(self.ties.sum())


@dataclass(frozen=True, eq=False)
class Ratings:
    """Items with a number that a person, or the mean of several, gave them; higher is better."""

    item: Longs
    score: Doubles

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgments:
    """The judgments of one language pair of one test set.

    ``references`` are streams, each as long as ``segments``. ``system_scores`` are what the organisers
    published for systems, by name of the score. ``human`` systems are translations by people:
    they are scored, but left out at system level and from pairs made of ratings.
    """

    collection: str  # where they come from: wmt13-rr
    pair: str  # languages: de-en
    testset: str
    segments: Sequence[str]  # their names in the test set
    sources: Sequence[str] | None
    references: Sequence[Sequence[str]]
    systems: Sequence[str]
    item_segment: Longs  # sorted by segment, then system; no item occurs twice
    item_system: Longs
    outputs: Sequence[str | None]  # None: judged, but the text is missing
    preferences: Preferences | None = None
    ratings: Ratings | None = None
    rankings: Sequence[Ranked] = ()
    system_scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    human: frozenset[str] = frozenset()
    odd: Mapping[str, int] = field(default_factory=dict)  # what was counted while reading

    @property
    def name(self) -> str:
        """A name for tables, unique in a collection."""
        return f"{self.collection} {self.pair}" + ("" if self.testset in ("", "-") else f" {self.testset}")

    @cached_property
    def year(self) -> int:
        """The year of the test set, 0 if no name tells it."""
        for text in (self.testset, self.collection):
            if found := re.search(r"(?<!\d)20(\d\d)(?!\d)|wmt(\d\d)(?!\d)", text):
                return 2000 + int(found[1] or found[2])
        return 0

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Items without a text."""
        return np.array([text is None for text in self.outputs], dtype=np.bool_)

    @cached_property
    def machines(self) -> NDArray[np.bool_]:
        """Items that are not translations by people."""
        human = np.array([name in self.human for name in self.systems], dtype=np.bool_)
        return np.asarray(~human[self.item_system]) if len(self.item_system) else np.zeros(0, np.bool_)

    @cached_property
    def usable(self) -> NDArray[np.bool_]:
        """Items that metrics are compared on: outputs of machines that have a text."""
        return self.machines & ~self.missing

    @cached_property
    def compared(self) -> Preferences:
        """The preferences between usable items; of ratings, all pairs within segments."""
        given = self.preferences if self.preferences is not None else pairs_of_ratings(self)
        kept = self.usable[given.first] & self.usable[given.second]
        if kept.all():
            return given
        columns = (given.first, given.second, given.wins, given.losses, given.ties)
        return Preferences(*(column[kept] for column in columns))

    @cached_property
    def rated(self) -> Ratings | None:
        """The ratings of usable items."""
        if self.ratings is None:
            return None
        kept = self.usable[self.ratings.item]
        return Ratings(self.ratings.item[kept], self.ratings.score[kept])

    @cached_property
    def unused(self) -> int:
        """Judgments about outputs of people, or outputs without a text."""
        if self.preferences is not None:
            both = self.preferences.untied + self.preferences.tied
            return both - self.compared.untied - self.compared.tied
        return 0 if self.ratings is None or self.rated is None else len(self.ratings) - len(self.rated)

    def __len__(self) -> int:
        return len(self.outputs)


class Items:
    """Numbers for pairs of segment and system, given out as they are seen, sorted in the end."""

    def __init__(self) -> None:
        self._segments: dict[str, int] = {}
        self._systems: dict[str, int] = {}
        self._items: dict[tuple[int, int], int] = {}

    def segment(self, name: str) -> int:
        """The number of a segment."""
        return self._segments.setdefault(name, len(self._segments))

    def add(self, segment: str, system: str) -> int:
        """The number of an item, as long as nothing is sorted."""
        key = self.segment(segment), self._systems.setdefault(system, len(self._systems))
        return self._items.setdefault(key, len(self._items))

    @property
    def segments(self) -> list[str]:
        """All segments, in the order in which they were seen."""
        return list(self._segments)

    @property
    def systems(self) -> list[str]:
        """All systems by name."""
        return sorted(self._systems)

    def sorted(self) -> tuple[Longs, Longs, Longs]:
        """Segment and system of each item, in order; and for each number given out its place there."""
        renamed = np.argsort(np.argsort(np.array(list(self._systems), dtype=object)))
        rows = np.array(list(self._items), dtype=np.int64).reshape(-1, 2)
        segment, system = rows[:, 0], renamed[rows[:, 1]] if len(rows) else rows[:, 1]
        order = np.lexsort((system, segment))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return segment[order], system[order], place


def pairs_of_rankings(rankings: Iterable[Ranked], number: Mapping[tuple[str, str], int]) -> Preferences:
    """All pairs within each ranking, counted: a ranking of five outputs is ten judgments.

    A pair is kept in the order of its items, so the same pair judged twice is one row with two
    judgments. ``number`` gives the item of a segment and a system.
    """
    groups: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for row in rankings:
        key = row.judge, row.ranking, row.segment
        groups.setdefault(key, []).append((number[row.segment, row.system], row.rank))
    counts: dict[tuple[int, int], list[int]] = {}
    for placed in groups.values():
        for k, (one, rank) in enumerate(placed):
            for other, worse in placed[k + 1 :]:
                if one == other:
                    continue  # a system that stands twice in a ranking says nothing about itself
                said = 2 if rank == worse else 0 if (rank < worse) == (one < other) else 1
                counts.setdefault((min(one, other), max(one, other)), [0, 0, 0])[said] += 1
    return _preferences((first, second, *said) for (first, second), said in sorted(counts.items()))


def pairs_of_ratings(judgments: Judgments) -> Preferences:
    """All pairs of rated machine outputs of one segment, one judgment each, ties included."""
    ratings = judgments.ratings
    if ratings is None:
        return _preferences(())
    kept = judgments.usable[ratings.item]
    item, score = ratings.item[kept], ratings.score[kept]
    order = np.argsort(item, kind="stable")
    item, score = item[order], score[order]
    segment = judgments.item_segment[item]
    bounds = np.flatnonzero(np.diff(segment)) + 1
    firsts, seconds = [], []
    for group in np.split(np.arange(len(item)), bounds):
        i, j = np.triu_indices(len(group), 1)
        firsts.append(group[i])
        seconds.append(group[j])
    one, other = np.concatenate(firsts), np.concatenate(seconds)
    apart = item[one] != item[other]  # an item that was rated twice is not compared with itself
    one, other = one[apart], other[apart]
    difference = np.sign(score[one] - score[other])
    wins, losses, ties = ((difference == s).astype(np.int64) for s in (1, -1, 0))
    return Preferences(item[one], item[other], wins, losses, ties)


def _preferences(rows: Iterable[tuple[int, ...]]) -> Preferences:
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 5)
    return Preferences(*(np.ascontiguousarray(column) for column in table.T))


def by_collection(sets: Iterable[Judgments]) -> Iterator[tuple[str, list[Judgments]]]:
    """Sets grouped by collection, in the order of their first."""
    groups: dict[str, list[Judgments]] = {}
    for one in sets:
        groups.setdefault(one.collection, []).append(one)
    yield from groups.items()
