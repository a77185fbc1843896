"""Words without a counterpart are carried by others, and last marks by the end of the sentence."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from wordorder.core.permutation import Permutation
from wordorder.data import sample
from wordorder.preorder import Preorderer, Source, load_preorderer
from wordorder.preorder.average import Average
from wordorder.preorder.base import expected_loss
from wordorder.preorder.crf import NeuralCRF, decoding
from wordorder.preorder.crf.carried_words import carry
from wordorder.preorder.crf.decoding import ScoredPiece, ScoredWindows, expected_gain

SPOKEN = 'he said : " i have seen the man who lives in the big house ? ! "'
TEXT = Source(tuple(SPOKEN.split()), target="ja")


def test_words_of_windows_are_carried_by_words_that_stay_and_the_last_mark_by_the_end() -> None:
    nothing = np.zeros(20, np.float32)
    first, last = ScoredPiece(4, nothing, {1: 2, 3: 4}), ScoredPiece(4, nothing, {0: 1, 3: 4})
    windows = ScoredWindows(6, [(0, first), (2, last)])
    # Word 2 carries word 1 in the first window, and is carried in the last one. The first has no end.
    assert windows.carried == {1: 3, 2: 3, 5: 6}
    assert carry([5, 3, 0, 1, 2, 4], windows.carried) == [1, 2, 3, 0, 4, 5]


@pytest.mark.parametrize("settings", [{}, {"window": 20}, {"piece": 20, "window": 0}, {"min_linked": 0.6}])
def test_a_shipped_network_leaves_the_last_mark_at_the_end(settings: dict[str, Any]) -> None:
    lines = sample("text.en").read_text("utf-8").lower().splitlines()
    text = [line.split() for line in lines if line.endswith((" .", " ?", " !"))]
    text.append([*" , and ".join(" ".join(words[:-1]) for words in text).split(), "."])
    model = load_preorderer("en-multi-crf", language="ko", **settings)
    for words, reordered in zip(text, model.reorder(text), strict=True):
        assert reordered.words[-1] == words[-1] and sorted(reordered.words) == sorted(words)
    assert len(text) > 5 and len(text[-1]) > 40


@pytest.mark.parametrize("settings", [{}, {"min_linked": 0.6}, {"decoding": "probable"}])
def test_lists_are_as_long_as_wanted_although_orders_become_one(settings: dict[str, Any]) -> None:
    words = "i have seen the man who lives in the big house near the river ."
    text = words.split()
    for name in ("en-multi-crf", "en-multi-average"):
        own = {} if name == "en-multi-average" else settings
        model = load_preorderer(name, language="ja", **own)
        found = [reordering.words for reordering in model.nbest(text, k=10)]
        assert len({tuple(words) for words in found}) == 10
        assert all(words[-1] == "." for words in found) and found[0] == model.reorder(text).words


def models(**settings: Any) -> list[NeuralCRF | Average]:
    network = load_preorderer("en-multi-crf", language="ja", min_linked=0.6, **settings)
    assert isinstance(network, NeuralCRF)
    settings.pop("decoding", None)
    return [network, Average(members="en-multi-crf:min_linked=0.6+0.5*rules:en-ja@ja", **settings)]


def test_the_tables_of_a_certain_order_are_those_of_the_order_with_carried_words() -> None:
    rng = np.random.default_rng(1)
    carried = {1: 3, 2: 3, 5: 6, 8: 10, 9: 10}  # 10 is the end
    for _ in range(20):
        order = rng.permutation(10).tolist()
        found = decoding.SentenceTables(
            decoding.expectations_of_order(Permutation.from_order(order)), carried
        )
        expected = decoding.expectations_of_order(Permutation.from_order(carry(order, carried)))
        assert np.array_equal(found.final.inverted, expected.inverted)
        assert found.final.following == pytest.approx(expected.following, abs=1e-7)


@pytest.mark.parametrize("adjacency", [0.0, 0.3])
def test_the_orders_of_least_loss_among_all_with_carried_words(adjacency: float) -> None:
    rng = np.random.default_rng(2)
    carried = {0: 2, 1: 2, 5: 6}
    for _ in range(20):
        free = decoding.Expectations(0.0, np.triu(rng.random((6, 6)), 1), rng.dirichlet(np.ones(7), size=7))
        tables = decoding.SentenceTables(free, carried)
        found = decoding.carried_orders(tables, 9, adjacency=adjacency, moves=False)
        orders = [
            carry([*kept, *carried], carried) for kept in itertools.permutations([2, 3, 4])
        ]  # trees of three words have all orders
        if adjacency:
            best = carry(decoding.ranked_orders(free, 1, adjacency=adjacency, moves=False)[0][1], carried)
            orders.sort(key=lambda order: -decoding.expected_quality(order, tables.final, adjacency))
            orders = [best, *(order for order in orders if order != best)]
        assert [order for _, order in found] == (orders if adjacency else [order for _, order in sorted(
            decoding.ranked(orders, tables.final.inverted))])  # fmt: skip


@pytest.mark.parametrize(
    "settings", [{}, {"adjacency": 0.0}, {"decoding": "probable"}, {"decoding": "viterbi"}]
)
def test_tables_losses_and_trees_are_those_of_the_orders_that_come_out(settings: dict[str, Any]) -> None:
    for model in models(**settings):
        (table,) = model.precedence_batch([TEXT])
        assert (table[:-3, -3:] == 1).all() and table[-3, -2] == table[-2, -1] == 1
        (found,) = model.nbest_batch([TEXT], 8)
        assert len(found) == 8
        for one in found:
            assert one.order.order[-3:].tolist() == [*range(len(TEXT) - 3, len(TEXT))]
            assert one.loss == pytest.approx(expected_loss(one.order, table))
        known = [-(one.log_prob or 0.0) for one in found]
        shown = known if settings.get("decoding") == "probable" else [one.loss for one in found]
        if (model.ranks_by_loss or settings.get("decoding") == "probable") and isinstance(model, NeuralCRF):
            assert shown == sorted(shown)
        assert model.trees_batch([TEXT])[0].order() == found[0].order == model.reorder_batch([TEXT])[0]


def test_explanations_show_the_orders_that_come_out() -> None:
    for model in models():
        shown: Any = model.explain(TEXT)
        (best,) = model.nbest_batch([TEXT], 1)[0]
        assert shown.order == best.order and shown.loss == pytest.approx(best.loss)
        marks = set(range(len(TEXT) - 3, len(TEXT)))
        assert not any({before, after} & marks for before, after, _ in shown.uncertain)


def test_the_gain_is_that_of_the_order_with_carried_words() -> None:
    for model in models():
        (order,) = model.reorder_batch([TEXT])
        (tables,) = model.sentence_tables([TEXT])
        gain = expected_gain(order.order.tolist(), tables.final, model.adjacency)
        assert gain > 0 and gain != expected_gain(order.order.tolist(), tables.free, model.adjacency)
        assert _with_min_gain(model, gain - 1e-9) == order
        assert _with_min_gain(model, gain + 1e-9) == Permutation.identity(len(TEXT))


def _with_min_gain(model: Preorderer, least: float) -> Permutation:
    return model.with_settings(min_gain=least).reorder_batch([TEXT])[0]


@pytest.mark.parametrize("text", [".", "? !", ". . \"", "a .", "a ? ! )"])  # fmt: skip
def test_sentences_of_last_marks(text: str) -> None:
    source = Source(tuple(text.split()), target="ja")
    for adjacency in (0.0, 0.3):
        for model in models(adjacency=adjacency):
            assert model.reorder_batch([source]) == [Permutation.identity(len(source))]
            assert len(model.nbest_batch([source], 5)[0]) == 1
