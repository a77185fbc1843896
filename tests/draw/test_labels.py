import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.draw.labels import (
    columns,
    is_right_to_left,
    operator_label,
    shortened,
    text_width,
    visible,
)


@pytest.mark.parametrize("bad", ["\x00", "\n", "\t", "\x1b", "\x9b", "\x7f", "\u2028", "\u202e", "\u2066"])
def test_unsafe_characters_are_replaced(bad: str) -> None:
    assert visible(f"a{bad}b") == "a\ufffdb"


@pytest.mark.parametrize("bad", ["\ud800", "\ufffe", "\uffff", "\U0001ffff"])
def test_what_xml_forbids_is_replaced(bad: str) -> None:
    assert visible(bad) == "\ufffd"


@pytest.mark.parametrize("good", ["word", "می\u200cروم", "क्\u200dष", "👩\u200d🔧", "東京", "a\u00a0b", ""])
def test_other_characters_stay(good: str) -> None:
    assert visible(good) == good


@given(st.text())
def test_visible_keeps_length_and_can_be_encoded(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert visible(shown) == shown
    assert shown.encode("utf-8").decode("utf-8") == shown


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("東京", 4), ("ｶﾅ", 2), ("ＡＢ", 4), ("e\u0301", 1), ("한국어", 6), ("שָׁלוֹם", 4)],
)
def test_columns(text: str, width: int) -> None:
    assert columns(text) == width


def test_width_in_pixels_follows_size_and_columns() -> None:
    assert text_width("abc", 32) == 2 * text_width("abc", 16)
    assert text_width("東京", 16) >= 32  # a wide character is as wide as the type is high
    assert text_width("", 16) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("שלום", True), ("مرحبا", True), ("12 שלום", True), ("a שלום", False), ("12", False)],
)
def test_direction_is_that_of_the_first_letter(text: str, expected: bool) -> None:
    assert is_right_to_left(text) is expected


def test_operators() -> None:
    assert operator_label(tree([0, 1]).root) == "⟨1,2⟩"
    assert operator_label(tree([0, 1, 2, 3]).root) == "⟨1,2⟩×3"
    assert operator_label(tree([3, 2, 1, 0]).root) == "⟨2,1⟩×3"
    assert operator_label(tree([3, 2, 1, 0]).left().root) == "⟨2,1⟩"
    assert operator_label(tree([1, 3, 0, 2]).root) == "⟨2,4,1,3⟩"


def test_long_operators_are_shortened() -> None:
    assert shortened(Permutation(range(12))) == "⟨1,2,3,4,5,6,7,8,9,10,11,12⟩"
    primal = [6, 0, 7, 1, 8, 2, 9, 3, 10, 4, 11, 5]
    primal = [v + (v > 5) for v in primal[:6]] + [6] + [v + (v > 5) for v in primal[6:]]
    root = tree(primal).root
    assert root.kind == "prime"
    assert root.arity == 13
    assert operator_label(root) == "⟨8,1,…⟩ (13)"
