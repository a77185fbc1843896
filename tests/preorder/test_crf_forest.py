"""The forest CRF's charts, against enumeration of all trees."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.oracle import crf as slow
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.crf import forest

LENGTHS = [3, 0, 5, 1, 6, 2, 4]


def random_scores(lengths: list[int], seed: int, scale: float = 2.0) -> np.ndarray:
    total = sum(2 * forest.edge_count(n) for n in lengths)
    return np.random.default_rng(seed).normal(size=total) * scale


def random_alignment(n: int, rng: np.random.Generator) -> Alignment:
    links = {(int(rng.integers(n)), int(rng.integers(n + 1))) for _ in range(n)} if n else set()
    return Alignment(n, n + 1, sorted(links))


def parts(values: np.ndarray, lengths: list[int]) -> list[np.ndarray]:
    return np.split(values, np.cumsum([2 * forest.edge_count(n) for n in lengths])[:-1])


@pytest.mark.parametrize("n", range(8))
def test_edges_are_numbered_as_said(n: int) -> None:
    every = slow.numbered(n)
    assert forest.edge_count(n) * 2 == len(every)
    assert [(i, k, j) for i, k, j, op in every if op == 0] == [tuple(row) for row in forest.edges(n).tolist()]
    for (i, k, j, op), at in every.items():
        assert 2 * forest.edge_index(n, i, k, j) + op == at


def test_each_order_has_one_canonical_tree() -> None:
    for n, orders, trees in [(1, 1, 1), (2, 2, 2), (3, 6, 8), (4, 22, 40), (5, 90, 224)]:
        every = list(slow.trees(0, n))
        canonical = list(slow.trees(0, n, canonical=True))
        assert len(every) == trees and len(canonical) == orders
        assert {t.order for t in canonical} == {t.order for t in every}


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize(("kind", "close"), [(np.float64, 1e-10), (np.float32, 1e-5)])
def test_sums_and_posteriors(canonical: bool, kind: type, close: float) -> None:
    scores = random_scores(LENGTHS, 1).astype(kind)
    log_z, found = forest.posteriors(scores, LENGTHS, canonical=canonical, threads=2)
    assert found.dtype == kind
    for n, z, some, given in zip(LENGTHS, log_z, parts(found, LENGTHS), parts(scores, LENGTHS), strict=True):
        expected = slow.field(given, n, canonical=canonical)
        assert z == pytest.approx(expected.log_z, abs=close * 10)
        np.testing.assert_allclose(some, slow.posteriors(expected, n), atol=close)


@pytest.mark.parametrize("canonical", [False, True])
def test_tables_of_order_and_of_neighbours(canonical: bool) -> None:
    for n in range(1, 7):
        scores = random_scores([n], n)
        expected = slow.field(scores, n, canonical=canonical)
        log_z, inverted, following = _native.crf_tables(scores, n, canonical)
        assert log_z == pytest.approx(expected.log_z)
        np.testing.assert_allclose(np.triu(inverted, 1), slow.inverted(expected, n), atol=1e-10)
        np.testing.assert_allclose(following, slow.neighbours(expected, n), atol=1e-10)


@pytest.mark.parametrize("canonical", [False, True])
def test_the_best_tree(canonical: bool) -> None:
    for n, seed in itertools.product(range(7), range(3)):
        scores = random_scores([n], seed)
        expected = slow.field(scores, n, canonical=canonical)
        best, edges = _native.crf_best_tree(scores, n, canonical)
        assert tuple(edges) == expected.trees[int(expected.shares.argmax())].edges
        assert best == pytest.approx(np.log(expected.shares.max()) + expected.log_z)


@pytest.mark.parametrize("canonical", [False, True])
def test_the_gradient_is_the_loss_s(canonical: bool) -> None:
    rng = np.random.default_rng(5)
    lengths = [5, 2, 4]
    scores = random_scores(lengths, 2)
    alignments = [random_alignment(n, rng) for n in lengths]
    weights = forest.log_weights(alignments, 0.7, stay=0.1).astype(np.float64)

    def loss(at: np.ndarray) -> float:
        return float(forest.loss_and_gradient(at, lengths, weights, canonical=canonical)[0].sum())

    _, gradient = forest.loss_and_gradient(scores, lengths, weights, canonical=canonical)
    for at in range(len(scores)):
        step = np.zeros_like(scores)
        step[at] = 1e-5
        assert gradient[at] == pytest.approx((loss(scores + step) - loss(scores - step)) / 2e-5, abs=1e-8)


def test_weights_are_counts_of_pairs() -> None:
    """A tree's weight is what its order gets wrong; the sum over edges counts every pair once."""
    rng = np.random.default_rng(3)
    for n in (2, 3, 4, 5):
        place = slow.numbered(n)
        for _ in range(5):
            one = random_alignment(n, rng)
            wrong, moved = forest.misordered([one], attach=False)
            _, detached = forest.misordered([one])
            for tree in slow.trees(0, n):
                assert sum(wrong[place[e]] for e in tree.edges) == slow.wrong_pairs(one, tree.order)
                assert sum(moved[place[e]] for e in tree.edges) == slow.moved_pairs(one, tree.order)
                assert sum(detached[place[e]] for e in tree.edges) == slow.detached_pairs(one, tree.order)


