"""Words as numbers: a vocabulary, and hashed pieces of spelling that unseen words share with seen ones."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.preorder.base import Source
from wordorder.preorder.word_labels import labels_of

UNKNOWN, BEGIN, END = 0, 1, 2  # numbers of words; every vocabulary starts with these
SPECIAL = (" unknown", " begin", " end")
PIECES = 24  # of one word at most; 0 fills up


@dataclass(frozen=True)
class Lexicon:
    """A vocabulary of lower-cased words, and the number of buckets for pieces of spelling."""

    words: tuple[str, ...]
    buckets: int = 8192

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], *, least: int = 2, most: int, buckets: int) -> Lexicon:
        """The words seen at least so often, the most frequent first."""
        counts = Counter(word.lower() for words in sentences for word in words)
        kept = sorted((word for word, seen in counts.items() if seen >= least), key=lambda w: (-counts[w], w))
        return cls((*SPECIAL, *kept[: most - len(SPECIAL)]), buckets)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """The number of a word, lower-cased; that of unknown words if it is not there."""
        return self.numbers.get(word.lower(), UNKNOWN)

    def pieces(self, word: str) -> list[int]:
        """Buckets (from 1) of the word's beginnings, endings and trigrams; 0 is nothing.

        >>> len(Lexicon(SPECIAL).pieces("cats"))
        11
        """
        if word in SPECIAL:
            return []  # not spelled
        word = word.lower()
        shape = "0" if any(c.isdigit() for c in word) else "a" if any(c.isalpha() for c in word) else "."
        found = {f"={shape}"}
        for size in range(1, min(4, len(word)) + 1):
            found |= {f"<{word[:size]}", f"{word[-size:]}>"}
        found |= {word[at : at + 3] for at in range(len(word) - 2)}
        hashed = sorted(
            {1 + zlib.crc32(piece.encode("utf-8", "surrogatepass")) % (self.buckets - 1) for piece in found}
        )
        return hashed[:PIECES]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As an array of bytes, for a model file."""
        return {
            "words": np.frombuffer("\n".join(self.words).encode("utf-8", "surrogatepass"), dtype=np.uint8)
        }

    @classmethod
    def restored(cls, words: NDArray[Any], buckets: int) -> Lexicon:
        """The inverse of :meth:`arrays`."""
        return cls(tuple(np.asarray(words).tobytes().decode("utf-8", "surrogatepass").split("\n")), buckets)


@dataclass(frozen=True)
class Types:
    """The different words of some text, with their labels if they have some: what is known of each."""

    places: dict[tuple[str, str], int]
    numbers: NDArray[np.int64]
    pieces: NDArray[np.int64]  # [type, PIECES], 0 where there are fewer
    labels: NDArray[np.int64]  # 0: none, or one that is not known

    @classmethod
    def of(cls, lexicon: Lexicon, sources: Iterable[Source], labels: Sequence[str] = ()) -> Types:
        """Of all words of a text; sentence borders are the first two types."""
        forms = sorted({form for one in sources for form in _forms(one)})
        known = {label: number for number, label in enumerate(labels, start=1)}
        numbers = [BEGIN, END, *(lexicon.number(word) for word, _ in forms)]
        named = [0, 0, *(known.get(label, 0) for _, label in forms)]
        pieces = np.zeros((len(forms) + 2, PIECES), dtype=np.int64)
        for row, (word, _) in enumerate(forms, start=2):
            found = lexicon.pieces(word)
            pieces[row, : len(found)] = found
        places = {form: row for row, form in enumerate(forms, start=2)}
        return cls(places, np.array(numbers, np.int64), pieces, np.array(named, np.int64))

    def encode(self, source: Source) -> NDArray[np.int64]:
        """The types of a sentence, with its borders."""
        return np.array([0, *(self.places[form] for form in _forms(source)), 1], dtype=np.int64)


def _forms(source: Source) -> Iterator[tuple[str, str]]:
    return zip((word.lower() for word in source.words), labels_of(source), strict=True)
