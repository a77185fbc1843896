"""Compare systems: scores, bootstrap intervals and paired tests, for many metrics at once.

Everything is computed from rows of additive statistics, one per segment. Samples are drawn once and
shared by all systems and metrics, so a comparison costs one matrix product and one call of each
metric's vectorised scorer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.resample import Interval, Scorer, bootstrap_sums, interval, p_value, swapped_sums
from wordorder.errors import BadSetting

TESTS = ("bootstrap", "randomisation")


THRESHOLDS = {"*": 0.05, "**": 0.01}  # the marks of all tables, and the p-values below which they are set


@dataclass(frozen=True, slots=True)
class Result:
    """The score of one system by one metric, and its difference from the baseline."""

    score: float
    interval: Interval | None = None
    difference: float | None = None  # score minus the baseline's; None for the baseline itself
    p_value: float | None = None  # of that difference; None without a test

    def as_dict(self) -> dict[str, float | None]:
        """Return plain data, with the interval as ``low`` and ``high``."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        tested = {"difference": self.difference, "p_value": self.p_value}
        return {"score": self.score, "low": low, "high": high, **tested}


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test of two systems by one metric; systems are numbered from 0."""

    first: int
    second: int
    difference: float  # second minus first
    p_value: float
    corrected: float  # by Holm's method, for all pairs of this metric


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results by system and metric, and all pairs by metric where asked for."""

    results: list[list[Result]]
    pairs: list[list[PairTest]]


def compare(
    rows: Sequence[Sequence[Doubles]],
    scorers: Sequence[Scorer],
    *,
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
    baseline: int = 0,
    all_pairs: bool = False,
) -> Comparison:
    """Score systems and test their differences.

    ``rows[system][metric]`` holds the statistics of all segments, ``scorers[metric]`` turns sums of
    them into scores (:meth:`Metric.scores`). Intervals need ``samples`` > 1. ``paired`` tests each
    system against ``baseline``, and with ``all_pairs`` each against each other: by ``bootstrap``
    (Koehn 2004, centred) or approximate ``randomisation`` (Noreen 1989).

    >>> good, bad = np.array([[1.0, 1.0]] * 9), np.array([[0.0, 1.0]] * 9)
    >>> mean = lambda sums: sums[:, 0] / sums[:, 1]
    >>> comparison = compare([[good], [bad]], [mean], samples=99, paired="randomisation")
    >>> [results[0].score for results in comparison.results], comparison.results[1][0].p_value
    ([1.0, 0.0], 0.02)
    """
    if paired is not None and paired not in TESTS:
        raise BadSetting(f"paired is {paired!r}; expected one of {', '.join(TESTS)}")
    if (paired or all_pairs) and samples < 2:
        raise BadSetting(f"a test needs 2 samples or more, not {samples}.", suggest={"samples": 1000})
    if all_pairs and not paired:
        raise BadSetting("all_pairs needs a test.", suggest={"paired": "bootstrap"})
    if not 0 <= baseline < max(len(rows), 1):
        raise BadSetting(f"baseline is system {baseline}; there are {len(rows)}")
    blocks = [block for system in rows for block in system]
    table = np.hstack(blocks) if blocks else np.zeros((0, 0))
    ends = np.cumsum([block.shape[1] for block in blocks])[:-1]

    def split(sums: Doubles) -> list[list[Doubles]]:
        """Return the columns of each system and metric."""
        parts = iter(np.split(sums, ends, axis=1))
        return [[next(parts) for _ in system] for system in rows]

    def scored(sums: Doubles) -> list[list[Doubles]]:
        return [[s(part) for s, part in zip(scorers, parts, strict=True)] for parts in split(sums)]

    total = table.sum(axis=0, keepdims=True)
    real = [[float(score[0]) for score in scores] for scores in scored(total)]
    resampled = None
    if samples > 1 and rows:
        resampled = scored(bootstrap_sums(table, samples=samples, seed=seed))
    totals, halves = split(total), None
    if paired == "randomisation":
        halves = split(swapped_sums(table, samples=samples, seed=seed))

    def test(first: int, second: int, m: int) -> float:
        difference = real[first][m] - real[second][m]
        if halves is None:
            assert resampled is not None  # a test has samples
            return p_value(resampled[first][m] - resampled[second][m], difference)
        moved = halves[second][m] - halves[first][m]
        swapped = scorers[m](totals[first][m] + moved) - scorers[m](totals[second][m] - moved)
        return p_value(swapped, difference, centred=False)

    results = [
        [
            Result(
                real[k][m],
                interval(resampled[k][m]) if resampled else None,
                real[k][m] - real[baseline][m] if k != baseline else None,
                test(baseline, k, m) if paired and k != baseline else None,
            )
            for m in range(len(scorers))
        ]
        for k in range(len(rows))
    ]
    pairs: list[list[PairTest]] = []
    if all_pairs:
        both = list(combinations(range(len(rows)), 2))
        for m in range(len(scorers)):
            raw = [test(a, b, m) for a, b in both]
            pairs.append(
                [
                    PairTest(a, b, real[b][m] - real[a][m], p, corrected)
                    for (a, b), p, corrected in zip(both, raw, holm(raw), strict=True)
                ]
            )
    return Comparison(results, pairs)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for the number of tests by Holm's method (1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    raised = np.maximum.accumulate(np.minimum(1.0, np.asarray(p_values, dtype=np.float64)[order] * factors))
    corrected = np.empty(len(order))
    corrected[order] = raised
    return corrected.tolist()
