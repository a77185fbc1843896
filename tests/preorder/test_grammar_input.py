"""What the Reordering Grammar is given and refuses, and what it says of sentences beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.preorder.test_grammar_training import SMALL, corpus
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting, WordOrderError
from wordorder.preorder import RunOptions, Source, TrainingData, as_sources, preorderer
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.grammar_counts import GrammarCounts
from wordorder.preorder.grammar.operators import OPERATORS, Layout
from wordorder.preorder.grammar.vocabulary import Vocabulary
from wordorder.preorder.outputs import DecodedBlock, OutputFormat


@pytest.mark.parametrize(
    "settings",
    [{"word_smoothing": float("inf")}, {"binary": "2"}, {"binary": 2.0}, {"iterations": True}, {"moves": 1},
     {"noise": float("nan")}, {"noise": "0.5"}, {"alpha": 0.2}],
)  # fmt: skip
def test_settings_of_the_wrong_kind_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match=next(iter(settings))):
        ReorderingGrammar(**settings)


def test_a_seed_is_a_whole_number() -> None:
    for given in ({"seed": -1}, {"seed": 1.5}, {"threads": 0}):
        with pytest.raises(BadSetting, match="training"):
            RunOptions(**given)  # type: ignore[arg-type]


def test_what_was_trained_cannot_be_changed_afterwards() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(40)))
    for settings in ({"binary": 9}, {"lowercase": True}, {"grammars": 2}):
        with pytest.raises(BadSetting, match="since the training and cannot be changed"):
            fitted.with_settings(**settings)
    assert fitted.with_settings(binary=SMALL.binary, word_smoothing=0.0).word_smoothing == 0


def test_a_scale_must_be_a_number() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(40)))
    for scale in (float("nan"), float("inf"), 0.0, -1.0):
        with pytest.raises(WordOrderError, match="do not fit"):
            fitted.restored(fitted.arrays(), {**fitted.trained, "scale": scale})


def test_words_are_checked_and_lists_of_them_will_do() -> None:
    sources, alignments = corpus(40)
    for word in ("x y", "x\ny", "", 7):
        bad = [Source((word,)), *sources[1:]]  # type: ignore[arg-type]
        with pytest.raises(BadSetting, match=r"sentence 1: .* is not a word"):
            SMALL.fit(TrainingData(bad, [Alignment(1, 1), *alignments[1:]]))
        with pytest.raises(BadSetting, match="is not a word"):
            as_sources([[word]])  # type: ignore[list-item]
    fitted = SMALL.fit(TrainingData([s.words for s in sources], alignments))  # type: ignore[misc]
    lists = [list(s.words) for s in sources]
    assert fitted.reorder(lists) == fitted.reorder(sources)
    assert preorderer("identity").reorder([["a", "b"]])[0].order == [0, 1]


def test_glued_sentences_are_known_and_have_no_probability() -> None:
    """A grammar that only knows sentences of two words."""
    layout = Layout.split(OPERATORS[:1], binary=1, nary=1)
    rules, lexical = np.zeros((layout.slot_count, 1)), np.ones((2, layout.slot_count))
    rules[-1] = 1
    lexical[:, -1] = 0
    learned = GrammarCounts.of_counts(layout, Vocabulary((" unknown", "a"), False), rules, lexical)
    plain = ReorderingGrammar(state_smoothing=0.0, word_smoothing=0.0, class_smoothing=0.0, back_off=False)
    made = plain.fitted([learned], {"seed": 1})
    sources = as_sources([["a", "a"], ["a", "a", "a"]])
    assert not made.glued
    orders = made.reorder_batch(sources)
    assert set(made.glued) == {("a", "a", "a")}
    found = made.log_probability_batch(sources, orders)
    assert found[0] == pytest.approx(0, abs=1e-5) and found[1] is None
    lines = OutputFormat(kind="nbest", k=1).lines(DecodedBlock(made, sources), 0)
    assert lines[1].endswith("||| -") and not lines[0].endswith("-")


def test_best_trees_are_as_many_orders_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many trees share an order: those of k trees are not k, unless one goes on."""
    fitted = SMALL.fit(TrainingData(*corpus(60))).with_settings(decoding="viterbi")
    words = tuple("bacd")
    trees = fitted.decoders[0].best_trees(words, 4)
    assert len({one.tree.order() for one in trees}) < 4
    assert len(fitted.nbest_batch([Source(words)], 4)[0]) == 4
    monkeypatch.setattr(type(fitted.decoders[0]), "precedence", None)  # the order alone needs no table
    assert fitted.reorder_batch([Source(words)])[0] == trees[0].tree.order()


def test_a_token_that_parts_fields_is_refused() -> None:
    with pytest.raises(WordOrderError, match=r"sentence 2: the word '\|\|\|'"):
        block = DecodedBlock(preorderer("identity"), as_sources([["a"], ["|||", "b"]]))
        OutputFormat(kind="nbest").lines(block, 0)


def test_a_block_is_ordered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = SMALL.fit(TrainingData(*corpus(40)))
    sources = corpus(5, seed=2)[0]
    expected = fitted.reorder_batch(sources)
    calls = []
    real = ReorderingGrammar.nbest_batch
    monkeypatch.setattr(
        ReorderingGrammar,
        "nbest_batch",
        lambda self, s, k: calls.append(k) or real(self, s, k),  # type: ignore[func-returns-value]
    )
    for kind in ("order", "text", "nbest", "tree", "factor"):
        block = DecodedBlock(fitted, sources)
        OutputFormat(kind=kind, k=3).lines(block, 0)
        assert block.orders == expected and len(calls) == 1, kind
        calls.clear()
