"""Labels of words, such as parts of speech: a layer that a sentence has, or a column of its parse."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wordorder.errors import WordOrderError
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.source import Source

Column = Literal["none", "upos", "xpos", "deprel"]


def labelled(source: Source, column: Column) -> Source:
    """The sentence with labels as its one layer; a word that is hidden has the empty one.

    If it has a layer already, these are the labels. With ``none`` it has none.

    >>> from wordorder.io.sentence import Row, Sentence
    >>> tree = Sentence([Row("1", "I", upos="PRON"), Row("2", "see", upos="VERB")])
    >>> labelled(Source(("I", "see"), parse=tree), "upos").layers
    (('PRON', 'VERB'),)
    """
    if column == "none" or not source.words:
        return replace(source, layers=()) if source.layers else source
    row = source.layers[0] if source.layers else _column(source, column)
    if len(row) != len(source):
        raise WordOrderError(f"the sentence has {len(source)} words and {len(row)} labels")
    if HIDDEN in source.words:
        pairs = zip(source.words, row, strict=True)
        row = tuple("" if word == HIDDEN else label for word, label in pairs)
    return replace(source, layers=(row,))


def labels_of(source: Source) -> tuple[str, ...]:
    """The labels of a sentence that has a layer of them, else empty ones."""
    return source.layers[0] if source.layers else ("",) * len(source)


def _column(source: Source, column: Column) -> tuple[str, ...]:
    found = tuple(getattr(row, column) for row in source.parse.words) if source.parse else ()
    if all(label == "_" for label in found):
        text = " ".join(source.words)
        raise WordOrderError(
            f"labels={column}: {text[:40]!r} has no {column}; give parses (CoNLL-U) that have this column"
        )
    return found
