"""What a parser is, and how a text is parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from wordorder.errors import WordOrderError
from wordorder.io.sentence import Sentence

BLOCK = 128  # sentences that are parsed together


class Parser(Protocol):
    """A parser of tokenised sentences."""

    def trees_batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Sentence]]:
        """Return one tree or several of each sentence, the best first, with the same words.

        No sentence is empty.
        """


def numbered_trees(parser: Parser, sentences: Sequence[tuple[int, Sequence[str]]]) -> Iterator[Sentence]:
    """Yield the trees of numbered sentences, with their number and text as comments."""
    for number, words in sentences:
        if not words:
            raise WordOrderError(f"sentence {number} is empty: a tree needs words")
    lists = parser.trees_batch([words for _, words in sentences])
    for (number, words), trees in zip(sentences, lists, strict=True):
        for place, tree in enumerate(trees, start=1):
            name = str(number) if len(trees) == 1 else f"{number}-{place}"
            yield Sentence(tree.rows, [f"# sent_id = {name}", f"# text = {' '.join(words)}"])
