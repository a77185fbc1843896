"""Polynomial kernels of BEER 2.0, expanded: a linear model over products of features.

The kernel of degree d is (gamma x·y + 1)^d. Expanded, it has a term for every product of up to d of the n
features, each with the root of its multinomial coefficient. The program lists them in the order of its loops,
which is the order of the weights in ``core_model``:

- degree 2: for every i: x_i², x_i, then x_i x_j for every j > i; at the end 1;
- degree 3: for every i: x_i³, x_i², x_i, then for every j > i: x_i² x_j, x_i x_j², x_i x_j, and
  x_i x_j x_k for every k > j; at the end 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from wordorder.arrays import Doubles, Ints

TERMS = 1 << 20  # products in memory at a time, at least a row of them


@dataclass(frozen=True, eq=False)
class Expansion:
    """The products: a factor, and three places in a row of the features, 1 and the features' third powers."""

    factors: Doubles
    places: tuple[Ints, Ints, Ints]

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.factors)

    def values(self, features: Doubles) -> Doubles:
        """Compute the products, one row per pair; rounded as the program rounds, from left to right."""
        cubes = features * features * features  # the program's power may differ in the last digit
        known = np.concatenate([features, np.ones((len(features), 1)), cubes], axis=1)
        first, second, third = self.places
        products: Doubles = self.factors * known[:, first]
        products *= known[:, second]
        products *= known[:, third]
        return products

    def sums(self, features: Doubles, weights: Doubles) -> Doubles:
        """Compute the weighted sums of the products, added one after the other."""
        total = np.empty(len(features))
        rows = max(1, TERMS // len(self))
        for begin in range(0, len(features), rows):
            terms = self.values(features[begin : begin + rows])
            terms *= weights
            total[begin : begin + rows] = np.add.accumulate(terms, axis=1)[:, -1]
        return total


def expansion(degree: int, gamma: float, features: int) -> Expansion:
    """Expand the kernel over a number of features.

    >>> products = expansion(2, 1.0, 2)
    >>> (products.values(np.array([[3.0, 5.0]])) ** 2).round(9).tolist()
    [[81.0, 18.0, 450.0, 625.0, 50.0, 1.0]]
    """
    terms = _squares(gamma, features) if degree == 2 else _cubes(gamma, features)
    factors, *places = zip(*terms, strict=True)
    first, second, third = (np.array(column, dtype=np.int32) for column in places)
    return Expansion(np.array(factors, dtype=np.float64), (first, second, third))


def _squares(gamma: float, size: int) -> Iterator[tuple[float, int, int, int]]:
    constant = size
    for i in range(size):
        yield gamma, i, i, constant
        yield sqrt(2.0 * gamma), i, constant, constant
        for j in range(i + 1, size):
            yield sqrt(2.0) * gamma, i, j, constant
    yield 1.0, constant, constant, constant


def _cubes(gamma: float, size: int) -> Iterator[tuple[float, int, int, int]]:
    constant, cube = size, size + 1
    power: float = gamma**1.5
    for i in range(size):
        yield power, cube + i, constant, constant
        yield sqrt(3.0) * gamma, i, i, constant
        yield sqrt(3.0 * gamma), i, constant, constant
        for j in range(i + 1, size):
            yield sqrt(3.0) * power, i, i, j
            yield sqrt(3.0) * power, i, j, j
            yield sqrt(6.0) * gamma, i, j, constant
            for k in range(j + 1, size):
                yield sqrt(6.0) * power, i, j, k
    yield 1.0, constant, constant, constant