def test_infinite_strength_is_the_hard_forest() -> None:
    rng = np.random.default_rng(11)
    usable = 0
    for n in (2, 3, 4, 5, 5, 5, 5):
        one = random_alignment(n, rng)
        scores = random_scores([n], n)
        weights = forest.log_weights([one], np.inf, stay=0).astype(np.float64)
        losses, gradient = forest.loss_and_gradient(scores, [n], weights)
        whole = slow.field(scores, n)
        good = np.array([slow.agrees(one, tree.order) for tree in whole.trees])
        if not good.any():
            assert losses[0] == np.inf and not gradient.any()
            continue
        usable += 1
        share = whole.shares[good].sum()
        assert losses[0] == pytest.approx(-np.log(share))
        hard = slow.Field(
            0.0, [t for t, keep in zip(whole.trees, good, strict=True) if keep], whole.shares[good] / share
        )
        np.testing.assert_allclose(gradient, slow.posteriors(whole, n) - slow.posteriors(hard, n), atol=1e-10)
        soft, _ = forest.loss_and_gradient(
            scores, [n], forest.log_weights([one], 60.0, stay=0).astype(np.float64)
        )
        assert soft[0] == pytest.approx(losses[0])
    assert usable > 3
    crossed = Alignment(4, 4, [(0, 1), (1, 3), (2, 0), (3, 2)])  # needs an operator of four
    scores = random_scores([4], 1)
    losses, gradient = forest.loss_and_gradient(
        scores, [4], forest.log_weights([crossed], np.inf).astype(np.float64)
    )
    assert losses[0] == np.inf and not gradient.any()


@pytest.mark.parametrize("canonical", [False, True])
def test_the_probability_of_an_order(canonical: bool) -> None:
    n = 5
    scores = random_scores([n], 9)
    found = slow.field(scores, n, canonical=canonical)
    share: dict[tuple[int, ...], float] = {}
    for tree, p in zip(found.trees, found.shares, strict=True):
        share[tree.order] = share.get(tree.order, 0.0) + p
    for order in itertools.permutations(range(n)):
        p = forest.log_probability(scores, Permutation.from_order(order), canonical=canonical)
        if order in share:
            assert p == pytest.approx(np.log(share[order]))
        else:
            assert p == -np.inf


def test_long_sentences_and_large_scores_keep_their_range() -> None:
    scores = random_scores([90], 4, scale=300.0)
    log_z, found = forest.posteriors(scores, [90])
    assert np.isfinite(log_z).all() and np.isfinite(found).all()
    assert found.sum() == pytest.approx(89)


def test_misuse_is_told() -> None:
    with pytest.raises(BadSetting, match="strength is -1"):
        forest.log_weights([Alignment(1, 1)], -1)
    with pytest.raises(ValueError, match="do not fit"):
        forest.posteriors(np.zeros(3), [2])
