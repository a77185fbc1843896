"""Trees as examples to train the parser on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Longs
from wordorder.io.sentence import Sentence
from wordorder.neural.words import BEGIN, END, MAX_NGRAMS, InputVocabulary
from wordorder.parse.shape import LOWER, NO_LETTERS, UPPER, cases_of


@dataclass(frozen=True)
class ParserLabels:
    """The labels that a parser gives to words; numbers are places in these tuples."""

    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, trees: Iterable[Sentence]) -> ParserLabels:
        """Collect the labels of a treebank."""
        rows = [row for tree in trees for row in tree.words]
        columns = [sorted({getattr(row, name) for row in rows}) for name in ("upos", "xpos", "deprel")]
        return cls(*map(tuple, columns))


@lru_cache(maxsize=8)
def _label_numbers(labels: ParserLabels) -> tuple[dict[str, int], ...]:
    every = (labels.upos, labels.xpos, labels.relations)
    return tuple({name: number for number, name in enumerate(known)} for known in every)


class TreeExample(NamedTuple):
    """A sentence with its tree as numbers; labels are empty for sentences without a tree."""

    types: Longs  # of the words, with boundaries
    cases: Longs  # likewise
    upos: Longs
    xpos: Longs
    heads: Longs  # 0: the root
    relations: Longs

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.types) - 2


class TypeTable:
    """The different words of a text, and the inputs of each."""

    def __init__(self, vocabulary: InputVocabulary) -> None:
        self.vocabulary = vocabulary
        self._rows: dict[str, int] = {}
        self._numbers = [BEGIN, END]
        self._ngrams: list[list[int]] = [[], []]

    def __len__(self) -> int:
        return len(self._numbers)

    def encode(self, words: Sequence[str]) -> Longs:
        """Return the rows of the words of a sentence, with its boundaries."""
        return np.array([0, *map(self._row, words), 1], dtype=np.int64)

    def _row(self, word: str) -> int:
        word = word.lower()
        if word not in self._rows:
            self._rows[word] = len(self._numbers)
            self._numbers.append(self.vocabulary.number(word))
            self._ngrams.append(self.vocabulary.ngrams(word))
        return self._rows[word]

    @property
    def numbers(self) -> Longs:
        """The number of each word in the vocabulary."""
        return np.array(self._numbers, dtype=np.int64)

    @property
    def ngrams(self) -> Longs:
        """The buckets of the character n-grams of each word, ``[type, MAX_NGRAMS]``, padded with 0."""
        table = np.zeros((len(self._ngrams), MAX_NGRAMS), dtype=np.int64)
        for row, buckets in enumerate(self._ngrams):
            table[row, : len(buckets)] = buckets
        return table


def numbered_tree(tree: Sentence, labels: ParserLabels) -> NDArray[np.int16]:
    """Return the tags (upos, xpos), head and relation of each word as numbers, ``[4, words]``.

    Labels that are not known have the number -1, which is not learned.
    """
    rows = tree.words
    numbers = [
        [table.get(getattr(row, name), -1) for row in rows]
        for table, name in zip(_label_numbers(labels), ("upos", "xpos", "deprel"), strict=True)
    ]
    return np.array([*numbers[:2], tree.heads, numbers[2]], dtype=np.int16)


def tree_examples(trees: Iterable[Sentence], types: TypeTable, labels: ParserLabels) -> Iterator[TreeExample]:
    """Encode trees."""
    for tree in trees:
        forms = tree.forms
        columns = numbered_tree(tree, labels).astype(np.int64)
        yield TreeExample(types.encode(forms), np.array(cases_of(forms)), *columns)


def text_examples(sentences: Iterable[Sequence[str]], types: TypeTable) -> Iterator[TreeExample]:
    """Encode sentences without trees."""
    none = np.empty(0, dtype=np.int64)
    for words in sentences:
        yield TreeExample(types.encode(words), np.array(cases_of(words)), none, none, none, none)


def varied(example: TreeExample, rng: np.random.Generator, *, lower: float, upper: float) -> TreeExample:
    """Return the sentence in lower case with one probability, in capitals with another."""
    draw = rng.random()
    if draw >= lower + upper:
        return example
    case = LOWER if draw < lower else UPPER
    return example._replace(cases=np.where(example.cases == NO_LETTERS, NO_LETTERS, case))
