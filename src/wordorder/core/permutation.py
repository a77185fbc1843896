"""Permutations, one and many.

Two vectors describe the same reordering, and they are inverses of each other:

* ``ranks[i]`` is the place that the word at original position i takes;
* ``order[k]`` is the original position of the word that is read k-th.

A :class:`Permutation` holds ranks, as the papers write it: in ⟨2,3,1⟩ the first word goes to place 2, the
second to place 3, the third to place 1. Order files, preorderers and Moses speak of orders: these are read by
:meth:`Permutation.from_order` and available as :attr:`Permutation.order`. In evaluation the words are those
of the system's output, and their places are those of the reference.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Ints, Longs
from wordorder.core.displayed import Displayed
from wordorder.errors import InvalidPermutation

T = TypeVar("T")
A = TypeVar("A", bound=NDArray[Any])

_LARGEST = np.iinfo(np.int32).max
_BLANKS = re.compile(r"[ \t\r]+")


class Permutation(Displayed, Sequence[int]):
    """An immutable permutation of 0 .. n-1: word i goes to place ``p[i]``.

    >>> p = Permutation([1, 2, 0])
    >>> p.apply(["a", "b", "c"])
    ['c', 'a', 'b']
    >>> p.inverse().apply(p.apply(["a", "b", "c"]))
    ['a', 'b', 'c']
    >>> print(p, p.order)
    ⟨2,3,1⟩ [2 0 1]
    """

    __slots__ = ("_order", "_ranks")
    _ranks: Ints
    _order: Ints | None  # computed when it is asked for

    def __init__(self, ranks: Iterable[int]) -> None:
        self._ranks = _frozen(_checked(ranks))
        self._order = None

    @classmethod
    def _trusted(cls, ranks: Ints, order: Ints | None = None) -> Permutation:
        """Wrap an array that is known to be a permutation."""
        new = cls.__new__(cls)
        new._ranks = _frozen(ranks)
        new._order = order if order is None else _frozen(order)
        return new

    @classmethod
    def identity(cls, n: int) -> Permutation:
        """Return the monotone permutation of n words.

        >>> Permutation.identity(3)
        Permutation([0, 1, 2])
        """
        return cls._trusted(np.arange(operator.index(n), dtype=np.int32))

    @classmethod
    def from_ranks(cls, ranks: Iterable[int]) -> Permutation:
        """Make the permutation whose word i takes place ``ranks[i]``: the constructor by its full name.

        >>> Permutation.from_ranks([1, 2, 0]).apply(["a", "b", "c"])
        ['c', 'a', 'b']
        """
        return cls(ranks)

    @classmethod
    def from_order(cls, order: Iterable[int]) -> Permutation:
        """Make the permutation that reads the word at ``order[k]`` k-th.

        >>> Permutation.from_order([1, 2, 0]).apply(["a", "b", "c"])
        ['b', 'c', 'a']
        """
        array = _checked(order)
        return cls._trusted(_inverted(array), array)

    @classmethod
    def standardise(cls, sequence: Iterable[Any]) -> Permutation:
        """Replace each item by its rank among the items; equal items rank from left to right.

        >>> Permutation.standardise([30, 7, 7, 12])
        Permutation([3, 0, 1, 2])
        """
        items = list(sequence)
        by_value = sorted(range(len(items)), key=items.__getitem__)
        ranks = np.empty(len(items), dtype=np.int32)
        ranks[by_value] = np.arange(len(items), dtype=np.int32)
        return cls._trusted(ranks)

    @classmethod
    def parse(cls, text: str, *, base: int | None = 1) -> Permutation:
        """Read places separated by blanks or commas, with or without angle brackets.

        ``base`` is the smallest number: 1 as the papers print, 0, or None to find it from the numbers.
        ``<>`` is the empty permutation.

        >>> Permutation.parse("⟨2,4,1,3⟩") == Permutation.parse("1 3 0 2", base=None)
        True
        """
        if base not in (0, 1, None):
            raise InvalidPermutation(f"base is {base!r}; it must be 0 or 1")
        body = text.strip(" \t\r\n")
        opened, closed = body[:1] in ("<", "⟨"), body[-1:] in (">", "⟩") and len(body) > 1
        if opened != closed:
            raise InvalidPermutation(f"bracket without a partner in {_shown(text)}")
        body = body[1:-1] if opened else body
        if not body.strip(" \t\r"):
            if opened:
                return cls.identity(0)
            raise InvalidPermutation("no numbers (write <> for the empty permutation)")
        pieces = [piece for part in body.split(",") for piece in _BLANKS.split(part.strip(" \t\r"))]
        numbers = []
        for place, piece in enumerate(pieces, start=1):
            if not re.fullmatch(r"[0-9]+", piece, re.ASCII):
                raise InvalidPermutation(f"number {place} is {_shown(piece)}; expected a whole number")
            if len(piece) > 18:  # more digits than any place has; int() refuses very long ones
                raise InvalidPermutation(f"number {place} is {_shown(piece)[1:-1]}, too large")
            numbers.append(int(piece))
        if base is None:
            base = 0 if 0 in numbers else 1
        problem = describe_problem(numbers, base=base)
        if problem:
            raise InvalidPermutation(problem, suggest=_other_base(numbers, base))
        return cls._trusted(np.array(numbers, dtype=np.int32) - np.int32(base))

    @property
    def ranks(self) -> Ints:
        """The place of each word (read-only)."""
        return self._ranks

    @property
    def order(self) -> Ints:
        """The original positions as they are read: the inverse of :attr:`ranks` (read-only)."""
        if self._order is None:
            self._order = _frozen(_inverted(self._ranks))
        return self._order

    def inverse(self) -> Permutation:
        """Return the permutation that undoes this one: it swaps the roles of ranks and order."""
        return Permutation._trusted(self.order, self._ranks)

    def compose(self, first: Permutation) -> Permutation:
        """Apply ``first``, then this one, as one permutation.

        >>> p, q = Permutation([1, 2, 0]), Permutation([0, 2, 1])
        >>> p.compose(q).apply("abc") == p.apply(q.apply("abc"))
        True
        """
        if len(first) != len(self):
            raise InvalidPermutation(f"cannot compose permutations of {len(self)} and {len(first)} words")
        return Permutation._trusted(self._ranks[first._ranks])

    def apply(self, words: Sequence[T]) -> list[T]:
        """Move every word to its place: item ``ranks[i]`` of the result is ``words[i]``."""
        if len(words) != len(self):
            raise InvalidPermutation(f"permutation of {len(self)} words applied to {len(words)} words")
        return [words[i] for i in self.order.tolist()]

    def is_identity(self) -> bool:
        """Return whether every word stays where it is."""
        return bool((self._ranks == np.arange(len(self))).all())

    def to_text(self, *, base: int = 1, brackets: bool = True) -> str:
        """Print the places as the papers do, ``⟨2,4,1,3⟩``, or as plain numbers.

        >>> Permutation([1, 3, 0, 2]).to_text(base=0, brackets=False)
        '1 3 0 2'
        """
        numbers = [str(value + base) for value in self._ranks.tolist()]
        return f"⟨{','.join(numbers)}⟩" if brackets else " ".join(numbers)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            part: list[int] = self._ranks[index].tolist()
            return part
        return int(self._ranks[index])

    def __len__(self) -> int:
        return len(self._ranks)

    def __iter__(self) -> Iterator[int]:
        return iter(self._ranks.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Permutation):
            return NotImplemented
        return np.array_equal(self._ranks, other._ranks)

    def __hash__(self) -> int:
        return hash(self._ranks.tobytes())

    def __reduce__(self) -> tuple[type[Permutation], tuple[list[int]]]:
        return Permutation, (self._ranks.tolist(),)  # copies are checked and read-only too

    def __repr__(self) -> str:
        return f"Permutation({self._ranks.tolist()})"

    def __str__(self) -> str:
        return self.to_text()


class Permutations(Sequence[Permutation]):
    """Many permutations in one array, as the kernels use them.

    The ranks of sentence s are ``values[offsets[s]:offsets[s + 1]]``.

    >>> batch = Permutations([[0, 1, 2], [1, 0], []])
    >>> len(batch), batch.lengths.tolist(), batch[1]
    (3, [3, 2, 0], Permutation([1, 0]))
    """

    __slots__ = ("offsets", "values")
    values: Ints
    offsets: Longs

    def __init__(self, permutations: Iterable[Iterable[int]]) -> None:
        arrays = [p.ranks if isinstance(p, Permutation) else _as_array(p) for p in permutations]
        self.offsets = np.zeros(len(arrays) + 1, dtype=np.int64)
        np.cumsum([len(a) for a in arrays], out=self.offsets[1:])
        self.values = np.concatenate(arrays, dtype=np.int32) if arrays else np.empty(0, np.int32)
        self._check()
        _frozen(self.values)
        _frozen(self.offsets)

    @classmethod
    def of_one(cls, permutation: Permutation) -> Permutations:
        """Return a batch of one permutation, which needs no check.

        >>> Permutations.of_one(Permutation([1, 0]))[0]
        Permutation([1, 0])
        """
        return cls._trusted(permutation.ranks, np.array([0, len(permutation)], dtype=np.int64))

    @classmethod
    def from_arrays(cls, values: Ints, offsets: Longs) -> Permutations:
        """Copy arrays of ranks; they are checked, and read-only from then on."""
        new = cls.__new__(cls)
        new.values = _as_array(np.asarray(values)) if len(values) else np.empty(0, np.int32)
        new.offsets = np.array(offsets, dtype=np.int64)
        ends = new.offsets
        if ends.ndim != 1 or not len(ends) or ends[0] != 0 or ends[-1] != len(new.values):
            raise InvalidPermutation("offsets must begin with 0 and end with the number of values")
        if (np.diff(ends) < 0).any():
            raise InvalidPermutation("offsets must not fall")
        new._check()
        _frozen(new.values)
        _frozen(new.offsets)
        return new

    @classmethod
    def from_orders(cls, values: Ints, offsets: Longs) -> Permutations:
        """Copy arrays of orders, and keep the ranks of their words.

        >>> batch = Permutations.from_orders(np.array([1, 2, 0, 1, 0]), np.array([0, 3, 5]))
        >>> batch[0].apply("abc"), batch.orders.tolist()
        (['b', 'c', 'a'], [1, 2, 0, 1, 0])
        """
        return cls.from_arrays(values, offsets)._inverse()

    @property
    def orders(self) -> Ints:
        """The orders of all sentences, one after the other, as ``values`` holds the ranks."""
        starts = np.repeat(self.offsets[:-1], self.lengths)
        orders = np.empty_like(self.values)
        orders[starts + self.values] = np.arange(len(orders)) - starts
        return _frozen(orders)

    def _inverse(self) -> Permutations:
        return Permutations._trusted(self.orders, self.offsets)

    @classmethod
    def _trusted(cls, values: Ints, offsets: Longs) -> Permutations:
        new = cls.__new__(cls)
        new.values, new.offsets = _frozen(values), _frozen(offsets)
        return new

    def __reduce__(self) -> tuple[type[Permutations], tuple[list[list[int]]]]:
        return Permutations, ([list(p) for p in self],)

    def _check(self) -> None:
        sentence, _ = _native.find_invalid(self.values, self.offsets)
        if sentence >= 0:
            part = self.values[self.offsets[sentence] : self.offsets[sentence + 1]]
            raise InvalidPermutation(f"permutation {sentence}: {describe_problem(part)}")

    @property
    def lengths(self) -> Longs:
        """The number of words of each permutation."""
        return self.offsets[1:] - self.offsets[:-1]  # several times as fast as np.diff on a few

    @overload
    def __getitem__(self, index: int) -> Permutation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Permutation]: ...
    def __getitem__(self, index: int | slice) -> Permutation | list[Permutation]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = operator.index(index)
        at += len(self) if at < 0 else 0
        if not 0 <= at < len(self):
            raise IndexError(f"permutation {index} of {len(self)}")
        return Permutation._trusted(self.values[self.offsets[at] : self.offsets[at + 1]])

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Permutations):
            return NotImplemented
        return np.array_equal(self.values, other.values) and np.array_equal(self.offsets, other.offsets)

    def __hash__(self) -> int:
        return hash((self.values.tobytes(), self.offsets.tobytes()))

    def __repr__(self) -> str:
        return f"<Permutations: {len(self)} with {len(self.values)} words>"


def describe_problem(numbers: Sequence[int] | Ints, *, base: int = 0) -> str | None:
    """Say why the numbers are not a permutation of base .. base+n-1, or None if they are.

    >>> print(describe_problem([1, 2, 3]))
    number 3 is 3, past the last place (3 numbers, 0-2). Do the numbers start at 1?
    """
    n = len(numbers)
    values = [int(number) for number in numbers]
    first_at: dict[int, int] = {}
    for place, value in enumerate(values, start=1):
        if not base <= value < base + n:
            hint = f" Do the numbers start at {1 - base}?" if _other_base(values, base) else ""
            side = "before the first" if value < base else "past the last"
            expected = f"{n} numbers, {base}-{base + n - 1}" if n > 1 else f"1 number, {base}"
            return f"number {place} is {value}, {side} place ({expected}).{hint}"
        if value in first_at:
            missing = min(set(range(base, base + n)) - set(values))
            return f"{value} occurs twice, as numbers {first_at[value]} and {place}; {missing} is missing."
        first_at[value] = place
    return None


def _other_base(numbers: Sequence[int], base: int) -> dict[str, object]:
    """Return the setting that would make these numbers a permutation, if there is one."""
    fits = sorted(numbers) == list(range(1 - base, len(numbers) + 1 - base))
    return {"base": 1 - base} if fits and numbers else {}


def _checked(numbers: Iterable[int]) -> Ints:
    array = _as_array(numbers)
    sentence, _ = _native.find_invalid(array, np.array([0, len(array)]))
    if sentence >= 0:
        raise InvalidPermutation(describe_problem(array) or "not a permutation")
    return array


def _inverted(array: Ints) -> Ints:
    inverse = np.empty_like(array)
    inverse[array] = np.arange(len(array), dtype=np.int32)
    return inverse


def _as_array(numbers: Iterable[int]) -> Ints:
    if isinstance(numbers, np.ndarray) and numbers.ndim == 1 and numbers.dtype.kind in "iu":
        for extreme in (numbers.min(initial=0), numbers.max(initial=0)):
            if abs(int(extreme)) > _LARGEST:
                raise InvalidPermutation(f"{int(extreme)} is too large for {len(numbers)} numbers")
        return numbers.astype(np.int32)
    if isinstance(numbers, str):
        raise InvalidPermutation(f"{_shown(numbers)} is text; use Permutation.parse")
    values = []
    for place, number in enumerate(numbers, start=1):
        try:
            value = operator.index(number)
        except TypeError:
            raise InvalidPermutation(f"number {place} is {number!r}; expected a whole number") from None
        if isinstance(number, bool):
            raise InvalidPermutation(f"number {place} is {number!r}; expected a whole number")
        if abs(value) > _LARGEST:
            raise InvalidPermutation(f"number {place} is {value}, too large")
        values.append(value)
    return np.array(values, dtype=np.int32)


def _frozen(array: A) -> A:
    array.setflags(write=False)
    return array


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
