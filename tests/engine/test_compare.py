"""Comparisons: intervals cover what they say, tests find differences that are there and no others."""

from __future__ import annotations

import time

import numpy as np
import pytest

from wordorder.core.resample import bootstrap_scores, interval
from wordorder.engine.compare import TESTS, compare, holm
from wordorder.errors import BadSetting
from wordorder.metrics import metric
from wordorder.metrics.segments import Segments


def mean_of(sums: np.ndarray) -> np.ndarray:
    return np.asarray(sums[:, 0] / sums[:, 1])


def stats_of(values: np.ndarray) -> np.ndarray:
    return np.column_stack([values, np.ones(len(values))])


def p_of(one: np.ndarray, other: np.ndarray, test: str, *, samples: int, seed: int) -> float:
    rows = [[stats_of(one)], [stats_of(other)]]
    p = compare(rows, [mean_of], samples=samples, seed=seed, paired=test).results[1][0].p_value
    assert p is not None
    return p


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_p_values_are_small_where_systems_differ_and_spread_where_not(test: str) -> None:
    rng = np.random.default_rng(4)
    small = []
    for trial in range(200):
        base = rng.random(80)
        one, other = base + rng.normal(0, 0.1, 80), base + rng.normal(0, 0.1, 80)
        small.append(p_of(one, other, test, samples=200, seed=trial))
    assert 0.01 <= np.mean(np.array(small) < 0.05) <= 0.11  # 5 % when nothing differs
    better = base + 0.2 + rng.normal(0, 0.1, 80)
    assert p_of(base, better, test, samples=200, seed=1) == pytest.approx(1 / 201)
    assert p_of(base, base, test, samples=200, seed=1) == 1.0


def test_sacrebleus_bootstrap_rejects_more_often_than_it_says() -> None:
    rng = np.random.default_rng(5)
    small = []
    for trial in range(400):
        one, other = rng.normal(size=80), rng.normal(size=80)
        small.append(p_of(one, other, "bootstrap-sacrebleu", samples=200, seed=trial) < 0.05)
    assert 0.07 <= np.mean(small) <= 0.17, "of one tail, so about twice 5 % when nothing differs"
    base = rng.random(80)
    # Equal systems have no sample that exceeds the difference of zero.
    assert p_of(base, base, "bootstrap-sacrebleu", samples=200, seed=1) == pytest.approx(1 / 201)


def test_randomisation_is_exact_for_few_sentences() -> None:
    # With three sentences there are eight swaps; only none and all are as far as the real one.
    p = p_of(np.array([1.0, 2.0, 3.0]), np.zeros(3), "randomisation", samples=4000, seed=2)
    assert p == pytest.approx(0.25, abs=0.03)


def test_one_segment_has_no_interval_and_no_test() -> None:
    rows = [[stats_of(np.array([0.2]))], [stats_of(np.array([0.9]))]]
    for test in TESTS:
        result = compare(rows, [mean_of], samples=100, paired=test).results[1][0]
        assert result.interval is None and result.p_value is None and result.difference == pytest.approx(0.7)


def slow_p_value(one: np.ndarray, other: np.ndarray, test: str, samples: int, seed: int) -> float:
    """The definitions, sample by sample."""
    rng = np.random.default_rng(seed)
    n = len(one)
    moved = []
    for _ in range(samples):
        if test != "randomisation":
            drawn = rng.integers(n, size=n)
            moved.append(one[drawn].mean() - other[drawn].mean())
        else:
            swap = rng.integers(2, size=n).astype(bool)
            moved.append(np.where(swap, other, one).mean() - np.where(swap, one, other).mean())
    differences = np.array(moved)
    if test == "bootstrap-sacrebleu":
        sizes = np.abs(differences) - np.abs(differences).mean()
        return float(((sizes > abs(one.mean() - other.mean())).sum() + 1) / (samples + 1))
    if test == "bootstrap":
        differences -= differences.mean()
    as_far = np.abs(differences) >= abs(one.mean() - other.mean()) - 1e-12
    return float((as_far.sum() + 1) / (samples + 1))


@pytest.mark.parametrize("test", TESTS)
def test_p_values_and_intervals_equal_slow_ones_with_any_number_of_systems_and_metrics(test: str) -> None:
    rng = np.random.default_rng(11)
    base = rng.random(60)
    systems = [base, base + rng.normal(0.01, 0.1, 60), base + rng.normal(-0.02, 0.1, 60)]
    rows = [[stats_of(values), stats_of(values**2)] for values in systems]
    comparison = compare(rows, [mean_of] * 2, samples=300, seed=5, paired=test, baseline=1, all_pairs=True)
    for m, power in enumerate((1, 2)):
        values = [values**power for values in systems]
        assert comparison.results[1][m].p_value is None and comparison.results[1][m].difference is None
        for k in (0, 2):
            result = comparison.results[k][m]
            assert result.p_value == slow_p_value(values[1], values[k], test, 300, 5)
            assert result.difference == pytest.approx(values[k].mean() - values[1].mean())
            assert result.interval is not None
            alone = interval(bootstrap_scores(stats_of(values[k]), mean_of, samples=300, seed=5))
            assert (result.interval.low, result.interval.high) == pytest.approx((alone.low, alone.high))
        pairs = {(pair.first, pair.second): pair for pair in comparison.pairs[m]}
        assert list(pairs) == [(0, 1), (0, 2), (1, 2)]
        for (a, b), pair in pairs.items():
            assert pair.p_value == slow_p_value(values[a], values[b], test, 300, 5)
            assert pair.corrected >= pair.p_value
        assert holm([pair.p_value for pair in pairs.values()]) == [p.corrected for p in pairs.values()]


def test_holm_keeps_the_order_and_never_exceeds_one() -> None:
    assert holm([0.5, 0.01, 0.6, 0.02]) == pytest.approx([1.0, 0.04, 1.0, 0.06])
    assert holm([]) == []


def test_what_cannot_be_compared_is_explained() -> None:
    rows = [[stats_of(np.ones(3))], [stats_of(np.zeros(3))]]
    for settings, message in (
        ({"paired": "t"}, "one of bootstrap, randomisation"),
        ({"paired": "bootstrap", "samples": 0}, "2 samples or more"),
        ({"all_pairs": True}, "needs a test"),
        ({"baseline": 2}, "there are 2"),
    ):
        with pytest.raises(BadSetting, match=message):
            compare(rows, [mean_of], **settings)  # type: ignore[arg-type]
    (only,) = compare(rows[:1], [mean_of], samples=0).results
    assert only[0].score == 1.0 and only[0].interval is None and only[0].p_value is None


def test_scores_of_a_thousand_samples_take_no_loop() -> None:
    texts = [" ".join("abcdefgh"[k % 5 :]) for k in range(50)]
    for spec, most in (("bleu", 0.02), ("chrf", 0.02), ("ter", 0.01), ("full", 0.005)):
        rows = metric(spec).statistics(Segments(texts, [texts[::-1]]))
        sums = np.random.default_rng(0).integers(0, 3, size=(1000, 50)) @ rows
        metric(spec).scores(sums)
        taken = []
        for _ in range(5):
            start = time.perf_counter()
            metric(spec).scores(sums)
            taken.append(time.perf_counter() - start)
        assert min(taken) < most, spec  # a loop took 17 ms for BLEU and 24 for full
