"""Layers of trained networks, applied in C++: the same numbers on every machine, and no library to tame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder import _native
from wordorder.arrays import Floats, Longs


@dataclass(frozen=True, eq=False)
class Dense:
    """A linear layer; call it with rows of inputs."""

    packed: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: Floats, bias: Floats | None = None) -> Dense:
        """Make a layer of weights ``[outputs, inputs]``; without a bias it is zero."""
        if bias is None:
            bias = np.zeros(len(weights), dtype=np.float32)
        return cls(_native.pack_weights(np.ascontiguousarray(weights)), np.ascontiguousarray(bias))

    def __call__(self, rows: Floats) -> Floats:
        """Return the outputs of each row."""
        return _native.dense(np.ascontiguousarray(rows), self.packed, self.bias)


Direction = tuple[Floats, Floats, Floats]  # packed weights of inputs, of states, and the bias


@dataclass(frozen=True, eq=False)
class BiLSTM:
    """A bidirectional LSTM of several layers."""

    layers: Sequence[tuple[Direction, Direction]]
    units: int

    @classmethod
    def of(cls, weights: Mapping[str, Floats], units: int, layers: int) -> BiLSTM:
        """Make an LSTM of weights with the names that torch gives them, after ``lstm.``."""

        def direction(end: str) -> Direction:
            matrices = (weights[f"lstm.weight_{kind}_{end}"] for kind in ("ih", "hh"))
            inputs, states = (_native.pack_weights(np.ascontiguousarray(matrix)) for matrix in matrices)
            return inputs, states, weights[f"lstm.bias_ih_{end}"] + weights[f"lstm.bias_hh_{end}"]

        return cls([(direction(f"l{n}"), direction(f"l{n}_reverse")) for n in range(layers)], units)

    def __call__(self, inputs: Sequence[Floats]) -> list[Floats]:
        """Return the states ``[n, 2 units]`` of the words of each sentence."""
        if not inputs:
            return []
        lengths = np.array([len(rows) for rows in inputs], dtype=np.int32)
        states = np.concatenate(inputs)
        for forward, backward in self.layers:
            states = _native.bilstm(states, lengths, forward, backward, self.units)
        return np.split(states, np.cumsum(lengths)[:-1])


def mean_rows(vectors: Floats, places: Longs) -> Floats:
    """Return the mean of some rows of a table for each row of ``places``, which is padded with 0.

    >>> mean_rows(np.array([[0, 0], [1, 2], [3, 4]], np.float32), np.array([[1, 2], [2, 0], [0, 0]]))
    array([[2., 3.],
           [3., 4.],
           [0., 0.]], dtype=float32)
    """
    sums = np.zeros((len(places), vectors.shape[1]), dtype=np.float32)
    for column in places.T:
        sums += vectors[column] * (column > 0)[:, None]
    sums /= np.maximum((places > 0).sum(axis=1, keepdims=True), 1).astype(np.float32)
    return sums
