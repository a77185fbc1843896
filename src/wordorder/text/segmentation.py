"""Text written without spaces between words: how to recognise it, and how to tokenize it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from wordorder.text.tokens import is_installed

SAMPLE = 2000  # lines that are looked at
LONGEST = {"han": 5.0, "kana": 6.0, "other": 10.0}  # letters between spaces in text that has them
_SCRIPTS = {
    "han": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"),
    "kana": re.compile(r"[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]"),
    "hangul": re.compile(r"[\uac00-\ud7af\u1100-\u11ff\u3130-\u318f]"),
    # Thai, Lao, Tibetan, Myanmar, Khmer, Tai Le to Lanna, Javanese
    "other": re.compile(r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u1aad\ua980-\ua9df]"),
}
_LETTERS = re.compile(r"[^\W\d_]|[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]")


def script_of(lines: Sequence[str]) -> str | None:
    """Return the script of most letters: han, kana, hangul or other; None for scripts with spaces.

    Japanese is a mixture of Han characters and kana; a tenth of kana makes it ``kana``.

    >>> script_of(["私は学生です。"]), script_of(["我爱北京"]), script_of(["a house"])
    ('kana', 'han', None)
    """
    text = "".join(islice(lines, SAMPLE))
    letters = len(_LETTERS.findall(text))
    count = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    if count["han"] + count["kana"] > letters / 2:
        return "kana" if count["kana"] > 0.1 * (count["han"] + count["kana"]) else "han"
    return next((name for name in ("hangul", "other") if count[name] > letters / 2), None)


def looks_unsegmented(lines: Sequence[str]) -> bool:
    """Return whether text seems to be written without spaces between words.

    >>> looks_unsegmented(["我爱北京天安门"]), looks_unsegmented(["我 爱 北京 天安门"])
    (True, False)
    """
    script = script_of(lines)
    if script not in LONGEST:
        return False
    text = " ".join(islice(lines, SAMPLE))
    return len(_LETTERS.findall(text)) > LONGEST[script] * len(text.split())


def tokenizer_for(lines: Sequence[str]) -> str | None:
    """Return the tokenizer for text without spaces between words, or None for other text.

    Chinese is split by ``zh``, Japanese by ``ja-mecab`` if it is installed, all other scripts by
    ``char``. Korean has spaces; it is split by ``ko-mecab`` where that is installed.

    >>> tokenizer_for(["我爱北京天安门"]), tokenizer_for(["สวัสดีชาวโลกทุกคน"]), tokenizer_for(["hello"])
    ('zh', 'char', None)
    """
    if script_of(lines) == "hangul":
        return "ko-mecab" if is_installed("ko-mecab") else None
    if not looks_unsegmented(lines):
        return None
    script = script_of(lines)
    if script == "han":
        return "zh"
    return "ja-mecab" if script == "kana" and is_installed("ja-mecab") else "char"
