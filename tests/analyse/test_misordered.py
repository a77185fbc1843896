"""Misplaced words by form and part of speech."""

from __future__ import annotations

import pytest

from tests.analyse.corpora import compared
from wordorder.analyse.buckets import TestSettings as Settings
from wordorder.analyse.misordered import compare_tags, misordered_words, reference_tags
from wordorder.errors import WordOrderError
from wordorder.text.parses import Parse, ParseTable


def test_words_are_grouped_by_form():
    sentences = compared([["a b c", "A b"]], [["c a b", "a b x"]])
    groups = {group.name: group for group in misordered_words(sentences.systems[0])}
    assert set(groups) == {"a", "b", "c"}  # x is not matched
    assert groups["c"].wrong == 1.0 and groups["a"].count == 2 and groups["a"].wrong == 0.25


def table(text, forms, tags):
    made = ParseTable()
    heads = (0, *range(1, len(forms)))
    made.add(Parse(tuple(forms), heads, ("root", *["dep"] * (len(forms) - 1))), text=text, tags=tuple(tags))
    return made


def test_parts_of_speech_are_those_of_the_reference():
    text = "I don't know."
    sentences = compared([[text]], [["know don't I ."], ["I don't know ."]])
    parses = table(text, ["I", "do", "n't", "know", "."], ["PRON", "AUX", "PART", "VERB", "PUNCT"])
    tags = reference_tags(sentences, [text], parses)
    assert tags == [["PRON", "AUX", "VERB", "PUNCT"]]
    found = {bucket.label: bucket.results for bucket in compare_tags(sentences, tags, Settings(samples=0))}
    assert {tag: results[0][0].score for tag, results in found.items()} == pytest.approx(
        {"PRON": 1 / 3, "AUX": 1 / 3, "VERB": 1 / 3, "PUNCT": 1.0}
    )
    assert {results[1][0].score for results in found.values()} == {1.0}


def test_a_parse_of_another_text_is_an_error():
    sentences = compared([["a long text"]], [["a"]])
    with pytest.raises(WordOrderError, match="fewer letters"):
        reference_tags(sentences, ["a long text"], table("a long text", ["a"], ["DET"]))
