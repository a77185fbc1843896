"""Intervals cover what they say, and tests find differences that are there and no others."""

from __future__ import annotations

import numpy as np
import pytest

from wordorder.core import resample
from wordorder.core.resample import (
    bootstrap_scores,
    bootstrap_sums,
    interval,
    paired_bootstrap,
    paired_randomisation,
)


def mean_of(row: np.ndarray) -> float:
    return float(row[0] / row[1])


def stats_of(values: np.ndarray) -> np.ndarray:
    return np.column_stack([values, np.ones(len(values))])


def test_sums_are_those_of_the_drawn_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = np.random.default_rng(0).normal(size=(50, 3))
    rng = np.random.default_rng(9)
    expected = np.array([stats[rng.integers(50, size=50)].sum(axis=0) for _ in range(20)])
    assert np.allclose(bootstrap_sums(stats, samples=20, seed=9), expected)
    monkeypatch.setattr(resample, "CHUNK", 120)  # two samples at a time
    assert np.allclose(bootstrap_sums(stats, samples=20, seed=9), expected)


def test_same_seed_same_result_and_columns_share_their_draws() -> None:
    values = np.random.default_rng(1).random(40)
    stats = stats_of(values)
    one = bootstrap_sums(stats, samples=30, seed=5)
    assert np.array_equal(one, bootstrap_sums(stats, samples=30, seed=5))
    assert not np.array_equal(one, bootstrap_sums(stats, samples=30, seed=6))
    both = bootstrap_sums(np.hstack([stats, stats]), samples=30, seed=5)
    assert np.allclose(both[:, :2], both[:, 2:])


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    rng = np.random.default_rng(3)
    covered = 0
    for trial in range(300):
        stats = stats_of(rng.beta(2, 5, size=120))
        around = interval(bootstrap_scores(stats, mean_of, samples=300, seed=trial))
        covered += around.low <= 2 / 7 <= around.high
    assert 0.90 <= covered / 300 <= 0.985
    assert around.low <= around.high


@pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
def test_p_values_are_small_where_systems_differ_and_spread_where_not(test) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(4)
    small = []
    for trial in range(200):
        base = rng.random(80)
        one, other = base + rng.normal(0, 0.1, 80), base + rng.normal(0, 0.1, 80)
        small.append(test(stats_of(one), stats_of(other), mean_of, samples=200, seed=trial))
    assert 0.01 <= np.mean(np.array(small) < 0.05) <= 0.11  # 5 % when nothing differs
    better = base + 0.2 + rng.normal(0, 0.1, 80)
    assert test(stats_of(base), stats_of(better), mean_of, samples=200, seed=1) == pytest.approx(1 / 201)
    assert test(stats_of(base), stats_of(base), mean_of, samples=200, seed=1) == 1.0


def test_randomisation_is_exact_for_few_sentences() -> None:
    # With three sentences there are eight swaps; only none and all are as far as the real one.
    one, other = stats_of(np.array([1.0, 2.0, 3.0])), stats_of(np.zeros(3))
    p = paired_randomisation(one, other, mean_of, samples=4000, seed=2)
    assert p == pytest.approx(0.25, abs=0.03)
