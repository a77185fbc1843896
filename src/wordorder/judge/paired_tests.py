"""Tests of the difference between two metrics on the same judgments.

All metrics are tested against one baseline; the p-value is None where there is nothing to compare.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wordorder.arrays import Bools, Doubles
from wordorder.core.resample import p_value, swapped_sums
from wordorder.errors import BadSetting
from wordorder.judge.level_set import LevelSet
from wordorder.judge.segment_measures import ADDITIVE
from wordorder.judge.significance import student_tail, williams
from wordorder.judge.system_measures import correlate
from wordorder.judge.task import Task, Test

PValues = list[float | None]


def p_values(task: Task, level_set: LevelSet, values: Doubles, resampled: Doubles, base: int) -> PValues:
    """Apply the test of a task on one set."""
    if task.test == "permutation":
        test = permutation_test(level_set, values, base, samples=task.samples, seed=task.seed)
    elif task.test == "williams":
        test = williams_test(level_set, values, base)
    else:
        return resampling_p_values(task.test, values, resampled, base)
    return against_baseline(test, values, base)


def against_baseline(test: Callable[[int], float | None], values: Doubles, base: int) -> PValues:
    """Apply a test to every metric that has a value and can be compared with the baseline."""
    comparable = np.isfinite(values) & np.isfinite(values[base]) & (np.arange(len(values)) != base)
    return [test(k) if comparable[k] else None for k in range(len(values))]


def resampling_p_values(test: Test, values: Doubles, resampled: Doubles, base: int) -> PValues:
    """Test the differences of resampled values: by the paired bootstrap, or by the papers' t-test."""

    def tested(k: int) -> float | None:
        both = resampled[:, [k, base]]
        both = both[np.isfinite(both).all(axis=1)]
        if len(both) < 2:
            return None
        if test == "bootstrap":
            return p_value(both[:, 0] - both[:, 1], float(values[k] - values[base]))
        # Stanojević and Sima'an (2016) test the two lists of resampled correlations. With more samples
        # any difference becomes significant, so this test is here for comparison only.
        means = both.mean(axis=0)
        error = float(np.sqrt(both.var(axis=0, ddof=1).sum() / len(both)))
        t = abs(float(means[0] - means[1])) / error if error else 0.0
        return min(1.0, 2 * student_tail(t, 2 * len(both) - 2))

    return against_baseline(tested, values, base)


def permutation_test(
    level_set: LevelSet, values: Doubles, base: int, *, samples: int, seed: int
) -> Callable[[int], float]:
    """Exchange the scores of two metrics at random (paired permutation test, Deutsch et al. 2021).

    Whole segments are exchanged at segment level, systems at system level. Scores are standardised first.
    All metrics share the same exchanges.
    """
    judgments, metrics = level_set.judgments, level_set.metrics
    if level_set.level == "segment":
        if level_set.measure not in ADDITIVE:
            raise BadSetting(
                f"there is no permutation test for {level_set.measure}.", suggest={"test": "bootstrap"}
            )
        measure = ADDITIVE[level_set.measure]
        rows = [
            measure.rows(judgments, _standardised(metric.oriented, judgments.usable)) for metric in metrics
        ]

        def exchanged(k: int) -> Doubles:
            moved = swapped_sums(rows[base] - rows[k], samples=samples, seed=seed)
            mine, other = rows[k].sum(axis=0) + moved, rows[base].sum(axis=0) - moved
            return measure.value(mine) - measure.value(other)

    else:
        human = np.tile(level_set.human_scores(None)[0], (samples, 1))
        every = np.ones(len(level_set.seen), dtype=np.bool_)
        scores = [_standardised(level_set.metric_scores(metric, None)[0], every) for metric in metrics]
        swap = swapped_sums(np.eye(len(every)), samples=samples, seed=seed)

        def exchanged(k: int) -> Doubles:
            mine, other = np.where(swap, scores[base], scores[k]), np.where(swap, scores[k], scores[base])
            return correlate(level_set.measure, mine, human) - correlate(level_set.measure, other, human)

    def tested(k: int) -> float:
        differences = exchanged(k)
        defined = differences[np.isfinite(differences)]
        return p_value(defined, float(values[k] - values[base]), centred=False)

    return tested


def williams_test(level_set: LevelSet, values: Doubles, base: int) -> Callable[[int], float]:
    """Apply Williams' test, two-sided, to Pearson's r over systems."""
    if level_set.measure != "pearson":
        raise BadSetting("Williams' test is for pearson.", suggest={"measure": "pearson"})
    scores = [level_set.metric_scores(metric, None) for metric in level_set.metrics]

    def tested(k: int) -> float:
        between = float(correlate("pearson", scores[k], scores[base])[0])
        return two_sided_williams(float(values[k]), float(values[base]), between, scores[0].shape[1])

    return tested


def two_sided_williams(first: float, second: float, between: float, n: int) -> float:
    """Return the two-sided p-value of Williams' test."""
    return min(1.0, 2 * williams(max(first, second), min(first, second), between, n))


def _standardised(scores: Doubles, usable: Bools) -> Doubles:
    spread = scores[usable].std()
    centred = scores - scores[usable].mean()
    return np.asarray(centred / spread if spread > 0 else centred)
