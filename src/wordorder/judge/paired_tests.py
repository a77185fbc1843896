"""Tests of the difference between two metrics that only correlations with people have.

They complete the tests of :mod:`wordorder.engine.compare`, which apply here as well.
"""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks
from wordorder.engine.compare import TESTS, Entries, PairedTest
from wordorder.errors import BadSetting
from wordorder.judge.level_set import LevelSet
from wordorder.judge.significance import student_tail, williams
from wordorder.judge.system_measures import pearson_rows
from wordorder.judge.task import Test


def t_test(entries: Entries, first: int, second: int) -> float | None:
    """Apply Student's t-test to two lists of resampled correlations, as Stanojević and Sima'an (2016) did.

    With more samples any difference becomes significant, so this test is here for comparison only.
    """
    both = entries.resampled[:, [first, second]]
    both = both[np.isfinite(both).all(axis=1)]
    if len(both) < 2:
        return None
    means = both.mean(axis=0)
    error = float(np.sqrt(both.var(axis=0, ddof=1).sum() / len(both)))
    t = abs(float(means[0] - means[1])) / error if error else 0.0
    return min(1.0, 2 * student_tail(t, 2 * len(both) - 2))


WILLIAMS = ("pearson", "spearman:ties=average")


def williams_test(scores: Doubles, measure: str) -> PairedTest:
    """Return Williams' test, two-sided, of two correlations with people.

    ``scores`` has one row per metric and one column per system, hybrid or rated segment. Spearman's rho is
    Pearson's r of ranks, and is tested as such.
    """
    if measure not in WILLIAMS:
        raise BadSetting(
            f"Williams' test compares pearson or spearman correlations, not {measure}.",
            suggest={"measure": "pearson"},
        )
    if measure != "pearson":
        scores = np.array([average_ranks(row) for row in scores])

    def test(entries: Entries, first: int, second: int) -> float:
        between = float(pearson_rows(scores[[first]], scores[[second]])[0])
        low, high = sorted((float(entries.values[first]), float(entries.values[second])))
        return min(1.0, 2 * williams(high, low, between, scores.shape[1]))

    return test


def paired_test(name: Test, level_set: LevelSet) -> PairedTest:
    """Return the test of that name for a set of judgments."""
    if name == "williams":
        return williams_test(level_set.compared_scores(), level_set.measure)
    return t_test if name == "t-test" else TESTS[name]


def test_of_means(name: Test) -> PairedTest | None:
    """Return the test of a mean over sets; only resampled values have one."""
    return {"bootstrap": TESTS["bootstrap"], "t-test": t_test}.get(name)
