"""Compare systems or metrics: values, bootstrap intervals and paired tests.

All intervals and tests of the package are computed here, from :class:`Entries`: the values of what is
compared, and the same values on resampled segments. :func:`compare_table` makes them for systems and
several metrics, from rows of additive statistics. It draws samples once for all of them, so that a
comparison costs one matrix product and one call of each metric's vectorised scorer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.displayed import Displayed
from wordorder.core.resample import (
    Interval,
    Map,
    Scorer,
    Statistics,
    bootstrap_sums,
    interval,
    p_value,
    size_of,
    swapped_sums,
    total,
)
from wordorder.errors import BadSetting

THRESHOLDS = {"*": 0.05, "**": 0.01}  # the marks of all tables, and the p-values below which they are set


@dataclass(frozen=True, slots=True)
class Entries:
    """What is compared: systems by the value of a metric, or metrics by their agreement with people.

    Undefined values are NaN. ``exchanged`` returns the differences of two entries (first minus second)
    after random exchanges of their segments; it is None where randomisation is not defined.
    """

    values: Doubles
    resampled: Doubles  # one row per bootstrap sample
    exchanged: Callable[[int, int], Doubles] | None = None


PairedTest = Callable[[Entries, int, int], float | None]


def bootstrap_test(entries: Entries, first: int, second: int) -> float | None:
    """Apply the paired bootstrap test (Koehn 2004), centred (Riezler and Maxwell 2005)."""
    moved = entries.resampled[:, first] - entries.resampled[:, second]
    moved = moved[np.isfinite(moved)]
    return p_value(moved, _difference(entries, first, second)) if len(moved) > 1 else None


def sacrebleu_bootstrap_test(entries: Entries, first: int, second: int) -> float | None:
    """Apply the paired bootstrap test as sacrebleu does.

    It centres the sizes of the differences, not the differences, and counts those that exceed the size of
    the real one. This is a test of one tail, whose p-values are about half as large where systems differ
    clearly.
    """
    moved = np.abs(entries.resampled[:, first] - entries.resampled[:, second])
    moved = moved[np.isfinite(moved)]
    if len(moved) < 2:
        return None
    exceeded = moved - moved.mean() > abs(_difference(entries, first, second))
    return float((exceeded.sum() + 1) / (len(moved) + 1))


def randomisation_test(entries: Entries, first: int, second: int) -> float | None:
    """Apply approximate randomisation (Noreen 1989), also called the paired permutation test."""
    if entries.exchanged is None:
        raise BadSetting("there is no randomisation test for this measure.", suggest={"paired": "bootstrap"})
    moved = entries.exchanged(first, second)
    moved = moved[np.isfinite(moved)]
    return p_value(moved, _difference(entries, first, second), centred=False) if len(moved) else None


TESTS: Mapping[str, PairedTest] = {
    "bootstrap": bootstrap_test,
    "randomisation": randomisation_test,
    "bootstrap-sacrebleu": sacrebleu_bootstrap_test,
}


def _difference(entries: Entries, first: int, second: int) -> float:
    return float(entries.values[first] - entries.values[second])


@dataclass(frozen=True, slots=True)
class Result:
    """The value of one entry, and its difference from the baseline."""

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
class Comparison(Displayed):
    """Results by system and metric, and all pairs by metric where asked for."""

    results: list[list[Result]]
    pairs: list[list[PairTest]]

    def __repr__(self) -> str:
        metrics = max(map(len, self.results), default=0)
        return f"<Comparison of {len(self.results)} systems by {metrics} metrics>"


def results_against(entries: Entries, baseline: int, test: PairedTest | None) -> list[Result]:
    """Return each entry with its interval, and its test against the baseline where both have a value."""
    results = []
    for k, value in enumerate(entries.values):
        defined = entries.resampled[:, k][np.isfinite(entries.resampled[:, k])]
        around = interval(defined) if len(defined) > 1 else None
        difference = _difference(entries, k, baseline) if k != baseline else None
        p = None
        if test is not None and difference is not None and np.isfinite(difference):
            p = test(entries, k, baseline)
        results.append(Result(float(value), around, difference, p))
    return results


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
    system against ``baseline``, and with ``all_pairs`` each against each other: by ``bootstrap``,
    approximate ``randomisation`` or ``bootstrap-sacrebleu``.

    >>> good, bad = np.array([[1.0, 1.0]] * 9), np.array([[0.0, 1.0]] * 9)
    >>> mean = lambda sums: sums[:, 0] / sums[:, 1]
    >>> comparison = compare([[good], [bad]], [mean], samples=99, paired="randomisation")
    >>> [results[0].score for results in comparison.results], comparison.results[1][0].p_value
    ([1.0, 0.0], 0.02)
    """
    blocks = [block for system in rows for block in system]
    table = np.hstack(blocks) if blocks else np.zeros((0, 0))
    widths = [[block.shape[1] for block in system] for system in rows]
    return compare_table(
        table, widths, scorers,
        samples=samples, seed=seed, paired=paired, baseline=baseline, all_pairs=all_pairs,
    )  # fmt: skip


