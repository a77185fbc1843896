"""Labels of words, such as parts of speech: a layer of the sentence, or a column of its parse.

The labels ``arc`` are relations to heads, with the side of the head: ``nsubj>`` if it follows the word,
``obj<`` if it precedes the word, and ``root`` if there is none. The labels ``tree`` are a whole dependency
tree, in three layers: the relation of each word to its head, its part of speech, and the distance to its head
in words. Distances remain valid in a section of the sentence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from wordorder.errors import WordOrderError
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.source import Source

Column = Literal["none", "upos", "xpos", "deprel", "arc", "tree"]
TREE_LAYERS = 3  # relations, parts of speech, distances to heads
ROOT = "0"  # the distance of a word without a head


def labelled(source: Source, column: Column) -> Source:
    """Return the sentence with labels as its only layer; a hidden word has an empty label.

    If the sentence already has a layer, its first layer holds the labels. With ``none`` it has no labels.
    With ``tree`` it has the three layers of its tree.

    >>> from wordorder.io.sentence import Row, Sentence
    >>> tree = Sentence([Row("1", "I", upos="PRON"), Row("2", "see", upos="VERB")])
    >>> labelled(Source(("I", "see"), parse=tree), "upos").layers
    (('PRON', 'VERB'),)
    """
    if column == "none" or not source.words:
        return replace(source, layers=()) if source.layers else source
    if column == "tree":
        rows = source.layers if len(source.layers) == TREE_LAYERS else _tree(source)
    else:
        rows = (source.layers[0] if source.layers else _labels(source, column),)
    for row in rows:
        if len(row) != len(source):
            raise WordOrderError(f"the sentence has {len(source)} words, but {len(row)} labels")
    if HIDDEN in source.words:
        # A hidden word keeps its place in the tree.
        shown = rows[:2]
        rows = tuple(_without_hidden(row, source.words) for row in shown) + rows[2:]
    return replace(source, layers=rows)


def labels_of(source: Source) -> tuple[str, ...]:
    """Return the labels of a sentence, or empty labels if it has none."""
    return source.layers[0] if source.layers else ("",) * len(source)


def heads_of(source: Source) -> list[int]:
    """Return the head of each word of a sentence with the layers of a tree; its length where there is none.

    >>> heads_of(Source(("I", "see"), layers=(("nsubj", "root"), ("PRON", "VERB"), ("1", "0"))))
    [1, 2]
    """
    n = len(source)
    heads = []
    for at, distance in enumerate(source.layers[2] if source.layers else ()):
        head = at + _number(distance)
        heads.append(head if distance != ROOT and 0 <= head < n else n)
    return heads


def _number(distance: str) -> int:
    try:
        return int(distance)
    except ValueError:
        raise WordOrderError(
            f"labels=tree: {distance!r} is no distance to a head; expected a whole number"
        ) from None


def _without_hidden(row: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("" if word == HIDDEN else label for word, label in zip(words, row, strict=True))


def _labels(source: Source, column: Column) -> tuple[str, ...]:
    if column != "arc":
        return _column(source, column)
    relations, heads = _column(source, "deprel"), _heads(source, column)
    sides = ("" if not head else "<" if head < at else ">" for at, head in enumerate(heads, start=1))
    return tuple(relation + side for relation, side in zip(relations, sides, strict=True))


def _tree(source: Source) -> tuple[tuple[str, ...], ...]:
    heads = _heads(source, "tree")
    distances = [str(head - at) if head else ROOT for at, head in enumerate(heads, start=1)]
    return _column(source, "deprel"), _column(source, "upos"), tuple(distances)


def _heads(source: Source, column: Column) -> list[int]:
    try:
        return source.parse.heads if source.parse else []
    except ValueError:
        text = " ".join(source.words)
        raise WordOrderError(f"labels={column}: the parse of {text[:40]!r} has no heads") from None


def _column(source: Source, column: Column) -> tuple[str, ...]:
    labels = tuple(getattr(row, column) for row in source.parse.words) if source.parse else ()
    if all(label == "_" for label in labels):
        text = " ".join(source.words)
        raise WordOrderError(
            f"labels={column}: {text[:40]!r} has no {column}; it needs a parse (CoNLL-U) with this column"
        )
    return labels
