"""Other ways to learn the feature CRF: hidden states of nodes, and the large margin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.oracle import crf as slow
from tests.preorder.test_crf_features import SMALL, corpus
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder import RunOptions, Source, TrainingData, check_preorderer, load_preorderer
from wordorder.preorder.crf import forest
from wordorder.preorder.crf.features import edge_templates, pair_templates, state_templates, weight_count

BITS, STATES = 6, 2
EDGES, PAIRS, OWN = edge_templates(2), pair_templates([0]), state_templates(2)


class Sentence:
    """A sentence of random codes and links, and a learner with random weights."""

    def __init__(self, n: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.n, self.lengths = n, np.array([n], np.int32)
        self.codes = rng.integers(3, size=2 * n).astype(np.uint32)
        self.weights = (rng.normal(size=weight_count(BITS, STATES)) * 0.4).astype(np.float32)
        links = [(i, int(j)) for i, j in enumerate(rng.permutation(n)) if rng.random() < 0.8]
        self.costs = -forest.log_weights([Alignment(n, n, links)], 0.8, stay=0.1)
        self.learner = _native.CrfLearner(2, BITS, 0.5, EDGES, PAIRS, states=STATES, state_edges=OWN)

    def field(self, weights: np.ndarray, costs: np.ndarray | float = 0.0) -> slow.Field:
        """All trees with their probabilities, from the scores of learners without states."""
        shared, *own = np.split(weights[: (STATES + 1) * (2 << BITS)], STATES + 1)
        scores = [self.scores(EDGES, PAIRS, shared) + self.scores(OWN, [], row) for row in own]
        transitions = weights[(STATES + 1) * (2 << BITS) :].reshape(2 * STATES, 2 * STATES, 2)
        return slow.field_with_states(np.array(scores) - costs, transitions, self.n)

    def scores(self, edges: list[list[int]], pairs: list[list[int]], weights: np.ndarray) -> np.ndarray:
        """The scores of all edges by some templates."""
        learner = _native.CrfLearner(2, BITS, 0.5, edges, pairs)
        learner.set_weights(weights.astype(np.float32))
        return learner.scores(self.codes, self.lengths, 1).astype(np.float64)

    def loss(self, weights: np.ndarray) -> float:
        """The loss of the soft forest."""
        return self.field(weights).log_z - self.field(weights, self.costs).log_z


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_projection_has_the_posteriors_of_the_trees_with_states(n: int) -> None:
    sentence = Sentence(n, seed=n)
    sentence.learner.set_weights(sentence.weights)
    expected = slow.field(np.zeros(2 * forest.edge_count(n)), n)._replace(
        shares=sentence.field(sentence.weights).shares
    )
    scores = sentence.learner.scores(sentence.codes, sentence.lengths, 1)
    log_z, found = forest.posteriors(scores.astype(np.float64), [n])
    assert log_z[0] == pytest.approx(0, abs=1e-5)
    np.testing.assert_allclose(found, slow.posteriors(expected, n), atol=1e-5)


def test_the_loss_and_the_gradient_with_states() -> None:
    rng = np.random.default_rng(0)
    sentence = Sentence(4, seed=7)
    sentence.learner.set_weights(sentence.weights)
    loss, gradient = sentence.learner.derivatives(
        sentence.codes, sentence.lengths, (-sentence.costs).astype(np.float32)
    )
    assert loss == pytest.approx(sentence.loss(sentence.weights), abs=1e-4)
    transitions = range(len(gradient) - 32, len(gradient), 5)
    touched = rng.permutation(np.flatnonzero(gradient[:-32]))[:25]
    assert len({int(w) >> BITS + 1 for w in touched}) == STATES + 1
    for w in (*touched.tolist(), *transitions):
        step = np.zeros_like(sentence.weights)
        step[w] = 1e-2
        change = sentence.loss(sentence.weights + step) - sentence.loss(sentence.weights - step)
        assert gradient[w] == pytest.approx(change / 2e-2, abs=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_the_margin_is_between_the_violator_and_the_best_correct_tree(seed: int) -> None:
    """Against all trees: the highest score plus cost, and the highest score among those of least cost."""
    n = 5
    sentence = Sentence(n, seed)
    weights = sentence.weights[: 2 << BITS]
    place = slow.numbered(n)
    scores = sentence.scores(EDGES, PAIRS, weights)
    every = list(slow.trees(0, n))
    score, cost = (
        np.array([sum(row[place[e]] for e in tree.edges) for tree in every])
        for row in (scores, sentence.costs.astype(np.float64))
    )
    violator = int(np.argmax(score + cost))
    correct = max(np.flatnonzero(cost < cost.min() + 1e-4), key=lambda t: float(score[t]))
    learner = _native.CrfLearner(2, BITS, 0.5, EDGES, PAIRS, margin=True)
    learner.set_weights(weights)
    loss, gradient = learner.derivatives(
        sentence.codes, sentence.lengths, (-sentence.costs).astype(np.float32)
    )
    margin = score[violator] + cost[violator] - score[correct] - cost[correct]
    assert loss == pytest.approx(margin, abs=1e-3) and margin > 0
    direction = np.zeros(len(scores))
    for tree, sign in ((every[violator], 1), (every[correct], -1)):
        for edge in tree.edges:
            direction[place[edge]] += sign
    for w in range(0, len(weights), 9):  # the score of a tree is linear in the weights
        step = np.zeros_like(weights)
        step[w] = 1
        change = sentence.scores(EDGES, PAIRS, weights + step) - scores
        assert gradient[w] == pytest.approx(float(direction @ change), abs=1e-3)


@pytest.mark.parametrize("settings", [{"states": 3}, {"objective": "margin"}])
def test_the_contract(settings: dict[str, object]) -> None:
    check_preorderer(replace(SMALL, **settings))


@pytest.mark.parametrize("settings", [{"states": 2}, {"objective": "margin", "decoding": "viterbi"}])
def test_it_learns_what_there_is_to_learn(settings: dict[str, object]) -> None:
    fitted = replace(SMALL, epochs=20, **settings).fit(TrainingData(*corpus(150)))
    sources, alignments = corpus(50, seed=9)
    orders = fitted.reorder_batch(sources)
    wrong = [slow.wrong_pairs(a, o.order.tolist()) for a, o in zip(alignments, orders, strict=True)]
    assert wrong.count(0) > 40


def test_states_differ_after_training_and_are_saved(tmp_path: Path) -> None:
    sources, alignments = corpus(40)
    model = replace(SMALL, states=2).fit(TrainingData(sources, alignments), RunOptions(seed=3))
    _, first, second = np.split(model.arrays()["weights"][:-32], 3)
    assert first.any() and not np.array_equal(first, second)
    model.save(str(tmp_path / "model"))
    restored = load_preorderer(str(tmp_path / "model"))
    source = Source(tuple("abcdef"))
    np.testing.assert_array_equal(model.precedence([source])[0], restored.precedence([source])[0])


def test_settings_that_do_not_go_together() -> None:
    for settings, said in (
        ({"states": 0}, "states is 0"),
        ({"states": 2, "canonical": True}, "states=2 .* canonical"),
        ({"states": 2, "objective": "margin"}, "states=2 .*=margin"),
    ):
        with pytest.raises(BadSetting, match=said):
            replace(SMALL, **settings)
