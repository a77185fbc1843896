"""Words of scripts without spaces between words, by rules without a dictionary.

=============  ===================================================================================
script         a word is
=============  ===================================================================================
Han            a character
hiragana       a character with the small kana and the long mark that follow it
katakana       a run, as most of them are loanwords
Thai, Lao      a cluster: a vowel written before, a consonant, and the vowels and marks after it
Khmer          a cluster: a consonant with its subscripts, vowels and signs
Burmese        a syllable: a consonant with its medials, vowels and tones, and a final with its killer
Tibetan        a syllable, which a tsheg ends
other scripts  what lies between spaces and punctuation, as in the tokenizer ``intl``
=============  ===================================================================================

Text of several scripts is divided where the script changes, so that a Latin word in Chinese text is one word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

_HAN = r"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_SMALL = r"\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u3099\u309a\u30fc"
_HIRAGANA = rf"[\u3041-\u3096\u309d\u309e][{_SMALL}]*"
_KATAKANA = r"[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3099\u309a]+"
_THAI = r"[\u0e40-\u0e44]*[\u0e01-\u0e2f][\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]*"
_LAO = r"[\u0ec0-\u0ec4]*[\u0e81-\u0eaf\u0edc-\u0edf][\u0eb0-\u0ebd\u0ec8-\u0ece]*"
_KHMER = r"[\u1780-\u17b3](?:\u17d2[\u1780-\u17b3]|[\u17b4-\u17d1\u17dd])*"
_BURMESE = (
    r"[\u1000-\u102a\u103f\u104e](?:\u1039[\u1000-\u102a]|[\u102b-\u103e])*"
    r"(?:[\u1000-\u1021]\u1037?\u103a[\u1037\u1038]*)*"
)
_TIBETAN = r"[\u0f40-\u0fbc]+"
_OTHERS = r"[\u1950-\u1aad\ua980-\ua9cd\ua9cf](?:[\u1a17-\u1a1b\u1a55-\u1a7f\ua980-\ua983\ua9b3-\ua9c0])*"
_UNITS = "|".join((_HAN, _HIRAGANA, _KATAKANA, _THAI, _LAO, _KHMER, _BURMESE, _TIBETAN, _OTHERS))
_SEPARATORS = str.maketrans({"\u200b": " ", "\u0f0b": " ", "\u0f0c": " "})  # zero-width space, tsheg


def split_scripts(line: str) -> str:
    """Return the words of a line, separated by spaces.

    >>> split_scripts("我用Python 3.11写程序。")
    '我 用 Python 3.11 写 程 序 。'
    >>> split_scripts("สวัสดีชาวโลก"), split_scripts("コンピューターで学ぶ")
    ('ส วั ส ดี ชา ว โล ก', 'コンピューター で 学 ぶ')
    """
    parts = _unit().split(line.translate(_SEPARATORS))  # words, and what is between them
    return _punctuation()(" ".join(parts))  # type: ignore[no-any-return]


def cut(line: str) -> list[str]:
    """Cut a line at spaces and around the words of scripts without spaces; punctuation stays with its word.

    >>> cut("我用Python 3.11写。"), cut("Two words.")
    (['我', '用', 'Python', '3.11', '写', '。'], ['Two', 'words.'])
    """
    found = _piece().findall
    return [piece for part in line.split() for piece in found(part)]


def join(pieces: Sequence[str]) -> str:
    """Join pieces of :func:`cut` in any order, with spaces between words of scripts that have them.

    >>> join(["写", "3.11", "Python", "。", "我"])
    '写3.11 Python 。我'
    """
    word = _unit().fullmatch
    solid = [word(piece) is not None for piece in pieces]
    blanks = ["" if before or after else " " for before, after in pairwise(solid)]
    return "".join(part for both in zip(pieces, [*blanks, ""], strict=False) for part in both)


# Expressions are compiled when they are first used: that takes longer than most sentences.
@cache
def _unit() -> re.Pattern[str]:
    return re.compile(f"({_UNITS})")


@cache
def _piece() -> re.Pattern[str]:
    return re.compile(rf"{_UNITS}|(?:(?!{_UNITS}).)+")


@cache
def _punctuation():  # type: ignore[no-untyped-def]
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

    return TokenizerV14International()  # type: ignore[no-untyped-call]


# A conjunction, a preposition, the article: each at most once, and three letters of the word must remain
# after a conjunction or preposition alone, two after the article (the light stemming of Larkey et al. 2002).
_LETTER = r"[\u0621-\u064a\u064b-\u0652\u0670]"
_CLITICS = (
    rf"(?<!\w)(?:([وف])?([بك])?(ال)(?={_LETTER}{{2}})|([وف])?(لل)(?={_LETTER}{{2}})|(و)(?={_LETTER}{{3}}))"
)


def split_clitics(line: str) -> str:
    """Separate the Arabic proclitics w+, f+, b+, k+, l+ and al+ from the words that they are written with.

    >>> split_clitics("وبالكتاب والولد للمدرسة")
    'و+ ب+ ال+ كتاب و+ ال+ ولد ل+ ال+ مدرسة'
    """
    words = _punctuation()(line)
    separated = re.sub(_CLITICS, lambda match: "".join(f"{part}+ " for part in match.groups() if part), words)
    return separated.replace("لل+ ", "ل+ ال+ ")  # l+ before the article swallows its alef
