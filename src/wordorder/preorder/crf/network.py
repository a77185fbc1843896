"""A trained network, applied in C++: this needs neither torch nor a library of linear algebra.

Words, character n-grams, labels and the target language go through a bidirectional LSTM. A *border* between
words is what the LSTM has read on either side of it. A *span* is a hidden layer over its two borders and its
width; an *edge* is a hidden layer over its left part, its right part and the whole span. Both are sums of
terms that are computed once for each border or span, so that an edge costs two additions and a product with
two vectors; training on a CPU uses the same C++ code for these. In addition, every pair of words has a score
for changing places, summed over the two parts of an inverted edge.

:class:`wordorder.preorder.crf.network_torch.EdgeNetwork` is the same network for training.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Floats, Ints
from wordorder.errors import BadSetting, WordOrderError
from wordorder.neural.layers import BiLSTM, Dense, mean_rows
from wordorder.neural.words import InputVocabulary, pack_words, unpack_words
from wordorder.preorder.base import Arrays
from wordorder.preorder.crf.decoding import SentenceScores
from wordorder.preorder.crf.word_inputs import WordTypes
from wordorder.preorder.source import Source

BATCH = 48  # sentences that go through the LSTM together
WIDTH_BUCKETS = 16
NOTHING = SentenceScores(np.empty(0, np.float32))  # of sentences of one word, or none
LARGEST_SIZE, MOST_LAYERS = 1 << 30, 100
OPTIONAL = ("pair_size", "linked", "labels")  # sizes that are 0 if the network lacks this part


def width_bucket(width: int) -> int:
    """Return the bucket of a span width: one each up to 8, then 9-10, 11-12, 13-16, and so on.

    >>> [width_bucket(width) for width in (0, 1, 8, 9, 11, 20, 1000)]
    [0, 1, 8, 9, 10, 12, 15]
    """
    return width if width <= 8 else min(WIDTH_BUCKETS - 1, 8 + math.ceil(3 * math.log2(width / 8)))


@lru_cache(maxsize=512)
def width_buckets(longest: int) -> Ints:
    """Return the buckets of the widths from 0 to ``longest``."""
    buckets = np.array([width_bucket(width) for width in range(longest + 1)], dtype=np.int32)
    buckets.flags.writeable = False
    return buckets


@dataclass(frozen=True, kw_only=True)
class NetworkShape:
    """The sizes of a network."""

    words: int
    buckets: int  # of character n-grams
    languages: int = 1
    word_size: int = 100
    piece_size: int = 50  # of vectors of character n-grams
    language_size: int = 8
    units: int = 200  # of the LSTM, in each direction
    layers: int = 2
    span_size: int = 128
    edge_size: int = 96
    pair_size: int = 0  # of vectors that score word pairs; 0: no such scores
    linked: int = 0  # 1: the network also predicts which words have links
    labels: int = 0  # including the unknown label; 0: words have no labels
    label_size: int = 16

    def __post_init__(self) -> None:
        """Check that sizes are numbers, because a model file may say anything."""
        for name, size in vars(self).items():
            least = 0 if name in OPTIONAL else 1
            largest = LARGEST_SIZE if name != "layers" else MOST_LAYERS
            if type(size) is not int or not least <= size <= largest:
                raise WordOrderError(
                    f"the network's size {name} is {size!r}; expected {least} to {largest:,}"
                )

    @property
    def input_size(self) -> int:
        """The size of the vector of a word."""
        language = self.language_size if self.languages > 1 else 0
        return self.word_size + self.piece_size + language + (self.label_size if self.labels else 0)

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Return the names and shapes of all arrays, as torch names them."""
        both = 2 * self.units
        shapes: dict[str, tuple[int, ...]] = {
            "word.weight": (self.words, self.word_size),
            "piece.weight": (self.buckets, self.piece_size),
            "language.weight": (self.languages, self.language_size),
            "span_left.weight": (self.span_size, both),
            "span_left.bias": (self.span_size,),
            "span_right.weight": (self.span_size, both),
            "width.weight": (WIDTH_BUCKETS, self.span_size),
            "roles.weight": (3 * self.edge_size, self.span_size),
            "roles.bias": (3 * self.edge_size,),
            "edge.weight": (2, self.edge_size),
            "edge.bias": (2,),
        }
        if self.labels:
            shapes["label.weight"] = (self.labels, self.label_size)
        if self.linked:
            shapes |= {"linked.weight": (1, both), "linked.bias": (1,)}
        if self.pair_size:
            shapes |= {"pair.weight": (2 * self.pair_size, both), "pair.bias": (2 * self.pair_size,)}
        size = self.input_size
        for layer in range(self.layers):
            for direction in ("", "_reverse"):
                end = f"l{layer}{direction}"
                shapes[f"lstm.weight_ih_{end}"] = (4 * self.units, size)
                shapes[f"lstm.weight_hh_{end}"] = (4 * self.units, self.units)
                shapes |= {f"lstm.bias_{kind}_{end}": (4 * self.units,) for kind in ("ih", "hh")}
            size = both
        return shapes


