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


@dataclass(frozen=True, slots=True)
class Result:
    """The score of one system by one metric, and its difference from the baseline."""

    score: float
    interval: Interval | None = None
    difference: float | None = None  # score minus the baseline's; None for the baseline itself
    p_value: float | None = None  # of that difference; None without a test


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
    table = _Sums(rows)
    real = [[float(s(table.total(k, m)[None])[0]) for m, s in enumerate(scorers)] for k in range(len(rows))]
    resampled = None
    if samples > 1 and rows:
        sums = bootstrap_sums(table.rows, samples=samples, seed=seed)
        resampled = [[s(table.part(sums, k, m)) for m, s in enumerate(scorers)] for k in range(len(rows))]
    halves = swapped_sums(table.rows, samples=samples, seed=seed) if paired == "randomisation" else None

    def test(first: int, second: int, m: int) -> float:
        difference = real[first][m] - real[second][m]
        if halves is None:
            assert resampled is not None  # a test has samples
            return p_value(resampled[first][m] - resampled[second][m], difference)
        one, other = table.total(first, m), table.total(second, m)
        moved = table.part(halves, second, m) - table.part(halves, first, m)
        return p_value(scorers[m](one + moved) - scorers[m](other - moved), difference, centred=False)

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


class _Sums:
    """The statistics of all systems and metrics side by side, and where each of them is."""

    def __init__(self, rows: Sequence[Sequence[Doubles]]) -> None:
        blocks = [block for system in rows for block in system]
        self.rows: Doubles = np.hstack(blocks) if blocks else np.zeros((0, 0))
        ends = np.cumsum([block.shape[1] for block in blocks]).tolist()
        metrics = len(rows[0]) if rows else 1
        columns = [slice(begin, end) for begin, end in zip([0, *ends], ends, strict=False)]
        self.columns = [columns[k : k + metrics] for k in range(0, len(columns), max(metrics, 1))]
        self.totals = self.rows.sum(axis=0)

    def part(self, sums: Doubles, system: int, metric: int) -> Doubles:
        return sums[:, self.columns[system][metric]]

    def total(self, system: int, metric: int) -> Doubles:
        return np.asarray(self.totals[self.columns[system][metric]])
