"""Tuning: line search against brute force, separable data, determinism, degenerate input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.tune.lists import random_lists
from wordorder import _native
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadSetting
from wordorder.metrics.registry import metric
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.mert import line_search, mert
from wordorder.tune.objective import Objective, objective
from wordorder.tune.tuning import METHODS, check_weights, tune


def goal(lists: CandidateLists, references: list[str], spec: str = "bleu:tokenize=none") -> Objective:
    return objective(metric(spec), lists, [references])


@pytest.mark.parametrize("spec", ["bleu:tokenize=none", "kendall:tokenize=none", "ter"])
def test_line_search_finds_the_best_point_of_a_line(spec: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(8):
        lists, references = random_lists(rng)
        target = goal(lists, references, spec)
        weights, direction = rng.normal(size=3), rng.normal(size=3)
        offset, slope = lists.model_scores(weights), lists.model_scores(direction)
        step, value = line_search(target, offset, slope)
        dense = [target.value(lists.best(offset + t * slope)) for t in np.linspace(-50, 50, 1001)]
        assert value >= max(dense) - 1e-9
        assert value == pytest.approx(target.value(lists.best(offset + step * slope)), abs=1e-9)


@pytest.mark.parametrize("threads", [1, 2])
def test_sums_along_a_line_are_those_of_the_best_candidates(threads: int) -> None:
    rng = np.random.default_rng(2)
    for sizes in ([1], [2], [3, 1], [30, 9, 4], [5] * 70):
        starts = np.concatenate([[0], np.cumsum(sizes)])
        # Whole numbers make equal and parallel lines, and lines that cross in one point.
        offset, slope = (rng.integers(-3, 4, size=starts[-1]).astype(float) for _ in range(2))
        at, sums = _native.line_sums(starts, offset, slope, np.eye(starts[-1]), threads)
        assert (np.diff(at) >= 0).all() and len(sums) == len(at) + 1
        ends = np.concatenate([[at[0] - 1], at, [at[-1] + 1]]) if len(at) else np.array([-1.0, 1.0])
        for begin, end, chosen in zip(ends, ends[1:], sums, strict=False):
            if end - begin < 1e-9:
                continue
            values = offset + (begin + end) / 2 * slope
            best = [first + int(values[first:last].argmax()) for first, last in pairwise(starts)]
            assert np.flatnonzero(chosen).tolist() == best


def test_of_tied_candidates_the_worst_counts() -> None:
    # Only the last feature tells the two good candidates from the others.
    texts = ["a b c d e", "e d c b a", "a b c d x"]
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        made = [
            CandidateTranslation(s, texts[k], (("same", (1.0,)), ("last", (float(k == 2),))))
            for s in (0, 1)
            for k in order
        ]
        lists = CandidateLists.of(made)
        target = goal(lists, ["a b c d e"] * 2)
        result = tune(lists, target, np.array([1.0, 0.1]), seeds=1, restarts=2)
        assert lists.chosen_texts(result.runs[0].choice) == ["a b c d x"] * 2
        tied = tune(lists, target, np.array([1.0, -0.1]), seeds=1, restarts=2).start
        assert lists.chosen_texts(tied.choice) == ["e d c b a"] * 2 and tied.score < 50


def test_model_scores_and_best_are_the_definition() -> None:
    rng = np.random.default_rng(3)
    candidates = []
    for c in range(24):
        features = [(f"f{k}", (float(rng.normal()),)) for k in range(5) if rng.random() < 0.5]
        candidates.append(CandidateTranslation(c // 6, str(c), tuple(features)))
    lists = CandidateLists.of(candidates)
    weights = rng.normal(size=len(lists.names))
    by_name = dict(zip(lists.names, weights, strict=True))
    slow = [sum(by_name[name] * values[0] for name, values in c.features) for c in candidates]
    scores = lists.model_scores(weights)
    assert np.allclose(scores, slow)
    assert lists.best(scores).tolist() == [6 * s + int(np.argmax(slow[6 * s : 6 * s + 6])) for s in range(4)]


def test_gains_are_changes_of_the_corpus() -> None:
    lists, references = random_lists(np.random.default_rng(4))
    for spec in ("bleu:tokenize=none", "kendall:tokenize=none", "ter"):
        target = goal(lists, references, spec)
        choice = lists.starts[:-1].copy()
        gains = target.gains(choice)
        for candidate in range(0, lists.size, 5):
            other = choice.copy()
            other[lists.sentence[candidate]] = candidate
            change = target.value(other) - target.value(choice)
            assert gains[candidate] == pytest.approx(len(lists) * change, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_a_feature_that_knows_the_answer(method: str) -> None:
    rng = np.random.default_rng(5)
    lists, references = random_lists(rng, sentences=30, size=15, features=1)
    truth = goal(lists, references).segment_values()
    texts = lists.chosen_texts(np.arange(lists.size))
    candidates = [
        CandidateTranslation(int(s), text, (("truth", (float(t),)), ("noise", (float(rng.normal()),))))
        for s, text, t in zip(lists.sentence, texts, truth, strict=True)
    ]
    known = CandidateLists.of(candidates)
    result = tune(known, goal(known, references), np.array([0.0, 1.0]), method=method, seeds=2)
    best = goal(known, references).score(known.best(truth))
    assert result.runs[0].score >= best - 0.5 > result.start.score
    assert result.weights[0] > 0
    again = tune(known, goal(known, references), np.array([0.0, 1.0]), method=method, seeds=2, threads=2)
    assert np.array_equal(result.weights, again.weights)


def test_mert_never_loses() -> None:
    rng = np.random.default_rng(6)
    for _ in range(5):
        lists, references = random_lists(rng, features=4)
        target, start = goal(lists, references), rng.normal(size=4)
        tuned = mert(lists, target, start, restarts=2)
        value = target.value(lists.best(lists.model_scores(tuned)))
        assert value >= target.value(lists.best(lists.model_scores(start))) - 1e-9


def test_repeated_candidates_count_once_and_missing_ones_are_named() -> None:
    a, b = CandidateTranslation(0, "a", (("f", (1.0,)),)), CandidateTranslation(0, "a", (("f", (2.0,)),))
    lists = CandidateLists.of([a, b, a, CandidateTranslation(1, "c", (("g", (1.0, 2.0)),))])
    assert lists.chosen_texts(np.arange(lists.size)) == ["a", "a", "c"] and lists.texts == ["a", "c"]
    assert lists.names == ["f", "g#1", "g#2"]
    assert lists.weights(np.array([1.0, 2.0, 3.0])).as_dict() == {"f": [1.0], "g": [2.0, 3.0]}
    with pytest.raises(BadSetting, match="sentence 1 has no candidates"):
        CandidateLists.of([a, CandidateTranslation(2, "c")])
    with pytest.raises(
        BadSetting, match="is 0, counted from 0, but there are 2 references, the last of which is empty"
    ):
        CandidateLists.of([a], references=["a", ""])
    with pytest.raises(BadSetting, match="is 1, counted from 0, but there are 1 reference"):
        CandidateLists.of([a, CandidateTranslation(1, "a")], references=["a"])
    with pytest.raises(BadSetting, match="no candidates"):
        CandidateLists.of([])


def test_degenerate_weights_are_refused() -> None:
    lists, _ = random_lists(np.random.default_rng(7))
    for weights, why in (([0, 0, 0], "all zero"), ([np.nan, 0, 0], "not finite")):
        with pytest.raises(BadSetting, match=why):
            check_weights(np.array(weights, dtype=float), lists)
    alone = CandidateLists.of([CandidateTranslation(0, "a", (("f", (1.0,)),))])
    with pytest.raises(BadSetting, match="two different candidates"):
        tune(alone, goal(alone, ["a"]), np.ones(1))
    bare = CandidateLists.of([CandidateTranslation(0, "a"), CandidateTranslation(0, "b")])
    with pytest.raises(BadSetting, match="no features"):
        tune(bare, goal(bare, ["a"]), np.zeros(0))
