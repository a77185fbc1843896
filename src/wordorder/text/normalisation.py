"""Spellings of the same text, unified before words are compared.

A normalisation is a name: ``none``, ``standard``, or steps joined by ``+``, such as ``nfkc+alef``. Each
step changes characters of its own scripts only; ``standard`` consists of steps that never change what a
reader sees, so that text in Latin letters as it is usually stored stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import is_
from typing import Literal

from wordorder.errors import BadSetting, UnknownName
from wordorder.text.languages import language_code

STANDARD = ("invisible", "forms", "elongation", "nfc")
_ARABIC_VOWELS = "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
_HEBREW_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
# Steps that remove characters, by the characters as a class of a regular expression.
_REMOVED = {
    # soft hyphens, zero-width spaces and joiners, marks of direction, byte order marks
    "invisible": "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff",
    "elongation": "\u0640\u07fa",  # the Arabic tatweel, and that of N'Ko
    "vowels": _ARABIC_VOWELS + _HEBREW_POINTS,
    "nukta": "\u093c\u09bc\u0a3c\u0abc\u0b3c",
}
_HAMZA = dict.fromkeys("\u0653\u0654\u0655")  # as separate characters
_ALEF = {**_HAMZA, "آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ى": "ي", "ؤ": "و", "ئ": "ي"}
_POSITIONAL = ("<wide>", "<narrow>", "<initial>", "<medial>", "<final>", "<isolated>")
# The wide space, and the blocks of Arabic, half-width and full-width forms: all that have such forms.
_FORMS = "\u3000\ufb50-\ufdff\ufe70-\ufefe\uff00-\uffef"
_COMPOSING: dict[str, Literal["NFC", "NFKC"]] = {"nfc": "NFC", "nfkc": "NFKC"}
# What the steps do; characters are replaced before letters are composed.
STEPS: dict[str, str] = {
    "invisible": "removes characters without a shape: joiners, marks of direction, soft hyphens",
    "forms": "unifies full-width and half-width forms, and positional forms of Arabic letters",
    "elongation": "removes the Arabic tatweel, which only stretches a word",
    "vowels": "removes Arabic and Hebrew vowel signs",
    "alef": "unifies Arabic alef and hamza spellings, and final ya without dots",
    "nukta": "removes the dot below of Devanagari and related scripts",
    "nfc": "composes letters and accents (Unicode NFC)",
    "nfkc": "also replaces compatibility characters, such as ligatures, ½ and … (Unicode NFKC)",
}
DOTTED = ("tr", "az")  # languages in which I is the capital of ı, and İ that of i


def normalised(lines: Sequence[str], steps: str) -> Sequence[str]:
    """Return the lines after normalisation; the very same object if none of them changes.

    >>> normalised(["ＡＢＣ １２３", "ｶﾞﾗｽ"], "standard")
    ['ABC 123', 'ガラス']
    >>> normalised(["كتــاب", "أحمد"], "standard+alef")
    ['كتاب', 'احمد']
    """
    if steps == "none":
        return lines
    if all(map(str.isascii, lines)):
        return lines
    change = _changer(steps)
    changed = [line if line.isascii() else change(line) for line in lines]
    return lines if all(map(is_, changed, lines)) else changed


def check_steps(steps: str) -> None:
    """Raise an error for an unknown normalisation."""
    if steps != "none":
        _names(steps)


def lower(text: str, language: str = "en") -> str:
    """Return the text in lower case, by the rules of the language.

    The capital İ becomes i in all languages: the two characters that Unicode prescribes outside
    Turkish would match no word.

    >>> lower("ISPARTA İZMİR", "tr"), lower("ISPARTA İZMİR")
    ('ısparta izmir', 'isparta izmir')
    """
    if language in DOTTED:
        text = text.replace("I", "ı")
    return text.replace("İ", "i").lower() if "İ" in text else text.lower()


@cache
def folding(language: str) -> str:
    """Return the code of the language if it has rules of its own for lower case, else ``en``.

    >>> folding("turkish"), folding("de")
    ('tr', 'en')
    """
    code = language_code(language)
    return code if code in DOTTED else "en"


@cache
def _names(steps: str) -> list[str]:
    """Return the steps that a normalisation consists of."""
    names = [name for part in steps.split("+") for name in (STANDARD if part == "standard" else (part,))]
    if "none" in names:
        raise BadSetting(f"normalize={steps}: none cannot be joined with other steps")
    for name in names:
        if name not in STEPS:
            raise UnknownName("normalisation", name, ["none", "standard", *STEPS])
    if len({*names}) != len(names):
        raise BadSetting(f"normalize={steps} names a step twice; standard is {'+'.join(STANDARD)}")
    return names


@cache
def _changer(steps: str) -> Callable[[str], str]:
    """Return the function that applies some steps to a line; its tables are made for the first such line."""
    names = _names(steps)
    tables = [_table(name) for name in STEPS if name in names and name not in _COMPOSING]
    replaced = "".join(re.escape(chr(point)) for table in tables for point in table)
    concerns = re.compile(f"[{replaced}]").search if replaced else None
    forms = [_COMPOSING[name] for name in _COMPOSING if name in names]

    def change(line: str) -> str:
        if concerns is not None and concerns(line):  # one look at most text
            for table in tables:
                line = line.translate(table)
        for form in forms:
            if not unicodedata.is_normalized(form, line):
                line = unicodedata.normalize(form, line)
        return line

    return change


def _table(name: str) -> dict[int, str | None]:
    """Return what a step puts in the place of characters."""
    if name == "forms":
        return _forms()
    if name == "alef":
        return {ord(old): new for old, new in _ALEF.items()}
    table: dict[int, str | None] = dict.fromkeys(_points(_REMOVED[name]))
    if name == "nukta":  # some letters exist with their dot
        letters = ((point, unicodedata.normalize("NFD", chr(point))) for point in range(0x900, 0xB80))
        dots = {chr(point) for point in table}
        table |= {point: parts[0] for point, parts in letters if not dots.isdisjoint(parts[1:])}
    return table


def _points(ranges: str) -> Iterator[int]:
    """Return the code points of a class of characters, as in a regular expression.

    >>> "".join(map(chr, _points("a-dz")))
    'abcdz'
    """
    for first, last in re.findall("(.)(?:-(.))?", ranges):
        yield from range(ord(first), ord(last or first) + 1)


def _forms() -> dict[int, str | None]:
    """Return the ordinary characters of full-width, half-width and positional forms."""
    table: dict[int, str | None] = {}
    for point in _points(_FORMS):
        kind, _, rest = unicodedata.decomposition(chr(point)).partition(" ")
        if kind in _POSITIONAL:
            ordinary = "".join(chr(int(code, 16)) for code in rest.split())
            table[point] = ordinary.strip() or " "  # a vowel sign that stands alone is written on a blank
    return table
