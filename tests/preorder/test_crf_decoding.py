"""Orders from the forest CRF's expectations, against all orders that binary trees build."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from tests.oracle import crf as slow
from tests.oracle import mixed
from wordorder import _native
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import expected_loss, precedence_of
from wordorder.preorder.crf import decoding, forest


def random_scores(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=2 * forest.edge_count(n)) * 1.5).astype(np.float32)


def separable(n: int) -> list[Permutation]:
    every = [Permutation.from_order(p) for p in itertools.permutations(range(n))]
    return [p for p in every if Forest(p).flat.max_arity <= 2]


@pytest.mark.parametrize("adjacency", [0.0, 0.3, 0.7, 1.0])
def test_consensus_is_the_best_of_all_orders(adjacency: float) -> None:
    for n, seed in itertools.product((2, 3, 5, 6), range(4)):
        found = decoding.expectations(random_scores(n, seed), n, canonical=False)
        orders = [p.order.tolist() for p in separable(n)]
        values = {tuple(order): decoding.expected_quality(order, found, adjacency) for order in orders}
        (loss, best), *_ = decoding.ranked_orders(found, 3, adjacency=adjacency, moves=False)
        assert values[tuple(best)] == pytest.approx(max(values.values()), abs=1e-6)
        table = precedence_of(Permutation.from_order(range(n))) + found.inverted.T - found.inverted
        assert loss == pytest.approx(expected_loss(Permutation.from_order(best), table) * n * (n - 1) / 2)
        straight = _native.mixed_order(found.inverted, found.following, adjacency, 0)
        assert values[tuple(straight)] == pytest.approx(max(values.values()), abs=1e-6)


@pytest.mark.parametrize("adjacency", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("spread", [0.0, 0.5, 2.0, 6.0])
def test_bounds_leave_the_best_order_in(adjacency: float, spread: float) -> None:
    """With peaked scores, bounds rule out almost everything; with flat ones, almost nothing."""
    for n, seed in ((2, 1), (9, 2), (14, 3), (18, 4)):
        found = decoding.expectations(random_scores(n, seed) * np.float32(spread), n, canonical=False)
        order = _native.mixed_order(found.inverted, found.following, adjacency, 0)
        best = mixed.best_value(found.inverted, found.following, adjacency)
        assert decoding.expected_quality(order, found, adjacency) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("adjacency", [0.0, 0.3, 1.0])
def test_of_equal_orders_the_one_with_fewer_inverted_pairs_is_best(adjacency: float) -> None:
    n = 6
    even = decoding.Expectations(0.0, np.triu(np.full((n, n), 0.5), 1), np.full((n + 1, n + 1), 1 / n))
    assert _native.mixed_order(even.inverted, even.following, adjacency, 0) == list(range(n))
    even.inverted[0, 1:] = 1  # the first word must come last
    if adjacency < 1:
        assert _native.mixed_order(even.inverted, even.following, adjacency, 0) == [1, 2, 3, 4, 5, 0]


def test_value_is_what_orders_of_trees_earn() -> None:
    """The mean over trees of the share of pairs and steps that an order has in common with each."""
    n = 5
    scores = random_scores(n, 3)
    field = slow.field(scores, n)
    found = decoding.expectations(scores, n, canonical=False)
    rng = np.random.default_rng(2)
    for _ in range(5):
        order = rng.permutation(n).tolist()
        steps = set(itertools.pairwise((n, *order, n)))
        pairs = set(itertools.combinations(order, 2))
        earned = [0.0, 0.0]
        for tree, share in zip(field.trees, field.shares, strict=True):
            earned[0] += share * len(pairs & set(itertools.combinations(tree.order, 2))) / 10
            earned[1] += share * len(steps & set(itertools.pairwise((n, *tree.order, n)))) / 6
        assert decoding.expected_quality(order, found, 0.0) == pytest.approx(earned[0], abs=1e-6)
        assert decoding.expected_quality(order, found, 1.0) == pytest.approx(earned[1], abs=1e-6)


def test_several_orders_differ() -> None:
    found = decoding.expectations(random_scores(6, 1), 6, canonical=False)
    for adjacency in (0.0, 0.5):
        orders = [
            tuple(order) for _, order in decoding.ranked_orders(found, 20, adjacency=adjacency, moves=True)
        ]
        assert len(set(orders)) == len(orders) == 20
        values = [decoding.expected_quality(order, found, adjacency) for order in orders]
        assert all(a >= b - 1e-6 for a, b in itertools.pairwise(values))


@pytest.mark.parametrize("canonical", [False, True])
def test_the_best_tree_of_an_order(canonical: bool) -> None:
    n = 5
    scores = random_scores(n, 7)
    field = slow.field(scores, n, canonical=canonical)
    for order in separable(n):
        some = [i for i, tree in enumerate(field.trees) if tree.order == tuple(order.order)]
        best = field.trees[max(some, key=lambda i: field.shares[i])]
        found = decoding.best_tree(scores, n, canonical=canonical, order=order)
        assert found.order() == order
        labels = [node.label for node in found.nodes()]
        assert labels == ["ROOT", *("P21" if op else "P12" for *_, op in best.edges)]
    crossing = Permutation.from_order([1, 3, 0, 2])
    assert decoding.best_tree(random_scores(4, 1), 4, canonical=False, order=crossing).order() == crossing


def test_few_words() -> None:
    for n in (0, 1):
        scores = np.zeros(0, np.float32)
        found = decoding.expectations(scores, n, canonical=False)
        assert decoding.ranked_orders(found, 3, adjacency=0.5, moves=True) == [(0.0, list(range(n)))]
        assert decoding.best_tree(scores, n, canonical=False).order() == Permutation.from_order(range(n))


def test_a_long_sentence_is_mixed_in_reasonable_time() -> None:
    found = decoding.expectations(random_scores(60, 5), 60, canonical=False)
    (_, best), *_ = decoding.ranked_orders(found, 1, adjacency=0.5, moves=True)
    (_, pairs), *_ = decoding.ranked_orders(found, 1, adjacency=0.0, moves=False)
    assert decoding.expected_quality(best, found, 0.5) >= decoding.expected_quality(pairs, found, 0.5) - 1e-5


def within(order: list[int], widest: int) -> bool:
    """Whether the order is a sequence of blocks of up to so many words that stay in place."""
    ends = [p for p in range(len(order) + 1) if set(order[:p]) == set(range(p))]
    return all(b - a <= widest for a, b in itertools.pairwise(ends))


@pytest.mark.parametrize("widest", [1, 2, 3, 5, 6, 7])
def test_words_move_within_a_number_of_neighbours(widest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    n = 6
    monkeypatch.setattr(decoding, "WIDEST", widest)
    allowed = [p.order.tolist() for p in separable(n) if within(p.order.tolist(), widest)]
    for adjacency, seed in itertools.product((0.0, 0.4), range(4)):
        found = decoding.expectations(random_scores(n, seed) * np.float32(2), n, canonical=False)
        values = [decoding.expected_quality(order, found, adjacency) for order in allowed]
        ranked = decoding.ranked_orders(found, 1000, adjacency=adjacency, moves=False)
        assert sorted(order for _, order in ranked) == sorted(allowed)
        best = decoding.expected_quality(ranked[0][1], found, adjacency)
        assert best == pytest.approx(max(values), abs=1e-9)


def test_a_very_long_sentence_takes_time_in_proportion_to_its_length() -> None:
    """Tables of 600 words whose parts stay in place: the order of each part is the one that it has alone."""
    size, count = 20, 30
    n = size * count
    part = decoding.expectations(random_scores(size, 3) * np.float32(4), size, canonical=False)
    inverted = np.kron(np.eye(count), np.triu(part.inverted, 1))
    following = np.zeros((n + 1, n + 1))
    following[:n, :n] = np.kron(np.eye(count), part.following[:-1, :-1])
    start = time.process_time()
    tables = decoding.Expectations(np.nan, inverted, following)
    ((_, order),) = decoding.ranked_orders(tables, 1, adjacency=0.3, moves=False)
    assert time.process_time() - start < 5  # half a second on an idle machine; hours if all values were kept
    parts = [[i - at for i in order[at : at + size]] for at in range(0, n, size)]
    assert parts[0] != sorted(parts[0]) and all(one == parts[0] for one in parts)


def test_tables_of_windows_are_joined() -> None:
    """Each pair comes from the window in which it is farthest from a cut; nothing is lost in one window."""
    n, size = 9, 6
    scores = {start: random_scores(size, start) for start in (0, 3)}
    windows = [(start, decoding.ScoredPiece(size, own)) for start, own in scores.items()]
    found = decoding.joined_expectations(decoding.ScoredWindows(n, windows), canonical=False)
    own = {start: decoding.expectations(each, size, canonical=False) for start, each in scores.items()}
    for a, b in itertools.combinations(range(n), 2):
        margins = {0: 6 - b, 3: a - 2}  # from the end of the first window, from the start of the second
        if max(a, b) >= 6 and min(a, b) < 3:
            expected = (0.0, 0.0, 0.0)
        else:
            best = 0 if max(a, b) < 6 and (min(a, b) < 3 or margins[0] >= margins[3]) else 3
            c, d = a - best, b - best
            expected = (own[best].inverted[c, d], own[best].following[c, d], own[best].following[d, c])
        assert (found.inverted[a, b], found.following[a, b], found.following[b, a]) == expected
    assert found.following[n, :size].tolist() == own[0].following[size, :size].tolist()
    assert found.following[3:n, n].tolist() == own[3].following[:size, size].tolist()
    assert not found.following[n, size:].any() and not found.following[:3, n].any()
    alone = decoding.joined_expectations(decoding.ScoredWindows(size, windows[:1]), canonical=False)
    assert (alone.inverted == own[0].inverted).all() and (alone.following == own[0].following).all()
