"""Each manipulation changes what it says, in every kind of script, and nothing else."""

from __future__ import annotations

import pytest

from wordorder.judge.manipulations import (
    CHANGES,
    FORGERIES,
    NEGATIONS,
    Change,
    Surroundings,
    blanks_doubled,
    case_changed,
    changed,
    copied_source,
    digits_changed,
    halves_exchanged,
    lengthened,
    negated,
    neighbours_swapped,
    repeated,
    shuffled,
    truncated,
    without_punctuation,
)
from wordorder.text.scripts import cut

ENGLISH = Surroundings("en", "die Quelle", ["some", "other", "words"])
LINE = "a1 b2 c3 d4 e5"


def done(change: Change, text: str, around: Surroundings = ENGLISH, seed: int = 1) -> str | None:
    return changed(text, change, around, seed=seed)


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (halves_exchanged, LINE, "d4 e5 a1 b2 c3"),
        (neighbours_swapped, LINE, "b2 a1 d4 c3 e5"),
        (halves_exchanged, "我爱北京。", "京。我爱北"),
        (truncated, LINE, "a1 b2 c3 d4"),
        (repeated, "a b", "a b a b"),
        (repeated, "我爱", "我爱我爱"),
        (without_punctuation, "«Well-known», (he) said: don’t…", "Well known he said dont"),
        (without_punctuation, "你好，世界。", "你好世界"),
        (case_changed, "The Cat", "the cat"),
        (case_changed, "the cat", "THE CAT"),
        (blanks_doubled, "a b", " a  b "),
        (negated, "he is not here", "he is here"),
        (negated, "he isn't here", "he is here"),
        (negated, "he cannot come", "he can come"),
        (negated, "he is in here", "he is not in here"),
        (digits_changed, "9 of 10, ٣", "0 of 21, ٤"),
        (copied_source, LINE, "die Quelle"),
        (halves_exchanged, "too short now", None),
        (truncated, "one", None),
    ],
)
def test_manipulations(change: Change, text: str, expected: str | None) -> None:
    assert done(change, text) == expected


@pytest.mark.parametrize(
    "text", [LINE, "我用Python 3.11写程序。", "เขาไปโรงเรียนทุกวัน", "나는 오늘 학교에 갔다."]
)
def test_shuffling_keeps_the_words(text: str) -> None:
    orders = {done(shuffled, text, seed=seed) for seed in range(8)}
    assert len(orders) > 1 and done(shuffled, text) == done(shuffled, text)
    assert {tuple(sorted(cut(order or ""))) for order in orders} == {tuple(sorted(cut(text)))}


def test_lengthening_adds_a_quarter() -> None:
    words = (done(lengthened, "a b c d e f g h") or "").split()
    assert len(words) == 10 and [w for w in words if len(w) == 1] == list("abcdefgh")
    assert done(lengthened, "a b c d", Surroundings("en", None, [])) is None


@pytest.mark.parametrize("language", NEGATIONS)
def test_negation_is_inserted_and_removed(language: str) -> None:
    around = Surroundings(language, None, [])
    more = done(negated, "a b c d", around)
    assert more is not None and more != "a b c d"
    assert done(negated, more, around) == "a b c d"
    assert done(negated, "a b c d", Surroundings("xx", None, [])) is None


def test_every_manipulation_takes_every_text() -> None:
    for change in (*FORGERIES.values(), *CHANGES.values()):
        for text in ("", " ", "x", "…", "\ud800 a b c d"):
            result = done(change, text)
            assert result is None or isinstance(result, str)
            assert result == done(change, text)  # the seed and the text decide
