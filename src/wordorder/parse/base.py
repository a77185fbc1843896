"""What a parser is, and how a text is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from wordorder.errors import WordOrderError
from wordorder.io.sentence import Sentence

BLOCK = 256  # sentences that are parsed together


class Parser(Protocol):
    """A parser of tokenised sentences."""

    def parse_batch(self, sentences: Sequence[Sequence[str]]) -> list[Sentence]:
        """Return the tree of each sentence, with the same words; no sentence is empty."""


def parse_all(parser: Parser, lines: Iterable[Sequence[str]]) -> Iterator[Sentence]:
    """Yield the trees of sentences, with their number and text as comments."""
    numbered = enumerate(lines, start=1)
    while block := list(islice(numbered, BLOCK)):
        for number, words in block:
            if not words:
                raise WordOrderError(f"sentence {number} is empty: a tree needs words")
        trees = parser.parse_batch([words for _, words in block])
        for (number, words), tree in zip(block, trees, strict=True):
            yield Sentence(tree.rows, [f"# sent_id = {number}", f"# text = {' '.join(words)}"])
