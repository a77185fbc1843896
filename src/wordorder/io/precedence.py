"""Precedence tables: the probability of each word to come before each other word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from wordorder.arrays import Doubles
from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.links import read_score
from wordorder.io.registry import register

_ENTRY = re.compile(r"([0-9]{1,6}):([0-9]{1,6}):(\S+)")


@dataclass(frozen=True, slots=True)
class Precedence:
    """The probabilities that word i comes before word j, by pairs (i, j); missing pairs have 0.

    >>> Precedence.of(np.array([[0.0, 0.25], [0.75, 0.0]])).pairs
    {(0, 1): 0.25, (1, 0): 0.75}
    """

    pairs: Mapping[tuple[int, int], float] = field(hash=False)

    @classmethod
    def of(cls, table: Doubles, *, digits: int = 6) -> Precedence:
        """Keep the entries of a table that are not 0, rounded."""
        values = np.round(table, digits)
        return cls({(i, j): values[i, j].item() for i, j in np.argwhere(values).tolist()})

    def table(self, words: int) -> Doubles:
        """Return the table of a sentence of this many words."""
        table = np.zeros((words, words))
        for (i, j), value in self.pairs.items():
            if i >= words or j >= words:
                raise Problem(f"{i}:{j} is past the last word ({words} words)", reason="pair out of range")
            table[i, j] = value
        return table


@register
@dataclass(frozen=True, kw_only=True)
class PrecedenceTables(LineFormat[Precedence]):
    """Entries ``i:j:e``, one sentence per line: e is the probability that word i comes before word j.

    Positions begin at 0; pairs with probability 0 are left out. With ``divided``, each e is divided by the
    number of pairs of the sentence, n(n-1)/2, as the original Reordering Grammar writes it; n is then the
    largest position plus 1.

    >>> PrecedenceTables().parse("0:1:0.25 1:0:0.75").pairs
    {(0, 1): 0.25, (1, 0): 0.75}
    """

    name = "precedence"
    about = "probabilities that word i comes before word j, one sentence per line: 0:1:0.25 1:0:0.75"
    extensions = (".precedence", ".kendall")

    divided: bool = False

    def parse(self, line: str) -> Precedence:
        """Read the entries of a line."""
        pairs: dict[tuple[int, int], float] = {}
        for number, text in enumerate(split_words(line), start=1):
            match = _ENTRY.fullmatch(text)
            value = read_score(match[3]) if match else None
            if not match or value is None:
                raise Problem(
                    f"entry {number} is {shown(text)}; expected i:j:e like 0:1:0.25", reason="bad entry"
                )
            pair = int(match[1]), int(match[2])
            if pair in pairs or pair[0] == pair[1]:
                what = "occurs twice" if pair in pairs else "is a word before itself"
                raise Problem(f"entry {number}, {shown(text)}, {what}", reason="bad entry")
            pairs[pair] = value
        if self.divided:  # nine digits survive writing and reading
            scale = _pair_count(pairs)
            pairs = {pair: round(value * scale, 9) for pair, value in pairs.items()}
        pairs = {pair: value for pair, value in pairs.items() if value}
        for pair, value in pairs.items():
            if not -1e-6 <= value <= 1 + 1e-6:
                raise Problem(f"{pair[0]}:{pair[1]} has {value}; expected a probability", reason="bad entry")
        return Precedence(pairs)

    def to_line(self, record: Precedence) -> str:
        """Write the entries in ascending order."""
        scale = _pair_count(record.pairs) if self.divided else 1
        entries = sorted((pair, value / scale) for pair, value in record.pairs.items() if value)
        return " ".join(f"{i}:{j}:{float(value)!r}" for (i, j), value in entries)

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require entries only, and at least one."""
        entries = [text for line in lines for text in split_words(line)]
        return 0.96 if entries and all(map(_ENTRY.fullmatch, entries)) else 0.0

    def examples(self) -> list[Precedence]:
        """Return tables of two words, of none or one, and of three."""
        return [
            Precedence({(0, 1): 0.25, (1, 0): 0.75}),
            Precedence({}),
            Precedence({(0, 1): 1.0, (0, 2): 0.5, (1, 2): 0.125, (2, 0): 0.5, (2, 1): 0.875}),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return bad numbers, fields and probabilities, repeated pairs, a word before itself."""
        return [
            (b"0:1:x\n", 1),
            (b"0:1:0.5\n0:1\n", 2),
            (b"0:1:0.5 0:1:0.5\n", 1),
            (b"0:1:1.5\n", 1),
            (b"1:1:0.5\n", 1),
        ]


def _pair_count(pairs: Mapping[tuple[int, int], float]) -> int:
    n = max((max(pair) for pair in pairs), default=0) + 1
    return max(n * (n - 1) // 2, 1)
