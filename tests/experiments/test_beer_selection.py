"""The choice of BEER's features for a year does not look at that year."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from experiments import beer_selection
from experiments.beer_selection import Selection, choices_table, early_table, system_agreement
from tests.experiments.corpora import write_judgments
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.judge.system_scores import human_kind, system_scores
from wordorder.learn.beer import BeerTraining
from wordorder.metrics.beer.trained_model import CorpusMean

YEARS = (2012, 2013, 2014)


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Judgments]:
    pytest.importorskip("scipy")
    common = "solid:char2-3.sf1 begin:lost_order.n"
    candidates = {"characters": common, "words": f"{common} nonword.n0.5 rarity.r"}
    monkeypatch.setattr(beer_selection, "CANDIDATES", candidates)
    monkeypatch.setattr(beer_selection, "MANY_JUDGMENTS", 1)
    for year in YEARS:
        write_judgments(tmp_path, f"wmt{year % 100}-rr")
    return [one for year in YEARS for one in read_judgments(str(tmp_path / f"wmt{year % 100}-rr"))]


def test_a_choice_depends_on_the_other_years_only(sets: list[Judgments]) -> None:
    choice = Selection(sets).choose(YEARS[:2])
    changed = [replace(one, outputs=["x"] * len(one.outputs)) if one.year == 2014 else one for one in sets]
    assert Selection(changed).choose(YEARS[:2]) == choice
    assert choices_table({2014: choice}).count("\n") == 2


def test_models_are_those_of_a_training_run(sets: list[Judgments]) -> None:
    selection = Selection(sets)
    choice = selection.choose(YEARS[:2])
    model = selection.model(choice, YEARS[:2])
    assert (model.corpus, model.corpus_words, model.corpus_recall) == choice.of_corpora
    recipe = selection.training(choice.features).recipe
    training = BeerTraining(recipe=recipe)
    examples = training.store.prepared([one for one in sets if one.year in YEARS[:2]], recipe)
    expected = training.fit(examples, choice.features[1]).weights
    assert model.weights == pytest.approx(expected[np.abs(expected) > 1e-6], rel=1e-3)
    assert early_table(selection, YEARS[:2], 2014).count("\n") == 5


@pytest.mark.parametrize(("way", "power"), [("mean", 0.0), ("root", 0.5), ("length", 1.0)])
def test_scores_of_systems_by_hand(sets: list[Judgments], way: CorpusMean, power: float) -> None:
    one = sets[0]
    scores = np.random.default_rng(5).random(len(one.outputs))
    means = []
    for system in range(len(one.systems)):
        items = [k for k in range(len(scores)) if one.item_system[k] == system and one.usable[k]]
        weights = [len(one.references[0][one.item_segment[k]]) ** power for k in items]
        means.append(np.average(scores[items], weights=weights))
    human = system_scores(one, human_kind(one))[0]
    assert system_agreement(one, scores, way) == pytest.approx(np.corrcoef(means, human)[0, 1])
