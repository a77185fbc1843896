"""Resampling: sums of drawn sentences, and intervals that cover what they say."""

from __future__ import annotations

import numpy as np
import pytest

from wordorder.core import resample
from wordorder.core.resample import bootstrap_scores, bootstrap_sums, interval


def mean_of(sums: np.ndarray) -> np.ndarray:
    return np.asarray(sums[:, 0] / sums[:, 1])


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
