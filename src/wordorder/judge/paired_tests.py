"""Tests of the difference between two metrics on the same judgments.

Every function tests all metrics against one baseline and returns a p-value for each, or None where there is
nothing to compare.
"""

from __future__ import annotations

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
        return permutation_p_values(level_set, values, base, samples=task.samples, seed=task.seed)
    if task.test == "williams":
        return williams_p_values(level_set, values, base)
    return resampling_p_values(task.test, values, resampled, base)


def resampling_p_values(test: Test, values: Doubles, resampled: Doubles, base: int) -> PValues:
    """Test the differences of resampled values: by the paired bootstrap, or by the papers' t-test."""
    tested: PValues = []
    for k, value in enumerate(values):
        both = resampled[:, [k, base]]
        both = both[np.isfinite(both).all(axis=1)]
        if k == base or len(both) < 2 or not np.isfinite([value, values[base]]).all():
            tested.append(None)
        elif test == "t-test":
            # Stanojević and Sima'an (2016) test the two lists of resampled correlations. With more samples
            # any difference becomes significant, so this test is here for comparison only.
            means = both.mean(axis=0)
            error = float(np.sqrt(both.var(axis=0, ddof=1).sum() / len(both)))
            t = abs(float(means[0] - means[1])) / error if error else 0.0
            tested.append(min(1.0, 2 * student_tail(t, 2 * len(both) - 2)))
        else:
            tested.append(p_value(both[:, 0] - both[:, 1], float(value - values[base])))
    return tested


def permutation_p_values(
    level_set: LevelSet, values: Doubles, base: int, *, samples: int, seed: int
) -> PValues:
    """Exchange the scores of two metrics at random (paired permutation test, Deutsch et al. 2021).

    Whole segments are exchanged at segment level, systems at system level. Scores are standardised first.
    All metrics share the same exchanges.
    """
    segments = level_set.level == "segment"
    if segments and level_set.measure not in ADDITIVE:
        raise BadSetting(
            f"there is no permutation test for {level_set.measure}.", suggest={"test": "bootstrap"}
        )
    judgments = level_set.judgments
    if segments:
        measure = ADDITIVE[level_set.measure]
        scores = [_standardised(metric.oriented, judgments.usable) for metric in level_set.metrics]
        rows = [measure.rows(judgments, metric) for metric in scores]
    else:
        human = np.tile(level_set.human_scores(None)[0], (samples, 1))
        every = np.ones(len(level_set.seen), dtype=np.bool_)
        rows = [
            _standardised(level_set.metric_scores(metric, None)[0], every) for metric in level_set.metrics
        ]
        swap = swapped_sums(np.eye(len(every)), samples=samples, seed=seed)
    tested: PValues = []
    for k, value in enumerate(values):
        if k == base or not np.isfinite([value, values[base]]).all():
            tested.append(None)
            continue
        if segments:
            moved = swapped_sums(rows[base] - rows[k], samples=samples, seed=seed)
            exchanged, other = rows[k].sum(axis=0) + moved, rows[base].sum(axis=0) - moved
            differences = measure.value(exchanged) - measure.value(other)
        else:
            exchanged, other = np.where(swap, rows[base], rows[k]), np.where(swap, rows[k], rows[base])
            correlations = [correlate(level_set.measure, side, human) for side in (exchanged, other)]
            differences = correlations[0] - correlations[1]
        defined = differences[np.isfinite(differences)]
        tested.append(p_value(defined, float(value - values[base]), centred=False))
    return tested


def williams_p_values(level_set: LevelSet, values: Doubles, base: int) -> PValues:
    """Apply Williams' test, two-sided, to Pearson's r over systems."""
    if level_set.measure != "pearson":
        raise BadSetting("Williams' test is for pearson.", suggest={"measure": "pearson"})
    scores = [level_set.metric_scores(metric, None) for metric in level_set.metrics]
    tested: PValues = []
    for k, value in enumerate(values):
        if k == base or not np.isfinite([value, values[base]]).all():
            tested.append(None)
            continue
        between = float(correlate("pearson", scores[k], scores[base])[0])
        tested.append(two_sided_williams(float(value), float(values[base]), between, scores[0].shape[1]))
    return tested


def two_sided_williams(first: float, second: float, between: float, n: int) -> float:
    """Return the two-sided p-value of Williams' test."""
    return min(1.0, 2 * williams(max(first, second), min(first, second), between, n))


def _standardised(scores: Doubles, usable: Bools) -> Doubles:
    spread = scores[usable].std()
    centred = scores - scores[usable].mean()
    return np.asarray(centred / spread if spread > 0 else centred)