@dataclass(frozen=True)
class TrainedNetwork:
    """Weights by name, with the vocabulary, target languages and labels they belong to.

    A network of one target language has no name for it. An
    :class:`~wordorder.preorder.crf.forest_crf.EdgeScorer`.
    """

    weights: Mapping[str, Floats]
    vocabulary: InputVocabulary
    shape: NetworkShape
    languages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> TrainedNetwork:
        """Rebuild a network from the arrays of a model file, of any precision, and its description."""
        shape = NetworkShape(**facts["shape"])
        vocabulary = InputVocabulary(unpack_words(arrays["words"]), shape.buckets)
        weights = {name: array.astype(np.float32) for name, array in arrays.items() if name != "words"}
        network = cls(weights, vocabulary, shape, tuple(facts["languages"]), tuple(facts["labels"]))
        network.check()
        return network

    def check(self) -> None:
        """Raise an error unless all weights exist, fit each other and are finite."""
        for name, expected in self.shape.arrays().items():
            array = self.weights.get(name)
            if array is None or array.shape != expected or not np.isfinite(array).all():
                problem = "missing" if array is None else f"of shape {array.shape}"
                if array is not None and array.shape == expected:
                    problem = "not finite"
                raise WordOrderError(f"the network's {name} is {problem}; expected shape {expected}")
        for name in (*self.languages, *self.labels):
            if not isinstance(name, str):
                raise WordOrderError(f"the network has a language or label {name!r}; expected a name")
        names = self.languages  # empty: a single language without a name
        different = not names or len(names) == len(set(names)) == self.shape.languages
        if len(self.vocabulary) != self.shape.words or not different:
            raise WordOrderError("the network's words or languages do not fit its sizes")
        if self.shape.labels != (len(self.labels) + 1 if self.labels else 0):
            raise WordOrderError("the network's labels do not fit its sizes")

    def arrays(self) -> Arrays:
        """Return the weights in half precision, and the words."""
        halves = {name: array.astype(np.float16) for name, array in self.weights.items()}
        return {**halves, "words": pack_words(self.vocabulary.words)}

    def check_language(self, language: str) -> None:
        """Raise an error unless the network knows a target language of that name."""
        if not self.languages:
            raise BadSetting(f"language is {language!r}, but the model has a single, unnamed target language")
        if language not in self.languages:
            raise BadSetting(f"language is {language!r}; the model knows {', '.join(self.languages)}")

    def check_target(self, target: str) -> None:
        """Raise an error unless there is a network for sentences with this target language; empty: none."""
        if target:
            self.check_language(target)
        elif self.languages:
            raise BadSetting(
                f"the model knows several target languages: {', '.join(self.languages)}. Choose one.",
                suggest={"language": self.languages[0]},
            )

    def scores(self, sources: Sequence[Source], language: str = "") -> list[SentenceScores]:
        """Score the edges of each sentence and, if the network has learned them, its linked words.

        ``language`` is the target language of sentences that do not have one of their own.
        """
        if not self.languages:
            return self._scores(sources, 0)
        scores = [NOTHING] * len(sources)
        targets = [source.target or language for source in sources]
        for target in dict.fromkeys(targets):
            self.check_target(target)
            places = [s for s, own in enumerate(targets) if own == target]
            part = self._scores([sources[s] for s in places], self.languages.index(target))
            for s, own_scores in zip(places, part, strict=True):
                scores[s] = own_scores
        return scores

    def _scores(self, sources: Sequence[Source], language: int) -> list[SentenceScores]:
        types = WordTypes.of(self.vocabulary, sources, self.labels)
        inputs = self._inputs(types, language)
        scores = [NOTHING] * len(sources)
        places = [s for s, source in enumerate(sources) if len(source) > 1]
        for start in range(0, len(places), BATCH):
            batch = places[start : start + BATCH]
            states = self._lstm([inputs[types.encode(sources[s])] for s in batch])
            for s, own_states in zip(batch, states, strict=True):
                scores[s] = SentenceScores(self._edge_scores(own_states), self._linked(own_states))
        return scores

    def _inputs(self, types: WordTypes, language: int) -> Floats:
        """Return the input vector of each type: word, mean of n-grams, language, label."""
        parts = [
            self.weights["word.weight"][types.numbers],
            mean_rows(self.weights["piece.weight"], types.ngrams),
        ]
        if self.shape.languages > 1:
            row = self.weights["language.weight"][language]
            parts.append(np.broadcast_to(row, (len(types.numbers), len(row))))
        if self.labels:
            parts.append(self.weights["label.weight"][types.labels])
        return np.concatenate(parts, axis=1)

    @cached_property
    def _lstm(self) -> BiLSTM:
        return BiLSTM.of(self.weights, self.shape.units, self.shape.layers)

    @cached_property
    def _layers(self) -> dict[str, Dense]:
        optional = {"pair": self.shape.pair_size, "linked": self.shape.linked}
        names = ("span_left", "span_right", "roles", *(name for name, there in optional.items() if there))
        weights = self.weights
        return {name: Dense.of(weights[f"{name}.weight"], weights.get(f"{name}.bias")) for name in names}

    def _linked(self, states: Floats) -> Floats | None:
        """Return the probability of each word to have a counterpart, if the network has learned it."""
        if not self.shape.linked:
            return None
        odds = self._layers["linked"](states[1:-1])[:, 0]
        return (1 / (1 + np.exp(-odds))).astype(np.float32)

    def _edge_scores(self, states: Floats) -> Floats:
        """Return the scores of the edges of one sentence from the states of its words and boundaries."""
        weights, units, layers = self.weights, self.shape.units, self._layers
        borders = np.concatenate([states[:-1, :units], states[1:, units:]], axis=1)
        n = len(borders) - 1
        left, right = layers["span_left"](borders), layers["span_right"](borders)
        lengths = np.array([n], np.int32)
        spans = _native.crf_spans(
            left, right, weights["width.weight"], width_buckets(n), lengths, no_dropout(left.shape[1]), 0, 1
        )
        pairs = np.empty((0, 0, 0), np.float32)
        if self.shape.pair_size:
            first, second = np.split(layers["pair"](states[1:-1]), 2, axis=1)
            pairs = (Dense.of(second)(first) / np.float32(self.shape.pair_size))[None]
        masks = no_dropout(self.shape.edge_size)
        return _native.crf_edges(
            layers["roles"](spans), weights["edge.weight"], weights["edge.bias"], pairs, lengths, masks, 0, 1
        )


@lru_cache(maxsize=8)
def no_dropout(size: int) -> Floats:
    """Return a single dropout mask that keeps all units."""
    return np.ones((1, size), np.float32)
