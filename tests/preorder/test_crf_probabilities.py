"""Probabilities of orders, pairs and nodes under the forest CRF, against all trees one by one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from tests.oracle import crf as slow
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder import Source
from wordorder.preorder.crf import FeatureCRF, decoding, forest
from wordorder.preorder.crf.decoding import (
    OrderProbabilities,
    ScoredPiece,
    SentenceScores,
    best_tree,
    log_agreement,
    operator_probabilities,
)
from wordorder.preorder.long_sentences import precedence_table


def random_scores(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=2 * forest.edge_count(n)) * 1.5).astype(np.float32)


class Drawn:
    """Scores that follow from the words: the same words always have the same."""

    def scores(self, sources: Sequence[Source]) -> list[SentenceScores]:
        return [SentenceScores(random_scores(len(one), sum(map(ord, "".join(one.words))))) for one in sources]

    def arrays(self) -> dict[str, np.ndarray]:
        return {}


def drawn(**settings: object) -> FeatureCRF:
    return FeatureCRF(**settings).fitted(Drawn(), {"seed": 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("canonical", [False, True])
def test_pairs_are_summed_over_all_trees_that_have_them(canonical: bool) -> None:
    rng = np.random.default_rng(0)
    for n, seed in itertools.product((2, 4, 5), range(4)):
        scores = random_scores(n, seed)
        field = slow.field(scores, n, canonical=canonical)
        for _ in range(4):
            order = rng.permutation(n)
            every = list(itertools.combinations(order.tolist(), 2))
            pairs = [pair for pair in every if rng.random() < 0.5]
            agree = [set(pairs) <= set(itertools.combinations(tree.order, 2)) for tree in field.trees]
            expected = float(field.shares[agree].sum())
            found = math.exp(log_agreement([ScoredPiece(n, scores)], pairs, canonical=canonical))
            assert found == pytest.approx(expected, abs=1e-6)
            assert np.array_equal(
                forest.pair_weights(n, every) == 0, forest.order_weights(Permutation.from_order(order)) == 0
            )


@pytest.mark.parametrize("canonical", [False, True])
def test_nodes_are_as_probable_as_their_trees(canonical: bool) -> None:
    for n, seed in itertools.product((2, 5), range(3)):
        scores = random_scores(n, seed)
        field = slow.field(scores, n, canonical=canonical)
        tree = best_tree(scores, n, canonical=canonical)
        found = operator_probabilities([ScoredPiece(n, scores)], tree, canonical=canonical)
        nodes = [(b, e, int(node.label == "P21")) for b, e, node in tree.spans() if node.label != "ROOT"]
        assert len(nodes) == n - 1 == len(found)
        for begin, end, op in nodes:
            spans = sum(
                share
                for one, share in zip(field.trees, field.shares, strict=True)
                if any((i, j) == (begin, end) for i, _, j, _ in one.edges)
            )
            both = sum(
                share
                for one, share in zip(field.trees, field.shares, strict=True)
                if any((i, j, o) == (begin, end, op) for i, _, j, o in one.edges)
            )
            assert found[begin, end] == pytest.approx((spans, both / spans), abs=1e-5)


def test_probabilities_of_n_best_orders() -> None:
    made = drawn()
    source = Source(tuple("abcde"))
    ((scores, _),) = made.scorer.scores([source])
    field = slow.field(scores, 5)
    (found,) = made.nbest_batch([source], 1000)
    assert len(found) >= 90  # all that binary trees build, and some that moves found
    for one in found:
        expected = float(field.shares[[tree.order == tuple(one.order.order) for tree in field.trees]].sum())
        assert one.log_prob is not None
        assert math.exp(one.log_prob) == pytest.approx(expected, abs=1e-6)
    assert made.log_probability_batch([source] * len(found), [one.order for one in found]) == [
        one.log_prob for one in found
    ]
    crossing = Permutation.from_order([1, 3, 0, 2, 4])
    assert made.log_probability_batch([source], [crossing]) == [-math.inf]


def test_a_sentence_in_pieces_is_the_product_of_its_pieces() -> None:
    made, whole = drawn(piece=3), drawn()
    words = tuple("ab,cd,efg")
    source = Source(words)
    parts = [Source(part) for part in (words[:3], words[3:6], words[6:])]
    assert [one.words for one in made.pieces(source)] == [one.words for one in parts]
    orders = [
        Permutation.from_order([2, 0, 1]),
        Permutation.from_order([0, 2, 1]),
        Permutation.from_order([2, 1, 0]),
    ]
    joined = Permutation.from_order([i + 3 * p for p, order in enumerate(orders) for i in order.order])
    expected = sum(p or 0.0 for p in whole.log_probability(parts, orders))
    assert made.log_probability_batch([source], [joined]) == [pytest.approx(expected)]
    mixed = Permutation.from_order([3, *range(3), *range(4, 9)])
    assert made.log_probability_batch([source], [mixed]) == [None]
    inside, across = [(2, 0), (6, 8)], [(2, 4)]
    expected = sum(whole.agreement([parts[0], parts[2]], [[(2, 0)], [(0, 2)]]))
    assert made.agreement([source], [inside + across]) == [pytest.approx(expected)]
    assert made.agreement([source], [[(4, 2)]]) == [-math.inf]
    assert made.agreement([source], [[]]) == [0.0]
    for one in made.nbest_batch([source], 7)[0]:
        assert one.log_prob == pytest.approx(OrderProbabilities(
            made._scored([source])[0], canonical=False).of(one.order))  # fmt: skip
    (tree,) = made.trees_batch([source])
    assert tree.order() == made.reorder_batch([source])[0]
    assert len(tree.children) == 3 and len(made.operators([source], [tree])[0]) == 6
    assert all(0 <= p <= 1 for node in made.operators([source], [tree])[0].values() for p in node)


def test_a_long_sentence_in_windows_is_ordered_as_a_whole() -> None:
    source = Source(tuple("abcdefghijk"))
    whole = drawn()
    (exact,) = whole.reorder_batch([source])
    assert whole.with_settings(window=11, piece=5).in_pieces().window == 0
    made = whole.with_settings(window=6, piece=4)
    (order,), (tree,), (table,) = (
        made.reorder_batch([source]), made.trees_batch([source]), made.precedence_batch([source])
    )  # fmt: skip
    assert tree.order() == order != made.in_pieces().reorder_batch([source])[0]
    ((tables,),) = made.expectations([source])
    best = decoding.ranked_orders(tables, 1, adjacency=made.adjacency, moves=False)[0][1]
    assert order.order.tolist() == best
    assert (table == precedence_table([tables.inverted])).all()
    (found,) = made.nbest_batch([source], 5)
    assert found[0].order == order and len({one.order for one in found}) == 5
    assert [one.log_prob for one in found] == made.log_probability_batch(
        [source] * 5, [one.order for one in found]
    )
    assert [belief.log_prob for belief in made.beliefs([source], [order])] == [found[0].log_prob]
    # Other ways of decoding need trees, so they use pieces.
    viterbi = made.with_settings(decoding="viterbi")
    assert viterbi.reorder_batch([source]) == viterbi.in_pieces().reorder_batch([source])
    assert whole.with_settings(window=11).reorder_batch([source]) == [exact]


def test_nothing_and_one_word() -> None:
    made = drawn()
    sources = [Source(()), Source(("a",))]
    orders = [Permutation.identity(0), Permutation.identity(1)]
    assert made.log_probability_batch(sources, orders) == [0.0, 0.0]
    assert [found[0].log_prob for found in made.nbest_batch(sources, 5)] == [0.0, 0.0]
    assert made.agreement(sources, [[], []]) == [0.0, 0.0]
    assert made.operators(sources, made.trees_batch(sources)) == [{}, {}]


def test_temperature_divides_scores() -> None:
    source = Source(tuple("abcde"))
    ((scores, _),) = drawn().scorer.scores([source])
    field = slow.field(scores / 3, 5)
    hot = drawn(temperature=3.0)
    order = Permutation.from_order([1, 0, 2, 4, 3])
    expected = float(field.shares[[tree.order == tuple(order.order) for tree in field.trees]].sum())
    (found,) = hot.log_probability_batch([source], [order])
    assert found is not None and math.exp(found) == pytest.approx(expected, abs=1e-6)
    assert np.triu(hot.precedence_batch([source])[0].T, 1) == pytest.approx(slow.inverted(field, 5), abs=1e-6)
    with pytest.raises(BadSetting, match="temperature is 0"):
        FeatureCRF(temperature=0.0)
