"""Automata in the text format of OpenFst (AT&T), separated by empty lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.io.base import ParagraphFormat, Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import shown, split_words
from wordorder.io.links import read_score
from wordorder.io.registry import register


class FstArc(NamedTuple):
    """An arc between two states, with the labels that it reads and writes, and a weight (lower is better)."""

    source: int
    target: int
    reads: str
    writes: str
    weight: float = 0.0


class Fst(NamedTuple):
    """The arcs of an automaton, which starts at the source of the first arc, and its final states."""

    arcs: tuple[FstArc, ...]
    finals: tuple[tuple[int, float], ...]


@register
@dataclass(frozen=True, kw_only=True)
class OpenFst(ParagraphFormat[Fst]):
    """Automata: a line ``from to reads writes weight`` per arc, then ``state weight`` per final state.

    An empty line ends an automaton. Weights of 0 are left out. Labels are symbols, for which ``fstcompile``
    needs a table (unless they are numbers).
    """

    name = "openfst"
    about = "automata as text: from, to, input, output, weight; an empty line after each (OpenFst)"
    extensions = (".fst", ".fsttxt")
    unit = "automaton"
    reserved = "labels hold no blanks"

    def parse_lines(self, lines: Sequence[str | BadLine], file: str, start: int) -> Fst | BadLine:
        """Read an automaton and check it."""
        arcs: list[FstArc] = []
        finals: list[tuple[int, float]] = []
        if not lines:
            return BadLine("an automaton without states", file=file, line=start, reason="bad automaton")
        for at, line in enumerate(lines, start=start):
            if isinstance(line, BadLine):
                return line
            try:
                fields = split_words(line)
                if len(fields) in (4, 5):
                    weight = _weight(fields[4]) if len(fields) == 5 else 0.0
                    arcs.append(FstArc(_state(fields[0]), _state(fields[1]), fields[2], fields[3], weight))
                elif len(fields) in (1, 2):
                    finals.append((_state(fields[0]), _weight(fields[1]) if len(fields) == 2 else 0.0))
                else:
                    what = f"{len(fields)} fields; expected 4 or 5 of an arc, 1 or 2 of a final state"
                    raise Problem(what, reason="bad automaton")
            except Problem as problem:
                return problem.at(file, at)
        if not finals:
            last = start + len(lines) - 1
            return BadLine("the automaton has no final state", file=file, line=last, reason="bad automaton")
        return Fst(tuple(arcs), tuple(finals))

    def to_lines(self, record: Fst) -> list[str]:
        """Write arcs and final states."""
        return [_line(*item) for item in (*record.arcs, *record.finals)]

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require arcs between states and final states, and nothing else."""
        rows = [split_words(line) for line in lines if line]
        states = {4: 2, 5: 2, 1: 1, 2: 1}  # how many of so many fields are states
        fine = all(len(row) in states and all(map(str.isdigit, row[: states[len(row)]])) for row in rows)
        return 0.7 if fine and any(len(row) > 3 for row in rows) else 0.0

    def examples(self) -> list[Fst]:
        """Return one path, two paths with weights, no arcs."""
        return [
            Fst((FstArc(0, 1, "1", "a"), FstArc(1, 2, "2", "b")), ((2, 0.0),)),
            Fst((FstArc(0, 1, "1", "a", 0.5), FstArc(0, 1, "2", "木", -1.5e-07)), ((1, 0.25),)),
            Fst((), ((0, 0.0),)),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return too few fields, bad states and weights, no final state, an empty automaton."""
        return [
            (b"0 1 a\n1\n\n", 1),
            (b"0 x a a\n1\n\n", 1),
            (b"0 1 a a y\n1\n\n", 1),
            (b"0 1 a a\n\n", 1),
            (b"0\n\n\n", 3),
        ]


def _state(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem(f"state {shown(text)} is not a whole number", reason="bad automaton")
    return int(text)


def _weight(text: str) -> float:
    number = read_score(text)
    if number is None:
        raise Problem(f"weight {shown(text)} is not a number", reason="bad automaton")
    return number


def _line(*fields: object) -> str:
    *first, weight = fields
    return " ".join(map(str, first)) + (f" {weight!r}" if weight else "")
