"""Which script a text is written in, whether it has spaces between words, and how to tokenize it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

import numpy as np

from wordorder.text.tokens import is_installed

SAMPLE = 2000  # lines that are looked at
LONGEST = {"han": 5.0, "kana": 6.0, "other": 10.0}  # letters between spaces in text that has them
# Ranges of code points, first and last.
_SCRIPTS = {
    "han": [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)],
    "kana": [(0x3041, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F)],
    "hangul": [(0xAC00, 0xD7AF), (0x1100, 0x11FF), (0x3130, 0x318F)],
    # Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le to Lanna, Javanese
    "other": [(0x0E00, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAD), (0xA980, 0xA9DF)],
    # Armenian to Sinhala (with Hebrew, Arabic, the scripts of India) and Ethiopic: spaces, but punctuation of
    # their own; Hebrew and Arabic letters also as positional forms
    "marked": [(0x0530, 0x0DFF), (0x1200, 0x139F), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE)],
}
_NAMES = list(_SCRIPTS)
_RANGES = sorted((*ends, _NAMES.index(name)) for name, ranges in _SCRIPTS.items() for ends in ranges)
# All borders between scripts, and what lies between them: the number of a script, or that of none.
_BORDERS = np.array([point for low, high, _ in _RANGES for point in (low, high + 1)], np.uint32)
_BETWEEN = np.array([len(_NAMES), *(kind for *_, own in _RANGES for kind in (own, len(_NAMES)))])
_FIRST = _RANGES[0][0]
_LETTERS = re.compile(r"[^\W\d_]|[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")


def script_of(lines: Sequence[str]) -> str | None:
    """Return the script of most letters; None for Latin, Greek, Cyrillic and others like them.

    ``han``, ``kana`` and ``other`` are written without spaces between words, ``hangul`` and ``marked``
    (Arabic, Devanagari and others) with spaces. Japanese is a mixture of Han characters and kana; a tenth
    of kana makes it ``kana``.

    >>> script_of(["私は学生です。"]), script_of(["我爱北京"]), script_of(["a house"])
    ('kana', 'han', None)
    """
    text = "".join(islice(lines, SAMPLE))
    if text.isascii():
        return None
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    # Most text ends here: counting all letters costs more than scoring.
    latin = int((((points | 32) - ord("a")) < 26).sum())
    points = points[points >= _FIRST]
    if len(points) <= latin / 2:
        return None
    letters = len(_LETTERS.findall(text))
    kinds = _BETWEEN[_BORDERS.searchsorted(points, "right")]
    count = dict(zip(_NAMES, np.bincount(kinds, minlength=len(_NAMES)).tolist(), strict=False))
    if count["han"] + count["kana"] > letters / 2:
        return "kana" if count["kana"] > 0.1 * (count["han"] + count["kana"]) else "han"
    return next((name for name in ("hangul", "other", "marked") if count[name] > letters / 2), None)


def looks_unsegmented(lines: Sequence[str], script: str | None = None) -> bool:
    """Return whether text seems to be written without spaces between words; ``script`` saves a look.

    >>> looks_unsegmented(["我爱北京天安门"]), looks_unsegmented(["我 爱 北京 天安门"])
    (True, False)
    """
    script = script or script_of(lines)
    if script not in LONGEST:
        return False
    sample = [line.split() for line in islice(lines, SAMPLE)]
    pieces = [piece for line in sample for piece in line]
    # Without any space, a line is a sentence, however short it is.
    most = LONGEST[script] if any(len(line) > 1 for line in sample) else 1.0
    return len(_LETTERS.findall(" ".join(pieces))) > most * len(pieces)


def tokenizer_for(lines: Sequence[str]) -> str | None:
    """Return the tokenizer that a script needs; None for words between spaces and ASCII punctuation.

    Without spaces, Chinese is split by ``zh``, Japanese by ``ja-mecab`` if it is installed, and everything
    else by the rules of ``script``. Korean is split by ``ko-mecab`` if it is installed; without it, and for
    other scripts with punctuation of their own, ``intl`` separates all punctuation.

    >>> tokenizer_for(["我爱北京天安门"]), tokenizer_for(["สวัสดีชาวโลกทุกคน"]), tokenizer_for(["hello"])
    ('zh', 'script', None)
    >>> tokenizer_for(["هل قرأت الكتاب؟"])
    'intl'
    """
    script = script_of(lines)
    if script in ("hangul", "marked"):
        return "ko-mecab" if script == "hangul" and is_installed("ko-mecab") else "intl"
    if script is None or not looks_unsegmented(lines, script):
        return None
    if script == "han":
        return "zh"
    return "ja-mecab" if script == "kana" and is_installed("ja-mecab") else "script"
