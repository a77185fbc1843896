"""What features see of a word, each a layer of codes: itself, classes, last and first letters, its label."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from wordorder.preorder.base import Source
from wordorder.preorder.crf.classes import WordClasses
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.word_labels import labels_of

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
    """Codes of words: known words, classes from coarse to fine, endings, beginnings, ``labels`` if any."""

    def __init__(self, known: Sequence[str], classes: WordClasses, *, labels: bool = False) -> None:
        self.labels = labels
        self.known = frozenset(known)
        self.classes = classes
        self._numbers = classes.numbers
        self.count = 3 + len(classes.layers) + labels
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

    def of(self, source: Source) -> Codes:
        """Codes as the kernels take them: all of a layer, then all of the next."""
        rows: list[Iterable[int]] = [*zip(*map(self.codes, source.words), strict=True)]
        if self.labels:
            rows.append(code("label", label or UNKNOWN) for label in labels_of(source))
        return np.array([*chain.from_iterable(rows)], dtype=np.uint32)
