"""The grammar text of the original program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.preorder.test_grammar_training import SMALL, corpus, random_tables
from wordorder.errors import BadFile, BadSetting
from wordorder.preorder import Source
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.operators import OPERATORS
from wordorder.preorder.grammar.text_format import read_grammar, write_grammar
from wordorder.preorder.grammar.vocabulary import Vocabulary
from wordorder.preorder.training import TrainingData


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    tables = random_tables(len(OPERATORS), binary=2, nary=1, seed=1, words=6)
    words = Vocabulary((" unknown", " unknown 0A", "*", "a", "new york", "|||"), True)
    path = str(tmp_path / "grammar.gz")
    write_grammar(tables, words, path)
    again, vocabulary, _ = read_grammar(path)
    assert vocabulary == words and again.layout == tables.layout
    assert np.array_equal(again.rules, tables.rules) and np.array_equal(again.lexical, tables.lexical)


def test_a_grammar_read_back_orders_the_same(tmp_path: Path) -> None:
    fitted = SMALL.fit(TrainingData(*corpus(60)))
    path = str(tmp_path / "grammar.txt")
    fitted.to_text(path)
    again = ReorderingGrammar.from_text(path)
    sources = [*corpus(30, seed=8)[0], Source(("never", "a", "b"))]
    assert again.reorder_batch(sources) == fitted.reorder_batch(sources)
    lines = Path(path).read_text().splitlines()
    assert lines[0].startswith("NONTERMS ||| ROOT P12 P21") and lines[-1].startswith("SPLIT ||| ")
    assert "RULE ||| P12_0 -> P12*1_0 P12*2_0 ||| 1.0" in lines
    assert "RULE ||| tag_a -> 'a' ||| 1.0" in lines


ORIGINAL = """\
NONTERMS ||| ROOT P21 P21_0 P21*1_0 P21*2_0 tag_a tag_b
RULE ||| ROOT -> P21_0 ||| 1.0
RULE ||| P21_0 -> P21*1_0 P21*2_0 ||| 1.0
RULE ||| P21*1_0 -> tag_a ||| 0.5
RULE ||| P21*1_0 -> tag_[[[a___b]]] ||| 0.5
RULE ||| P21*2_0 -> tag_b ||| 1.0
RULE ||| tag_a -> 'a' ||| 1.0
RULE ||| tag_[[[a___b]]] -> tag_a tag_b ||| 1.0
SPLIT ||| P21 ||| P21_0
"""


def test_phrases_of_a_grammar_are_used(tmp_path: Path) -> None:
    """The original never used its phrases in decoding, and read longer operators the wrong way round."""
    path = tmp_path / "grammar"
    path.write_text(ORIGINAL)
    made = ReorderingGrammar.from_text(str(path))
    assert made.reorder_batch([Source(("a", "b", "b"))])[0].order.tolist() == [2, 0, 1]
    path.write_text(
        "RULE ||| ROOT -> P2413_0 ||| 1\n"
        + "".join(f"RULE ||| P2413*{k}_0 -> tag_{w} ||| 1\n" for k, w in enumerate("abcd", start=1))
    )
    made = ReorderingGrammar.from_text(str(path)).with_settings(decoding="viterbi")
    assert made.reorder_batch([Source(tuple("abcd"))])[0].order.tolist() == [2, 0, 3, 1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("RULE ||| P12*1_0 -> tag_a\n", 1),
        ("NONTERMS ||| x\nRULE ||| P12*1_0 -> tag_a ||| two\n", 2),
        ("RULE ||| P12*1_0 -> P99_0 ||| 0.5\n", 1),
        ("RULE ||| P12*1_0 -> house ||| 0.5\n", 1),
        ("something else\n", 1),
        ("", None),
    ],
)
def test_bad_lines_are_named(text: str, line: int | None, tmp_path: Path) -> None:
    path = tmp_path / "grammar"
    path.write_text(text)
    with pytest.raises(BadFile) as error:
        read_grammar(str(path))
    assert error.value.line == line


def test_classes_and_letters_survive_the_text(tmp_path: Path) -> None:
    """Several classes of unknown words, and lower case: both orders and probabilities stay."""
    sources, alignments = corpus(80)
    ends = ("ing", "ed", "")
    odd = [
        Source(tuple(f"{w}{k}x{ends[k % 3]}" if i % 2 else w for i, w in enumerate(s.words)))
        for k, s in enumerate(sources)
    ]
    fitted = replace(SMALL, lowercase=True).fit(TrainingData(odd, alignments))
    assert len(fitted.learned[0].vocabulary.classes) > 2
    path = str(tmp_path / "grammar.txt")
    fitted.to_text(path)
    again = ReorderingGrammar.from_text(path)
    assert again.lowercase
    np.testing.assert_allclose(again.decoders[0].tables.lexical, fitted.decoders[0].tables.lexical, rtol=1e-5)
    np.testing.assert_allclose(again.decoders[0].tables.rules, fitted.decoders[0].tables.rules, rtol=1e-5)
    loud = [Source(tuple(w.upper() for w in s.words)) for s in odd]
    assert again.reorder_batch(loud) == fitted.reorder_batch(loud)


def test_a_mixture_is_not_cut_down_silently(tmp_path: Path) -> None:
    fitted = replace(SMALL, grammars=2).fit(TrainingData(*corpus(40)))
    path = str(tmp_path / "grammar.txt")
    with pytest.raises(BadSetting, match="mixes 2 grammars"):
        fitted.to_text(path)
    with pytest.raises(BadSetting, match="0 to 1"):
        fitted.to_text(path, grammar=2)
    fitted.to_text(path, grammar=1)
    tables = ReorderingGrammar.from_text(path).decoders[0].tables
    np.testing.assert_allclose(tables.rules, fitted.decoders[1].tables.rules, rtol=1e-5)
