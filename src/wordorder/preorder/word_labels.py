"""Labels of words, such as parts of speech: a layer of the sentence, or a column of its parse."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wordorder.errors import WordOrderError
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.source import Source

Column = Literal["none", "upos", "xpos", "deprel"]


def labelled(source: Source, column: Column) -> Source:
    """Return the sentence with labels as its only layer; a hidden word has an empty label.

    If the sentence already has a layer, its first layer holds the labels. With ``none`` it has no labels.

    >>> from wordorder.io.sentence import Row, Sentence
    >>> tree = Sentence([Row("1", "I", upos="PRON"), Row("2", "see", upos="VERB")])
    >>> labelled(Source(("I", "see"), parse=tree), "upos").layers
    (('PRON', 'VERB'),)
    """
    if column == "none" or not source.words:
        return replace(source, layers=()) if source.layers else source
    row = source.layers[0] if source.layers else _column(source, column)
    if len(row) != len(source):
        raise WordOrderError(f"the sentence has {len(source)} words, but {len(row)} labels")
    if HIDDEN in source.words:
        pairs = zip(source.words, row, strict=True)
        row = tuple("" if word == HIDDEN else label for word, label in pairs)
    return replace(source, layers=(row,))


def labels_of(source: Source) -> tuple[str, ...]:
    """Return the labels of a sentence, or empty labels if it has none."""
    return source.layers[0] if source.layers else ("",) * len(source)


def _column(source: Source, column: Column) -> tuple[str, ...]:
    labels = tuple(getattr(row, column) for row in source.parse.words) if source.parse else ()
    if all(label == "_" for label in labels):
        text = " ".join(source.words)
        raise WordOrderError(
            f"labels={column}: {text[:40]!r} has no {column}; it needs a parse (CoNLL-U) with this column"
        )
    return labels
