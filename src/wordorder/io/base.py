"""The base classes of file formats.

A format is a frozen dataclass whose fields are its settings, such as the smallest number. It reads a
file into records (plain values) and writes records to a file that is read back unchanged. Most formats
have one record per line: a :class:`LineFormat` with ``parse`` and ``to_line``.
"""

from __future__ import annotations

import codecs
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin

from wordorder.core.plugins import field_types
from wordorder.errors import BadFile, BadSetting
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import read_lines, read_paragraphs, write_lines

if TYPE_CHECKING:
    from wordorder.core.alignment import Alignment

R = TypeVar("R")


class Problem(Exception):
    """A fault of a line or a record; the reader or writer adds the place.

    ``suggest`` names settings that would help, as in :class:`~wordorder.errors.WordOrderError`.
    """

    def __init__(self, message: str, *, reason: str, suggest: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.suggest = suggest

    def at(self, file: str, line: int) -> BadLine:
        """Return the error with its place."""
        return BadLine(str(self), file=file, line=line, reason=self.reason, suggest=self.suggest)


@dataclass(frozen=True, kw_only=True)
class Format(ABC, Generic[R]):
    """A file format; its records are of type R."""

    name: ClassVar[str]
    about: ClassVar[str]  # a description of one line
    extensions: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = "line"  # what a record is called
    sparse: ClassVar[bool] = False  # whether blank records at the end of a file are left out

    def __post_init__(self) -> None:
        for key, choices in self.choices().items():
            if getattr(self, key) not in choices:
                listed = ", ".join(map(str, choices))
                raise BadSetting(f"{self.name}: {key} is {getattr(self, key)!r}; expected one of {listed}")

    @classmethod
    def choices(cls) -> dict[str, tuple[Any, ...]]:
        """Return the possible values of each setting."""
        hints = {field.name: field_types(cls)[field.name] for field in dataclasses.fields(cls)}
        return {
            name: get_args(hint) if get_origin(hint) is Literal else (False, True)
            for name, hint in hints.items()
        }

    @abstractmethod
    def scan(self, handle: IO[bytes], file: str) -> Iterator[R | BadLine]:
        """Yield a record, or its error, for every line (or sentence) of the file.

        Bad lines keep their place, so that parallel files stay in step.
        """

    @abstractmethod
    def write(self, records: Iterable[R], out: IO[bytes], *, file: str = "output") -> None:
        """Write records; a record that could not be read back unchanged is an error."""

    @abstractmethod
    def examples(self) -> list[R]:
        """Return some records, for the contract."""

    def broken(self) -> list[tuple[bytes, int]]:
        """Return files that must be refused, each with the number of the line at fault."""
        return []

    def blank(self) -> R:
        """Return the record without content; only sparse formats have one."""
        raise BadSetting(f"{self.name} is not a sparse format: it has no blank record")

    def read(self, handle: IO[bytes], file: str, *, lenient: Lenient | None = None) -> Iterator[R]:
        """Yield the records; a bad line is an error, or ``lenient`` counts and skips it."""
        for record in self.scan(handle, file):
            if not isinstance(record, BadLine):
                yield record
            elif lenient is None:
                raise record
            else:
                lenient.skip(record)

    @classmethod
    def sniff(cls, sample: bytes) -> float:
        """Return how much the beginning of a file looks like this format, from 0 to 1."""
        try:
            # A sample may end inside a character, which an incremental decoder accepts.
            text = codecs.getincrementaldecoder("utf-8")().decode(sample)
        except UnicodeDecodeError:
            return 0.0
        lines = [line.removesuffix("\r") for line in text.split("\n")]
        if not lines[-1]:
            lines.pop()
        return cls.likeness(lines) if lines else 0.0

    @classmethod
    @abstractmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Return the same as :meth:`sniff`, for one or more lines of text."""


class LineFormat(Format[R]):
    """A format with one record per line."""

    @abstractmethod
    def parse(self, line: str) -> R:
        """Read a line without its line break; raise :class:`Problem` if it is not of this format."""

    @abstractmethod
    def to_line(self, record: R) -> str:
        """Write a record as a line; raise :class:`Problem` if the format cannot hold it."""

    @classmethod
    def parses(cls, lines: Sequence[str]) -> bool:
        """Return whether the format, with its default settings, can read all lines."""
        try:
            for line in lines:
                cls().parse(line)
        except Problem:
            return False
        return True

    def width(self, record: R) -> int | None:
        """Return the number of columns, if all lines of a file must have the same number."""
        return None

    def _check_width(self, record: R, first: int | None) -> int | None:
        """Compare the number of columns with that of the first line, which is returned."""
        width = self.width(record)
        if first is not None and width != first:
            raise Problem(
                f"{width} {'column' if width == 1 else 'columns'}; the first line has {first}",
                reason="another number of columns",
            )
        return width

    def scan(self, handle: IO[bytes], file: str) -> Iterator[R | BadLine]:
        """Parse line by line."""
        first: int | None = None
        for number, line in enumerate(read_lines(handle, file), start=1):
            if isinstance(line, BadLine):
                yield line
                continue
            try:
                record = self.parse(line)
                first = self._check_width(record, first)
            except Problem as problem:
                yield problem.at(file, number)
            else:
                yield record

    def write(self, records: Iterable[R], out: IO[bytes], *, file: str = "output") -> None:
        """Write line by line."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[R], file: str) -> Iterator[str]:
        first: int | None = None
        for number, record in enumerate(records, start=1):
            try:
                first = self._check_width(record, first)
                yield self.to_line(record)
            except Problem as problem:
                raise BadFile(str(problem), file=file, line=number) from None


class ParagraphFormat(Format[R]):
    """A format whose records take several lines each, with an empty line after each record."""

    reserved: ClassVar[str]  # what records must not hold, for messages

    @abstractmethod
    def parse_lines(self, lines: Sequence[str | BadLine], file: str, start: int) -> R | BadLine:
        """Read the lines of a record, the first of which has the number ``start``."""

    @abstractmethod
    def to_lines(self, record: R) -> list[str]:
        """Write the lines of a record; whether they can be read back is checked afterwards."""

    def scan(self, handle: IO[bytes], file: str) -> Iterator[R | BadLine]:
        """Read record by record; a bad line spoils its record."""
        for start, lines in read_paragraphs(handle, file):
            yield self.parse_lines(lines, file, start)

    def write(self, records: Iterable[R], out: IO[bytes], *, file: str = "output") -> None:
        """Write record by record, each checked as a reader would."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[R], file: str) -> Iterator[str]:
        for number, record in enumerate(records, start=1):
            lines = self.to_lines(record)
            again = self.parse_lines(lines, file, 1)
            if again != record:
                why = again if isinstance(again, BadLine) else self.reserved
                raise BadFile(f"{self.unit} {number} cannot be written: {why}", file=file)
            yield from lines
            yield ""


class AlignmentFormat(Format[R]):
    """A format whose records are word alignments, with or without the sizes of the sentences."""

    @abstractmethod
    def fit(self, record: R, source_size: int, target_size: int) -> Alignment:
        """Return the alignment of two sentences; raise :class:`Problem` if it does not fit their sizes."""

    def record(self, alignment: Alignment) -> R:
        """Return the record of an alignment, the inverse of :meth:`fit`; for formats that are written."""
        raise BadSetting(f"{self.name} cannot be written from links; choose another format")

    def line_of(self, record: R, number: int) -> int:
        """Return the line of the file where record ``number`` (from 1) begins."""
        return number
