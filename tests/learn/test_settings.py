"""Learning settings of metrics from judgments."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tests.judge.test_kept_scores import texts
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.learn.setting_space import Space, climb, has_settings, objective, varied
from wordorder.learn.settings import curve, learn_settings, segment_folds
from wordorder.metrics.registry import metric, spec_of


def test_settings_reach_the_metric_or_its_ordering() -> None:
    assert spec_of(varied(metric("recpef"), {"beta": 0.1})) == "recpef:beta=0.1"
    assert has_settings(metric("lrscore"), ["alpha"]) and not has_settings(metric("kendall"), ["alpha"])
    assert not has_settings(metric("full:order=kendall"), ["beta"])


score = Scorer()


def with_truth(name: str, seed: int, alpha: float) -> Judgments:
    """Judges who follow the full metric with that alpha, with some noise."""
    one = texts(80, 4, seed=seed, name=name)
    (found,) = Scorer()([one], [metric(f"full:alpha={alpha}")])[0]
    rng = np.random.default_rng(seed)
    liked = found.segment + 0.02 * rng.normal(size=len(one))
    pairs = []
    for segment in range(80):
        for i in range(4):
            for j in range(i + 1, 4):
                a, b = segment * 4 + i, segment * 4 + j
                pairs.append((a, b, int(liked[a] > liked[b]), int(liked[a] < liked[b]), 0))
    return texts(80, 4, seed=seed, name=name, pairs=pairs)


def test_climbing_finds_what_a_full_search_finds() -> None:
    one = with_truth("wmt12", 3, 0.8)
    space = Space(metric("full"), ["alpha", "beta"], [one], score)
    assert space.late == ("alpha",) and space.early == ("beta",)
    worth = objective(space, "tau:ties=counted", space.whole)
    found = climb(space, worth, restarts=8, seed=1)
    every = max(worth((a / 20, b)) for a in range(21) for b in space.grid)
    assert found.value >= every - 0.003 and worth(found.point) == found.value
    assert climb(space, worth, restarts=8, seed=1) == found
    assert len(found.climbs) == 8 and max(steps[-1].value for steps in found.climbs) == found.value
    for steps in found.climbs:
        values = [step.value for step in steps]
        assert values == sorted(set(values))  # every step goes up
        assert values == [worth(step.point) for step in steps]
        for here, there in itertools.pairwise(steps):
            assert sum(a != b for a, b in zip(here.point, there.point, strict=True)) == 1


def test_learning_reports_on_years_that_were_not_learned_from() -> None:
    sets = [with_truth(name, seed, 0.9) for seed, name in enumerate(("wmt12", "wmt13", "wmt14"), start=5)]
    found = learn_settings(metric("full:alpha=0.1"), ["alpha"], sets, score, restarts=3)
    assert [fold.held_out for fold in found.folds] == ["2012", "2013", "2014"] and found.split == "years"
    assert found.value == pytest.approx(np.mean([fold.value for fold in found.folds]))
    for fold in found.folds:
        assert fold.learned["alpha"] > 0.5 and fold.usual < fold.value <= fold.best + 1e-9
    with pytest.raises(BadSetting, match="two years"):
        learn_settings(metric("full"), ["alpha"], sets[:1], score)
    # What is learned for a year does not depend on its judgments.
    turned = sets[0].preferences
    assert turned is not None
    against = type(turned)(turned.first, turned.second, turned.losses, turned.wins, turned.ties)
    changed = replace(sets[0], preferences=against)
    again = learn_settings(metric("full:alpha=0.1"), ["alpha"], [changed, *sets[1:]], score, restarts=3)
    assert again.folds[0].learned == found.folds[0].learned and again.folds[0].value < found.folds[0].value


def test_curves_are_the_metric_at_each_value() -> None:
    one = with_truth("wmt12", 3, 0.8)
    xs, values = curve(metric("full"), "alpha", [one], score, measure="tau:ties=counted", points=5)
    assert xs == [0.0, 0.25, 0.5, 0.75, 1.0]
    space = Space(metric("full:alpha=0.25"), ["alpha"], [one], score)
    assert values[1] == pytest.approx(objective(space, "tau:ties=counted", space.whole)((0.25,)))


def test_folds_of_segments_report_on_what_was_not_learned_from() -> None:
    one = with_truth("wmt12", 3, 0.9)
    found = learn_settings(metric("full:alpha=0.1"), ["alpha"], [one], score, folds=4, restarts=3)
    assert (found.split, found.group) == ("segments", "de-en")
    assert [fold.held_out for fold in found.folds] == ["fold 1", "fold 2", "fold 3", "fold 4"]
    assert found.usual < found.value <= found.best + 1e-9
    # The same by hand: score the segments of each fold with its settings, and count.
    (fold_of,) = segment_folds([one], 4, 12345)
    assert sorted(np.bincount(fold_of).tolist()) == [20, 20, 20, 20]
    pairs = one.preferences
    assert pairs is not None
    counts = np.zeros((4, 3))
    for fold, learned in enumerate(found.folds):
        (scores,) = Scorer()([one], [metric(f"full:alpha={learned.learned['alpha']}")])[0]
        for first, second, wins, losses in zip(
            pairs.first, pairs.second, pairs.wins, pairs.losses, strict=True
        ):
            if fold_of[one.item_segment[first]] == fold:
                gap = scores.segment[first] - scores.segment[second]
                right, wrong = (wins, losses) if gap > 0 else (losses, wins)
                counts[fold] += (0, 0, wins + losses) if gap == 0 else (right, wrong, 0)
        tau = (counts[fold, 0] - counts[fold, 1]) / counts[fold].sum()
        assert learned.value == pytest.approx(tau)
    totals = counts.sum(axis=0)
    assert found.value == pytest.approx((totals[0] - totals[1]) / totals.sum())
    # What is learned for a fold does not depend on its judgments.
    held = fold_of[one.item_segment[pairs.first]] == 0
    wins, losses = np.where(held, pairs.losses, pairs.wins), np.where(held, pairs.wins, pairs.losses)
    changed = replace(one, preferences=type(pairs)(pairs.first, pairs.second, wins, losses, pairs.ties))
    again = learn_settings(metric("full:alpha=0.1"), ["alpha"], [changed], score, folds=4, restarts=3)
    assert again.folds[0].climbed == found.folds[0].climbed and again.folds[0].value < found.folds[0].value
    assert again.folds[1].climbed != found.folds[1].climbed


def test_a_segment_is_in_one_fold_whatever_the_pair() -> None:
    one = texts(40, 2, pairs=[(2 * k, 2 * k + 1, 1, 0, 0) for k in range(40)])
    other = replace(one, pair="cs-en")
    few = replace(one, testset="other").judged_in(np.arange(40) < 8)
    folds = segment_folds([one, other, few], 4, 1)
    assert np.array_equal(folds[0], folds[1])
    assert sorted(np.bincount(folds[2][:8], minlength=4) + np.bincount(folds[0], minlength=4)) == [12] * 4
    with pytest.raises(BadSetting, match="8 judged segments cannot be split into 9"):
        segment_folds([few], 9, 1)
    with pytest.raises(BadSetting, match="folds is 1"):
        learn_settings(metric("full"), ["alpha"], [one], score, folds=1)


def test_judgments_of_some_segments() -> None:
    one = texts(6, 2, pairs=[(2 * k, 2 * k + 1, k, 1, 0) for k in range(6)])
    some = one.judged_in(np.array([True, False, True, False, False, False]))
    assert some.preferences is not None and some.preferences.wins.tolist() == [0, 2]
    assert len(some) == len(one) and some.compared.untied == 4
    rated = texts(6, 2, ratings=np.arange(12.0)).judged_in(np.arange(6) == 5)
    assert rated.rated is not None and rated.rated.score.tolist() == [10, 11]
