"""Automata in the text form of OpenFst (AT&T), one after another with an empty line between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, NamedTuple

from wordorder.errors import BadFile
from wordorder.io.base import Format, Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_paragraphs, shown, split_words, write_lines
from wordorder.io.links import read_score
from wordorder.io.registry import register


class FstArc(NamedTuple):
    """From a state to a state; what is read and written there; a weight, the lower the better."""

    source: int
    target: int
    reads: str
    writes: str
    weight: float = 0.0


class Fst(NamedTuple):
    """The arcs of an automaton, the first one's source being the start; and its final states."""

    arcs: tuple[FstArc, ...]
    finals: tuple[tuple[int, float], ...]


@register
@dataclass(frozen=True, kw_only=True)
class OpenFst(Format[Fst]):
    """Automata: ``from to reads writes weight`` a line, then ``state weight`` for each final state.

    An empty line ends an automaton. Weights of 0 are left out. Labels are symbols; ``fstcompile`` wants
    a table of them (or numbers).
    """

    name = "openfst"
    about = "automata as text: from, to, input, output, weight; an empty line after each (OpenFst)"
    extensions = (".fst", ".fsttxt")
    unit = "automaton"

    def scan(self, handle: IO[bytes], file: str) -> Iterator[Fst | BadLine]:
        """Gather the lines of each automaton; a bad line spoils it."""
        for start, lines in read_paragraphs(handle, file):
            yield self._automaton(lines, file, start)

    def _automaton(self, lines: Sequence[str | BadLine], file: str, start: int) -> Fst | BadLine:
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

    def write(self, records: Iterable[Fst], out: IO[bytes], *, file: str = "output") -> None:
        """Write automata, each checked as a reader would."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[Fst], file: str) -> Iterator[str]:
        for number, record in enumerate(records, start=1):
            lines = [_line(*arc) for arc in record.arcs] + [_line(*final) for final in record.finals]
            again = self._automaton(lines, file, 1)
            if again != record:
                why = again if isinstance(again, BadLine) else "labels hold no blanks"
                raise BadFile(f"automaton {number} cannot be written: {why}", file=file)
            yield from lines
            yield ""

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Ask for arcs between states, and final states, only."""
        rows = [split_words(line) for line in lines if line]
        arcs = [row for row in rows if len(row) in (4, 5)]
        others = [row for row in rows if len(row) in (1, 2)]
        whole = bool(arcs) and len(arcs) + len(others) == len(rows)
        fine = all(row[0].isdigit() and row[1].isdigit() for row in arcs) and all(
            r[0].isdigit() for r in others
        )
        return 0.7 if whole and fine else 0.0

    def examples(self) -> list[Fst]:
        """One path, two paths with weights, no arcs."""
        return [
            Fst((FstArc(0, 1, "1", "a"), FstArc(1, 2, "2", "b")), ((2, 0.0),)),
            Fst((FstArc(0, 1, "1", "a", 0.5), FstArc(0, 1, "2", "木", -1.5e-07)), ((1, 0.25),)),
            Fst((), ((0, 0.0),)),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Too few fields, a state that is no number, a bad weight, no final state, nothing at all."""
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
