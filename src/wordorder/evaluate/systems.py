"""Preorderers side by side: scores of any ordering metric, intervals, and which differences are real.

Every sentence of every system is one permutation, its words in terms of the reference; a metric gives it
a row of statistics that add up, and all systems are resampled together (Koehn 2004).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.resample import Interval, bootstrap_sums, interval, p_value
from wordorder.errors import WordOrderError
from wordorder.evaluate.gold import Ranks
from wordorder.evaluate.references import Match
from wordorder.evaluate.relative import relative_orders
from wordorder.io.lines import counted
from wordorder.metrics.ordering import OrderingMetric

LEVELS = ((0.05, "**"), (0.10, "*"))  # as tables 3 to 5 of Talbot et al. mark 95 and 90 per cent


@dataclass(frozen=True, slots=True)
class Standing:
    """One system: its orders in terms of the reference, and its scores by metric."""

    name: str
    relative: Permutations
    sentence_scores: tuple[Doubles, ...]
    scores: tuple[float, ...]
    intervals: tuple[Interval | None, ...]


@dataclass(frozen=True, slots=True)
class Standings:
    """All systems by all metrics."""

    metrics: tuple[OrderingMetric, ...]
    systems: tuple[Standing, ...]
    used: tuple[int, ...]  # sentences that count, from 0
    sentences: int
    words: int  # that are compared
    match: Match
    reference: str  # how the reference orders were made
    samples: int
    seed: int
    p_values: tuple[dict[tuple[int, int], float], ...]  # by metric, then pair of systems, the earlier first

    @property
    def names(self) -> list[str]:
        """The systems."""
        return [system.name for system in self.systems]

    def signature(self, m: int) -> str:
        """All that can move the numbers of a metric."""
        name, _, rest = self.metrics[m].signature.partition("|")
        return f"reordering|metric:{name}|reference:{self.reference}|match:{self.match}|{rest}"

    def mark(self, m: int, a: int, b: int) -> str:
        """How sure it is that system b differs from the earlier system a: ``**``, ``*`` or ``0``."""
        p = self.p_values[m].get((a, b))
        if p is None:
            return ""
        found = next((sign for level, sign in LEVELS if p < level), "0")
        better = self.systems[b].scores[m] > self.systems[a].scores[m]
        return found if found == "0" or better == self.metrics[m].higher_is_better else f"-{found}"

    def as_dict(self, *, sentences: bool = False) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {
            "sentences": self.sentences,
            "used": len(self.used),
            "words": self.words,
            "samples": self.samples,
            "seed": self.seed,
            "metrics": [
                {"name": metric.name, "signature": self.signature(m)} for m, metric in enumerate(self.metrics)
            ],
            "systems": [],
            "pairs": [
                {
                    "metric": metric.name,
                    "systems": [self.names[a], self.names[b]],
                    "p": p,
                    "mark": self.mark(m, a, b),
                }
                for m, metric in enumerate(self.metrics)
                for (a, b), p in self.p_values[m].items()
            ],
        }
        for system in self.systems:
            one: dict[str, Any] = {"name": system.name, "scores": {}}
            for m, metric in enumerate(self.metrics):
                around = system.intervals[m]
                one["scores"][metric.name] = {
                    "score": system.scores[m],
                    "interval": [around.low, around.high] if around else None,
                }
            if sentences:
                one["sentences"] = [
                    {"number": s + 1}
                    | {
                        metric.name: float(system.sentence_scores[m][k])
                        for m, metric in enumerate(self.metrics)
                    }
                    for k, s in enumerate(self.used)
                ]
            data["systems"].append(one)
        return data


def compare_systems(
    ranks: Sequence[Ranks | None],
    systems: Mapping[str, Sequence[Permutation]],
    metrics: Sequence[OrderingMetric],
    *,
    words: Sequence[Sequence[str]] | None = None,
    match: Match = "words",
    reference: str = "given",
    samples: int = 1000,
    seed: int = 12345,
) -> Standings:
    """Score the orders of each system against reference ranks (see :mod:`wordorder.evaluate.gold`).

    ``match="words"`` lets a word stand for any other of the same form, as the paper does; it needs ``words``.

    >>> from wordorder.metrics import metric
    >>> ranks = [np.array([2, 0, 1])]
    >>> orders = {"mine": [Permutation.from_order([1, 2, 0])]}
    >>> found = compare_systems(ranks, orders, [metric("fuzzy")], match="positions")
    >>> found.systems[0].scores
    (1.0,)
    """
    if not ranks:
        raise WordOrderError("nothing to evaluate: no sentences")
    if match == "words" and words is None:
        raise WordOrderError("matching by words needs the source words: give them, or match by positions")
    for name, orders in systems.items():
        if len(orders) != len(ranks):
            what = f"{counted(len(orders), 'order')} for {counted(len(ranks), 'sentence')}"
            raise WordOrderError(f"{name} has {what}")
    used = [s for s, found in enumerate(ranks) if found is not None]
    if not used:
        raise WordOrderError("nothing to evaluate: no sentence has a reference order")
    kept_ranks = [ranks[s] for s in used]
    kept_words = [words[s] for s in used] if words is not None and match == "words" else None
    relative = {
        name: relative_orders(kept_ranks, [orders[s] for s in used], kept_words)
        for name, orders in systems.items()
    }
    intervals: dict[str, list[Interval | None]] = {name: [] for name in systems}
    scores: dict[str, list[float]] = {name: [] for name in systems}
    p_values: list[dict[tuple[int, int], float]] = []
    for metric in metrics:
        rows = [metric.statistics(batch) for batch in relative.values()]
        real = np.array([float(metric.scores(one.sum(axis=0, keepdims=True))[0]) for one in rows])
        drawn = None
        if samples > 1 and rows:
            sums = bootstrap_sums(np.hstack(rows), samples=samples, seed=seed)
            width = rows[0].shape[1]
            cut = [sums[:, width * k : width * (k + 1)] for k in range(len(rows))]
            drawn = np.column_stack([metric.scores(one) for one in cut])
        pairs: dict[tuple[int, int], float] = {}
        for b, name in enumerate(systems):
            scores[name].append(float(real[b]))
            intervals[name].append(interval(drawn[:, b]) if drawn is not None else None)
            if drawn is not None:
                for a in range(b):
                    pairs[a, b] = p_value(drawn[:, b] - drawn[:, a], real[b] - real[a])
        p_values.append(dict(sorted(pairs.items())))
    standings = tuple(
        Standing(
            name,
            relative[name],
            tuple(metric.score_orders(relative[name]) for metric in metrics),
            tuple(scores[name]),
            tuple(intervals[name]),
        )
        for name in systems
    )
    compared = int(sum((found >= 0).sum() for found in kept_ranks if found is not None))
    return Standings(
        tuple(metrics),
        standings,
        tuple(used),
        len(ranks),
        compared,
        match,
        reference,
        samples,
        seed,
        tuple(p_values),
    )
