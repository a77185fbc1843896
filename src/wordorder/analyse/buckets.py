"""Differences between systems by the kind of segment: buckets, with a paired test in each.

Buckets are made by properties of segments that do not favour a system: a property of the output is averaged
over the systems, or is the largest of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.analyse.sentences import ComparedSentences
from wordorder.arrays import Doubles, Longs
from wordorder.core.resample import Scorer
from wordorder.engine.compare import Result, compare, holm

FEWEST = 2  # segments of a bucket that can be tested
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Property:
    """A property of segments, and the limits of its buckets: a bucket begins at each limit.

    >>> kind = Property("length", np.array([0.0, 7, 30]), (0, 10, 20), "words of the reference")
    >>> kind.labels, kind.buckets.tolist()
    (['0–9', '10–19', '20+'], [0, 0, 2])
    >>> Property("share", np.array([0.5, 1.0]), (0, 0.5, 1), "matched", whole=False).labels
    ['0.0–0.5', '0.5–1.0', '1.0']
    """

    name: str
    values: Doubles
    limits: tuple[float, ...]
    about: str
    whole: bool = True  # are values whole numbers?

    @property
    def buckets(self) -> Longs:
        """The number of the bucket of each segment."""
        return np.asarray(np.searchsorted(np.asarray(self.limits), self.values, side="right") - 1)

    @property
    def labels(self) -> list[str]:
        """The names of the buckets: their least and greatest values."""
        return [self._label(k) for k in range(len(self.limits))]

    def _label(self, k: int) -> str:
        low = self.limits[k]
        last = k + 1 == len(self.limits)
        if not self.whole:
            return f"{low:.1f}" if last else f"{low:.1f}–{self.limits[k + 1]:.1f}"
        if last:
            return f"{low:g}+"
        high = self.limits[k + 1] - 1
        return f"{low:g}" if low == high else f"{low:g}–{high:g}"

    @property
    def members(self) -> list[tuple[str, Longs]]:
        """The numbers of the segments of each bucket, by name."""
        buckets = self.buckets
        return [(label, np.flatnonzero(buckets == k)) for k, label in enumerate(self.labels)]


def properties(sentences: ComparedSentences) -> list[Property]:
    """Return the properties by which segments are divided."""
    systems = sentences.systems
    matched = np.mean([sentences.matched_shares(k) for k in range(len(systems))], axis=0)
    sizes = np.mean([system.tree_sizes for system in systems], axis=0)
    longest = np.max([system.longest_operators for system in systems], axis=0)
    moved = np.max([system.movements for system in systems], axis=0)
    words = sentences.reference_lengths.astype(np.float64)
    factorised = "how far the order factorises (pet_size), mean over systems"
    operator = "length of the longest operator of the permutation tree, the largest of all systems"
    farthest = "places by which the word moved that moved farthest, the largest of all systems"
    return [
        Property("length", words, (0, 1, 5, 10, 20, 30, 40, 60), "words of the reference"),
        Property("matched share", matched, SHARES, "share of words matched, mean over systems", whole=False),
        Property("tree size", sizes, SHARES, factorised, whole=False),
        Property("largest operator", longest, (0, 2, 4, 5, 7, 10), operator),
        Property("movement", moved, (0, 1, 2, 4, 8, 16), farthest),
    ]


@dataclass(frozen=True)
class Bucket:
    """The scores of all systems on some segments; p-values are corrected for the number of buckets."""

    label: str
    segments: int
    results: list[list[Result]]  # by system and metric; p-values of single tests
    corrected: list[list[float | None]]  # by Holm's method over the buckets of a system and metric


SystemRows = Sequence[Sequence[Doubles]]  # statistics by system and metric, as in engine.compare


@dataclass(frozen=True)
class TestSettings:
    """How systems are tested: each against a baseline, by its number, or also all pairs."""

    samples: int = 1000
    seed: int = 12345
    paired: str | None = "bootstrap"
    baseline: int = 0
    all_pairs: bool = False


def compare_buckets(
    rows: SystemRows, scorers: Sequence[Scorer], members: Sequence[tuple[str, Longs]], settings: TestSettings
) -> list[Bucket]:
    """Compare systems on groups of segments; ``members`` are names with numbers of segments."""
    groups = [(label, [[block[chosen] for block in system] for system in rows]) for label, chosen in members]
    return compare_groups(groups, scorers, settings)


def compare_groups(
    groups: Sequence[tuple[str, SystemRows]], scorers: Sequence[Scorer], settings: TestSettings
) -> list[Bucket]:
    """Compare systems on groups with their own statistics, and correct for the number of groups.

    Groups without a segment are left out; those of one segment are not tested.
    """
    found = [(label, rows, len(rows[0][0])) for label, rows in groups if len(rows[0][0])]
    results = []
    for _, rows, size in found:
        tested = len(rows) > 1 and size >= FEWEST and settings.samples > 1
        comparison = compare(
            rows,
            scorers,
            samples=settings.samples,
            seed=settings.seed,
            paired=settings.paired if tested else None,
            baseline=settings.baseline,
        )
        results.append(comparison.results)
    return [
        Bucket(label, size, result, corrected)
        for (label, _, size), result, corrected in zip(found, results, _corrected(results), strict=True)
    ]


def _corrected(results: Sequence[list[list[Result]]]) -> list[list[list[float | None]]]:
    """Correct the p-values of each system and metric for the number of buckets."""
    adjusted: list[list[list[float | None]]] = [[[None] * len(row) for row in table] for table in results]
    for s in range(len(results[0]) if results else 0):
        for m in range(len(results[0][s])):
            tested = [(b, table[s][m].p_value) for b, table in enumerate(results)]
            raw = [(b, p) for b, p in tested if p is not None]
            for (b, _), p in zip(raw, holm([p for _, p in raw]), strict=True):
                adjusted[b][s][m] = p
    return adjusted
