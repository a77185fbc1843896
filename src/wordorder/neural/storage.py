"""Weights in files: matrices as whole numbers from -127 to 127, with a factor for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Floats
from wordorder.errors import WordOrderError

FACTORS = ".factors"  # ends the name of the array with the factors of a matrix
LARGEST = 127


def stored_weights(weights: Mapping[str, Floats]) -> dict[str, NDArray[Any]]:
    """Return arrays for a file: bytes and factors for matrices, half precision for vectors.

    The error of a weight is at most 1/254 of the largest weight of its row.

    >>> arrays = stored_weights({"w": np.array([[1.0, -0.5], [0.0, 0.0]], np.float32)})
    >>> arrays["w"].tolist(), arrays["w.factors"].round(4).tolist()
    ([[127, -64], [0, 0]], [0.007899999618530273, 0.0])
    """
    arrays: dict[str, NDArray[Any]] = {}
    for name, array in weights.items():
        if array.ndim < 2:
            arrays[name] = array.astype(np.float16)
            continue
        rows = array.reshape(-1, array.shape[-1])
        factors = (np.abs(rows).max(axis=1) / LARGEST).astype(np.float32)
        divisors = np.where(factors > 0, factors, 1)[:, None]
        arrays[name] = np.rint(rows / divisors).astype(np.int8).reshape(array.shape)
        arrays[name + FACTORS] = factors
    return arrays


def restored_weights(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Floats]:
    """Return the weights of a file in single precision; the inverse of :func:`stored_weights`."""
    weights: dict[str, Floats] = {}
    for name, array in arrays.items():
        if name.endswith(FACTORS):
            continue
        factors = arrays.get(name + FACTORS)
        if factors is not None and (
            array.ndim < 2 or factors.shape != (array.size // max(1, array.shape[-1]),)
        ):
            raise WordOrderError(f"the factors of {name} do not fit its rows")
        with np.errstate(over="ignore", invalid="ignore"):  # weights of damaged files may become infinite
            own = array.astype(np.float32)
            if factors is not None:
                own *= factors.astype(np.float32).reshape(*array.shape[:-1], 1)
        weights[name] = own
    return weights
