"""Escaped words are words to Moses, and the words can be had back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import moses
from wordorder.text.escapes import EMPTY, escaped, unescaped

pieces = st.sampled_from([*"&|<>'\"[]#;*ab木\\", "&amp;", "&#124;", "&#42;", "*EPS*", EMPTY, "amp;", "#91;"])
words = st.lists(pieces, min_size=1, max_size=6).map("".join) | st.text(min_size=1)


@settings(max_examples=100, deadline=None)
@given(words)
def test_escapes_are_those_of_moses_and_can_be_undone(word: str) -> None:
    written = escaped(word)
    assert unescaped(written) == word
    assert escaped(word, "none") == word
    assert written != EMPTY
    if word != "*EPS*":
        assert written == moses.escape(word) and moses.unescape(written) == word


@pytest.mark.parametrize("word", ["|", "|||", "[X]", "<s>", "*EPS*", "'", "\\'", "a|b", EMPTY])
def test_hostile_words_are_words(word: str) -> None:
    moses.check_word(escaped(word))


def test_words_without_special_characters_stay() -> None:
    assert [escaped(word) for word in ("book", "木", "(", "-LRB-", "\\", "*")] == [
        "book", "木", "(", "-LRB-", "\\", "*",
    ]  # fmt: skip
    assert unescaped(EMPTY) == EMPTY
