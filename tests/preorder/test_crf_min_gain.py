"""When not to reorder: expected gains, accuracy, and the threshold that training chooses."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from wordorder.cli.preorder_train import _summary
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.crf.decoding import Expectations, apply_min_gain, expected_gain, ranked_orders
from wordorder.preorder.crf.min_gain import (
    THRESHOLDS,
    HeldOutResult,
    choose_min_gain,
    order_accuracy,
    split_held_out,
)


def slow_accuracy(order: list[int], links: list[tuple[int, int]], n: int) -> float:
    """By the definition, word by word."""
    targets = {i: [j for a, j in links if a == i] for i in range(n)}
    middle = {i: min(some) + max(some) for i, some in targets.items() if some}
    if len(middle) < 2:
        return 1.0
    levels = sorted(set(middle.values()))

    def rank(i: int) -> int:
        after = [k for k in range(i, n) if k in middle] or [max(middle)]
        return levels.index(middle[after[0]])

    scores = []
    for some in (order, [i for i in order if i in middle]):
        read = [rank(i) for i in some]
        pairs = [a <= b for a, b in itertools.combinations(read, 2)]
        steps = [b - a in (0, 1) for a, b in itertools.pairwise(read)]
        steps += [read[0] == 0, read[-1] == max(read)]
        scores.append((np.mean(pairs) + np.mean(steps)) / 2)
    return float(np.mean(scores))


def test_order_accuracy_is_its_definition():
    rng = np.random.default_rng(7)
    for _ in range(200):
        n = int(rng.integers(1, 7))
        links = sorted({(int(i), int(j)) for i, j in rng.integers(0, n, size=(int(rng.integers(0, 6)), 2))})
        order = rng.permutation(n).tolist()
        found = order_accuracy(Permutation.from_order(order), Alignment(n, n, links))
        assert found == pytest.approx(slow_accuracy(order, links, n), abs=1e-12)


def test_the_threshold_is_the_surest():
    rng = np.random.default_rng(3)
    for _ in range(50):
        trials = [HeldOutResult(float(e), float(g)) for e, g in rng.normal(0.05, 0.1, size=(20, 2))]
        found = choose_min_gain(trials)

        def sure(level: float, trials: list[HeldOutResult] = trials) -> float:
            gains = [one.achieved if one.expected >= level else 0.0 for one in trials]
            return float(np.mean(gains) - np.std(gains) / np.sqrt(len(gains)))

        assert sure(found) == pytest.approx(max(map(sure, THRESHOLDS)))
    assert choose_min_gain([HeldOutResult(0.5, -0.2)] * 9) == THRESHOLDS[-1]


def test_without_enough_gain_the_source_order_is_first():
    rng = np.random.default_rng(1)
    n = 5
    table = np.triu(rng.random((n, n)), 1)
    following = rng.dirichlet(np.ones(n + 1), size=n + 1)
    found = Expectations(0.0, table, following)
    orders = ranked_orders(found, 4, adjacency=0.3, moves=True)
    least = expected_gain(orders[0][1], found, 0.3)
    assert least > 0
    assert apply_min_gain(orders, found, adjacency=0.3, min_gain=least) == orders
    changed = apply_min_gain(orders, found, adjacency=0.3, min_gain=least + 1e-9)
    assert changed[0][1] == list(range(n)) and len(changed) == 4
    assert [one for one in changed[1:]] == [one for one in orders if one[1] != list(range(n))][:3]


def noise(seed: int) -> tuple[list[Source], list[Alignment]]:
    """Sentences whose orders nothing tells, and which are mostly as they stand."""
    rng = np.random.default_rng(seed)
    sources, links = [], []
    for _ in range(60):
        words = tuple(f"w{k}" for k in rng.integers(0, 8, size=6))
        order = np.arange(6)
        if rng.random() < 0.4:
            order = rng.permutation(6)
        sources.append(Source(words))
        links.append(Alignment(6, 6, [(int(i), place) for place, i in enumerate(order)]))
    return sources, links


def test_training_learns_when_not_to_move():
    eager = FeatureCRF(hash_bits=14, epochs=30, l2=0.0, word_dropout=0.0)  # learns the noise by heart
    plain, careful = (
        replace(eager, tune_min_gain=False).fit(TrainingData(*noise(1))),
        eager.fit(TrainingData(*noise(1))),
    )
    assert plain.min_gain == 0 and careful.min_gain > 0 and careful.trained["held_out"] == 12
    assert careful.with_settings(min_gain=0.0).precedence_batch(noise(2)[0][:3])[0] == pytest.approx(
        plain.precedence_batch(noise(2)[0][:3])[0]
    )
    sources, links = noise(2)
    still = Permutation.identity(6)

    def harm(model: FeatureCRF) -> float:
        pairs = zip(model.reorder_batch(sources), links, strict=True)
        return float(
            np.mean([order_accuracy(still, one) - order_accuracy(order, one) for order, one in pairs])
        )

    assert harm(plain) > harm(careful) >= 0
    assert harm(careful) < 0.002


def test_what_can_be_predicted_is_moved():
    sources = [Source(("a", f"n{k}", "v", f"m{k % 7}")) for k in range(60)]
    links = [Alignment(4, 4, [(0, 0), (1, 1), (3, 2), (2, 3)])] * 60
    model = FeatureCRF(hash_bits=12).fit(TrainingData(sources, links))
    assert model.min_gain < 0.2
    assert model.reorder_batch(sources[:1])[0].order.tolist() == [0, 1, 3, 2]
    few = FeatureCRF(hash_bits=12).fit(TrainingData(sources[:49], links[:49]))
    assert few.min_gain == 0 and "held_out" not in few.trained


def test_the_trial_is_logged_and_can_be_resumed(tmp_path):
    told: list[dict] = []
    training = RunOptions(log=told.append, checkpoint=str(tmp_path))
    first = FeatureCRF(hash_bits=12, epochs=2).fit(TrainingData(*noise(3)), training)
    assert [one.get("trial", False) for one in told] == [False, False, True, True]
    again = FeatureCRF(hash_bits=12, epochs=2).fit(
        TrainingData(*noise(3)), RunOptions(checkpoint=str(tmp_path), resume=True)
    )
    assert again.min_gain == first.min_gain
    for name, array in first.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[name])


def test_min_gain_is_a_share():
    with pytest.raises(BadSetting, match="min_gain is 2"):
        FeatureCRF(min_gain=2.0)


def test_every_language_is_held_out():
    sources = noise(4)[0]
    told = [replace(one, target="ja" if s < 45 else "ko") for s, one in enumerate(sources)]
    inside, left = split_held_out(told)
    assert left == [*range(36, 45), *range(57, 60)] and sorted(inside + left) == list(range(60))


def test_the_summary_says_if_words_are_never_moved():
    last = THRESHOLDS[-1]
    assert any("leaves all words where they are" in line for line in _summary("m", {"min_gain": last}))
    assert len(list(_summary("m", {"min_gain": THRESHOLDS[-2]}))) == 1


def test_without_a_threshold_the_order_of_the_best_tree_stays():
    """Also where it promises a loss: the best tree need not have the most probable pairs."""
    tables = Expectations(0.0, np.array([[0.0, 0.4], [0.0, 0.0]]), np.zeros((3, 3)))
    orders = [(0.6, [1, 0]), (0.4, [0, 1])]
    assert expected_gain([1, 0], tables, 0.0) < 0
    assert apply_min_gain(orders, tables, adjacency=0.0, min_gain=0.0) == orders
    assert apply_min_gain(orders, tables, adjacency=0.0, min_gain=0.01) == orders[::-1]
