"""Spellings of the same text become one; everything else stays as it is."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest

from wordorder.errors import BadSetting, UnknownName
from wordorder.text import normalisation
from wordorder.text.normalisation import STANDARD, STEPS, lower, normalised

# language and phenomenon: two spellings of the same text, and the normalisation that unifies them
SPELLINGS = {
    "Vietnamese, separate accents": ("Việt Nam", unicodedata.normalize("NFD", "Việt Nam"), "standard"),
    "Chinese, full-width": ("2024年，GDP增长5%", "２０２４年,ＧＤＰ增长５％", "standard"),
    "Japanese, half-width": ("ガラスのコップ", "ｶﾞﾗｽのｺｯﾌﾟ", "standard"),
    "Japanese, wide space": ("東京 大阪", "東京　大阪", "standard"),
    "Korean, separate letters": ("한국어", unicodedata.normalize("NFD", "한국어"), "standard"),
    "Arabic, elongation": ("السلام عليكم", "الســـلام عليكــم", "standard"),
    "Arabic, positional forms": ("كتاب", "ﻛﺘﺎﺏ", "standard"),
    "Arabic, direction": ("مرحبا", "\u200fمرحبا\u200f", "standard"),
    "Arabic, alef and hamza": ("أحمد إلى آسيا", "احمد الى اسيا", "standard+alef"),
    "Arabic, separate hamza": ("أحمد", "ا\u0654حمد", "alef"),
    "Arabic, vowels": ("كَتَبَ الوَلَدُ", "كتب الولد", "standard+vowels"),
    "Hebrew, points": ("שָׁלוֹם", "שלום", "vowels"),
    "Persian, joiner": ("می\u200cخواهم", "میخواهم", "standard"),
    "Hindi, joiner": ("क्\u200dष", "क्ष", "standard"),
    "Hindi, letters with a dot": ("\u0958लम", "क\u093cलम", "standard"),
    "Hindi, nukta": ("\u0958लम", "कलम", "nukta"),
    "German, soft hyphen": ("Donaudampf", "Donau\u00addampf", "standard"),
    "compatibility": ("1⁄2 ... fi", "½ … ﬁ", "nfkc"),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings_become_one(name: str) -> None:
    first, second, steps = SPELLINGS[name]
    if "Chinese" in name:  # a full-width comma is one comma, whatever it looks like
        assert normalised([first], steps) == ["2024年,GDP增长5%"]
    assert normalised([first], steps) == normalised([second], steps)
    assert first != second == normalised([second], "none")[0]
    once = normalised([first, second], steps)
    assert normalised(once, steps) is once


@pytest.mark.parametrize(
    "line",
    [
        "Plain text.",
        "“Ça va” – très bien… ½",
        "Ελληνικά και Русский.",
        "中文，没有全角字母。",
        "हिन्दी में",
        "ﬁ ™ ²",
    ],
)
def test_usual_text_stays_as_it_is(line: str) -> None:
    lines = [line]
    changed = "，" in line  # full-width punctuation
    assert (normalised(lines, "standard") is lines) != changed


def test_steps_are_checked() -> None:
    with pytest.raises(UnknownName, match="arabic"):
        normalised(["é"], "standard+arabic")
    with pytest.raises(BadSetting, match="twice"):
        normalised(["é"], "standard+nfc")
    assert set(STANDARD) < set(STEPS)


def test_lower_case_of_turkish() -> None:
    assert lower("IŞIK İLE", "tr") == lower("IŞIK İLE", "az") == "ışık ile"
    assert lower("IŞIK İLE") == "işik ile"
    assert lower("ΣΊΣΥΦΟΣ", "el") == "σίσυφος"


def test_none_stands_alone() -> None:
    assert normalised(["ＡＢＣ"], "none") == ["ＡＢＣ"]
    with pytest.raises(BadSetting, match="none cannot be joined with other steps"):
        normalised(["ＡＢＣ"], "none+alef")


@pytest.mark.parametrize("name", normalisation._REMOVED)
def test_all_characters_of_a_class_are_removed_and_no_others(name: str) -> None:
    removed = re.compile(f"[{normalisation._REMOVED[name]}]")
    slow = {point for point in range(sys.maxunicode + 1) if removed.match(chr(point))}
    assert {point for point, new in normalisation._table(name).items() if new is None} == slow


def test_all_forms_of_unicode_are_unified() -> None:
    kinds = ((c, unicodedata.decomposition(chr(c)).split(" ")[0]) for c in range(sys.maxunicode + 1))
    assert set(normalisation._table("forms")) == {c for c, kind in kinds if kind in normalisation._POSITIONAL}
