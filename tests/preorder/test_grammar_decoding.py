"""Decoding under a Reordering Grammar, against enumeration of all derivations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.oracle import grammar as slow
from tests.preorder.test_grammar_training import SMALL, corpus, random_tables
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder import RunOptions, Source, TrainingData, as_sources, check_preorderer, load_preorderer
from wordorder.preorder.base import expected_loss
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.operators import OPERATORS
from wordorder.preorder.grammar.tables import Tables

Phrases = list[tuple[int, int, int]]


def decoder(tables: Tables) -> _native.GrammarDecoder:
    return _native.GrammarDecoder(tables.layout.native, tables.rules, tables.lexical)


def precedence(inverted: np.ndarray) -> np.ndarray:
    upper = np.triu(inverted, 1)
    return np.triu(np.ones_like(upper), 1) - upper + upper.T


def cases() -> list[tuple[Tables, list[int], Phrases]]:
    """Grammars with binary operators, with all of four, and with all; sentences with and without phrases."""
    rng = np.random.default_rng(4)
    made: list[tuple[Tables, list[int], Phrases]] = []
    for seed, (operators, binary, nary, n) in enumerate(
        [(4, 3, 1, 2), (4, 3, 1, 4), (4, 2, 1, 5), (6, 1, 3, 5), (6, 2, 1, 5), (12, 1, 1, 6), (12, 1, 2, 5)]
    ):
        words = rng.integers(4, size=n).tolist()
        phrases: Phrases = [(1, 3, 2), (0, n, 3)] if n > 3 and seed % 2 else []
        made.append((random_tables(operators, binary=binary, nary=nary, seed=seed), words, phrases))
    return made


@pytest.fixture(scope="module", params=range(len(cases())))
def case(request: pytest.FixtureRequest) -> tuple[Tables, list[int], Phrases, list[slow.Derivation]]:
    tables, words, phrases = cases()[request.param]
    return tables, words, phrases, slow.Enumerator(tables, words, phrases).all()


Case = tuple[Tables, list[int], Phrases, list[slow.Derivation]]


def test_probability_and_precedence_are_sums_over_derivations(case: Case) -> None:
    tables, words, phrases, every = case
    inverted, _, log_probability, glued = decoder(tables).consensus(words, phrases, 1, False)
    assert not glued
    assert log_probability == pytest.approx(np.log(sum(d.probability for d in every)), rel=1e-5)
    np.testing.assert_allclose(precedence(inverted), slow.precedence(every, len(words)), atol=3e-6)


def without_words(tree: slow.Node | slow.Leaf) -> slow.Node | slow.Leaf:
    if isinstance(tree, slow.Leaf):
        return tree._replace(word=0)
    return tree._replace(children=tuple(without_words(child) for child in tree.children))


def test_best_derivations_come_in_order(case: Case) -> None:
    tables, words, phrases, every = case
    expected = sorted(((d.probability, without_words(d.tree)) for d in every), key=lambda x: -x[0])
    k = min(len(every), 300)
    found = decoder(tables).best(words, phrases, k)
    assert len(found) == k
    np.testing.assert_allclose([score for score, _ in found], np.log([p for p, _ in expected[:k]]), atol=1e-4)
    probability = {tree: p for p, tree in expected}
    trees = [slow.read_tree(tables, nodes) for _, nodes in found]
    assert len(set(trees)) == k
    for (score, _), tree in zip(found, trees, strict=True):
        assert score == pytest.approx(np.log(probability[tree]), abs=1e-4)


def test_there_are_no_more_derivations_than_there_are() -> None:
    tables, words, phrases = cases()[1]
    every = slow.Enumerator(tables, words, phrases).all()
    assert len(decoder(tables).best(words, phrases, len(every) + 100)) == len(every)


def test_samples_have_the_frequencies_of_the_grammar(case: Case) -> None:
    tables, words, phrases, every = case
    total = sum(d.probability for d in every)
    share: dict[tuple[int, ...], float] = {}
    for d in every:
        order = tuple(slow.order(d.tree))
        share[order] = share.get(order, 0.0) + d.probability / total
    count = 20000
    drawn = decoder(tables).sample(words, phrases, count, 5)
    assert np.array_equal(drawn, decoder(tables).sample(words, phrases, count, 5))
    orders, times = np.unique(drawn, axis=0, return_counts=True)
    seen = {tuple(o): t / count for o, t in zip(orders.tolist(), times.tolist(), strict=True)}
    assert set(seen) <= set(share)
    for order, p in share.items():
        assert seen.get(order, 0.0) == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / count) + 1e-4)


def test_the_probability_of_an_order_is_the_sum_over_its_derivations(case: Case) -> None:
    tables, words, phrases, every = case
    share: dict[tuple[int, ...], float] = {}
    for d in every:
        order = tuple(slow.order(d.tree))
        share[order] = share.get(order, 0.0) + d.probability
    orders = list(itertools.permutations(range(len(words))))
    together = decoder(tables).log_order_probabilities(words, phrases, np.array(orders, np.int32))
    for order, found in zip(orders, together.tolist(), strict=True):
        alone = decoder(tables).log_order_probabilities(words, phrases, np.array([order], np.int32))
        assert alone.tolist() == [found]
        if order in share:
            assert found == pytest.approx(np.log(share[order]), rel=1e-5)
        else:
            assert found == -np.inf


def separable(n: int) -> list[Permutation]:
    every = [Permutation.from_order(p) for p in itertools.permutations(range(n))]
    return [p for p in every if Forest(p).flat.max_arity <= 2]


@pytest.mark.parametrize("seed", range(6))
def test_consensus_is_the_least_loss(seed: int) -> None:
    """All orders of a sentence under a random table: those of binary operators in order of their loss."""
    rng = np.random.default_rng(seed)
    tables = random_tables(12, binary=2, nary=1, seed=seed)
    words = rng.integers(4, size=6).tolist()
    inverted, found, _, _ = decoder(tables).consensus(words, [], 1000, False)
    table = precedence(inverted)
    expected = sorted(expected_loss(p, table) * 15 for p in separable(6))
    assert len(found) == len(expected) == 394
    assert len({tuple(order) for _, order in found}) == 394
    np.testing.assert_allclose([loss for loss, _ in found], expected, atol=1e-9)
    for loss, order in found:
        assert loss == pytest.approx(expected_loss(Permutation.from_order(order), table) * 15)
    (best, order), *rest = decoder(tables).consensus(words, [], 1, False)[1]
    assert not rest and (best, order) == found[0]


def test_moves_reach_what_longer_operators_build() -> None:
    """A grammar that loves <2,4,1,3>: its order is not in reach of binary operators."""
    from wordorder.preorder.grammar.operators import Layout

    layout = Layout.split(OPERATORS[:6], binary=1, nary=1)
    rules = np.zeros((layout.slot_count, layout.state_count), dtype=np.float32)
    lexical = np.full((1, layout.slot_count), 0.5, dtype=np.float32)
    rules[-1, 4] = 1
    rules[:, 0] = 0.01
    tables = Tables(layout, rules, lexical)
    plain = decoder(tables).consensus([0] * 4, [], 1, False)[1][0]
    better = decoder(tables).consensus([0] * 4, [], 1, True)[1][0]
    assert better[1] == [2, 0, 3, 1] and better[0] < plain[0]  # child k goes to place 2, 4, 1, 3


def test_moves_never_raise_the_loss() -> None:
    rng = np.random.default_rng(1)
    for seed in range(20):
        tables = random_tables(12, binary=1, nary=2, seed=seed)
        words = rng.integers(4, size=9).tolist()
        inverted, (plain,), _, _ = decoder(tables).consensus(words, [], 1, False)
        (better,) = decoder(tables).consensus(words, [], 1, True)[1]
        assert better[0] <= plain[0] + 1e-12
        assert better[0] == pytest.approx(
            expected_loss(Permutation.from_order(better[1]), precedence(inverted)) * 36
        )


def test_glue_joins_in_order_what_does_not_parse() -> None:
    tables = random_tables(4, binary=2, nary=1, seed=1)
    lexical = tables.lexical.copy()
    lexical[3] = 0
    bare = Tables(tables.layout, tables.rules, lexical)
    for words in ([3, 0, 3], [3, 3], [0, 1, 2, 3, 3, 1]):
        inverted, ((_, order),), log_probability, glued = decoder(bare).consensus(words, [], 1, True)
        assert glued and np.isfinite(log_probability) and sorted(order) == list(range(len(words)))
        assert np.isfinite(inverted).all() and (inverted >= 0).all() and (inverted <= 1).all()
    assert decoder(bare).consensus([3, 3], [], 1, True)[1][0][1] == [0, 1]


def test_long_sentences_keep_their_range() -> None:
    tables = random_tables(12, binary=3, nary=1, seed=8)
    words = np.random.default_rng(1).integers(4, size=130).tolist()
    inverted, ((loss, order),), log_probability, glued = decoder(tables).consensus(words, [], 1, True)
    assert not glued and np.isfinite(log_probability) and log_probability < -100
    assert loss == pytest.approx(
        expected_loss(Permutation.from_order(order), precedence(inverted)) * 130 * 129 / 2
    )


def test_wrong_numbers_are_refused() -> None:
    made = decoder(random_tables(4, binary=1, nary=1, seed=1))
    with pytest.raises(ValueError, match="word number"):
        made.consensus([0, 9], [], 1, True)
    with pytest.raises(ValueError, match="phrase"):
        made.consensus([0, 1], [(0, 3, 0)], 1, True)


def test_the_contract_of_a_preorderer() -> None:
    check_preorderer(SMALL)


def test_long_sentences_are_cut_at_punctuation() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(60))).with_settings(piece=6)
    source = Source((*"abc,defghabcd",))
    (found,) = fitted.nbest_batch([source], 5)
    (table,) = fitted.precedence_batch([source])
    assert {i for i in found[0].order[:4]} == {0, 1, 2, 3} and (table[:4, 4:] == 1).all()
    assert found[0].order == fitted.reorder_batch([source])[0]
    assert len({one.order for one in found}) == len(found) == 5
    for one in found:
        assert one.loss == pytest.approx(expected_loss(one.order, table))


def test_a_compact_model_orders_alike() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(100)))
    small = fitted.compact(0.05)
    assert small.arrays()["lexical_values"].dtype == np.float16
    assert len(small.arrays()["lexical_values"]) < len(fitted.arrays()["lexical_values"])
    sources = corpus(40, seed=3)[0]
    same = [a == b for a, b in zip(fitted.reorder_batch(sources), small.reorder_batch(sources), strict=True)]
    assert np.mean(same) > 0.9


def test_several_grammars_are_mixed(tmp_path: object) -> None:
    from dataclasses import replace

    from wordorder.errors import BadSetting
    from wordorder.preorder import TrainingData

    sources, alignments = corpus(60)
    made = replace(SMALL, grammars=3)
    fitted = made.fit(TrainingData(sources, alignments), RunOptions(checkpoint=f"{tmp_path}/checkpoint"))
    check_preorderer(fitted)
    members = [replace(fitted, grammars=1).fitted([one], fitted.trained) for one in fitted.learned]
    tables = [one.precedence_batch(sources[:9]) for one in members]
    for s, table in enumerate(fitted.precedence_batch(sources[:9])):
        np.testing.assert_allclose(table, np.mean([t[s] for t in tables], axis=0))
    assert not np.array_equal(fitted.learned[0].rules, fitted.learned[1].rules)
    fitted.save(f"{tmp_path}/model")
    again = load_preorderer(f"{tmp_path}/model")
    assert again.reorder_batch(sources) == fitted.reorder_batch(sources)
    with pytest.raises(BadSetting, match="one grammar"):
        replace(SMALL, grammars=2, decoding="viterbi")


@pytest.mark.parametrize("decoding", ["sample", "viterbi"])
def test_other_ways_of_decoding(decoding: str) -> None:
    fitted = SMALL.fit(TrainingData(*corpus(60))).with_settings(decoding=decoding, samples=300)
    if decoding == "sample":
        check_preorderer(fitted)
    sources = [*corpus(20, seed=4)[0], Source(()), Source(("a",)), Source(("new", "a", "b", "c"))]
    exact = fitted.with_settings(decoding="consensus")
    orders = fitted.reorder_batch(sources)
    assert [tree.order() for tree in fitted.trees_batch(sources)] == orders
    for source, order, best, several in zip(
        sources, orders, exact.nbest_batch(sources, 1), fitted.nbest_batch(sources, 4), strict=True
    ):
        assert several[0].order == order and len({one.order for one in several}) == len(several)
        (table,) = exact.precedence_batch([source])
        assert best[0].loss <= expected_loss(order, table) + 1e-6


def test_log_probabilities_of_orders_add_up() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(60)))
    source = Source(tuple("bacd"))
    orders = [Permutation.from_order(p) for p in itertools.permutations(range(4))]
    found = fitted.log_probability_batch([source] * 24, orders)
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-3)
    assert 2 <= sum(p > -np.inf for p in found) <= 22  # not those of operators that were never seen


def turned(order: Permutation) -> int:
    return sum(a > b for a, b in itertools.combinations(order, 2))


@pytest.mark.parametrize("level", [0.5, 0.3, 0.7])
def test_ties_leave_words_in_place_whatever_k(level: float) -> None:
    """The best order is the same for every k; of orders with the same loss it turns the fewest pairs."""
    rng = np.random.default_rng(5)
    for n in (2, 3, 5, 6):
        for _ in range(20):
            table = np.triu(rng.choice([0.5, level, 1 - level], size=(n, n)), 1)
            (one,), several = (_native.orders_of_table(table, k, False, 0) for k in (1, 5))
            assert one == several[0]
            whole = precedence(table)
            losses = [(round(expected_loss(p, whole) * n * (n - 1) / 2, 6), turned(p)) for p in separable(n)]
            assert (round(one[0], 6), turned(Permutation.from_order(one[1]))) == min(losses)
            found = [(round(loss, 6), turned(Permutation.from_order(order))) for loss, order in several]
            assert found == sorted(losses)[:5]
    flat = np.triu(np.full((9, 9), 0.5), 1)
    assert _native.orders_of_table(flat, 1, True, 0)[0][1] == list(range(9))


def test_best_trees_of_a_fitted_grammar() -> None:
    """Different trees with falling probability; the first is the best tree's."""
    sources = as_sources([["a", "b", "c"]] * 6 + [["c", "b", "a"]] * 4)
    links = [Alignment(3, 3, [(0, 0), (1, 1), (2, 2)])] * 6 + [Alignment(3, 3, [(0, 2), (1, 1), (2, 0)])] * 4
    made = ReorderingGrammar(binary=2, nary=1, rare=0, iterations=3).fit(TrainingData(sources, links))
    (found,) = made.best_trees([sources[0]], 4)
    chances = [one.log_probability for one in found]
    assert len({one.tree for one in found}) == len(found) > 1
    assert chances == sorted(chances, reverse=True)
    best = made.with_settings(decoding="viterbi").reorder_batch([sources[0]])[0]
    assert found[0].tree.order() == best
    with pytest.raises(BadSetting, match="k is 0"):
        made.best_trees([sources[0]], 0)
