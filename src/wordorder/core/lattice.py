"""Many orders of one sentence as a lattice: the smallest acyclic automaton that accepts them.

All paths read the same words, so the words read on the way to a state are the same on every path. That
is why an expected Kendall loss, which is a sum over pairs of words, is a sum over the arcs of a path: an arc
decides all pairs of its word and a word that is still to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidPermutation


@dataclass(frozen=True, eq=False, slots=True)
class Lattice:
    """Arcs from state to state, each with the source position that is read there.

    States are numbered so that arcs go up: 0 is the first, the largest the last. ``gains`` and ``losses`` of
    an arc are the shares of all pairs of words that it is expected to put the right and the wrong way
    round; along a path they sum to 1 minus the expected loss of the order, and to that loss.

    >>> table = np.array([[0.0, 0.7, 0.6], [0.3, 0.0, 0.9], [0.4, 0.1, 0.0]])
    >>> made = lattice([Permutation([0, 1, 2]), Permutation([1, 0, 2])], table)
    >>> made.states, made.arcs.tolist()
    (4, [[0, 1, 0], [0, 2, 1], [1, 3, 1], [2, 3, 0], [3, 4, 2]])
    """

    words: int
    arcs: Ints  # rows: from, to, source position
    gains: Doubles
    losses: Doubles

    @property
    def states(self) -> int:
        """The number of states but for the last one, as Moses counts; 0 for a sentence of no words."""
        return int(self.arcs[-1, 1]) if len(self.arcs) else 0

    def out(self) -> Iterator[tuple[int, range]]:
        """Each state but the last, with the numbers of its arcs."""
        begins = np.searchsorted(self.arcs[:, 0], np.arange(self.states + 1)).tolist()
        for state in range(self.states):
            yield state, range(begins[state], begins[state + 1])

    def orders(self) -> Iterator[tuple[Permutation, float]]:
        """All orders with their expected loss, in alphabetical order."""
        by_state = dict(self.out())
        stack: list[tuple[int, tuple[int, ...], float]] = [(0, (), 0.0)]
        while stack:
            state, read, loss = stack.pop()
            if len(read) == self.words:
                yield Permutation.from_order(read), loss
                continue
            for a in reversed(by_state[state]):
                _, to, position = self.arcs[a].tolist()
                stack.append((to, (*read, position), loss + float(self.losses[a])))


def lattice(orders: Sequence[Permutation], precedence: Doubles) -> Lattice:
    """The smallest lattice of these orders; ``precedence[i, j]`` is the probability that i comes before j."""
    if not orders:
        raise InvalidPermutation("a lattice needs at least one order")
    n = len(orders[0])
    if any(len(order) != n for order in orders):
        raise InvalidPermutation("a lattice needs orders of the same words")
    table = np.ascontiguousarray(precedence, dtype=np.float64)
    if table.shape != (n, n):
        raise InvalidPermutation(f"the precedence table of {n} words is {table.shape[0]} x {table.shape[-1]}")
    rows = np.array([order.order for order in orders], dtype=np.int32).reshape(len(orders), n)
    arcs, gains = _native.lattice(rows, table)
    _, losses = _native.lattice(rows, np.ascontiguousarray(table.T))
    pairs = max(n * (n - 1) / 2, 1)
    return Lattice(n, arcs, gains / pairs, losses / pairs)
