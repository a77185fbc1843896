"""Words of a language, to recognise words of a translation that are not: mostly untranslated ones.

A lexicon is built from texts of one language, and from words that translations from several other languages
share although the references lack them, such as names. It recognises its language by its most frequent words.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.errors import WordOrderError
from wordorder.text.pairs import Pairs
from wordorder.text.tokens import joined, utf8
from wordorder.text.word_lists import CLASSES, FREQUENT, word_list

TEXT = CLASSES[-1]  # words of the shipped list that count as English in texts of other languages
SHARE, PRIOR = 0.35, 0.35  # of a reference in the language; a reference of no words counts as so much of one


@dataclass(frozen=True)
class Lexicon:
    """Words in lower case: the most frequent first, up to ``text`` those of texts, then further ones.

    >>> small = Lexicon("en", ("the", "cat", "sat"), 3, 3)
    >>> pairs = Pairs.of(["the кот sat", "the dog"], ["the cat sat"] * 2)
    >>> small.foreign(pairs).unknown.round(2).tolist()
    [0.33, 0.33]
    """

    language: str
    words: tuple[str, ...]
    frequent: int
    text: int

    @cached_property
    def _native(self) -> Any:
        return _native.Lexicon(utf8(joined(self.words)), self.frequent, self.text)

    def foreign(self, pairs: Pairs, *, threads: int = 1) -> Foreign:
        """Look up the words that hypotheses have beyond their references."""
        return Foreign(self._native.shares(pairs.lowered, pairs.first, pairs.second, SHARE, PRIOR, threads))

    @property
    def tag(self) -> str:
        """A checksum of the words."""
        return f"{zlib.crc32(chr(10).join(self.words).encode()):08x}"

    def packed(self) -> tuple[dict[str, Any], NDArray[np.uint8]]:
        """Return a description and the compressed words, for a model file."""
        about = {
            "language": self.language,
            "frequent": self.frequent,
            "text": self.text,
            "words": len(self.words),
        }
        return about, np.frombuffer(zlib.compress("\n".join(self.words).encode(), 9), dtype=np.uint8)

    @classmethod
    def unpacked(cls, about: dict[str, Any], packed: NDArray[np.uint8]) -> Lexicon:
        """Read the lexicon of a model file; damage is an error."""
        try:
            words = tuple(zlib.decompress(packed.tobytes()).decode("utf-8").split("\n"))
        except (zlib.error, UnicodeDecodeError) as error:
            raise WordOrderError(f"the words of the lexicon cannot be read: {error}") from None
        lexicon = cls(str(about["language"]), words, int(about["frequent"]), int(about["text"]))
        if len(words) != about["words"] or not 0 <= lexicon.frequent <= lexicon.text <= len(words):
            raise WordOrderError(f"the lexicon has {len(words)} words, not as described")
        return lexicon


@cache
def shipped_lexicon() -> Lexicon:
    """Read the English words that come with the package.

    >>> "pandemic" in shipped_lexicon().words, "oder" in shipped_lexicon().words
    (True, False)
    """
    return Lexicon("en", word_list("en").words, FREQUENT, TEXT)


@dataclass(frozen=True, eq=False)
class Foreign:
    """Words that hypotheses have beyond their references, as shares of reference words, 1 at most.

    The rows of ``shares`` are the properties, in their order. Words with digits are left out.
    """

    shares: Doubles

    @property
    def unknown(self) -> Doubles:
        """Words that neither the reference (by their first four letters) nor the lexicon has."""
        return np.asarray(self.shares[0])

    @property
    def strange(self) -> Doubles:
        """Unknown words with four characters in a row that no known word has."""
        return np.asarray(self.shares[1])

    @property
    def strangeness(self) -> Doubles:
        """The shares of such sequences of four, summed over unknown words."""
        return np.asarray(self.shares[2])

    @property
    def misspelt(self) -> Doubles:
        """Words that the lexicon lacks, but that begin like a word of the reference."""
        return np.asarray(self.shares[3])

    @property
    def foreign(self) -> Doubles:
        """In other languages: words of this one, of four letters or more, that the reference lacks."""
        return np.asarray(self.shares[4])
