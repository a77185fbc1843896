"""The different words of a text as inputs of the network of the forest CRF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Longs
from wordorder.neural.words import BEGIN, END, MAX_NGRAMS, InputVocabulary
from wordorder.preorder.source import Source
from wordorder.preorder.word_labels import labels_of


@dataclass(frozen=True)
class WordTypes:
    """The different pairs of word and label in a text, and the inputs of each."""

    rows: dict[tuple[str, str], int]
    numbers: Longs
    ngrams: Longs  # [type, MAX_NGRAMS], padded with 0
    labels: Longs  # 0: none, or unknown

    @classmethod
    def of(
        cls, vocabulary: InputVocabulary, sources: Iterable[Source], labels: Sequence[str] = ()
    ) -> WordTypes:
        """Collect the types of a text; the first two stand for the sentence boundaries."""
        forms = sorted({form for source in sources for form in _forms(source)})
        known = {label: number for number, label in enumerate(labels, start=1)}
        numbers = [BEGIN, END, *(vocabulary.number(word) for word, _ in forms)]
        label_numbers = [0, 0, *(known.get(label, 0) for _, label in forms)]
        ngrams = np.zeros((len(forms) + 2, MAX_NGRAMS), dtype=np.int64)
        for row, (word, _) in enumerate(forms, start=2):
            buckets = vocabulary.ngrams(word)
            ngrams[row, : len(buckets)] = buckets
        rows = {form: row for row, form in enumerate(forms, start=2)}
        return cls(rows, np.array(numbers, np.int64), ngrams, np.array(label_numbers, np.int64))

    def encode(self, source: Source) -> Longs:
        """Return the types of a sentence with its boundaries."""
        return np.array([0, *(self.rows[form] for form in _forms(source)), 1], dtype=np.int64)


def _forms(source: Source) -> Iterator[tuple[str, str]]:
    return zip((word.lower() for word in source.words), labels_of(source), strict=True)
