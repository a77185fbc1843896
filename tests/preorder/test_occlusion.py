"""Which words made the difference: hidden one by one, and the same by hand."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

from tests.preorder.test_crf_features import SMALL, corpus
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.neural.words import SPECIAL, InputVocabulary
from wordorder.preorder import Source, load_preorderer, preorderer
from wordorder.preorder.base import expected_loss
from wordorder.preorder.crf.features import UNKNOWN, code
from wordorder.preorder.grammar import ReorderingGrammar, vocabulary
from wordorder.preorder.occlusion import Occlusion, occlude
from wordorder.preorder.probabilistic import HIDDEN, Probabilistic
from wordorder.preorder.training import TrainingData


@pytest.fixture(scope="module", params=["crf", "pieces", "grammar"])
def made(request: pytest.FixtureRequest) -> Probabilistic:
    sources, alignments = corpus(60)
    if request.param == "grammar":
        return ReorderingGrammar(binary=2, nary=1, iterations=2).fit(TrainingData(sources, alignments))
    fitted = SMALL.fit(TrainingData(sources, alignments))
    return fitted.with_settings(piece=4) if request.param == "pieces" else fitted


def by_hand(
    made: Probabilistic, source: Source, order: Permutation, i: int
) -> tuple[np.ndarray, float | None]:
    """The table and the probability without word i; only its piece is looked at anew."""
    table, log_prob, at = np.triu(np.ones((len(source),) * 2), 1), 0.0, 0
    for piece in made.pieces(source):
        end = at + len(piece)
        hidden = Source(tuple(HIDDEN if at + k == i else word for k, word in enumerate(piece.words)))
        table[at:end, at:end] = made.precedence_batch([hidden])[0]
        part = Permutation.from_order([int(k) - at for k in order.order[at:end]])
        found = made.log_probability_batch([hidden], [part])[0]
        assert found is not None
        log_prob += found
        at = end
    return table, log_prob


def test_what_is_lost_without_each_word(made: Probabilistic) -> None:
    for words in ("abcdef", "eabcc", "ab,cdef"):
        source = Source(tuple(words))
        (found,) = made.explain_batch([source])
        assert isinstance(found, Occlusion)
        order = made.reorder_batch([source])[0]
        table = made.precedence_batch([source])[0]
        assert found.order == order == found.tree.order()
        assert found.loss == pytest.approx(expected_loss(order, table))
        (log_prob,) = made.log_probability_batch([source], [order])
        assert found.log_prob == pytest.approx(log_prob)
        for i in range(len(source)):
            without, log_without = by_hand(made, source, order, i)
            assert found.rises[i] == pytest.approx(expected_loss(order, without) - found.loss, abs=1e-6)
            if log_prob is not None and math.isfinite(log_prob):
                assert found.falls[i] == pytest.approx(log_prob - log_without, abs=1e-4)
            for node in found.moved:
                turned = [
                    (b, a)
                    for a, b in itertools.combinations(range(node.begin, node.end), 2)
                    if order.ranks[a] > order.ranks[b]
                    and not any(begin <= a and b < end for begin, end in node.parts)
                ]
                mean = np.mean([table[pair] for pair in turned])
                assert node.precedence == pytest.approx(mean, abs=1e-6)
                lost = mean - np.mean([without[pair] for pair in turned])
                assert node.falls[i] == pytest.approx(lost, abs=1e-6)
        read = [(table[a, b], a, b) for a, b in itertools.combinations(order, 2)]
        assert [share for *_, share in found.uncertain] == pytest.approx([row[0] for row in sorted(read)[:5]])


def test_the_word_that_moves_is_the_reason() -> None:
    """In the training text a and b go behind the next word, whatever it is."""
    fitted = SMALL.fit(TrainingData(*corpus(200)))
    for words in ("eafdc", "fdbe"):
        (found,) = fitted.explain_batch([Source(tuple(words))])
        (node,) = found.moved  # type: ignore[attr-defined]
        assert words[node.reasons[0]] in "ab" and node.operator.operator > 0.5
        assert found.notes[node.begin, node.end] == f"{node.operator.operator:.2f}"


def test_a_hidden_word_is_nothing_in_particular(made: Probabilistic) -> None:
    assert HIDDEN == SPECIAL[0] == vocabulary.UNKNOWN
    lexicon = InputVocabulary((*SPECIAL, "a"))
    assert (lexicon.number(HIDDEN), lexicon.ngrams(HIDDEN)) == (0, [])
    if isinstance(made, ReorderingGrammar):
        words = made.decoders[0].vocabulary
        assert words.words[words.number(HIDDEN)] == vocabulary.UNKNOWN
    else:
        codes = made.scorer.codes  # type: ignore[attr-defined]
        names = ["word", "class0", "class1", "end", "begin"]
        assert list(codes.codes(HIDDEN)) == [code(name, UNKNOWN) for name in names]


def test_text_and_plain_data(made: Probabilistic) -> None:
    for words in ((), ("a",), ("a", "e"), ("a", "a", "e", "d"), tuple("abcdefab,")):
        found = occlude(made, Source(words))
        data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
        assert data["words"] == list(words) and len(data["without"]) == len(words)
        assert sorted(data["order"]) == list(range(len(words)))
        text = found.to_text()
        assert text.startswith(" ".join(words) + "\n") and text.endswith("\n")
        assert ("nothing changed places" in text) == (not found.moved)
    assert "a/1" in text and "a/7" in text and "b/8" in text and "c " in text


def test_those_without_reasons_say_so() -> None:
    with pytest.raises(BadSetting, match="identity cannot explain its orders"):
        preorderer("identity").explain_batch([Source(("a",))])


def test_a_model_that_comes_with_the_package() -> None:
    words = ["he", "bought", "a", "red", "car", "."]
    (found,) = load_preorderer("en-ja-crf").explain_batch([Source(tuple(words))])
    assert isinstance(found, Occlusion)
    assert found.order.apply(words) == ["he", "a", "red", "car", "bought", "."]
    assert words[found.moved[0].reasons[0]] == "bought"
    assert set(found.certainty) == {(b, e) for b, e, node in found.tree.spans() if node.label != "ROOT"}
