"""Measures of agreement: by hand, by scipy, by brute force; and intervals that cover the truth."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge.simulated import judgments, scored
from wordorder.errors import BadSetting, UnknownName
from wordorder.judge.agreement import Agreement, agree
from wordorder.judge.hybrids import draw_hybrids
from wordorder.judge.judgments import Judgments, pairs_of_ratings
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.segment_measures import (
    ADDITIVE,
    SEGMENT_MEASURES,
    average_ranks,
    calibrated_tie,
    kendall_b,
    measure_named,
    pair_counts,
    values_and_samples,
)
from wordorder.judge.significance import student_tail, williams
from wordorder.judge.system_measures import SYSTEM_MEASURES, correlate, pearson_rows
from wordorder.judge.system_scores import system_scores, trueskill_scores
from wordorder.judge.task import Task
from wordorder.judge.trueskill import TrueSkill, rate

stats = pytest.importorskip("scipy.stats")


def agreement(sets: list[Judgments], scores: list[list[MetricScores]], **settings: Any) -> Agreement:
    return agree(Task(**settings), sets, scores)


ONE = np.zeros((0, 1))

# Segment 0: a beats b twice and loses once; a ties c once. Segment 1: b beats c, the metric ties them.
PAIRS = [(0, 1, 2, 1, 0), (0, 2, 0, 0, 1), (4, 5, 1, 0, 1)]
SCORES = np.array([0.9, 0.5, 0.7, 0.0, 0.3, 0.3])


def value(name: str, pairs: list[tuple[int, ...]] = PAIRS, scores: np.ndarray = SCORES) -> float:
    one = judgments(2, 3, pairs=pairs)
    return float(values_and_samples(name, one, scores[None, :], np.zeros((0, 2)))[0][0])


def test_pairs_are_counted_by_hand() -> None:
    rows = pair_counts(judgments(2, 3, pairs=PAIRS), SCORES)
    assert rows.tolist() == [[2, 1, 0, 0, 1], [0, 0, 1, 1, 0]]
    assert value("tau:ties=dropped") == pytest.approx(1 / 3)
    assert value("tau:ties=counted") == pytest.approx(1 / 4)
    assert value("consistency:ties=wrong") == pytest.approx(50)
    assert value("accuracy:ties=exact,average=pairs") == pytest.approx(3 / 6)
    # Calling a difference of up to 0.2 a tie wins the judgment of a and c: 4 of 6.
    assert calibrated_tie(judgments(2, 3, pairs=PAIRS), SCORES) == pytest.approx(0.2)
    assert value("accuracy:ties=calibrated,average=pairs") == pytest.approx(4 / 6)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=6, max_size=6), st.lists(st.integers(0, 2), min_size=18, max_size=18)
)
def test_calibration_finds_the_best_threshold(scores: list[int], counts: list[int]) -> None:
    places = [(s * 3 + i, s * 3 + j) for s in range(2) for i, j in itertools.combinations(range(3), 2)]
    pairs = [(*place, *counts[3 * k : 3 * k + 3]) for k, place in enumerate(places)]
    one, x = judgments(2, 3, pairs=pairs), np.array(scores, dtype=np.float64)
    accuracy = ADDITIVE["accuracy:ties=exact,average=pairs"].value
    found = accuracy(pair_counts(one, x, tie=calibrated_tie(one, x)).sum(axis=0)[None, :])[0]
    every = [accuracy(pair_counts(one, x, tie=t).sum(axis=0)[None, :])[0] for t in (0, 1, 2, 3, 4)]
    assert found == pytest.approx(max(every), nan_ok=True)


def test_what_has_no_text_is_left_out() -> None:
    rows = pair_counts(judgments(2, 3, pairs=PAIRS, missing=(1,)), SCORES)
    assert rows.tolist() == [[0, 0, 0, 0, 1], [0, 0, 1, 1, 0]]


def test_correlations_are_scipys() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 12, 200).astype(float)
    y = (x + rng.integers(-6, 7, 200)).round()
    one = judgments(50, 4, ratings=y)
    for name, theirs in (
        ("pearson", stats.pearsonr(x, y)[0]),
        ("spearman:ties=average", stats.spearmanr(x, y)[0]),
        ("kendall:ties=b", stats.kendalltau(x, y)[0]),
    ):
        ours = values_and_samples(name, one, x[None, :], np.zeros((0, 50)))[0][0]
        assert ours == pytest.approx(theirs, abs=1e-12)
    assert average_ranks(x) == pytest.approx(stats.rankdata(x))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_kendall_b_is_scipys(points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=np.float64).T
    assert kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y)[0], nan_ok=True)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=8))
def test_correlations_of_systems_are_scipys(points: list[tuple[int, int]]) -> None:
    x, y = np.array(points, dtype=np.float64).T
    with np.errstate(all="ignore"):
        theirs = {
            "pearson": np.nan if np.ptp(x) * np.ptp(y) == 0 else stats.pearsonr(x, y)[0],
            "spearman:ties=average": np.nan if np.ptp(x) * np.ptp(y) == 0 else stats.spearmanr(x, y)[0],
            "kendall:ties=b": stats.kendalltau(x, y)[0],
        }
    for name, expected in theirs.items():
        assert SYSTEM_MEASURES[name](x[None], y[None])[0] == pytest.approx(expected, nan_ok=True)
    untied = [(a, b) for a, b in itertools.combinations(points, 2) if a[1] != b[1]]
    right = [((a[0] > b[0]) - (a[0] < b[0])) == ((a[1] > b[1]) - (a[1] < b[1])) for a, b in untied]
    accuracy = SYSTEM_MEASURES["accuracy:ties=wrong"](x[None], y[None])[0]
    assert accuracy == pytest.approx(np.mean(right) if right else np.nan, nan_ok=True)


def test_resampling_is_counting_segments_again() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(size=40)
    x = y + rng.normal(size=40)
    one = judgments(10, 4, ratings=y)
    weights = rng.multinomial(10, [0.1] * 10, size=5).astype(float)
    for name in ("pearson", "kendall:ties=b", "tau:ties=counted", "accuracy:ties=exact,average=pairs"):
        samples = values_and_samples(name, one, x[None, :], weights)[1][:, 0]
        for weight, sample in zip(weights, samples, strict=True):
            times = np.repeat(np.arange(10), weight.astype(int))
            items = (times[:, None] * 4 + np.arange(4)).ravel()
            again = judgments(10, 4, ratings=y[items])
            slow = values_and_samples(name, again, x[items][None, :], np.zeros((0, 10)))[0][0]
            assert sample == pytest.approx(slow, abs=1e-9), name


def test_pairs_of_ratings_are_within_segments() -> None:
    pairs = pairs_of_ratings(judgments(2, 3, ratings=np.array([1.0, 2.0, 1.0, 5.0, 4.0, 3.0])))
    assert list(zip(pairs.first, pairs.second, strict=True)) == [
        (0, 1),
        (0, 2),
        (1, 2),
        (3, 4),
        (3, 5),
        (4, 5),
    ]
    assert pairs.wins.tolist() == [0, 0, 1, 1, 1, 1] and pairs.ties.tolist() == [0, 1, 0, 0, 0, 0]


def test_names_must_tell_ties() -> None:
    assert measure_named("consistency", SEGMENT_MEASURES) == "consistency:ties=wrong"
    with pytest.raises(BadSetting, match="has several forms"):
        measure_named("tau", SEGMENT_MEASURES)
    with pytest.raises(UnknownName):
        measure_named("rouge", SEGMENT_MEASURES)


def test_human_scores_of_systems_by_hand() -> None:
    pairs = [(0, 1, 3, 1, 2), (0, 2, 1, 1, 0), (4, 5, 2, 0, 0)]
    one = judgments(2, 3, pairs=pairs)
    assert system_scores(one, "win_ratio")[0] == pytest.approx([4 / 6, 3 / 6, 1 / 4])
    # a: 3/4 against b and 1/2 against c; b: 1/4 and 1; c: 1/2 and 0.
    assert system_scores(one, "expected_wins")[0] == pytest.approx([0.625, 0.625, 0.25])
    second = system_scores(one, "win_ratio", np.array([[0.0, 1.0]]))[0]
    assert second[1:] == pytest.approx([1.0, 0.0]) and np.isnan(second[0])
    rated = judgments(2, 3, ratings=np.array([1.0, 2.0, 3.0, 3.0, 2.0, 2.0]))
    assert system_scores(rated, "mean")[0] == pytest.approx([2.0, 2.0, 2.5])


def test_trueskill_is_the_packages() -> None:
    package = pytest.importorskip("trueskill")
    ours = TrueSkill(mean=0.0, deviation=0.5, performance=0.25, drift=0.01, draw=0.25)
    theirs = package.TrueSkill(mu=0.0, sigma=0.5, beta=0.25, tau=0.01, draw_probability=0.25)
    rng = np.random.default_rng(5)
    ratings = [theirs.create_rating() for _ in range(4)]
    matches = []
    for _ in range(300):
        one, other = rng.choice(4, 2, replace=False).tolist()
        said = int(rng.integers(-1, 2))
        matches.append((one, other, said))
        first, second = (one, other) if said >= 0 else (other, one)
        ratings[first], ratings[second] = package.rate_1vs1(
            ratings[first], ratings[second], drawn=said == 0, min_delta=1e-12, env=theirs
        )
    means, deviations = rate(4, matches, ours)
    assert means == pytest.approx([r.mu for r in ratings], abs=1e-6)
    assert deviations == pytest.approx([r.sigma for r in ratings], abs=1e-6)


def test_trueskill_finds_the_order() -> None:
    rng = np.random.default_rng(6)
    skill = np.array([0.6, 0.2, -0.1, -0.7])
    pairs = []
    for segment in range(300):
        i, j = rng.choice(4, 2, replace=False)
        won = skill[i] - skill[j] + rng.normal() > 0
        pairs.append((segment * 4 + i, segment * 4 + j, int(won), int(not won), 0))
    found = trueskill_scores(judgments(300, 4, pairs=pairs))
    assert np.argsort(-found).tolist() == [0, 1, 2, 3]


def test_student_and_williams() -> None:
    for t in (-3.0, -0.4, 0.0, 0.7, 2.5, 12.0):
        for freedom in (1, 2, 9, 40, 1998):
            assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), abs=1e-12)
    # By hand, the formula of Graham and Baldwin (2014).
    k = 1 - 0.9**2 - 0.5**2 - 0.4**2 + 2 * 0.9 * 0.5 * 0.4
    t = 0.4 * np.sqrt(19 * 1.4) / np.sqrt(2 * k * 19 / 17 + (1.4**2 / 4) * 0.6**3)
    assert williams(0.9, 0.5, 0.4, 20) == pytest.approx(stats.t.sf(t, 17))
    assert williams(0.5, 0.9, 0.4, 20) == pytest.approx(1 - williams(0.9, 0.5, 0.4, 20))
    assert williams(0.8, 0.8, 1.0, 10) == 0.5


def test_intervals_cover_the_truth() -> None:
    """Samples of segments from a known population: 95 of 100 intervals hold its true value."""
    rng = np.random.default_rng(7)
    noise = 1.0
    pearson = 1 / np.sqrt(1 + noise**2)
    tau = 2 / np.pi * np.arcsin(pearson)  # of two outputs of a segment, both normal
    covered = np.zeros(2)
    runs = 200
    for run in range(runs):
        y = rng.normal(size=3 * 100)
        x = y + noise * rng.normal(size=len(y))
        one = judgments(100, 3, ratings=y)
        for k, (name, truth) in enumerate((("pearson", pearson), ("tau:ties=counted", tau))):
            table = agreement([one], [[scored(x)]], measure=name, samples=400, seed=run)
            cell = table.cells[0][0]
            assert cell.low is not None and cell.high is not None
            covered[k] += cell.low <= truth <= cell.high
    assert (covered / runs > 0.90).all() and (covered / runs < 0.99).all(), covered / runs


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_tests_do_not_cry_wolf_and_hear_one(test: str) -> None:
    rng = np.random.default_rng(8)
    false = true = 0
    runs = 60
    for run in range(runs):
        y = rng.normal(size=150)
        one = judgments(50, 3, ratings=y)
        alike = [scored(y + 2 * rng.normal(size=150), "a"), scored(y + 2 * rng.normal(size=150), "b")]
        better = [scored(y + 0.7 * rng.normal(size=150), "a"), alike[1]]
        for metrics, found in ((alike, "false"), (better, "true")):
            table = agreement([one], [metrics], baselines=("b",), paired=test, samples=200, seed=run)  # type: ignore[arg-type]
            p = table.cells[0][0].p_values[0]
            assert p is not None
            if found == "false":
                false += p < 0.05
            else:
                true += p < 0.05
    assert false <= 0.15 * runs and true >= 0.9 * runs


def test_a_metric_of_one_value_is_not_defined_and_said_so() -> None:
    y = np.random.default_rng(9).normal(size=12)
    one = judgments(3, 4, ratings=y)
    table = agreement(
        [one], [[scored(y, "good"), scored(np.ones(12), "flat")]], baselines=("good",), samples=50
    )
    assert table.cells[1][0].value is None and table.means[1].value is None and table.ranks[1] is None
    assert any("flat gives the same value to all outputs" in note for note in table.notes)
    assert table.ranks[0] == 1.0
    ranks = agreement(
        [judgments(2, 3, pairs=PAIRS)], [[scored(SCORES, "good"), scored(np.ones(6), "flat")]], samples=0
    )
    assert ranks.cells[1][0].value == 0.0  # ties are counted: all of them are


def test_system_level_by_hand_and_williams() -> None:
    rng = np.random.default_rng(10)
    quality = rng.normal(size=8)
    y = (quality + 0.3 * rng.normal(size=(30, 8))).ravel()
    good, bad = y + 0.5 * rng.normal(size=240), rng.normal(size=240)
    one = judgments(30, 8, ratings=y)
    table = agreement(
        [one],
        [[scored(good, "good"), scored(bad, "bad")]],
        level="system",
        baselines=("bad",),
        paired="williams",
    )
    means = [values.reshape(30, 8).mean(axis=0) for values in (good, bad, y)]
    assert table.cells[0][0].value == pytest.approx(stats.pearsonr(means[0], means[2])[0])
    assert table.sets[0].human == "mean" and (table.cells[0][0].p_values[0] or 1) < 0.05
    assert table.tally(0, 0) == (1, 0, 0) and table.tally(1, 0) == (0, 0, 1)


def test_williams_at_segment_level_and_for_ranks() -> None:
    rng = np.random.default_rng(13)
    y = rng.normal(size=240)
    good, bad = y + rng.normal(size=240), y + 1.5 * rng.normal(size=240)
    one = judgments(30, 8, ratings=y)
    both = [scored(good, "good"), scored(bad, "bad")]
    for level, (x1, x2, people) in (
        ("segment", (good, bad, y)),
        ("system", [values.reshape(30, 8).mean(axis=0) for values in (good, bad, y)]),
    ):
        for measure, ranked in (("pearson", np.asarray), ("spearman", stats.rankdata)):
            table = agreement(
                [one], [both], level=level, measure=measure, baselines=("bad",), paired="williams", samples=0
            )
            sides = [ranked(side) for side in (x1, x2, people)]
            (r1, r2), r12 = (stats.pearsonr(x, sides[2])[0] for x in sides[:2]), stats.pearsonr(*sides[:2])[0]
            expected = 2 * williams(max(r1, r2), min(r1, r2), r12, len(people))
            assert table.cells[0][0].value == pytest.approx(r1)
            assert table.cells[0][0].p_values[0] == pytest.approx(min(expected, 1.0))
    with pytest.raises(
        BadSetting, match="Williams' test compares pearson or spearman correlations, not kendall"
    ):
        agreement(
            [one],
            [both],
            level="segment",
            measure="kendall",
            baselines=("bad",),
            paired="williams",
            samples=0,
        )


def test_hybrids_mix_systems() -> None:
    rng = np.random.default_rng(11)
    y = rng.normal(size=40)
    one = judgments(10, 4, ratings=y)
    metric = scored(y)
    values, human = draw_hybrids(one, metric, samples=200, seed=1)
    assert values == pytest.approx(human)  # a perfect metric agrees on every hybrid
    again = draw_hybrids(one, metric, samples=200, seed=1)[0]
    assert np.array_equal(values, again) and len(set(values.round(9))) > 150


def test_hybrids_have_several_measures_and_human_scores() -> None:
    rng = np.random.default_rng(14)
    y = rng.normal(size=60)
    metrics = [scored(y + rng.normal(size=60), "good"), scored(rng.normal(size=60), "bad")]
    one = judgments(15, 4, ratings=y)
    for human in ("mean", "win_ratio"):
        values, people = draw_hybrids(one, metrics[0], samples=300, seed=5, human=human)
        for measure, expected in (
            ("pearson", stats.pearsonr(values, people)[0]),
            ("spearman", stats.spearmanr(values, people)[0]),
            ("kendall", stats.kendalltau(values, people)[0]),
        ):
            tested = ("bad",) if measure != "kendall" else ()
            asked = {"level": "system", "hybrids": 300, "seed": 5, "human": human, "measure": measure}
            table = agreement([one], [metrics], baselines=tested, **asked)  # type: ignore[arg-type]
            assert table.cells[0][0].value == pytest.approx(expected)
            assert table.sets[0].measure.startswith(measure)
            assert not tested or (table.cells[0][0].p_values[0] or 1) < 0.05
    with pytest.raises(BadSetting, match="not kendall"):
        agreement([one], [metrics], level="system", hybrids=300, measure="kendall", baselines=("bad",))
    with pytest.raises(BadSetting, match="hybrids have no trueskill scores"):
        agreement([one], [metrics], level="system", hybrids=300, human="trueskill")
    with pytest.raises(BadSetting, match="has no ratings to average"):
        pairs = judgments(2, 3, pairs=PAIRS)
        agreement([pairs], [[scored(SCORES)]], level="system", hybrids=300, human="mean")


def test_intervals_of_systems_cover_what_a_test_set_of_this_size_gives() -> None:
    """Systems of fixed quality, judged and scored on noisy segments: intervals hold the mean correlation."""
    rng = np.random.default_rng(12)
    systems, segments, runs = 9, 150, 120
    quality = rng.normal(size=systems)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        y = quality + 2 * rng.normal(size=(segments, systems))
        x = 0.8 * quality + 0.4 * np.sin(7 * np.arange(systems)) + 2 * rng.normal(size=(segments, systems))
        return x, y

    many = [draw() for _ in range(2000)]
    truth = np.mean([np.corrcoef(x.mean(axis=0), y.mean(axis=0))[0, 1] for x, y in many])
    covered = 0
    for run in range(runs):
        x, y = draw()
        table = agreement(
            [judgments(segments, systems, ratings=y.ravel())], [[scored(x.ravel())]], level="system",
            samples=300, seed=run,
        )  # fmt: skip
        cell = table.cells[0][0]
        assert cell.value is not None and cell.low is not None and cell.high is not None
        assert cell.low <= cell.value <= cell.high
        covered += cell.low <= truth <= cell.high
    assert covered / runs >= 0.88, covered / runs


def test_only_usable_outputs_count_everywhere() -> None:
    rng = np.random.default_rng(13)
    pairs = [
        (4 * s + i, 4 * s + j, 1, 0, 1) for s in range(20) for i, j in itertools.combinations(range(4), 2)
    ]
    whole = judgments(20, 4, pairs=pairs)
    values = rng.normal(size=80)
    human = replace(whole, human=frozenset(["s3"]))
    gone = replace(whole, outputs=[None if k % 4 == 3 else "text" for k in range(80)])
    for one in (human, gone):
        assert one.compared.untied == 60 and one.unused == 120
        wins = system_scores(one, "win_ratio")[0]
        assert wins[:3] == pytest.approx([1, 0.5, 0]) and np.isnan(wins[3])
        table = agreement([one], [[scored(values)]], samples=0)
        assert table.sets[0].judgments == 60
        assert any("120 judgments not used" in note for note in table.notes)
        systems = agreement([one], [[scored(values)]], level="system", samples=0)
        assert systems.sets[0].systems == 3
    first = agreement([gone], [[scored(values)]], level="system", samples=0).cells[0][0].value
    changed = np.where(gone.missing, 99.0, values)
    assert agreement([gone], [[scored(changed)]], level="system", samples=0).cells[0][0].value == first


def test_ratings_beside_preferences_do_not_mix() -> None:
    pairs = [(3 * s, 3 * s + 1, 2, 1, 0) for s in range(30)]
    both = judgments(30, 3, pairs=pairs, ratings=np.arange(90.0))
    alone = judgments(30, 3, pairs=pairs)
    values = np.random.default_rng(14).normal(size=90)
    one, other = (agreement([j], [[scored(values)]], samples=200) for j in (both, alone))
    assert one.cells == other.cells and one.sets[0].judgments == 90


def test_sets_do_not_move_each_other_and_none_comes_twice() -> None:
    y = np.random.default_rng(15).normal(size=60)
    first, second = judgments(20, 3, ratings=y), judgments(20, 3, ratings=-y, name="wmt14")
    metrics = [scored(y + np.random.default_rng(16).normal(size=60))]
    alone = agreement([first], [metrics], samples=100)
    beside = agreement([second, first], [metrics, metrics], samples=100)
    assert beside.cells[0][1] == alone.cells[0][0]
    with pytest.raises(BadSetting, match="given twice"):
        agreement([first, first], [metrics, metrics])


def test_flat_scores_are_flat_at_any_size() -> None:
    human = np.array([[1.0, 2.0, 4.0]])
    assert np.isnan(pearson_rows(np.full((1, 3), 1234567.1), human)[0])
    assert pearson_rows(1e-13 * human, human)[0] == pytest.approx(1.0)
    for measure in SYSTEM_MEASURES:
        assert np.isnan(correlate(measure, human, np.array([[1.0, np.nan, 2.0]]))[0])


def test_kendall_b_is_quick() -> None:
    rng = np.random.default_rng(17)
    x, y = rng.normal(size=(2, 50_000))
    start = time.process_time()
    assert kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y)[0])
    assert time.process_time() - start < 5
