"""Orders as the original Reordering Grammar program writes them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidPermutation
from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.registry import register

UNALIGNED = 10_000  # subtracted from the position of an unaligned word
_HEAD = re.compile(
    r"sent ([0-9]{1,9}) rank ([0-9]{1,9}) expectation (\S+) weight (\S+) expWeight (\S+) \|\|\| ?(.*)"
)


@dataclass(frozen=True, slots=True)
class QuasiPerm:
    """One order of a sentence, with its rank among the orders of the sentence and its probability.

    ``expectation`` is the expected share of word pairs in the correct order; ``unaligned`` are the source
    positions of unaligned words. Sentences and ranks are counted from 0.
    """

    sentence: int
    rank: int
    expectation: float
    log_prob: float
    order: Permutation
    unaligned: tuple[int, ...] = ()


@register
@dataclass(frozen=True, kw_only=True)
class QuasiPerms(LineFormat[QuasiPerm]):
    """Source positions in the order of the target; an unaligned word i is written as i - 10000.

    Every line begins with ``sent I rank R expectation E weight LOGP expWeight P ||| ``. A log probability
    of minus infinity is written ``-Infinity``, as in Java.

    >>> line = "sent 0 rank 0 expectation 0.9 weight -0.5 expWeight 0.6065 ||| 1 -9998 0"
    >>> QuasiPerms().parse(line).order.apply("abc"), QuasiPerms().parse(line).unaligned
    (['b', 'c', 'a'], (2,))
    """

    name = "quasiperm"
    about = "Reordering Grammar orders: sent 0 rank 0 expectation 0.9 weight -0.5 expWeight 0.6 ||| 1 -9998 0"
    extensions = (".quasiperm",)

    def parse(self, line: str) -> QuasiPerm:
        """Read the head and the order of a line."""
        head = _HEAD.fullmatch(line)
        if not head:
            raise Problem(
                "expected: sent I rank R expectation E weight LOGP expWeight P ||| positions",
                reason="bad head",
            )
        expectation, log_prob, _ = map(_number, head.group(3, 4, 5))
        order, unaligned = [], []
        for text in split_words(head[6]):
            if not re.fullmatch("-?[0-9]{1,9}", text):
                raise Problem(f"position {shown(text)} is not a whole number", reason="not a permutation")
            position = int(text)
            if position < 0:
                position += UNALIGNED
                unaligned.append(position)
            order.append(position)
        try:
            permutation = Permutation.from_order(order)
        except InvalidPermutation as error:
            raise Problem(str(error), reason="not a permutation") from None
        numbers = int(head[1]), int(head[2])
        return QuasiPerm(*numbers, expectation, log_prob, permutation, tuple(sorted(unaligned)))

    def to_line(self, record: QuasiPerm) -> str:
        """Write head and order."""
        if len(record.order) >= UNALIGNED:
            raise Problem(f"{len(record.order)} words: more than this format can hold", reason="too long")
        if math.isnan(record.expectation) or math.isnan(record.log_prob):
            raise Problem("a number is missing (NaN)", reason="bad number")
        alone = set(record.unaligned)
        numbers = [str(i - UNALIGNED if i in alone else i) for i in record.order.order.tolist()]
        return (
            f"sent {record.sentence} rank {record.rank} expectation {_written(record.expectation)}"
            f" weight {_written(record.log_prob)} expWeight {_written(math.exp(record.log_prob))}"
            f" ||| {' '.join(numbers)}".rstrip(" ")
        )

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require the head in every line."""
        return 0.99 if all(line.startswith("sent ") and " ||| " in line + " " for line in lines) else 0.0

    def examples(self) -> list[QuasiPerm]:
        """Return no words, unaligned words, a probability of 0."""
        return [
            QuasiPerm(0, 0, 0.875, -0.5, Permutation.from_order([1, 2, 0])),
            QuasiPerm(0, 1, 0.5, -2.0, Permutation([0, 2, 1]), (0, 1)),
            QuasiPerm(1, 0, 1.0, 0.0, Permutation([])),
            QuasiPerm(2, 0, 0.25, -math.inf, Permutation([0])),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without a head, with a word, with a repeated position, with a bad number."""
        head = b"sent 0 rank 0 expectation 0.9 weight -0.5 expWeight 0.6 ||| "
        return [
            (b"1 0\n", 1),
            (head + b"a\n", 1),
            (head + b"0 1\n" + head + b"0 -10000\n", 2),
            (head.replace(b"0.9", b"nine") + b"0\n", 1),
        ]


def _number(text: str) -> float:
    if text in ("-Infinity", "-inf"):
        return -math.inf
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isnan(number) or number == math.inf:
        raise Problem(f"{shown(text)} is not a number", reason="bad head")
    return number


def _written(number: float) -> str:
    return "-Infinity" if number == -math.inf else repr(float(number))
