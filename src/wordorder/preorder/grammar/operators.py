"""The nonterminals of the Reordering Grammar: one for each prime permutation, and their states.

The name of an operator says where its children go: the children of ``P2413`` go to places 2, 4, 1 and 3.
``P01`` and ``P10`` join a word without a counterpart in the target (the 0) to the phrase on its right or
left. With the unary trick (Stanojević 2017, 3.2), state a of an operator rewrites to its *slots*, one per
child, also in state a, and each slot rewrites to a state of some operator, or to a word, independently of
its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from wordorder.core.tree import is_primal

Places = tuple[int, ...]

# An operator for the kernels: places, number of states, the unaligned child or -1.
NativeOperator = tuple[list[int], int, int]


@dataclass(frozen=True, slots=True)
class Operator:
    """A nonterminal: its name, the place of each child from 0, and which child has no counterpart."""

    name: str
    places: Places
    unaligned: int = -1

    @property
    def arity(self) -> int:
        """The number of children."""
        return len(self.places)


def primes(arity: int) -> list[Places]:
    """Return the prime permutations of this many children, as places.

    >>> primes(4), len(primes(5))
    ([(1, 3, 0, 2), (2, 0, 3, 1)], 6)
    """
    return [places for places in permutations(range(arity)) if is_primal(places)]


BINARY = (
    Operator("P12", (0, 1)),
    Operator("P21", (1, 0)),
    Operator("P01", (0, 1), 0),
    Operator("P10", (0, 1), 1),
)
PRIMES: tuple[Places, ...] = tuple(primes(4) + primes(5))
OPERATORS = (*BINARY, *(Operator("P" + "".join(str(p + 1) for p in places), places) for places in PRIMES))


@dataclass(frozen=True)
class Layout:
    """The operators of a grammar and their numbers of states: the layout of its tables.

    States are numbered operator by operator; slots operator by operator, child by child, state by state,
    and ROOT is the last slot. ``rules[slot, state]`` and ``lexical[word, slot]`` are probabilities.
    """

    operators: tuple[Operator, ...]
    states: tuple[int, ...]

    @classmethod
    def split(cls, operators: Sequence[Operator], *, binary: int, nary: int) -> Layout:
        """Make a layout with ``binary`` states for binary operators and ``nary`` states for the others."""
        return cls(tuple(operators), tuple(binary if op.arity == 2 else nary for op in operators))

    @cached_property
    def state_count(self) -> int:
        """The number of states of all operators."""
        return sum(self.states)

    @cached_property
    def slot_count(self) -> int:
        """The number of slots, ROOT included."""
        return 1 + sum(op.arity * s for op, s in zip(self.operators, self.states, strict=True))

    @cached_property
    def native(self) -> list[NativeOperator]:
        """The operators for the kernels."""
        return [(list(op.places), s, op.unaligned) for op, s in zip(self.operators, self.states, strict=True)]

    @cached_property
    def state_operator(self) -> list[int]:
        """The number of the operator of each state."""
        return [x for x, s in enumerate(self.states) for _ in range(s)]

    @cached_property
    def slot_group(self) -> list[int]:
        """A number per slot that slots of the same operator and child share; ROOT has its own."""
        groups = []
        group = 0
        for op, s in zip(self.operators, self.states, strict=True):
            for _ in range(op.arity):
                groups += [group] * s
                group += 1
        return [*groups, group]

    @property
    def unsplit(self) -> Layout:
        """The same operators with one state each."""
        return Layout(self.operators, (1,) * len(self.operators))
