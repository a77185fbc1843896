"""N-best lists hold the best orders that a model derives: compared with all orders of short sentences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from wordorder.core.alignment import Alignment
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.preorder import RunOptions, Source, TrainingData, preorderer
from wordorder.preorder.base import Preorderer, expected_loss
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.mixture import MixedPiece

PLAIN = "back_off=false,state_smoothing=0,word_smoothing=0,class_smoothing=0"  # nothing is smoothed


@pytest.fixture(scope="module")
def data() -> TrainingData:
    """Sentences in which a and b often go to the end, and c to the beginning."""
    rng = np.random.default_rng(4)
    sources, alignments = [], []
    for _ in range(60):
        n = int(rng.integers(2, 8))
        words = tuple(rng.choice(list("abcdefgh"), n).tolist())
        wish = [{"a": 2.5, "b": 2.5, "c": -2.5}.get(word, 0) * rng.integers(2) for word in words]
        places = np.argsort(np.argsort([i + w for i, w in enumerate(wish)], kind="stable")).tolist()
        sources.append(Source(words))
        links = [(i, place) for i, place in enumerate(places) if rng.random() < 0.9]
        alignments.append(Alignment(n, n, links))
    return TrainingData(sources, alignments)


@pytest.fixture(scope="module")
def sentences() -> list[Source]:
    rng = np.random.default_rng(5)
    return [
        Source(tuple(rng.choice(list("abcdefgh"), n).tolist())) for n in (2, 3, 4, 5, 6) for _ in range(5)
    ]


def grammar(data: TrainingData, grammars: int) -> ReorderingGrammar:
    method = preorderer(f"grammar:rare=0,binary=3,nary=1,iterations=12,grammars={grammars},{PLAIN}")
    fitted = method.fit(data, RunOptions(seed=2))
    assert isinstance(fitted, ReorderingGrammar)
    return fitted


def every_order(model: Preorderer, source: Source) -> list[tuple[float, float, Permutation]]:
    """All orders that binary operators build and that have a probability: loss, log probability, order."""
    (table,) = model.precedence_batch([source])
    orders = [Permutation.from_order(order) for order in itertools.permutations(range(len(source)))]
    log_probs = model.log_probability_batch([source] * len(orders), orders)
    found = []
    for one, log_prob in zip(orders, log_probs, strict=True):
        if Forest(one).flat.max_arity <= 2 and log_prob is not None and log_prob > -np.inf:
            found.append((expected_loss(one, table), log_prob, one))
    return found


@pytest.mark.parametrize("grammars", [1, 3])
def test_lists_are_the_least_losses_among_possible_orders(
    data: TrainingData, sentences: list[Source], grammars: int
) -> None:
    model = grammar(data, grammars).with_settings(moves=False)
    impossible = 0
    for source in sentences:
        every = sorted(every_order(model, source), key=lambda one: one[0])
        if source.words in model.glued:
            continue
        for k in (1, 4, 12):
            (found,) = model.nbest_batch([source], k)
            binary = [one for one in found if Forest(one.order).flat.max_arity <= 2]
            assert len(found) <= k and all(
                one.log_prob is not None and one.log_prob > -np.inf for one in found
            )
            assert len(binary) == len(found) or len(every) < k  # longer operators only fill the list
            expected = [loss for loss, _, _ in every[:k]]
            assert [one.loss for one in binary] == pytest.approx(expected, abs=1e-6)
            known = {order: p for _, p, order in every}
            assert all(one.log_prob == pytest.approx(known[one.order]) for one in binary)
            (anything,) = model.with_settings(possible=False).nbest_batch([source], k)
            impossible += sum(one.log_prob == -np.inf for one in anything)
    assert impossible > 20  # with ``possible=false`` the lists hold orders that the grammar does not derive


@pytest.mark.parametrize("spec", ["", "crf"])
@pytest.mark.parametrize("grammars", [1, 3])
def test_the_most_probable_orders(
    data: TrainingData, sentences: list[Source], grammars: int, spec: str
) -> None:
    """Short sentences have fewer orders than are looked at, so the most probable ones are found."""
    if spec and grammars > 1:
        pytest.skip("one CRF")
    model: Preorderer = (
        preorderer(f"{spec}:epochs=2,tune_min_gain=false").fit(data) if spec else grammar(data, grammars)
    )
    model = model.with_settings(decoding="probable")
    assert not model.ranks_by_loss
    for source in sentences:
        every = sorted(every_order(model, source), key=lambda one: -one[1])
        if source.words in model.glued or len(source) > 5:  # 90 orders of five words
            continue
        (found,) = model.nbest_batch([source], 6)
        assert model.reorder_batch([source]) == [found[0].order]
        log_probs = [one.log_prob for one in found]
        assert log_probs == sorted(log_probs, key=lambda p: -(p or 0.0))
        binary = [one.log_prob for one in found if Forest(one.order).flat.max_arity <= 2]
        assert binary == pytest.approx([p for _, p, _ in every[: len(binary)]], abs=1e-5)


def test_moves_do_not_lead_out_of_the_possible_orders(data: TrainingData) -> None:
    model = grammar(data, 1)
    for source in data.sources[:30]:
        (first, *_) = model.nbest_batch([source], 5)[0]
        assert source.words in model.glued or (first.log_prob or 0.0) > -np.inf
        assert model.reorder_batch([source]) == [first.order]


def test_a_list_without_derived_orders_is_completed_by_the_best_trees(
    data: TrainingData, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = grammar(data, 1)
    source = next(source for source in data.sources if len(source) > 6)
    monkeypatch.setattr(MixedPiece, "_derived", lambda self, orders: [])
    (found,) = model.nbest_batch([source], 5)
    assert len({one.order for one in found}) == len(found) > 1
    assert all(one.log_prob is not None and one.log_prob > -np.inf for one in found)
    assert [one.loss for one in found] == sorted(one.loss for one in found)


def test_sentences_without_a_derivation_have_orders_without_probability() -> None:
    pairs = [(Source(("a", "b")), Alignment(2, 2, [(0, 1), (1, 0)]))] * 5
    model = grammar(TrainingData(*map(list, zip(*pairs, strict=True))), 1)  # type: ignore[arg-type]
    for decoding in ("consensus", "probable"):
        changed = model.with_settings(decoding=decoding)
        glued, derived = changed.nbest_batch([Source(("b", "b", "a")), Source(("a", "b"))], 4)
        assert [one.log_prob for one in glued] == [None] * 4
        assert [one.order.order.tolist() for one in derived] == [[1, 0]]
        assert [one.log_prob for one in derived] == pytest.approx([0.0], abs=1e-6)


def test_lists_of_crfs_hold_orders_of_binary_trees(data: TrainingData) -> None:
    model = preorderer("crf:epochs=2,adjacency=0").fit(data)
    for source in data.sources[:20]:
        (found,) = model.nbest_batch([source], 8)
        assert all(one.log_prob is not None and one.log_prob > -np.inf for one in found)
        assert [one.order for one in found] == [
            one.order for one in model.with_settings(possible=False, moves=False).nbest_batch([source], 8)[0]
        ]
