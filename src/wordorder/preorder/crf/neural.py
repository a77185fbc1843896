"""Scores of edges from a trained network, in numpy: applying a model needs no torch.

The same computation as :class:`wordorder.preorder.crf.network.EdgeScorer` makes, without its dropout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Floats
from wordorder.errors import BadSetting, WordOrderError
from wordorder.preorder.base import Source
from wordorder.preorder.crf.forest import edges
from wordorder.preorder.crf.layout import WIDTHS, width_bucket
from wordorder.preorder.crf.lexicon import Lexicon, Types

BATCH = 48  # sentences that go through the LSTM together


def array_shapes(size: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The arrays of a network of these sizes, by the names that torch gives them."""
    both = 2 * size["units"]
    expected: dict[str, tuple[int, ...]] = {
        "word.weight": (size["words"], size["word_size"]),
        "piece.weight": (size["buckets"], size["piece_size"]),
        "language.weight": (size["languages"], size["language_size"]),
        "span_left.weight": (size["span_size"], both),
        "span_left.bias": (size["span_size"],),
        "span_right.weight": (size["span_size"], both),
        "width.weight": (WIDTHS, size["span_size"]),
        "roles.weight": (3 * size["edge_size"], size["span_size"]),
        "roles.bias": (3 * size["edge_size"],),
        "edge.weight": (2, size["edge_size"]),
        "edge.bias": (2,),
    }
    if size.get("labels"):
        expected["label.weight"] = (size["labels"], size["label_size"])
    if size["pair_size"]:
        expected |= {"pair.weight": (2 * size["pair_size"], both), "pair.bias": (2 * size["pair_size"],)}
    read = size["word_size"] + size["piece_size"] + size["language_size"] * (size["languages"] > 1)
    read += size["label_size"] if size.get("labels") else 0
    for layer in range(size["layers"]):
        for way in ("", "_reverse"):
            end = f"l{layer}{way}"
            expected[f"lstm.weight_ih_{end}"] = (4 * size["units"], read)
            expected[f"lstm.weight_hh_{end}"] = (4 * size["units"], size["units"])
            expected |= {f"lstm.bias_{kind}_{end}": (4 * size["units"],) for kind in ("ih", "hh")}
        read = both
    return expected


