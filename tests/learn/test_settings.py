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
from wordorder.learn.settings import curve, learn_settings
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
