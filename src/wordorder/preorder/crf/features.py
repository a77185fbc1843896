"""Sparse features of edges: what they see of words, where they look, and a scorer with their weights.

A word is described by several *layers* of codes: the word itself, automatically learned word classes from
coarse to fine, its last and first letters, and its label if there is one. A template says which layer is seen
at which positions of an edge, or of a pair of words. Templates of edges follow top-down BTG parsing (Nakagawa
2015); templates of word pairs that change places follow linear ordering (Tromble and Eisner 2009). With
dependency trees, further templates look at the tops of both parts of an edge, which are the words whose heads
are outside the part, and at how they are related.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Ints
from wordorder.neural.words import pack_words, unpack_words
from wordorder.preorder.base import Arrays
from wordorder.preorder.crf.decoding import SentenceScores
from wordorder.preorder.probabilistic import HIDDEN
from wordorder.preorder.source import Source
from wordorder.preorder.word_labels import Column, heads_of, labels_of

WORD, COARSE, FINE, END, BEGIN, LABEL, TAG = range(7)  # layers
UNKNOWN = "\n"  # no word contains it
PAIR_POWER = 0.5  # the sum over the pairs of an edge is divided by this power of their number

# Word classes


@dataclass(frozen=True)
class WordClasses:
    """Word classes learned from raw text with the exchange algorithm, in layers from coarse to fine.

    Words in similar contexts are in the same class. ``layers[layer, word]`` is a class; words that are not
    listed have none.
    """

    words: tuple[str, ...]
    layers: Ints

    MAX_WORDS = 30_000  # that get a class
    ITERATIONS = 15

    @classmethod
    def learn(
        cls, sentences: Iterable[Sequence[str]], sizes: Sequence[int], *, min_count: int = 3
    ) -> WordClasses:
        """Learn one layer for each of the sizes, over the words that occur at least ``min_count`` times.

        >>> text = [["a", "b"], ["c", "b"], ["a", "d"], ["c", "d"]] * 3
        >>> classes = WordClasses.learn(text, [2])
        >>> row = dict(zip(classes.words, classes.layers[0].tolist()))
        >>> row["a"] == row["c"] != row["b"] == row["d"]
        True
        """
        text = [list(sentence) for sentence in sentences]
        counts = Counter(word for sentence in text for word in sentence)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        words = tuple(word for word, count in ranked if count >= min_count)[: cls.MAX_WORDS]
        numbers = {word: number for number, word in enumerate(words)}
        rare = len(words)  # all other words count as one
        values = np.array([numbers.get(word, rare) for sentence in text for word in sentence], np.int32)
        offsets = np.cumsum([0, *map(len, text)], dtype=np.int64)
        rows = [
            _native.exchange_classes(values, offsets, rare + 1, max(1, min(size, rare)), cls.ITERATIONS)[
                :rare
            ]
            for size in sizes
        ]
        return cls(words, np.array(rows, dtype=np.int32).reshape(len(sizes), len(words)))

    @property
    def numbers(self) -> dict[str, int]:
        """The column of each word in ``layers``."""
        return {word: number for number, word in enumerate(self.words)}


# Codes of words


def code(layer: str, text: str) -> int:
    """Return a number for a value in a layer, the same on every machine."""
    return zlib.crc32(f"{layer}\t{text}".encode("utf-8", "surrogatepass"))


def ending(word: str) -> str:
    """Return the last three letters, or a sign for numbers and for punctuation.

    >>> ending("Kyoto"), ending("1192"), ending("--")
    ('oto', '0', '.')
    """
    if any(c.isdigit() for c in word):
        return "0"
    if not any(c.isalpha() for c in word):
        return "."
    return word[-3:].lower()


class WordCodes:
    """Codes of words in all layers: word, classes, ending, beginning, and ``labels`` if there are any."""

    def __init__(self, known: Sequence[str], classes: WordClasses, *, labels: Column = "none") -> None:
        self.labels = labels
        self.known = frozenset(known)
        self.classes = classes
        self._numbers = classes.numbers
        self.count = 3 + len(classes.layers) + {"none": 0, "tree": 2}.get(labels, 1)
        self.codes = lru_cache(maxsize=200_000)(self._codes)

    def _codes(self, word: str) -> tuple[int, ...]:
        word = word.lower()
        if word == HIDDEN:
            names = ["word", *(f"class{layer}" for layer in range(len(self.classes.layers))), "end", "begin"]
            return tuple(code(name, UNKNOWN) for name in names)
        end = ending(word)
        number = self._numbers.get(word, -1)
        codes = [code("word", word if word in self.known else UNKNOWN + end)]
        for layer, row in enumerate(self.classes.layers):
            codes.append(code(f"class{layer}", str(row[number]) if number >= 0 else UNKNOWN + end))
        return (*codes, code("end", end), code("begin", word[:3]))

    def of(self, source: Source) -> NDArray[np.uint32]:
        """Return the codes of a sentence, one layer after the other; the heads of a tree come last."""
        rows: list[Iterable[int]] = [*zip(*map(self.codes, source.words), strict=True)]
        if self.labels != "none":
            rows.append(code("label", label or UNKNOWN) for label in labels_of(source))
        if self.labels == "tree" and source.words:
            rows.append(code("tag", tag or UNKNOWN) for tag in source.layers[1])
            rows.append(heads_of(source))
        return np.array([*chain.from_iterable(rows)], dtype=np.uint32)


# Templates
#
# The left part of an edge goes from word Ll to word Lr, the right part from Rl to Rr; Lo is the word before
# the edge and Ro the word after it. No template sees words at all three boundaries of an edge, which would
# cost the most by far.

EDGE_PLACES = ("Lo", "Ll", "Lr", "Rl", "Rr", "Ro")
EDGE_LENGTHS = ("left", "right", "both")
ONE_BOUNDARY = ("Lo", "Ll", "Lr", "Rl", "Rr", "Ro", "Lo Ll", "Lr Rl", "Rr Ro")
TWO_BOUNDARIES = (
    "Ll Lr", "Ll Rl", "Lo Rl", "Lo Lr", "Ll Lr Rl", "Lo Ll Lr Rl",
    "Lr Rr", "Rl Rr", "Rl Ro", "Lr Ro", "Lr Rl Rr", "Lr Rl Rr Ro",
    "Ll Rr", "Lo Ro", "Lo Ll Rr Ro", "Ll Ro", "Lo Rr",
)  # fmt: skip
LENGTHS_ONLY = ("left", "right", "both", "left right")
WITH_LENGTH = ("Ll left", "Lr left", "Rl right", "Rr right", "Ll Rr both", "Rl Rr right", "Ll Lr left")
PAIR_PLACES = ("a-", "a", "a+", "b-", "b", "b+")
# The top of the left part of an edge, that of the right part, and the head of the left top, each followed by
# the layer to see there; the relation and the distance of the tops, and the kinds of both parts.
TREE_PLACES = ("left", "left", "right", "right", "above", "relation", "kinds", "far")
TREE_LAYER_NAMES = {"word": WORD, "coarse": COARSE, "fine": FINE, "end": END, "label": LABEL, "tag": TAG}
TREE_TEMPLATES = (
    "relation kinds", "relation far",
    "left:label right:label relation kinds", "left:tag right:tag relation kinds",
    "left:tag right:label relation kinds", "left:label right:tag relation kinds",
    "left:label left:tag right:label right:tag relation", "left:label right:label relation far",
    "left:label relation kinds", "right:label relation kinds",
    "left:word right:label relation", "left:label right:word relation", "left:word right:word relation",
    "left:fine right:label relation", "left:label right:fine relation", "left:fine right:fine relation",
    "left:coarse left:label right:coarse right:label relation",
    "left:end right:label relation", "left:label right:end relation",
    "left:label right:label above:tag relation", "left:label right:label above:fine relation",
    "left:label right:label above:word relation",
)  # fmt: skip
PAIR_TEMPLATES = ("a b", "a b far", "a b a+", "a b b-", "a- a b", "a b b+", "a", "b")


def _edge_row(template: str, layer: int) -> list[int]:
    names = template.split()
    return [layer if place in names else -1 for place in EDGE_PLACES] + [
        0 if length in names else -1 for length in EDGE_LENGTHS
    ]


def edge_templates(layers: int) -> list[list[int]]:
    """Return all templates of edges: for each position the layer that is seen there, or -1."""
    every = (*ONE_BOUNDARY, *TWO_BOUNDARIES, *WITH_LENGTH)
    return [
        *(_edge_row(template, 0) for template in ("", *LENGTHS_ONLY)),
        *(_edge_row(template, layer) for layer in range(layers) for template in every),
    ]


def state_templates(layers: int) -> list[list[int]]:
    """Return the templates whose weights differ between hidden states: one border of an edge, or lengths."""
    return [
        *(_edge_row(template, 0) for template in ("", *LENGTHS_ONLY)),
        *(_edge_row(template, layer) for layer in range(layers) for template in ONE_BOUNDARY),
    ]


def pair_templates(layers: Sequence[int]) -> list[list[int]]:
    """Return the templates of pairs of words that an inverted edge makes change places."""
    return [
        [layer if place in template.split() else -1 for place in PAIR_PLACES]
        + [0 if "far" in template else -1]
        for layer in layers
        for template in PAIR_TEMPLATES
    ]


def tree_templates() -> list[list[int]]:
    """Return the templates of the tops of both parts of an edge.

    >>> tree_templates()[0]
    [-1, -1, -1, -1, -1, 0, 0, -1]
    """
    return [_tree_row(template) for template in TREE_TEMPLATES]


def _tree_row(template: str) -> list[int]:
    row = [-1] * len(TREE_PLACES)
    for part in template.split():
        place, _, layer = part.partition(":")
        at = TREE_PLACES.index(place)
        at += row[at] >= 0  # the second layer that is seen at a place
        row[at] = TREE_LAYER_NAMES[layer] if layer else 0
    return row


# Scores


def weight_count(bits: int, states: int) -> int:
    """Return the number of weights: those of all templates, those of each state, and transitions.

    >>> weight_count(10, 1), weight_count(10, 2)
    (2048, 6176)
    """
    return 2 << bits if states == 1 else (states + 1) * (2 << bits) + transition_count(states)


def transition_count(states: int) -> int:
    """Return the number of weights of transitions: by the labels of parent and child, and the side."""
    return 2 * (2 * states) ** 2


class FeatureScorer:
    """Learned weights of hashed features; an :class:`~wordorder.preorder.crf.forest_crf.EdgeScorer`."""

    def __init__(
        self,
        codes: WordCodes,
        bits: int,
        *,
        canonical: bool = False,
        margin: bool = False,
        states: int = 1,
        weights: NDArray[Any] | None = None,
    ) -> None:
        self.codes = codes
        edges = edge_templates(codes.count)
        pairs = pair_templates((WORD, COARSE, FINE, END, *([LABEL] if codes.labels != "none" else [])))
        self.learner = _native.CrfLearner(
            codes.count, bits, PAIR_POWER, edges, pairs, canonical, margin, states,
            state_templates(codes.count) if states > 1 else [],
            tree_templates() if codes.labels == "tree" else [],
        )  # fmt: skip
        if weights is not None:
            self.learner.set_weights(weights.astype(np.float32))

    def scores(self, sources: Sequence[Source]) -> list[SentenceScores]:
        """Return the scores of each sentence, whatever its target language."""
        return [
            SentenceScores(self.learner.scores(self.codes.of(source), np.array([len(source)], np.int32), 1))
            for source in sources
        ]

    def arrays(self) -> Arrays:
        """Return words, classes, and weights in half precision."""
        classes = self.codes.classes
        return {
            "known": pack_words(sorted(self.codes.known)),
            "class_words": pack_words(classes.words),
            "classes": classes.layers.astype(np.int16),
            "weights": self.learner.weights().astype(np.float16),
        }

    @classmethod
    def restored(
        cls,
        arrays: Mapping[str, NDArray[Any]],
        bits: int,
        *,
        canonical: bool = False,
        states: int = 1,
        labels: Column = "none",
    ) -> FeatureScorer:
        """Rebuild a scorer from :meth:`arrays`."""
        classes = WordClasses(unpack_words(arrays["class_words"]), arrays["classes"].astype(np.int32))
        weights = arrays["weights"].astype(np.float32)
        if classes.layers.shape != (2, len(classes.words)):
            raise ValueError(f"there are classes {classes.layers.shape} for {len(classes.words)} words")
        expected = weight_count(bits, states)
        if len(weights) != expected or not np.isfinite(weights).all():
            raise ValueError(f"there are {len(weights)} weights, not {expected}, or not all are finite")
        codes = WordCodes(unpack_words(arrays["known"]), classes, labels=labels)
        return cls(codes, bits, canonical=canonical, states=states, weights=weights)
