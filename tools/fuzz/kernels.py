"""The target of kernels: every bound function is called with random arguments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.fuzz.structure import Files, odd_number
from tools.fuzz.target import Target, only_file

Array = NDArray[Any]


@cache
def _known() -> Any:
    return import_module("tests.native.wrong_calls")  # right calls of all functions, and wrong values


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(_known().calls()))


class KernelTarget(Target):
    """A case names a function and the seed of its arguments."""

    def case(self, seed: int, number: int) -> Files:
        """Call all functions in turn."""
        names = _names()
        return {"call": f"{names[number % len(names)]}\n{seed} {number}".encode()}


def kernels() -> list[Target]:
    """Return the target."""
    return [KernelTarget("kernels", _call, lambda: [{"call": b"trees\n0 0"}], _known().EXPECTED)]


def _call(case: Path) -> None:
    name, seed = Path(only_file(case)).read_text().split("\n")
    rng = random.Random(seed)
    function, arguments = _known().calls()[name]
    given = arguments()
    for key in rng.sample(sorted(given), min(len(given), rng.choice((1, 1, 2, 3, 9)))):
        given[key] = random_value(given[key], rng)
    with np.errstate(all="ignore"):
        function(**given)


def random_value(value: Any, rng: random.Random) -> Any:
    """Return a value of the same type, or now and then one that is wrong altogether."""
    if rng.random() < 0.2:
        return rng.choice(_known().wrong_values(value, rng))
    if isinstance(value, np.ndarray):
        return (
            _offsets(value, rng) if _is_offsets(value) and rng.random() < 0.8 else _random_array(value, rng)
        )
    if isinstance(value, bool):
        return rng.random() < 0.5
    if isinstance(value, int):
        return rng.choice((rng.randint(-2, 70), rng.randint(0, 5), value + 1, value - 1, 1 << 31, 1 << 40))
    if isinstance(value, float):
        return rng.choice((rng.random(), rng.gauss(0, 10), 0.0, 1e300, -1e300, float("nan")))
    if isinstance(value, list | tuple) and value:
        items = [random_value(item, rng) if rng.random() < 0.5 else item for item in value]
        items *= rng.choice((1, 1, 1, 2))
        return type(value)(items[: rng.randint(0, len(items))] if rng.random() < 0.3 else items)
    return value


def _is_offsets(array: Array) -> bool:
    return array.dtype == np.int64 and array.ndim == 1 and array.size > 0 and not array[0]


def _offsets(array: Array, rng: random.Random) -> Array:
    """Return rising numbers from 0, mostly to the same end."""
    end = int(array[-1]) if rng.random() < 0.8 else rng.randint(0, 200)
    inner: Sequence[int] = sorted(
        rng.randint(0, end) for _ in range(rng.choice((0, 1, len(array) - 2, 5, 70)))
    )
    return np.array([0, *inner, end], dtype=np.int64)


def _random_array(array: Array, rng: random.Random) -> Array:
    """Return an array of the same type, mostly of the same shape, with small and odd values."""
    shape = array.shape
    if rng.random() < 0.3:
        shape = tuple(rng.choice((size, size, rng.randint(0, 70))) for size in shape)
    source = np.random.default_rng(rng.randrange(1 << 32))
    if array.dtype.kind == "f":
        made: Array = source.normal(scale=rng.choice((1, 1, 100, 1e30)), size=shape)
    else:
        made = source.integers(rng.choice((-1, 0, 0)), rng.choice((2, 3, 5, 70)), size=shape)
    with np.errstate(all="ignore"):
        made = made.astype(array.dtype)
    for _ in range(rng.choice((0, 0, 0, 1, 2)) if made.size else 0):
        made.flat[rng.randrange(made.size)] = odd_number(made.dtype, rng)
    return made
