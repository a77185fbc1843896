"""Human judgments of translations, stored as arrays.

A :class:`Judgments` object holds one language pair of one test set. An *item* is the output of one system
for one segment; judgments refer to items by number. Missing data are not filled in: a judged item without a
text keeps ``None``, and irregularities in the files are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.alignment import Alignments
from wordorder.text.languages import language_code


class Ranked(NamedTuple):
    """The rank of a system in one ranking by one judge: 1 is best, equal ranks are ties."""

    judge: str
    ranking: str
    segment: str
    system: str
    rank: int


@dataclass(frozen=True, eq=False)
class Preferences:
    """Pairs of items of the same segment, with the number of judgments for each outcome."""

    first: Longs
    second: Longs
    wins: Longs  # judgments that prefer the first item
    losses: Longs  # judgments that prefer the second item
    ties: Longs

    def __len__(self) -> int:
        return len(self.first)

    def take(self, kept: Bools) -> Preferences:
        """Return some of the pairs."""
        columns = (self.first, self.second, self.wins, self.losses, self.ties)
        return Preferences(*(column[kept] for column in columns))

    @property
    def untied(self) -> int:
        """Number of judgments that prefer one of the two items."""
        return int(self.wins.sum() + self.losses.sum())

    @property
    def tied(self) -> int:
        """Number of judgments that are ties."""
        return int(self.ties.sum())


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of items by one person, or the mean of several; higher is better."""

    item: Longs
    score: Doubles

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, eq=False)
class SourceLinks:
    """Word alignments of the sources with the references, a stream each, and with the items."""

    references: Sequence[Alignments]
    items: Alignments


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgments:
    """The judgments of one language pair of one test set.

    ``references`` are streams, each as long as ``segments``. ``system_scores`` holds the scores that the
    organisers published for systems, by the name of the score; ``official`` names the one that belongs to
    these judgments, if the data say so. ``human`` names the systems that are human translations: they are
    scored, but excluded at system level and from pairs made from ratings.
    """

    collection: str  # the data set they come from, such as wmt13-rr
    pair: str  # the language pair, such as de-en
    testset: str
    segments: Sequence[str]  # names of the segments in the test set
    sources: Sequence[str] | None
    references: Sequence[Sequence[str]]
    systems: Sequence[str]
    item_segment: Longs  # items are sorted by segment, then by system, without duplicates
    item_system: Longs
    outputs: Sequence[str | None]  # None if an item was judged but its text is missing
    preferences: Preferences | None = None
    ratings: Ratings | None = None
    rankings: Sequence[Ranked] = ()
    system_scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    official: str | None = None
    human: frozenset[str] = frozenset()
    odd: Mapping[str, int] = field(default_factory=dict)  # irregularities counted while reading
    links: SourceLinks | None = None  # None where no alignments are given

    @property
    def name(self) -> str:
        """The name shown in tables, unique within a collection."""
        return f"{self.collection} {self.pair}" + ("" if self.testset in ("", "-") else f" {self.testset}")

    @property
    def source(self) -> str:
        """The source language of the pair, two letters where there are two, without its region."""
        return language_code(self.pair.split("-")[0].split("_")[0])

    @property
    def target(self) -> str:
        """The target language of the pair, as in ``source``: ``zh`` of ``en-zh_TW`` and of ``eng-zho``."""
        _, _, target = self.pair.partition("-")
        return language_code(target.replace("_", "-").split("-")[0]) if target else "en"

    @cached_property
    def year(self) -> int:
        """The year of the test set, or 0 if neither name contains one."""
        for text in (self.testset, self.collection):
            if match := re.search(r"(?<!\d)20(\d\d)(?!\d)|wmt(\d\d)(?!\d)", text):
                return 2000 + int(match[1] or match[2])
        return 0

    @cached_property
    def missing(self) -> Bools:
        """Items without a text."""
        return np.array([text is None for text in self.outputs], dtype=np.bool_)

    @cached_property
    def item_numbers(self) -> dict[tuple[int, str], int]:
        """The number of each item, by the number of its segment and the name of its system."""
        places = zip(self.item_segment.tolist(), self.item_system.tolist(), strict=True)
        return {(segment, self.systems[system]): item for item, (segment, system) in enumerate(places)}

    @cached_property
    def machines(self) -> Bools:
        """Items that are not human translations."""
        human = np.array([name in self.human for name in self.systems], dtype=np.bool_)
        return np.asarray(~human[self.item_system]) if len(self.item_system) else np.zeros(0, np.bool_)

    @cached_property
    def usable(self) -> Bools:
        """Items on which metrics are compared: machine outputs whose text is known."""
        return self.machines & ~self.missing

    @cached_property
    def compared(self) -> Preferences:
        """The preferences between usable items, or all pairs within segments if there are ratings only."""
        pairs = self.preferences if self.preferences is not None else pairs_of_ratings(self)
        kept = self.usable[pairs.first] & self.usable[pairs.second]
        return pairs if kept.all() else pairs.take(kept)

    @cached_property
    def rated(self) -> Ratings | None:
        """The ratings of usable items."""
        if self.ratings is None:
            return None
        kept = self.usable[self.ratings.item]
        return Ratings(self.ratings.item[kept], self.ratings.score[kept])

    @cached_property
    def unused(self) -> int:
        """Number of judgments of human translations or of outputs without a text."""
        if self.preferences is not None:
            both = self.preferences.untied + self.preferences.tied
            return both - self.compared.untied - self.compared.tied
        return 0 if self.ratings is None or self.rated is None else len(self.ratings) - len(self.rated)

    def judged_in(self, kept: Bools) -> Judgments:
        """Return the judgments of some segments; items keep their numbers."""
        preferences, ratings = self.preferences, self.ratings
        if preferences is not None:
            preferences = preferences.take(kept[self.item_segment[preferences.first]])
        if ratings is not None:
            there = kept[self.item_segment[ratings.item]]
            ratings = Ratings(ratings.item[there], ratings.score[there])
        return replace(self, preferences=preferences, ratings=ratings, rankings=())

    def __len__(self) -> int:
        return len(self.outputs)


