"""Rows of tables with a header line, by column name, with errors that name the line."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping

from wordorder.errors import BadFile
from wordorder.io.files import open_binary
from wordorder.io.lines import read_lines
from wordorder.judge.builder import Draft

Row = dict[str, str]


def lines(path: str) -> Iterator[str]:
    """The lines of a file, plain or packed."""
    with open_binary(path) as handle:
        for line in read_lines(handle, path):
            if isinstance(line, BadFile):
                raise line
            yield line


def rows(path: str, wanted: tuple[str, ...]) -> Iterator[tuple[Row, int]]:
    """The rows of a table of tabs, without quoting, each with its line."""
    head: list[str] = []
    for line, text in enumerate(lines(path), start=1):
        cells = text.split("\t")
        if line == 1:
            head = cells
            require(head, wanted, path)
            continue
        yield fitted(head, cells, path, line), line
    if not head:
        raise empty(path)


def csv_rows(path: str, separator: str) -> Iterator[tuple[list[str], int]]:
    """The cells of each line, the header too; quotes as in CSV, but a row is one line."""
    seen = False
    for line, text in enumerate(lines(path), start=1):
        seen = True
        if separator == " ":
            yield text.split(), line
            continue
        try:
            yield [cell.strip() for cell in next(csv.reader([text], delimiter=separator), [])], line
        except csv.Error as error:
            raise BadFile(f"is not CSV: {error}", file=path, line=line) from None
    if not seen:
        raise empty(path)


def require(head: list[str], wanted: tuple[str, ...], path: str) -> None:
    """All wanted columns are there."""
    for name in wanted:
        if name not in head:
            message = f"has no column {name!r}; the header is {' '.join(head)[:80]!r}"
            raise BadFile(message, file=path, line=1)


def fitted(head: list[str], cells: list[str], path: str, line: int) -> Row:
    """A row by column name."""
    if len(cells) != len(head):
        message = f"has {len(cells)} columns, the header {len(head)}; is the file cut off?"
        raise BadFile(message, file=path, line=line)
    return dict(zip(head, cells, strict=True))


def empty(path: str) -> BadFile:
    """The error for a file without lines."""
    return BadFile("is empty; expected a header line", file=path)


def number(row: Mapping[str, str], column: str, path: str, line: int) -> float:
    """A column as a finite number."""
    return finite(row[column], column, path, line)


def finite(text: str, what: str, path: str, line: int) -> float:
    """A text as a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise BadFile(f"{what} is {text!r}; expected a number", file=path, line=line) from None
    if not math.isfinite(value):
        raise BadFile(f"{what} is {text!r}; expected a finite number", file=path, line=line)
    return value


def whole(text: str, what: str, path: str, line: int) -> int:
    """A text as a whole number."""
    value = finite(text, what, path, line)
    if not value.is_integer() or abs(value) >= 1 << 53:
        raise BadFile(f"{what} is {text!r}; expected a whole number", file=path, line=line)
    return int(value)


def output(draft: Draft, segment: str, system: str, text: str, path: str, line: int) -> int:
    """Note an output; a second one that differs is an error."""
    item = draft.items.add(segment, system)
    if draft.outputs.setdefault(item, text) != text:
        message = f"a second, different output of {system} for segment {segment}"
        raise BadFile(message, file=path, line=line)
    return item