def compare_table(
    table: Statistics,
    widths: Sequence[Sequence[int]],
    scorers: Sequence[Scorer],
    *,
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
    baseline: int = 0,
    all_pairs: bool = False,
    run: Map = map,
) -> Comparison:
    """Compare systems as :func:`compare` does, by one table of all statistics.

    A row of the table holds what one segment has of all systems and metrics, side by side;
    ``widths[system][metric]`` are the numbers of columns. A large table may consist of pieces, whose sums
    are computed by ``run``.
    """
    if paired is not None and paired not in TESTS:
        raise BadSetting(f"paired is {paired!r}; expected one of {', '.join(TESTS)}")
    if (paired or all_pairs) and samples < 2:
        raise BadSetting(f"a test needs 2 samples or more, not {samples}.", suggest={"samples": 1000})
    if all_pairs and not paired:
        raise BadSetting("all_pairs needs a test.", suggest={"paired": "bootstrap"})
    if not 0 <= baseline < max(len(widths), 1):
        raise BadSetting(f"baseline is system {baseline}; there are {len(widths)}")
    flat = [width for system in widths for width in system]
    ends = np.cumsum(flat)[:-1]

    def split(sums: Doubles) -> list[list[Doubles]]:
        """Return the columns of each system and metric."""
        parts = iter(np.split(sums, ends, axis=1))
        return [[next(parts) for _ in system] for system in widths]

    def scored(sums: Doubles) -> list[list[Doubles]]:
        return [[s(part) for s, part in zip(scorers, parts, strict=True)] for parts in split(sums)]

    size = size_of(table)
    sums = total(table, run)
    if sums.shape[1] != sum(flat):
        raise BadSetting(f"the table has {sums.shape[1]} columns; the widths add up to {sum(flat)}")
    values = np.array(scored(sums))[:, :, 0]
    resampled = np.zeros((*values.shape, 0))
    if samples > 1 and size > 1:
        resampled = np.array(scored(bootstrap_sums(table, samples=samples, seed=seed, run=run)))
    totals = halves = split(sums)
    if paired == "randomisation":
        halves = split(swapped_sums(table, samples=samples, seed=seed, run=run))

    def entries(m: int) -> Entries:
        def exchanged(first: int, second: int) -> Doubles:
            moved = halves[second][m] - halves[first][m]
            return scorers[m](totals[first][m] + moved) - scorers[m](totals[second][m] - moved)

        return Entries(values[:, m], resampled[:, m].T, exchanged)

    by_metric = [entries(m) for m in range(len(scorers))]
    test = TESTS[paired] if paired and size > 1 else None  # one segment says nothing about others
    columns = [results_against(one, baseline, test) for one in by_metric]
    return Comparison(
        results=[[column[k] for column in columns] for k in range(len(widths))],
        pairs=[all_pair_tests(one, test) for one in by_metric] if all_pairs and test else [],
    )


def all_pair_tests(entries: Entries, test: PairedTest) -> list[PairTest]:
    """Test every entry against every other, and correct for the number of tests."""
    both = list(combinations(range(len(entries.values)), 2))
    raw = [test(entries, a, b) for a, b in both]
    defined = [p if p is not None else 1.0 for p in raw]
    return [
        PairTest(a, b, _difference(entries, b, a), p, corrected)
        for (a, b), p, corrected in zip(both, defined, holm(defined), strict=True)
    ]


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
