"""Weights in files: they come back within the promised error, and damage is noticed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from wordorder.errors import WordOrderError
from wordorder.neural.storage import restored_weights, stored_weights

MATRICES = arrays.arrays(
    np.float32,
    arrays.array_shapes(min_dims=2, max_dims=3, max_side=5),
    elements=st.floats(-100, 100, width=32).map(lambda x: 0.0 if abs(x) < 1e-6 else x),
)


@settings(max_examples=60, deadline=None)
@given(MATRICES)
def test_matrices_come_back(weights: np.ndarray) -> None:
    packed = stored_weights({"w": weights})
    assert packed["w"].dtype == np.int8
    found = restored_weights(packed)
    assert list(found) == ["w"] and found["w"].dtype == np.float32 and found["w"].shape == weights.shape
    largest = np.abs(weights).max(axis=-1, keepdims=True)
    assert (np.abs(found["w"] - weights) <= largest / 254 * 1.001).all()
    # What is rounded once is not changed again, apart from the last bits of the factors.
    np.testing.assert_allclose(restored_weights(stored_weights(found))["w"], found["w"], rtol=1e-5, atol=1e-9)


def test_vectors_are_kept_in_half_precision() -> None:
    bias = np.array([0.1, -2.5, 1000.0], np.float32)
    packed = stored_weights({"bias": bias})
    assert packed["bias"].dtype == np.float16 and list(packed) == ["bias"]
    np.testing.assert_allclose(restored_weights(packed)["bias"], bias, rtol=1e-3)


@pytest.mark.parametrize(
    ("weights", "factors"),
    [
        (np.zeros((2, 3), np.int8), np.ones(3, np.float32)),
        (np.zeros((2, 3), np.int8), np.ones((2, 1), np.float32)),
        (np.zeros(3, np.int8), np.ones(1, np.float32)),
        (np.zeros((2, 0), np.int8), np.ones(2, np.float32)),
    ],
)
def test_factors_that_do_not_fit(weights: np.ndarray, factors: np.ndarray) -> None:
    with pytest.raises(WordOrderError, match="the factors of w do not fit its rows"):
        restored_weights({"w": weights, "w.factors": factors})
