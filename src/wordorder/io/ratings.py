"""Human ratings of translations: one rating per line, below a header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, NamedTuple

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import counted, read_lines, shown, write_lines
from wordorder.io.numbers import read_number
from wordorder.io.registry import register

HEADER = "system\tsentence\trater\trating"
MISSING = ("", "-")


class Rating(NamedTuple):
    """What one rater says about one sentence (from 1) of one system; None if the rating is missing."""

    system: str
    sentence: int
    rater: str
    rating: float | None


@register
@dataclass(frozen=True, kw_only=True)
class RatingTable(LineFormat[Rating]):
    """A table with the header ``system sentence rater rating``, separated by tabs.

    Sentences are counted from 1. A rating is a number; ``-`` or nothing is a missing one, which may also
    be left out with its line.
    """

    name = "ratings"
    about = "system, sentence, rater and rating, below a header"
    extensions = (".ratings",)

    def parse(self, line: str) -> Rating:
        """Read a line below the header."""
        if not line:
            raise Problem("the line is empty; remove it", reason="empty")
        cells = line.split("\t")
        if len(cells) != 4:
            raise Problem(f"{counted(len(cells), 'column')}; expected 4", reason="another number of columns")
        system, sentence, rater, rating = cells
        if not system or not rater:
            raise Problem("the name of the system or rater is empty", reason="no name")
        if not (sentence.isascii() and sentence.isdecimal() and len(sentence) < 10 and int(sentence)):
            raise Problem(f"sentence is {shown(sentence)}; expected a number from 1", reason="no sentence")
        if rating in MISSING:
            return Rating(system, int(sentence), rater, None)
        try:
            return Rating(system, int(sentence), rater, read_number(rating))
        except ValueError as error:
            raise Problem(f"rating is {shown(rating)}; {error}", reason="not a number") from None

    def to_line(self, record: Rating) -> str:
        """Write a rating; whole numbers without a decimal point."""
        value = record.rating
        number = "-" if value is None else str(int(value)) if value == int(value) else repr(value)
        line = "\t".join((record.system, str(record.sentence), record.rater, number))
        if self.parse(line) != record:
            raise Problem(f"{record} would be read as something else", reason="not readable")
        return line

    def scan(self, handle: IO[bytes], file: str) -> Iterator[Rating | BadLine]:
        """Check the header, then parse line by line."""
        for number, line in enumerate(read_lines(handle, file), start=1):
            if isinstance(line, BadLine):
                yield line
            elif number == 1:
                if line != HEADER:
                    message = f"the header is {shown(line)}; expected {shown(HEADER)}"
                    yield BadLine(message, file=file, line=1, reason="another header")
                    return
            else:
                try:
                    yield self.parse(line)
                except Problem as problem:
                    yield problem.at(file, number)

    def write(self, records: Iterable[Rating], out: IO[bytes], *, file: str = "output") -> None:
        """Write the header and one line per rating; nothing without ratings."""
        write_lines(self._with_header(self._lines(records, file)), out, file=file)

    @staticmethod
    def _with_header(lines: Iterator[str]) -> Iterator[str]:
        for number, line in enumerate(lines):
            if not number:
                yield HEADER
            yield line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Recognise the header."""
        return 1.0 if lines[0] == HEADER else 0.0

    def examples(self) -> list[Rating]:
        """Return whole and other numbers, and a missing rating."""
        return [
            Rating("identity", 1, "ann", 3.0),
            Rating("rules:en-ja", 12, "bo b", 4.5),
            Rating("identity", 1, "bo b", None),
            Rating("identity", 2, "ann", -0.1),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return another header, and lines with faults."""
        head = HEADER.encode() + b"\n"
        return [
            (b"system\trater\n", 1),
            (head + b"a\t1\tann\n", 2),
            (head + b"a\t0\tann\t1\n", 2),
            (head + b"a\t1\t\t1\n", 2),
            (head + b"a\t1\tann\tgood\n", 2),
            (head + b"a\t1\tann\tinf\n", 2),
            (head + b"a\t1\tann\t1e308\n", 2),
            (head + b"a\t1\tann\t1\n\n", 3),
        ]
