"""BEER with weights of its own: a copy is perfect, nothing beats it, length is judged evenly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder.errors import BadFile, BadSetting, UnknownName, WordOrderError
from wordorder.metrics import check_metric, metric, text_metric
from wordorder.metrics.beer.ranker import FORM, Ranker, read_ranker, scaled, views
from wordorder.metrics.segments import Matching
from wordorder.metrics.text import on_text

words = st.lists(st.sampled_from(["the", "Cat", "sat", "on", "mat", ".", "ö", "x"]), max_size=8).map(" ".join)


def test_contract() -> None:
    check_metric(on_text(metric("beer"), Matching()))


@settings(max_examples=100, deadline=None)
@given(words, words)
def test_a_copy_is_perfect_and_nothing_is_better(hypothesis: str, reference: str) -> None:
    made = text_metric("beer")
    assert made.sentence_score(reference, [reference]).score == 1.0
    assert 0.0 <= made.sentence_score(hypothesis, [reference]).score <= 1.0


@pytest.mark.parametrize("text", ["", "a", "hello", "你好", "🙂", "word " * 300, "x" * 100_000])
def test_odd_texts(text: str) -> None:
    made = text_metric("beer")
    assert made.sentence_score(text, [text]).score == 1.0
    for other in ("", "b"):
        assert 0.0 <= made.sentence_score(text, [other]).score <= 1.0
        assert 0.0 <= made.sentence_score(other, [text]).score <= 1.0
    with pytest.raises(WordOrderError):
        made.sentence_score("\ud800", ["a"])


def test_scores_by_hand() -> None:
    made = views("ngram1.sf1 len_disbalance_word.d")
    ranker = Ranker(made, (np.array([2.0, -1.0]), np.array([0.0, 0.0])), {}, 1.0)
    # F1 of 2 of 3 and 2 of 4 words: 4 / 7; lengths 3 and 4: 4 / 3 - 1.
    assert ranker.margins(["a b x"], ["a b c d"])[0] == pytest.approx(2 * (4 / 7 - 1) - 1 / 3)
    assert ranker.margins(["a b c d", ""], ["a b c d", ""]).tolist() == [0.0, 0.0]
    assert scaled(np.array([-1.0]), 2.0)[0] == pytest.approx(2 / (1 + np.exp(0.5)))


def test_a_longer_and_a_shorter_text_are_equally_far() -> None:
    """Features are symmetric: it does not matter which of two texts is the longer one."""
    ranker = read_ranker()
    assert all(
        "." in name and name.split(".")[1][0] in "absd"
        for view in ranker.views
        for name in view.features.names
    )
    text = "the cat sat on the old mat in the sun"
    longer = ranker.margins([text + " today again"], [text])[0]
    shorter = ranker.margins([text], [text + " today again"])[0]
    assert longer == pytest.approx(shorter, abs=0.35)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    data = read_ranker().as_data()
    path.write_bytes(orjson.dumps(data))
    again = text_metric(f"beer:model={path}")
    assert again.sentence_score("a b", ["a c"]) == text_metric("beer").sentence_score("a b", ["a c"])
    assert str(path) not in again.signature and path.stat().st_size < 200_000
    for change, message in (
        ({"form": "wordorder beer 9"}, "of this version"),
        ({"weights": {}}, "no weights"),
        ({"weights": {"cased:char1.a": "x"}}, "expected a number"),
        ({"weights": {"cased:char1.a": -1.0}}, "beat its own reference"),
        ({"weights": {"upper:char1.a": 1.0}}, "unknown feature"),
        ({"scale": 0}, "scale is 0"),
    ):
        bad = tmp_path / f"{message.replace(' ', '-')}.json"
        bad.write_bytes(orjson.dumps({**data, **change}))
        with pytest.raises(BadFile, match=message):
            text_metric(f"beer:model={bad}")
    broken = tmp_path / "broken.json"
    broken.write_text('{"form":')
    with pytest.raises(BadFile, match="is not JSON"):
        text_metric(f"beer:model={broken}")
    with pytest.raises(BadFile, match="cannot be read"):
        text_metric(f"beer:model={tmp_path / 'none.json'}")
    unknown = tmp_path / "unknown.json"
    unknown.write_bytes(orjson.dumps({"form": FORM, "weights": {"cased:nothing3.zz": 1.0}}))
    with pytest.raises((BadSetting, UnknownName, BadFile)):
        text_metric(f"beer:model={unknown}")
    with pytest.raises(BadSetting, match=r"compat=original is the mistake of version=2\.0"):
        metric("beer:compat=original")
