"""Runs of letters, and words that a lexicon does not know, against slow twins."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder.errors import WordOrderError
from wordorder.text.lexicon import PRIOR, SHARE, Lexicon, shipped_lexicon
from wordorder.text.pairs import Pairs
from wordorder.text.tokens import Words


def alone(letter: str) -> bool:
    """Han characters and kana."""
    name = unicodedata.name(letter, "")
    return (
        name.startswith(("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA", "KATAKANA"))
        or letter in "々〆〇"
    )


def follows(letter: str) -> bool:
    """Vowels and tones of Thai, Lao, Burmese and Khmer that do not stand alone."""
    return bool(re.match(OPEN, letter)) and (
        unicodedata.category(letter)[0] == "M" or letter in "\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3"
    )


OPEN = "[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17dd]"


def runs(text: str) -> list[str]:
    """Cut a text into runs of letters; each letter of Thai and of its neighbours is a run with its marks."""
    return [part for run in _runs(text) for part in _opened(run)]


def _opened(run: str) -> list[str]:
    found: list[str] = []
    for letter in run:
        was_open = bool(found) and bool(re.match(OPEN, found[-1][-1]))
        if found and (follows(letter) or not (re.match(OPEN, letter) or was_open)):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _runs(text: str) -> list[str]:
    found, word = [], ""
    for letter in text:
        inside = unicodedata.category(letter)[0] in "LMN" or letter in "\u200c\u200d"
        if inside and not alone(letter):
            word += letter
            continue
        found += [word] if word else []
        found += [letter] if inside else []
        word = ""
    return found + ([word] if word else [])


def test_all_characters_that_are_old_enough() -> None:
    """Every code point that Unicode 3.2 had, as this Python's Unicode has it."""
    points = [
        chr(p)
        for p in range(sys.maxunicode + 1)
        if unicodedata.ucd_3_2_0.category(chr(p)) not in ("Cn", "Co", "Cs") and chr(p) not in "\n\r"
    ]
    lines = [f"a{letter}b" for letter in points]
    table = Words("letters")
    tokens = table.encode(lines)
    words = np.array(table.words, dtype=object)
    wrong = [
        f"U+{ord(letter):04X}"
        for letter, line, ids in zip(points, lines, tokens, strict=True)
        if words[ids].tolist() != runs(line)
    ]
    halfwidth = {f"U+{p:04X}" for p in range(0xFF66, 0xFFA0)}  # kana of old screens: letters here
    assert set(wrong) <= halfwidth | {"U+3006"}


def test_clusters_of_scripts_without_spaces() -> None:
    table = Words("letters")
    (ids,) = table.encode(["เขาไปโรงเรียน Thai ภาษาลาว 12"])
    expected = ["เ", "ขา", "ไ", "ป", "โ", "ร", "ง", "เ", "รี", "ย", "น", "Thai", "ภา", "ษา", "ลา", "ว", "12"]
    assert [table.words[k] for k in ids] == expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aB1é ,.-'ß日本かカ한글हिन्दी\u200c_เรียนที่ສາ", max_size=30))
def test_runs(text: str) -> None:
    table = Words("letters")
    (ids,) = table.encode([text])
    assert [table.words[k] for k in ids] == runs(text)


def fours(word: str) -> list[str]:
    marked = f"^{word}$"
    return [marked[k : k + 4] for k in range(len(marked) - 3)]


def slow(lexicon: Lexicon, hypothesis: str, reference: str) -> list[float]:
    """The shares of the kernel, one word after the other."""
    seen = {four for word in lexicon.words for four in fours(word)}
    words = [
        [w for w in runs(t.lower()) if not any("0" <= c <= "9" for c in w)] for t in (hypothesis, reference)
    ]
    frequent = sum(word in lexicon.words[: lexicon.frequent] for word in words[1])
    unknown = strange = known = misspelt = 0
    strangeness = 0.0
    for word, times in (Counter(words[0]) - Counter(words[1])).items():
        if word in lexicon.words:
            known += times * (word in lexicon.words[: lexicon.text] and len(word) >= 4)
            continue
        if word[:4] in {other[:4] for other in words[1]}:
            misspelt += times
            continue
        unknown += times
        odd = [four not in seen for four in fours(word)]
        strange += times * any(odd)
        strangeness += times * sum(odd) / len(odd) if odd else 0.0
    own = (frequent + PRIOR) / (len(words[1]) + 1) > SHARE
    counts = [unknown * own, strange * own, strangeness * own, misspelt * own, known * (not own)]
    return [min(count / max(len(words[1]), 1), 1.0) for count in counts]


WORDS = ("the", "cat", "sat", "house", "mouse", "ünder", "paris")
texts = st.lists(
    st.sampled_from([*WORDS, "the", "houses", "кот", "x", "3rd", "Haus", "ÜNDER", "🙂", "."]), max_size=9
)


@settings(max_examples=200, deadline=None)
@given(texts, texts)
def test_shares_are_those_of_the_slow_twin(hypothesis: list[str], reference: list[str]) -> None:
    lexicon = Lexicon("en", WORDS, 3, 6)
    pair = " ".join(hypothesis), " ".join(reference)
    turned = Pairs(pair, np.array([0, 1, 0]), np.array([1, 0, 0]))  # the room of a pair serves the next one
    found = lexicon.foreign(turned, threads=2)
    for column, (h, r) in enumerate([(0, 1), (1, 0), (0, 0)]):
        assert found.shares[:, column] == pytest.approx(slow(lexicon, pair[h], pair[r]), abs=1e-12)


def test_shares_by_hand() -> None:
    lexicon = Lexicon("en", WORDS, 3, 6)
    found = lexicon.foreign(Pairs.of(["the кот sat here", "house paris der"], ["the cat sat", "das haus"]))
    assert found.unknown.tolist() == [pytest.approx(2 / 3), 0.0]
    assert found.foreign.tolist() == [0.0, 0.5]  # house is a word of texts, paris one that outputs added
    empty = lexicon.foreign(Pairs.of(["", "x", ""], ["", "", "the"]))
    assert np.isfinite(empty.unknown).all() and empty.unknown.tolist()[0] == 0.0


def test_packing() -> None:
    lexicon = Lexicon("en", WORDS, 3, 6)
    told, packed = lexicon.packed()
    assert Lexicon.unpacked(told, packed) == lexicon
    for change, message in (({"words": 3}, "not as described"), ({"frequent": 9}, "not as described")):
        with pytest.raises(WordOrderError, match=message):
            Lexicon.unpacked({**told, **change}, packed)
    with pytest.raises(WordOrderError, match="cannot be read"):
        Lexicon.unpacked(told, packed[:-3])


def test_the_shipped_words_are_english() -> None:
    words = set(shipped_lexicon().words)
    assert len(words) == len(shipped_lexicon().words) and words >= {
        "pandemic",
        "prefecture",
        "influenza",
        "a",
    }
    german = {"sind", "gibt", "etwas", "machen", "oder", "und", "nicht", "weil", "aber", "wurde", "jedoch"}
    french = {"est", "les", "des", "une", "avec", "être", "était", "mais", "cette"}
    assert not words & {*german, *french}
