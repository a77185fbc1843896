"""What features see of a word, each a layer of codes: itself, its classes, its last and first letters."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wordorder.preorder.crf.classes import WordClasses
from wordorder.preorder.probable import HIDDEN

Codes = NDArray[np.uint32]
UNKNOWN = "\n"  # no word has it


def code(layer: str, text: str) -> int:
    """A number for what stands in a layer, the same everywhere."""
    return zlib.crc32(f"{layer}\t{text}".encode("utf-8", "surrogatepass"))


def ending(word: str) -> str:
    """The last three letters, or what sort of thing it is if they are no letters.

    >>> ending("Kyoto"), ending("1192"), ending("--")
    ('oto', '0', '.')
    """
    if any(c.isdigit() for c in word):
        return "0"
    if not any(c.isalpha() for c in word):
        return "."
    return word[-3:].lower()


class Layers:
    """Codes of words: known words, classes from coarse to fine, endings, beginnings."""

    def __init__(self, known: Sequence[str], classes: WordClasses) -> None:
        self.known = frozenset(known)
        self.classes = classes
        self._numbers = classes.numbers
        self.count = 3 + len(classes.layers)
        self.codes = lru_cache(maxsize=200_000)(self._codes)

    def _codes(self, word: str) -> tuple[int, ...]:
        word = word.lower()
        if word == HIDDEN:
            names = ["word", *(f"class{layer}" for layer in range(len(self.classes.layers))), "end", "begin"]
            return tuple(code(name, UNKNOWN) for name in names)
        end = ending(word)
        at = self._numbers.get(word, -1)
        rows = [code("word", word if word in self.known else UNKNOWN + end)]
        for layer, row in enumerate(self.classes.layers):
            rows.append(code(f"class{layer}", str(row[at]) if at >= 0 else UNKNOWN + end))
        rows.append(code("end", end))
        rows.append(code("begin", word[:3]))
        return tuple(rows)

    def of(self, words: Sequence[str]) -> Codes:
        """Codes as the kernels take them: all of a layer, then all of the next."""
        made: Codes = np.array([self.codes(word) for word in words], dtype=np.uint32)
        return np.ascontiguousarray(made.reshape(len(words), self.count).T).ravel()
