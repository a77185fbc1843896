"""Function words: words that make up more than a thousandth of running text.

This is METEOR's rule (Denkowski and Lavie 2011). The lists of the package were counted by
``experiments/function_words.py``. A file with one word per line can take their place, and so can METEOR's
own lists, read from its folder ``function`` or from its jar.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import orjson

from wordorder.arrays import Bools
from wordorder.data import package_file
from wordorder.errors import BadFile, BadSetting
from wordorder.text.paraphrases import plain_name
from wordorder.text.stems import STEMMERS
from wordorder.text.tokens import Words

FILE = "function_words.json"
FREQUENT = 1e-3
LARGEST = 16 << 20  # bytes of a list in an archive
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)  # of archives
_UNREADABLE = (OSError, UnicodeDecodeError, *_DAMAGED)


@dataclass(frozen=True)
class FunctionWords:
    """Words in lower case, and the name of their list."""

    name: str
    words: frozenset[str]

    @property
    def signature_part(self) -> str:
        """The name of the list with a checksum, or ``none`` for an empty list."""
        if not self.words:
            return "none"
        return f"{self.name}-{zlib.crc32(' '.join(sorted(self.words)).encode()):08x}"

    def among(self, words: Words) -> Bools:
        """Return for each word of a table whether it is a function word."""
        return np.array([word.lower() in self.words for word in words.words], np.bool_)


@lru_cache(maxsize=16)
def function_words(language: str, place: str = "") -> FunctionWords:
    """Return the function words of a language, from the package or from a ``place`` of the user.

    A language that the package has no list for has no function words, as in METEOR.

    >>> sorted(function_words("de").words)[10:14]
    ['am', 'an', 'auch', 'auf']
    """
    if not place:
        lists = orjson.loads(package_file(FILE).read_bytes())["words"]
        return FunctionWords(f"wordorder.{language}", frozenset(lists.get(language, ())))
    path = Path(place)
    name = f"{STEMMERS.get(language, language)}.words"
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive, archive.open(f"function/{name}") as packed:
                text = packed.read(LARGEST).decode("utf-8")
        else:
            path = path / name if path.is_dir() else path
            name = path.name
            text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadSetting(f"no function words: {path} does not exist") from None
    except KeyError:
        raise BadSetting(f"no function words of {language!r} in {path}: it has no function/{name}") from None
    except _UNREADABLE as error:
        raise BadFile(f"cannot be read: {error}", file=str(path)) from None
    return FunctionWords(
        plain_name(name), frozenset(line.strip().lower() for line in text.splitlines()) - {""}
    )


def frequent_words(lines: Sequence[str]) -> list[str]:
    """Return the words that make up more than a thousandth of some lines, in alphabetical order.

    >>> frequent_words(["the cat saw the dog ."])
    ['.', 'cat', 'dog', 'saw', 'the']
    """
    words = Words("13a", lowercase=True)
    tokens = words.encode(lines)
    share = np.bincount(tokens.ids, minlength=len(words)) / max(len(tokens.ids), 1)
    return sorted(word for word, part in zip(words.words, share, strict=True) if part > FREQUENT)
