"""Collects judgments while a file is read; every reader fills a builder and builds at the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from wordorder.errors import BadFile
from wordorder.judge.judgments import Items, Judgments, Preferences, Ranked, Ratings, pairs_of_rankings

NO_OUTPUT = "judged items without an output"
REPEATED = "pairs judged more than once"
CONTRADICTED = "pairs with contradicting judgments"
RATED_AGAIN = "items rated more than once"
_HUMAN = re.compile(r"ref[-._]*.?|human(?:[-._]+.)?")


@dataclass
class JudgmentsBuilder:
    """The judgments of one language pair of one test set while they are read."""

    items: Items = field(default_factory=Items)
    sources: dict[str, str] = field(default_factory=dict)  # keyed by segment
    references: dict[str, list[str]] = field(default_factory=dict)
    outputs: dict[int, str] = field(default_factory=dict)
    pairs: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    rankings: list[Ranked] = field(default_factory=list)
    ratings: list[tuple[int, float]] = field(default_factory=list)
    system_scores: dict[str, dict[str, float]] = field(default_factory=dict)
    official: str | None = None  # the score of systems that belongs to these judgments
    human: set[str] = field(default_factory=set)  # human translations whose name does not show it
    odd: Counter[str] = field(default_factory=Counter)

    def build(self, collection: str, pair: str, testset: str, *, file: str) -> Judgments:
        """Return the judgments; if some segments have references, all must have one."""
        segment, system, place = self.items.sorted()
        segments, systems = self.items.segments, self.items.systems
        missing = [name for name in segments if name not in self.references] if self.references else []
        if missing:
            message = f"segment {missing[0]} of {pair} {testset} has no reference ({len(missing)} in all)"
            raise BadFile(message, file=file)
        outputs: list[str | None] = [None] * len(place)
        for item, text in self.outputs.items():
            outputs[place[item]] = text
        preferences = None
        if self.pairs:
            table = np.array(self.pairs, dtype=np.int64)
            preferences = Preferences(place[table[:, 0]], place[table[:, 1]], *table[:, 2:].T)
        elif self.rankings:
            items = zip(segment.tolist(), system.tolist(), strict=True)
            number = {(segments[s], systems[k]): i for i, (s, k) in enumerate(items)}
            preferences = pairs_of_rankings(self.rankings, number)
        if preferences is not None:
            self.odd[REPEATED] = int(
                np.count_nonzero(preferences.wins + preferences.losses + preferences.ties > 1)
            )
            self.odd[CONTRADICTED] = int(np.count_nonzero((preferences.wins > 0) & (preferences.losses > 0)))
        ratings = None
        if self.ratings:
            rated, scores = zip(*self.ratings, strict=True)
            ratings = Ratings(place[np.array(rated, dtype=np.int64)], np.array(scores, dtype=np.float64))
            self.odd[RATED_AGAIN] += len(rated) - len(set(rated))
        self.odd[NO_OUTPUT] += sum(text is None for text in outputs)
        return Judgments(
            collection=collection,
            pair=pair,
            testset=testset,
            segments=segments,
            sources=[self.sources[name] for name in segments] if self.sources else None,
            references=_streams(self.references[name] for name in segments) if self.references else [],
            systems=systems,
            item_segment=segment,
            item_system=system,
            outputs=outputs,
            preferences=preferences,
            ratings=ratings,
            rankings=self.rankings,
            system_scores=self.system_scores,
            official=self.official,
            human=frozenset(name for name in systems if name in self.human or is_human(name)),
            odd={name: count for name, count in self.odd.items() if count},
        )


def _streams(rows: Iterable[list[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*rows, strict=True)]


def is_human(system: str) -> bool:
    """Return whether a system name stands for a human translation: ``ref``, ``ref-B``, ``refA``, ``Human-A``.

    >>> [is_human(name) for name in ("ref-B", "refA", "ref", "Human-A.0", "reform-mt", "humane")]
    [True, True, True, True, False, False]
    """
    return bool(_HUMAN.fullmatch(system.lower().removesuffix(".0")))
