"""Resampling: sums of drawn sentences, and intervals that cover what they say."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder import _native
from wordorder.core import resample
from wordorder.core.resample import bootstrap_scores, bootstrap_sums, interval, swapped_sums, total
from wordorder.errors import BadSetting, WordOrderError


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


@pytest.mark.parametrize(
    "seed", [0, 1, 12345, 2**32 - 1, 2**32, 2**70 + 3, [0], [7, 0, 2**40], list(range(9))]
)
def test_draws_are_those_of_numpy(seed: int | list[int]) -> None:
    for n in (1, 2, 3, 50, 64, 1021, 3_000):
        rng = np.random.default_rng(seed)
        expected = np.array([np.bincount(rng.integers(n, size=n), minlength=n) for _ in range(9)])
        found = _native.Draws(resample._words(seed))
        parts = [found.weights(4, n), found.weights(0, n), found.weights(5, n)]
        assert np.array_equal(np.concatenate(parts), expected)


def test_rejected_numbers_are_drawn_again_as_by_numpy() -> None:
    n = 3 << 20  # of which 2^32 is no multiple: some draws in a thousand are rejected
    expected = np.bincount(np.random.default_rng(3).integers(n, size=n), minlength=n)
    assert np.array_equal(_native.Draws([3]).weights(1, n)[0], expected)


@pytest.mark.parametrize("size", [1, 2, 3, 40, 999, 1000])
def test_quantiles_are_those_of_numpy(size: int) -> None:
    rng = np.random.default_rng(size)
    for values in (
        rng.random(size),
        rng.normal(size=size) * 1e9,
        np.full(size, 0.1),
        rng.integers(3, size=size) / 3,
    ):
        for share in (0.0, 0.025, 0.05, 0.5, 0.95, 0.975, 1.0, float(rng.random())):
            assert resample.quantile(np.sort(values), share) == np.quantile(values, share)
    values[0] = np.nan
    assert math.isnan(resample.quantile(np.sort(values), 0.5))


def test_negative_seeds_are_refused() -> None:
    with pytest.raises(BadSetting, match="the seed is -1; expected 0 or more"):
        bootstrap_sums(np.ones((3, 1)), samples=2, seed=-1)


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


# Corpora that are resampled in pieces

SEED, FIRST = 12345, 9_999_999_999


def mixed(x: int) -> int:
    """SplitMix64, one number."""
    x = (x + 0x9E3779B97F4A7C15) % 2**64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
    return x ^ (x >> 31)


def scrambled(x: int) -> int:
    """The last step of MurmurHash3, one number."""
    x ^= x >> 16
    x = x * 0x85EBCA6B % 2**32
    x ^= x >> 13
    x = x * 0xC2B2AE35 % 2**32
    return x ^ (x >> 16)


def weight(draw: int, seed: int, segment: int, sample: int) -> int:
    """The weight of one segment in one sample, by the definition."""
    key = mixed(mixed(seed) ^ segment)
    number = (key + sample * 0x9E3779B9) % 2**32
    bits = scrambled(scrambled(number) ^ (key >> 32))
    if draw == resample.ALL:
        return 1
    if draw == resample.HALF:
        return bits >> 31
    drawn, share, reached = 0, math.exp(-1), 0.0
    while drawn < 12:
        reached += share
        if bits < int(reached * 2**32):
            break
        drawn += 1
        share /= drawn
    return drawn


@pytest.mark.parametrize("draw", [resample.ALL, resample.POISSON, resample.HALF])
def test_weights_depend_on_nothing_but_numbers(draw: int) -> None:
    for sample in (0, 1, 999):
        found = _native.segment_weights(draw, SEED, FIRST, 300, sample).tolist()
        assert found == [weight(draw, SEED, FIRST + k, sample) for k in range(300)]


def test_weights_are_spread_as_they_should_be() -> None:
    drawn = np.array([_native.segment_weights(resample.POISSON, 7, 0, 20_000, b) for b in range(40)])
    for k in range(6):
        expected = math.exp(-1) / math.factorial(k)
        assert abs((drawn == k).mean() - expected) < 5 * math.sqrt(expected / drawn.size)
    assert abs(drawn.var() - 1) < 0.02 and abs(np.corrcoef(drawn)[0, 1:]).max() < 0.05
    halves = np.array([_native.segment_weights(resample.HALF, 7, 0, 20_000, b) for b in range(40)])
    assert set(np.unique(halves)) == {0, 1} and abs(halves.mean() - 0.5) < 0.005


numbers = st.floats(-1e6, 1e6) | st.integers(0, 2**40).map(float) | st.floats(-1e-9, 1e-9)


@given(data=st.data(), columns=st.integers(1, 9), samples=st.integers(1, 6))
def test_sums_are_exact_however_rows_are_cut(data: st.DataObject, columns: int, samples: int) -> None:
    size = data.draw(st.integers(2, 40))
    rows = np.array(data.draw(st.lists(numbers, min_size=size * columns, max_size=size * columns)))
    rows = rows.reshape(size, columns)
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=4)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resample, "LARGE", 1)
        found = bootstrap_sums(rows, samples=samples, seed=3)
        pieces = [rows[a:b] for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
        assert np.array_equal(bootstrap_sums(pieces, samples=samples, seed=3), found)
    for b, c in product(range(samples), range(columns)):
        # Statistics are rounded to multiples of 2^-51.
        exact = sum(
            Fraction(round(Fraction(rows[s, c]) * 2**51), 2**51) * weight(resample.POISSON, 3, s, b)
            for s in range(size)
        )
        assert found[b, c] == pytest.approx(float(exact), rel=3e-16, abs=1e-30)


def test_many_blocks_are_summed_like_few() -> None:
    rows = np.random.default_rng(5).random((resample.LARGE + 3000, 3)) * [1, 1e5, 1e-3]
    weights = np.array([_native.segment_weights(resample.POISSON, 8, 0, len(rows), b) for b in range(5)])
    assert np.allclose(bootstrap_sums(rows, samples=5, seed=8), weights @ rows, rtol=1e-12, atol=0)
    halves = np.array([_native.segment_weights(resample.HALF, 8, 0, len(rows), b) for b in range(5)])
    assert np.allclose(swapped_sums(rows, samples=5, seed=8), halves @ rows, rtol=1e-12, atol=0)
    assert np.allclose(total(rows), rows.sum(axis=0), rtol=1e-12, atol=0)
    with ThreadPoolExecutor(2) as pool:
        pieces = [rows[:1], rows[1:40_000], rows[40_000:]]
        again = bootstrap_sums(pieces, samples=5, seed=8, run=pool.map)
    assert np.array_equal(again, bootstrap_sums(rows, samples=5, seed=8))


def test_large_and_small_corpora_have_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = stats_of(np.random.default_rng(2).random(3000))
    small = interval(bootstrap_scores(stats, mean_of, samples=2000, seed=1))
    monkeypatch.setattr(resample, "LARGE", 1000)
    large = interval(bootstrap_scores(stats, mean_of, samples=2000, seed=1))
    width = small.high - small.low
    assert abs(small.low - large.low) < width / 10 and abs(small.high - large.high) < width / 10


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 2.0**63])
def test_what_cannot_be_added_up_is_refused(bad: float) -> None:
    with pytest.raises(WordOrderError, match="not a number, or too large"):
        bootstrap_sums(np.full((resample.LARGE + 1, 1), bad), samples=3, seed=1)
