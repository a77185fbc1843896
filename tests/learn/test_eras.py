"""Judgments of all kinds in one loss: weights of collections, pairs of ratings, scrambled references."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from wordorder.data import sample_judgments
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments, Ratings
from wordorder.judge.read import read_judgments
from wordorder.learn.beer import BeerTraining
from wordorder.learn.beer_recipes import RECIPES
from wordorder.learn.eras import (
    CLEAR,
    NOT_SCRAMBLED,
    era_pairs,
    eras_of,
    neighbours_swapped,
    scrambled_references,
)

RNG = np.random.default_rng(1)


@pytest.fixture(scope="module")
def ranked() -> Judgments:
    return next(one for one in read_judgments(str(sample_judgments())) if one.preferences is not None)


def rated_like(judgments: Judgments, scores: np.ndarray, name: str = "wmt17-da") -> Judgments:
    """The same outputs with ratings instead of preferences."""
    ratings = Ratings(np.arange(len(scores)), scores)
    return replace(judgments, preferences=None, ratings=ratings, collection=name, rankings=())


def test_scrambles_keep_the_words() -> None:
    assert neighbours_swapped([], RNG) == [] and neighbours_swapped(["a"], RNG) == ["a"]


def test_scrambled_references_have_judged_opponents(ranked: Judgments) -> None:
    drawn = scrambled_references(ranked, 1, segments=5)
    assert len(drawn) == 15 == len(drawn.opponents)
    judged = {*ranked.compared.first.tolist(), *ranked.compared.second.tolist()}
    for text, reference, item in zip(drawn.texts, drawn.references, drawn.opponents.tolist(), strict=True):
        assert Counter(text.split()) == Counter(reference.split()) and text != reference
        assert item in judged and ranked.references[0][ranked.item_segment[item]] == reference
    assert drawn.texts == scrambled_references(ranked, 1, segments=5).texts


def test_pairs_of_ratings_put_the_higher_one_first(ranked: Judgments) -> None:
    scores = np.random.default_rng(3).normal(size=len(ranked.outputs))
    one = rated_like(ranked, scores)
    better, worse, weight = era_pairs(one, 1)
    assert weight.sum() == pytest.approx(1.0)
    assert (scores[better] > scores[worse]).all()
    apart = np.minimum((scores[better] - scores[worse]) / scores.std(), CLEAR)
    assert np.ptp(weight / apart) < 1e-9  # few pairs share a segment, so all count by their difference alone


def test_votes_of_rankings_count_once(ranked: Judgments) -> None:
    better, _, weight = era_pairs(ranked, 1)
    assert len(better) <= int((ranked.compared.wins > 0).sum() + (ranked.compared.losses > 0).sum())
    votes = ranked.compared.untied
    assert weight.min() == pytest.approx(1 / votes)


def test_collections_weigh_the_same(ranked: Judgments) -> None:
    scores = np.random.default_rng(3).normal(size=len(ranked.outputs))
    sets = [ranked, replace(ranked, testset="other"), rated_like(ranked, scores)]
    loss = eras_of(sets, [NOT_SCRAMBLED] * 3, share=0.0, seed=1)
    size = len(ranked.outputs)
    by_set = [loss.wins[(loss.first >= k * size) & (loss.first < (k + 1) * size)].sum() for k in range(3)]
    assert by_set == pytest.approx([0.25, 0.25, 0.5])
    drawn = [scrambled_references(one, 1, segments=2) for one in sets]
    more = eras_of(sets, drawn, share=0.5, seed=1)
    assert more.wins[more.second >= 3 * size].sum() == pytest.approx(0.5 / 1.5)
    assert more.second.max() == 3 * size + sum(map(len, drawn)) - 1


def test_a_model_learns_that_order_counts(ranked: Judgments) -> None:
    pytest.importorskip("scipy")
    recipe = RECIPES["4.0"].with_settings(
        templates="solid:char2-4.sf1 begin:lost_order.n begin:lost_neighbours.n"
    )
    model = BeerTraining(recipe=recipe).run([ranked]).model
    assert (model.corpus, model.corpus_words, model.corpus_recall) == ("root", 0.25, 1.0)
    assert {"begin:lost_order.n", "begin:lost_neighbours.n"} <= set(model.names)
    text = "one two three four five six seven eight nine ten"
    scrambled = "seven two nine four one six ten eight three five"
    assert model.scores([scrambled], [text])[0] < model.scores([text], [text])[0] == 1.0


@pytest.mark.parametrize(
    "settings",
    [{"learner": "svm"}, {"output": "linear"}, {"scrambled": -1.0}, {"objective": "sentence"}],
)
def test_settings_that_do_not_go_together(settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting):
        RECIPES["4.0"].with_settings(**settings)
