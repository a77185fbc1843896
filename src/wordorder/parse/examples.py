"""Trees as examples to train the parser on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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


def tree_examples(trees: Iterable[Sentence], types: TypeTable, labels: ParserLabels) -> Iterator[TreeExample]:
    """Encode trees; labels that the parser does not know get the number -1, which is not learned."""
    tables = [{name: number for number, name in enumerate(known)} for known in vars(labels).values()]
    for tree in trees:
        rows = tree.words
        columns = [[getattr(row, name) for row in rows] for name in ("upos", "xpos", "deprel")]
        upos, xpos, relations = (
            np.array([table.get(label, -1) for label in column], dtype=np.int64)
            for table, column in zip(tables, columns, strict=True)
        )
        forms = tree.forms
        heads = np.array(tree.heads, dtype=np.int64)
        yield TreeExample(types.encode(forms), np.array(cases_of(forms)), upos, xpos, heads, relations)


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
