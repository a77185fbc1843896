"""Words as inputs of a network: numbers, hashed character n-grams and initial vectors.

Unseen words share character n-grams with seen ones. Initial vectors come from raw text: for each word, how
often each of the most frequent words occurs one or two positions before or after it. These counts are turned
into positive pointwise mutual information (Church and Hanks 1990; Levy and Goldberg 2014), and the vectors
are the singular vectors of that table, found by random projection (Halko, Martinsson and Tropp 2011).
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Floats

UNKNOWN, BEGIN, END = 0, 1, 2  # numbers of words; every vocabulary starts with these
SPECIAL = (" unknown", " begin", " end")
MAX_NGRAMS = 24  # of one word; 0 pads
CONTEXTS = 1500  # the most frequent words, which are counted around others
CONTEXT_POSITIONS = (-2, -1, 1, 2)
VECTOR_SCALE = 0.3  # root mean square of the initial vectors
POWER_ITERATIONS = 4
OVERSAMPLING = 16  # directions of the random projection beyond those that are needed


def pack_words(words: Sequence[str]) -> NDArray[np.uint8]:
    """Return words as an array of bytes, for a model file."""
    return np.frombuffer("\n".join(words).encode("utf-8", "surrogatepass"), np.uint8)


def unpack_words(array: NDArray[Any]) -> tuple[str, ...]:
    """Return the words that :func:`pack_words` packed."""
    text = array.astype(np.uint8).tobytes().decode("utf-8", "surrogatepass")
    return tuple(text.split("\n")) if text else ()


@dataclass(frozen=True)
class InputVocabulary:
    """The lower-cased words with a vector of their own, and the number of buckets for character n-grams."""

    words: tuple[str, ...]
    buckets: int = 8192

    @classmethod
    def of(
        cls, sentences: Iterable[Sequence[str]], *, min_count: int = 2, max_words: int, buckets: int
    ) -> InputVocabulary:
        """Collect the words that occur at least ``min_count`` times, the most frequent first."""
        counts = Counter(word.lower() for words in sentences for word in words)
        kept = sorted((w for w, count in counts.items() if count >= min_count), key=lambda w: (-counts[w], w))
        return cls((*SPECIAL, *kept[: max_words - len(SPECIAL)]), buckets)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int:
        """Return the number of a word, ignoring case; ``UNKNOWN`` if it is not in the vocabulary."""
        return self.numbers.get(word.lower(), UNKNOWN)

    def ngrams(self, word: str) -> list[int]:
        """Return the buckets, from 1, of a word's prefixes, suffixes and trigrams.

        >>> len(InputVocabulary(SPECIAL).ngrams("cats"))
        11
        """
        if word in SPECIAL:
            return []
        word = word.lower()
        kind = "0" if any(c.isdigit() for c in word) else "a" if any(c.isalpha() for c in word) else "."
        ngrams = {f"={kind}"}
        for size in range(1, min(4, len(word)) + 1):
            ngrams |= {f"<{word[:size]}", f"{word[-size:]}>"}
        ngrams |= {word[at : at + 3] for at in range(len(word) - 2)}
        hashed = sorted(
            {1 + zlib.crc32(ngram.encode("utf-8", "surrogatepass")) % (self.buckets - 1) for ngram in ngrams}
        )
        return hashed[:MAX_NGRAMS]


# Initial vectors


def word_vectors(vocabulary: InputVocabulary, sentences: Iterable[Sequence[str]], size: int) -> Floats:
    """Return a vector of ``size`` numbers for each word of a vocabulary; the same for the same text.

    >>> known = InputVocabulary.of([["a", "b", "c"]], min_count=1, max_words=9, buckets=8)
    >>> word_vectors(known, [["a", "b"], ["c", "b"], ["b", "a"], ["b", "c"]], 2).shape
    (6, 2)
    """
    return _singular_vectors(_mutual_information(vocabulary, sentences), size)


def _mutual_information(vocabulary: InputVocabulary, sentences: Iterable[Sequence[str]]) -> Floats:
    """Return the mutual information of words (rows) and frequent words at four positions (columns)."""
    known, rows = vocabulary.numbers, len(vocabulary)
    columns = min(CONTEXTS, rows)
    # Two boundaries at the end keep neighbouring sentences apart.
    text = [[BEGIN, *(known.get(word.lower(), UNKNOWN) for word in words), END, END] for words in sentences]
    stream = np.array([number for sentence in text for number in sentence], dtype=np.int64)
    table = np.empty((rows, len(CONTEXT_POSITIONS) * columns), dtype=np.float32)
    for block, shift in enumerate(CONTEXT_POSITIONS):
        word, near = (stream[:-shift], stream[shift:]) if shift > 0 else (stream[-shift:], stream[:shift])
        frequent = near < columns
        counts = np.bincount(word[frequent] * columns + near[frequent], minlength=rows * columns)
        table[:, block * columns : (block + 1) * columns] = counts.reshape(rows, columns)
    totals = np.maximum(table.sum(axis=1, keepdims=True), 1)
    # Smoothing of contexts: without it, rare contexts would look too informative.
    smoothed = np.maximum(table.sum(axis=0, keepdims=True), 1) ** np.float32(0.75)
    table *= smoothed.sum() / totals
    table /= smoothed
    np.maximum(table, 1, out=table)
    return np.log(table, out=table)


def _singular_vectors(table: Floats, size: int) -> Floats:
    """Return the first left singular vectors, times the square roots of their values, scaled."""
    rows, columns = table.shape
    wide = min(size + OVERSAMPLING, rows, columns)
    projected = table @ np.random.default_rng(0).standard_normal((columns, wide)).astype(np.float32)
    for _ in range(POWER_ITERATIONS):
        basis = np.linalg.qr(projected)[0]
        projected = table @ np.linalg.qr(table.T @ basis)[0]
    basis = np.linalg.qr(projected)[0]
    left, values, _ = np.linalg.svd(basis.T @ table, full_matrices=False)
    vectors = (basis @ left * np.sqrt(values))[:, :size]
    scaled = np.zeros((rows, size), dtype=np.float32)
    root = float(np.sqrt((vectors**2).mean()))
    scaled[:, : vectors.shape[1]] = vectors * (VECTOR_SCALE / max(root, 1e-9))
    return scaled
