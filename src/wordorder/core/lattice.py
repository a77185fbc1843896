"""Several orders of a sentence as a lattice: the smallest acyclic automaton that accepts them.

The words read up to a state are the same on every path to it. Therefore an expected Kendall loss, a sum over
pairs of words, is also a sum over the arcs of a path: an arc decides all pairs of its word with words that
are still to be read. Probabilities of orders become weights of arcs by dividing them among the arcs that
leave a state; this keeps a few states apart that accept the same orders with different probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints
from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidPermutation


class LatticePath(NamedTuple):
    """An order with its expected loss and its log probability."""

    order: Permutation
    loss: float
    log_prob: float


@dataclass(frozen=True, eq=False, slots=True)
class Lattice(Displayed):
    """Arcs from state to state, each with the source position that is read there.

    Arcs lead to higher-numbered states: 0 is the first state, the largest number the last. States are
    numbered such that arcs advance by few states, since decoders limit this (``jump``). ``gains`` and
    ``losses`` of an arc are the expected shares of all word pairs that it puts in the correct and the wrong
    order; along a path they sum to 1 minus the expected loss of the order, and to that loss. ``log_probs``
    sum to the log probability of the order, to six digits per arc; they are 0 where none were given.

    >>> table = np.array([[0.0, 0.7, 0.6], [0.3, 0.0, 0.9], [0.4, 0.1, 0.0]])
    >>> both = lattice([Permutation([0, 1, 2]), Permutation([1, 0, 2])], table)
    >>> both.states, both.arcs.tolist()
    (4, [[0, 1, 0], [0, 2, 1], [1, 3, 1], [2, 3, 0], [3, 4, 2]])
    """

    words: int
    arcs: Ints  # rows: from, to, source position
    gains: Doubles
    losses: Doubles
    log_probs: Doubles

    @property
    def states(self) -> int:
        """The number of states without the last one, as Moses counts; 0 for a sentence of no words."""
        return int(self.arcs[-1, 1]) if len(self.arcs) else 0

    @property
    def jump(self) -> int:
        """The largest number of states that an arc advances."""
        return int((self.arcs[:, 1] - self.arcs[:, 0]).max(initial=0))

    def out(self) -> Iterator[tuple[int, range]]:
        """Yield each state except the last, with the numbers of its arcs."""
        begins = np.searchsorted(self.arcs[:, 0], np.arange(self.states + 1)).tolist()
        for state in range(self.states):
            yield state, range(begins[state], begins[state + 1])

    def orders(self) -> Iterator[LatticePath]:
        """Yield all orders with their expected losses and log probabilities, in lexicographic order."""
        by_state = dict(self.out())
        stack: list[tuple[int, tuple[int, ...], float, float]] = [(0, (), 0.0, 0.0)]
        while stack:
            state, read, loss, log_prob = stack.pop()
            if len(read) == self.words:
                yield LatticePath(Permutation.from_order(read), loss, log_prob)
                continue
            for a in reversed(by_state[state]):
                _, to, position = self.arcs[a].tolist()
                sums = loss + float(self.losses[a]), log_prob + float(self.log_probs[a])
                stack.append((to, (*read, position), *sums))


def lattice(orders: Sequence[Permutation], precedence: Doubles, log_probs: Sequence[float] = ()) -> Lattice:
    """Build the smallest lattice; ``precedence[i, j]`` is the probability that word i comes before word j.

    ``log_probs`` are the log probabilities of the orders, all finite; without them arcs have no probability.
    """
    if not orders:
        raise InvalidPermutation("a lattice needs at least one order")
    n = len(orders[0])
    if any(len(order) != n for order in orders):
        raise InvalidPermutation("a lattice needs orders of the same words")
    table = np.ascontiguousarray(precedence, dtype=np.float64)
    if table.shape != (n, n):
        raise InvalidPermutation(f"the precedence table of {n} words is {table.shape[0]} x {table.shape[-1]}")
    rows = np.array([order.order for order in orders], dtype=np.int32).reshape(len(orders), n)
    weights = np.array(log_probs, dtype=np.float64)
    if len(weights) not in (0, len(orders)) or not np.isfinite(weights).all():
        raise InvalidPermutation(
            f"{len(weights)} log probabilities of {len(orders)} orders, or infinite ones"
        )
    arcs, gains, by_arc = _native.lattice(rows, table, weights)
    _, losses, _ = _native.lattice(rows, np.ascontiguousarray(table.T), weights)
    pairs = max(n * (n - 1) / 2, 1)
    return Lattice(n, arcs, gains / pairs, losses / pairs, by_arc)
