"""Layers in C++ against the formulas in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder.neural.layers import BiLSTM, Dense, mean_rows


def weights_of(rng: np.random.Generator, inputs: int, units: int, layers: int) -> dict[str, np.ndarray]:
    """Random weights with the names of torch, small enough that rounding errors do not grow."""

    def normal(*shape: int) -> np.ndarray:
        return (rng.normal(size=shape) / np.sqrt(shape[-1])).astype(np.float32)

    found = {}
    for layer in range(layers):
        for end in (f"l{layer}", f"l{layer}_reverse"):
            size = inputs if layer == 0 else 2 * units
            found[f"lstm.weight_ih_{end}"] = normal(4 * units, size)
            found[f"lstm.weight_hh_{end}"] = normal(4 * units, units)
            for kind in ("ih", "hh"):
                found[f"lstm.bias_{kind}_{end}"] = normal(4 * units)
    return found


def slow_lstm(x: np.ndarray, weights: dict[str, np.ndarray], units: int, layers: int) -> np.ndarray:
    """One sentence, one word after the other, in double precision."""

    def sigmoid(values: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-values))

    for layer in range(layers):
        sides = []
        for end, step in ((f"l{layer}", 1), (f"l{layer}_reverse", -1)):
            into, back, first, second = (
                weights[f"lstm.{kind}_{end}"].astype(np.float64)
                for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            )
            hidden, cell, states = np.zeros(units), np.zeros(units), []
            for row in x[::step]:
                enter, keep, new, show = np.split(into @ row + back @ hidden + first + second, 4)
                cell = sigmoid(keep) * cell + sigmoid(enter) * np.tanh(new)
                hidden = sigmoid(show) * np.tanh(cell)
                states.append(hidden)
            sides.append(np.array(states)[::step])
        x = np.concatenate(sides, axis=1)
    return x


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9), st.integers(1, 40), st.integers(1, 50), st.booleans(), st.integers(0, 99))
def test_dense(rows: int, inputs: int, outputs: int, biased: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, weights, bias = (
        rng.normal(size=shape).astype(np.float32) for shape in ((rows, inputs), (outputs, inputs), (outputs,))
    )
    found = Dense.of(weights, bias if biased else None)(x)
    expected = x.astype(np.float64) @ weights.T + (bias if biased else 0)
    np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize(("units", "layers"), [(1, 1), (5, 2), (8, 1), (19, 2), (32, 3)])
def test_lstm(units: int, layers: int) -> None:
    rng = np.random.default_rng(units)
    weights = weights_of(rng, 7, units, layers)
    # More sentences than are read together, of all lengths, not sorted.
    sentences = [rng.normal(size=(n, 7)).astype(np.float32) for n in (3, 1, 12, *range(1, 36), 2)]
    lstm = BiLSTM.of(weights, units, layers)
    for rows, found in zip(sentences, lstm(sentences), strict=True):
        np.testing.assert_allclose(found, slow_lstm(rows, weights, units, layers), atol=2e-5)


def test_states_do_not_depend_on_the_other_sentences() -> None:
    rng = np.random.default_rng(1)
    lstm = BiLSTM.of(weights_of(rng, 3, 6, 2), 6, 2)
    sentences = [rng.normal(size=(n, 3)).astype(np.float32) for n in (4, 9, 1, 4)]
    for rows, found in zip(sentences, lstm(sentences), strict=True):
        np.testing.assert_array_equal(lstm([rows])[0], found)
    assert lstm([]) == []


def test_gates_are_exact_where_they_saturate() -> None:
    """Large inputs meet the bounds of the exponential function."""
    rng = np.random.default_rng(2)
    weights = weights_of(rng, 4, 8, 1)
    for size in (1e-6, 1.0, 30.0, 1e4, 1e30):
        rows = (size * rng.normal(size=(5, 4))).astype(np.float32)
        with np.errstate(over="ignore"):
            expected = slow_lstm(rows, weights, 8, 1)
        np.testing.assert_allclose(BiLSTM.of(weights, 8, 1)([rows])[0], expected, atol=2e-5)


def test_mean_rows() -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(9, 4)).astype(np.float32)
    places = rng.integers(0, 9, size=(20, 5)) * (rng.random((20, 5)) < 0.7)
    for row, found in zip(places, mean_rows(table, places), strict=True):
        chosen = [table[place] for place in row if place]
        np.testing.assert_allclose(found, np.mean(chosen, axis=0) if chosen else np.zeros(4), atol=1e-6)


@pytest.mark.parametrize("layers", [1, 3])
def test_lstm_of_torch(layers: int) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    made = torch.nn.LSTM(5, 12, layers, batch_first=True, bidirectional=True)
    weights = {f"lstm.{name}": each.detach().numpy() for name, each in made.named_parameters()}
    rows = torch.randn(1, 11, 5)
    with torch.no_grad():
        expected = made(rows)[0][0].numpy()
    np.testing.assert_allclose(BiLSTM.of(weights, 12, layers)([rows[0].numpy()])[0], expected, atol=1e-5)
