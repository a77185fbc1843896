"""Soft pairwise accuracy of metrics over systems (Thompson et al. 2024; the system level of WMT24).

For every pair of systems, a paired permutation test asks people and the metric how sure they are that the
first system is better: the p-value is the share of random exchanges of the two systems' segments after which
their difference is at least as large. Soft accuracy is one minus the mean difference between the p-values of
the metric and of people (the pairwise confidence error). Unlike plain accuracy, it does not matter much how a
metric ranks two systems that people cannot tell apart. Two systems are compared on the segments that are
rated for both.

All tests share the same exchanges. They are drawn as mt-metrics-eval draws them, so its numbers come out for
its seed, 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.resample import drawn
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores

PERMUTATIONS = 1000


def exchanges(segments: int, seed: int, samples: int = PERMUTATIONS) -> Doubles:
    """Draw exchanges, one per row: -1 where the two systems exchange a segment, else 1."""
    draws = np.random.default_rng(seed).random(size=(samples, segments), dtype=np.float32)
    return np.where(draws > 0.5, 1.0, -1.0)


def pairwise_p_values(scores: Doubles, signs: Doubles) -> Doubles:
    """Return the p-value that system i is better than system j, for all i < j.

    ``scores`` has one row per segment and one column per system, NaN where a segment has no score.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    if np.isfinite(scores).all():  # sums of systems are enough
        real, moved = scores.sum(axis=0), signs @ scores
        difference, exchanged = real[first] - real[second], moved[:, first] - moved[:, second]
    else:
        gaps = scores[:, first] - scores[:, second]
        gaps = np.where(np.isfinite(gaps), gaps, 0.0)
        difference, exchanged = gaps.sum(axis=0), signs @ gaps
    # The last bits of two sums of the same numbers in another order may differ.
    rounding = 1e-9 * np.maximum(1.0, np.abs(difference))
    return np.asarray((exchanged >= difference - rounding).mean(axis=0))


def soft_accuracy(metric: Doubles, human: Doubles) -> float:
    """Return one minus the mean difference between the p-values of a metric and of people.

    >>> soft_accuracy(np.array([0.0, 0.5]), np.array([0.25, 0.75]))
    0.75
    """
    return float(1.0 - np.abs(metric - human).mean())


@dataclass(frozen=True, eq=False)
class SegmentTables:
    """Scores of segments by people and by metrics, one column per system; NaN where people gave none.

    A metric without scores of segments is None.
    """

    systems: Longs  # their numbers
    human: Doubles
    metrics: Sequence[Doubles | None]

    @classmethod
    def of(cls, judgments: Judgments, metrics: Sequence[MetricScores]) -> SegmentTables:
        """Collect the scores of a set; an error if there are no segments to compare systems on."""
        rated = judgments.rated
        if rated is None or not len(rated):
            raise BadSetting("soft_accuracy needs ratings of machine translations, and it has none")
        shape = len(judgments.segments), len(judgments.systems)
        number = np.bincount(rated.item, minlength=len(judgments))
        total = np.bincount(rated.item, rated.score, minlength=len(judgments))
        human = np.full(shape, np.nan)
        item = np.flatnonzero(number)
        place = judgments.item_segment[item], judgments.item_system[item]
        human[place] = total[item] / number[item]
        systems = np.flatnonzero(np.isfinite(human).any(axis=0))
        rated_there = np.isfinite(human[:, systems])
        apart = np.argwhere((rated_there.T.astype(np.int64) @ rated_there) == 0)
        if len(systems) < 2 or len(apart):
            names = [judgments.systems[systems[k]] for k in (apart[0] if len(apart) else range(len(systems)))]
            raise BadSetting(
                "soft_accuracy compares systems on segments that are rated for both, and there are none of "
                f"{' and '.join(names)}"
            )
        used = np.flatnonzero(rated_there.any(axis=1))
        tables: list[Doubles | None] = []
        for metric in metrics:
            table = np.full(shape, np.nan)
            table[place] = metric.oriented[item]
            tables.append(table[used][:, systems] if metric.has_segments else None)
        return cls(systems, human[used][:, systems], tables)

    def values(self, signs: Doubles, rows: Longs | None = None) -> Doubles:
        """Return the soft accuracy of each metric, also on drawn segments; NaN without scores of segments."""
        at = slice(None) if rows is None else rows
        human = pairwise_p_values(self.human[at], signs)
        return np.array(
            [
                np.nan if metric is None else soft_accuracy(pairwise_p_values(metric[at], signs), human)
                for metric in self.metrics
            ]
        )

    def resampled(self, signs: Doubles, samples: int, seed: Sequence[int]) -> Doubles:
        """Return the soft accuracy of each metric on resampled segments, one row per sample."""
        size = len(self.human)
        rows = [
            self.values(signs, np.repeat(np.arange(size), weights.astype(np.int64)))
            for some in drawn(size, samples, seed)
            for weights in some
        ]
        return np.array(rows).reshape(-1, len(self.metrics))