@dataclass(frozen=True)
class Network:
    """A trained network: arrays by the names that torch gave them, sizes, target languages, labels."""

    arrays: Mapping[str, Floats]
    lexicon: Lexicon
    shape: Mapping[str, int]
    languages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @classmethod
    def restored(cls, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Network:
        """From the arrays of a model file, of any precision, and what is said of them."""
        shape = dict(facts["shape"])
        lexicon = Lexicon.restored(arrays["words"], shape["buckets"])
        floats = {name: array.astype(np.float32) for name, array in arrays.items() if name != "words"}
        made = cls(floats, lexicon, shape, tuple(facts["languages"]), tuple(facts.get("labels", ())))
        made.check()
        return made

    def check(self) -> None:
        """Raise an error unless the arrays are there, fit each other and are finite."""
        size, expected = self.shape, array_shapes(self.shape)
        for name, wanted in expected.items():
            found = self.arrays.get(name)
            if found is None or found.shape != wanted or not np.isfinite(found).all():
                what = "missing" if found is None else f"of shape {found.shape}"
                if found is not None and found.shape == wanted:
                    what = "not finite"
                raise WordOrderError(f"the network's {name} is {what}; expected shape {wanted}")
        named = len(set(self.languages))
        if len(self.lexicon) != size["words"] or named not in (0, size["languages"]):
            raise WordOrderError("the network's words or languages do not fit its sizes")
        if size.get("labels", 0) != (len(self.labels) + 1 if self.labels else 0):
            raise WordOrderError("the network's labels do not fit its sizes")

    def tag(self, language: str | None) -> int:
        """The number of a target language; a network of one language has no names for it."""
        if not self.languages:
            return 0
        if language not in self.languages:
            raise BadSetting(f"language is {language!r}; the model knows {', '.join(self.languages)}")
        return self.languages.index(language)

    def scores(self, sources: Sequence[Source], language: str | None = None) -> list[Floats]:
        """The scores of each sentence's edges, straight and inverted in turn, in the order of ``forest``."""
        tag = self.tag(language)
        types = Types.of(self.lexicon, sources, self.labels)
        vectors = self._vectors(types, tag)
        found: list[Floats] = [np.empty(0, np.float32)] * len(sources)
        by_length = sorted(range(len(sources)), key=lambda s: -len(sources[s]))
        for at in range(0, len(by_length), BATCH):
            some = [s for s in by_length[at : at + BATCH] if len(sources[s]) > 1]
            if not some:
                continue
            states = self._read([vectors[types.encode(sources[s])] for s in some])
            for s, own in zip(some, states, strict=True):
                found[s] = self._edges(own)
        return found

    def _vectors(self, types: Types, tag: int) -> Floats:
        """What stands for each word: its vector, the mean of its pieces', the language's, its label's."""
        pieces = self.arrays["piece.weight"]
        count = np.maximum((types.pieces > 0).sum(axis=1, keepdims=True), 1)
        parts = [self.arrays["word.weight"][types.numbers]]
        spelled = np.zeros((len(types.numbers), pieces.shape[1]), dtype=np.float32)
        for column in types.pieces.T:
            spelled += pieces[column]  # piece 0 is nothing, and its vector zero
        parts.append(spelled / count.astype(np.float32))
        if self.shape["languages"] > 1:
            row = self.arrays["language.weight"][tag]
            parts.append(np.broadcast_to(row, (len(types.numbers), len(row))))
        if self.labels:
            parts.append(self.arrays["label.weight"][types.labels])
        return np.concatenate(parts, axis=1)

    @cached_property
    def _layers(self) -> list[tuple[Floats, Floats, Floats]]:
        """Weights of inputs, biases and weights of states of each layer, both ways stacked.

        Three of the four gates are sigmoids, which are half of ``1 + tanh(x / 2)``: with their weights
        halved, one call of tanh does for all.
        """
        units = self.shape["units"]
        half = np.full(4 * units, 0.5, dtype=np.float32)
        half[2 * units : 3 * units] = 1
        found = []
        for layer in range(self.shape["layers"]):
            ends = [f"l{layer}{way}" for way in ("", "_reverse")]
            into = [self.arrays[f"lstm.weight_ih_{end}"].T * half for end in ends]
            bias = [
                (self.arrays[f"lstm.bias_ih_{end}"] + self.arrays[f"lstm.bias_hh_{end}"]) * half
                for end in ends
            ]
            state = [self.arrays[f"lstm.weight_hh_{end}"].T * half for end in ends]
            found.append((np.stack(into), np.stack(bias), np.stack(state)))
        return found

    def _read(self, given: list[Floats]) -> Iterator[Floats]:
        """States ``[n + 2, 2 units]`` of each sentence; they come longest first."""
        lengths = [len(one) for one in given]
        steps, units = lengths[0], self.shape["units"]
        rows: list[Floats] = given
        for into, bias, state in self._layers:
            flat = np.concatenate(rows)
            gates = np.zeros((steps, 2, len(rows), 4 * units), dtype=np.float32)
            for way in (0, 1):
                projected = flat @ into[way] + bias[way]
                for b, own in enumerate(np.split(projected, np.cumsum(lengths)[:-1])):
                    gates[: len(own), way, b] = own[::-1] if way else own
            outputs = np.empty((steps, 2, len(rows), units), dtype=np.float32)
            hidden = np.zeros((2, len(rows), units), dtype=np.float32)
            cell = np.zeros_like(hidden)
            live = len(rows)
            for t in range(steps):
                while lengths[live - 1] <= t:
                    live -= 1
                gate = np.tanh(gates[t, :, :live] + hidden[:, :live] @ state)
                enter, keep, new, show = np.split(gate, 4, axis=-1)
                cell = 0.5 * ((keep + 1) * cell[:, :live] + (enter + 1) * new)
                hidden = outputs[t, :, :live] = 0.5 * (show + 1) * np.tanh(cell)
            rows = [
                np.concatenate([outputs[:n, 0, b], outputs[:n, 1, b][::-1]], axis=1)
                for b, n in enumerate(lengths)
            ]
        yield from rows

    def _edges(self, states: Floats) -> Floats:
        arrays, units = self.arrays, self.shape["units"]
        borders = np.concatenate([states[:-1, :units], states[1:, units:]], axis=1)
        n = len(borders) - 1
        left = borders @ arrays["span_left.weight"].T + arrays["span_left.bias"]
        right = borders @ arrays["span_right.weight"].T
        start, end, width, edges = _places(n)
        spans = left[start] + right[end] + arrays["width.weight"][width]
        roles = np.maximum(spans, 0) @ arrays["roles.weight"].T + arrays["roles.bias"]
        as_left, as_right, as_whole = (np.ascontiguousarray(part) for part in np.split(roles, 3, axis=1))
        hidden = as_left[edges[0]]
        hidden += as_right[edges[1]]
        hidden += as_whole[edges[2]]
        np.maximum(hidden, 0, out=hidden)
        scores: Floats = hidden @ arrays["edge.weight"].T + arrays["edge.bias"]
        if self.shape["pair_size"]:
            pairs = states[1:-1] @ arrays["pair.weight"].T + arrays["pair.bias"]
            first, second = np.split(pairs, 2, axis=1)
            sums = np.zeros((n + 1, n + 1), dtype=np.float64)
            sums[1:, 1:] = (first @ second.T / self.shape["pair_size"]).cumsum(0).cumsum(1)
            at = sums.ravel()
            corners = edges[3:]
            scores[:, 1] += at[corners[0]] - at[corners[1]] - at[corners[2]] + at[corners[3]]
        return scores.reshape(-1)


@lru_cache(maxsize=64)
def _places(n: int) -> tuple[Any, Any, Any, tuple[Any, ...]]:
    """Start, end and width of each span; of each edge its three spans and the corners of its rectangle."""
    start, end = np.triu_indices(n + 1, 1)
    number = np.zeros((n + 1, n + 1), dtype=np.int64)
    number[start, end] = np.arange(len(start))
    widths = np.array([width_bucket(width) for width in range(n + 1)])[end - start]
    i, k, j = edges(n).T
    row = n + 1
    spans = number[i, k], number[k, j], number[i, j]
    return start, end, widths, (*spans, k * row + j, i * row + j, k * row + k, i * row + k)


@dataclass(frozen=True)
class NeuralScorer:
    """A network with the target language of sentences that do not say it themselves; ``any`` if unknown."""

    network: Network
    language: str = "any"

    def __post_init__(self) -> None:
        if self.language != "any" and not self.network.languages:
            raise BadSetting(f"language is {self.language!r}; the model knows one language, without a name")
        if self.language != "any":
            self.network.tag(self.language)

    def scores(self, sources: Sequence[Source]) -> list[Floats]:
        """The scores of each sentence's edges."""
        if not self.network.languages or not any(one.target for one in sources):
            return self.network.scores(sources, self.language)
        found: list[Floats] = [np.empty(0, np.float32)] * len(sources)
        wanted = [one.target or self.language for one in sources]
        for language in dict.fromkeys(wanted):
            places = [s for s, own in enumerate(wanted) if own == language]
            some = self.network.scores([sources[s] for s in places], language)
            for s, own in zip(places, some, strict=True):
                found[s] = own
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights in half precision, and the words."""
        halves = {name: array.astype(np.float16) for name, array in self.network.arrays.items()}
        return {**halves, **self.network.lexicon.arrays()}
