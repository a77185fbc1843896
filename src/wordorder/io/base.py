"""What a file format is.

A format is a frozen dataclass whose fields are its settings, such as the smallest number. It turns a
file into records, plain values, and records into a file; what is written is read back as it was. Most
formats have one record a line and are a :class:`LineFormat` with ``parse`` and ``to_line``.
"""

from __future__ import annotations

import codecs
import dataclasses
import typing
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin

from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import read_lines, write_lines

R = TypeVar("R")


class Problem(Exception):
    """What is wrong with a line or a record; the reader or writer adds the place.

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
    about: ClassVar[str]  # a line for people
    extensions: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = "line"  # what a record is called
    sparse: ClassVar[bool] = False  # whether records that say nothing are left out at the end of a file

    def __post_init__(self) -> None:
        for key, choices in self.choices().items():
            if getattr(self, key) not in choices:
                listed = ", ".join(map(str, choices))
                raise BadSetting(f"{self.name}: {key} is {getattr(self, key)!r}; expected one of {listed}")

    @classmethod
    def choices(cls) -> dict[str, tuple[Any, ...]]:
        """The settings and the values that each may have."""
        hints = typing.get_type_hints(cls)
        found = {}
        for field in dataclasses.fields(cls):
            hint = hints[field.name]
            found[field.name] = get_args(hint) if get_origin(hint) is Literal else (False, True)
        return found

    @abstractmethod
    def scan(self, handle: IO[bytes], file: str) -> Iterator[R | BadLine]:
        """Yield a record, or what is wrong with it, for every line (or sentence) of the file.

        That bad lines keep their place is what keeps parallel files in step.
        """

    @abstractmethod
    def write(self, records: Iterable[R], out: IO[bytes], *, file: str = "output") -> None:
        """Write records; one that would not be read back as it is, is an error."""

    @abstractmethod
    def examples(self) -> list[R]:
        """Some records, for the contract."""

    def broken(self) -> list[tuple[bytes, int]]:
        """Files that must be refused, each with the number of the line at fault."""
        return []

    def blank(self) -> R:
        """The record that says nothing; only sparse formats have one."""
        raise BadSetting(f"{self.name} is no sparse format: it has no record that says nothing")

    def read(self, handle: IO[bytes], file: str, *, lenient: Lenient | None = None) -> Iterator[R]:
        """Yield the records; a bad line is an error, or is counted by ``lenient`` and left out."""
        for record in self.scan(handle, file):
            if not isinstance(record, BadLine):
                yield record
            elif lenient is None:
                raise record
            else:
                lenient.skip(record)

    @classmethod
    def sniff(cls, sample: bytes) -> float:
        """How much the beginning of a file looks like this format, from 0 to 1."""
        try:
            # A sample may end inside a letter: an incremental decoder does not mind.
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
        """The same as :meth:`sniff`, for one or more lines of text."""


class LineFormat(Format[R]):
    """A format with one record a line."""

    @abstractmethod
    def parse(self, line: str) -> R:
        """Read a line, which comes without its end; raise :class:`Problem` if that cannot be."""

    @abstractmethod
    def to_line(self, record: R) -> str:
        """Write a record as a line; raise :class:`Problem` if that cannot be."""

    def width(self, record: R) -> int | None:
        """The number of columns, where it must be the same in all lines of a file."""
        return None

    def scan(self, handle: IO[bytes], file: str) -> Iterator[R | BadLine]:
        """Parse line by line."""
        first: int | None = None
        for number, line in enumerate(read_lines(handle, file), start=1):
            if isinstance(line, BadLine):
                yield line
                continue
            try:
                record = self.parse(line)
                width = self.width(record)
                first = width if first is None else first
                _same_width(width, first)
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
                width = self.width(record)
                first = width if first is None else first
                _same_width(width, first)
                yield self.to_line(record)
            except Problem as problem:
                raise BadFile(str(problem), file=file, line=number) from None


def _same_width(width: int | None, first: int | None) -> None:
    if width != first:
        raise Problem(
            f"{width} {'column' if width == 1 else 'columns'}; the first line has {first}",
            reason="another number of columns",
        )


class AlignmentFormat(Format[R]):
    """A format whose records are word alignments, with or without the sizes of the sentences."""

    @abstractmethod
    def fit(self, record: R, source_size: int, target_size: int) -> Alignment:
        """The alignment of two sentences of these sizes; :class:`Problem` if it does not fit them."""

    def line_of(self, record: R, number: int) -> int:
        """The line of the file where record ``number`` (from 1) begins."""
        return number