class Items:
    """Numbers pairs of segment and system as they are read, and sorts them at the end."""

    def __init__(self) -> None:
        self._segments: dict[str, int] = {}
        self._systems: dict[str, int] = {}
        self._items: dict[tuple[int, int], int] = {}

    def segment(self, name: str) -> int:
        """Return the number of a segment, adding it if it is new."""
        return self._segments.setdefault(name, len(self._segments))

    def add(self, segment: str, system: str) -> int:
        """Return the number of an item, adding it if it is new; the numbers hold until items are sorted."""
        key = self.segment(segment), self._systems.setdefault(system, len(self._systems))
        return self._items.setdefault(key, len(self._items))

    @property
    def segments(self) -> list[str]:
        """All segments in the order of their first occurrence."""
        return list(self._segments)

    @property
    def systems(self) -> list[str]:
        """All systems, sorted by name."""
        return sorted(self._systems)

    def sorted(self) -> tuple[Longs, Longs, Longs]:
        """Return segment and system of the sorted items, and the place of each earlier item number."""
        renamed = np.argsort(np.argsort(np.array(list(self._systems), dtype=object)))
        rows = np.array(list(self._items), dtype=np.int64).reshape(-1, 2)
        segment, system = rows[:, 0], renamed[rows[:, 1]] if len(rows) else rows[:, 1]
        order = np.lexsort((system, segment))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return segment[order], system[order], place


def pairs_of_rankings(rankings: Iterable[Ranked], number: Mapping[tuple[str, str], int]) -> Preferences:
    """Count the pairs within each ranking: a ranking of five outputs contains ten judgments.

    The items of a pair are sorted, so a pair that was judged twice is one row with two judgments. ``number``
    maps a segment and a system to their item.
    """
    groups: dict[tuple[str, str, str], list[tuple[int, int]]] = {}
    for row in rankings:
        key = row.judge, row.ranking, row.segment
        groups.setdefault(key, []).append((number[row.segment, row.system], row.rank))
    counts: dict[tuple[int, int], list[int]] = {}
    for placed in groups.values():
        for k, (item, rank) in enumerate(placed):
            for other, other_rank in placed[k + 1 :]:
                if item == other:
                    continue  # a system listed twice in a ranking is not compared with itself
                outcome = 2 if rank == other_rank else 0 if (rank < other_rank) == (item < other) else 1
                counts.setdefault((min(item, other), max(item, other)), [0, 0, 0])[outcome] += 1
    return _preferences((first, second, *outcomes) for (first, second), outcomes in sorted(counts.items()))


def pairs_of_ratings(judgments: Judgments) -> Preferences:
    """Compare all rated machine outputs of each segment; a pair counts as one judgment, ties included."""
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
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    apart = item[first] != item[second]  # an item that was rated twice is not compared with itself
    first, second = first[apart], second[apart]
    difference = np.sign(score[first] - score[second])
    wins, losses, ties = ((difference == sign).astype(np.int64) for sign in (1, -1, 0))
    return Preferences(item[first], item[second], wins, losses, ties)


def _preferences(rows: Iterable[tuple[int, ...]]) -> Preferences:
    table = np.array(list(rows), dtype=np.int64).reshape(-1, 5)
    return Preferences(*(np.ascontiguousarray(column) for column in table.T))
