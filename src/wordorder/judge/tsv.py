"""Reads tables with a header line; errors name the file and the line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator

from wordorder.errors import BadFile
from wordorder.io.files import open_binary
from wordorder.io.lines import counted, read_lines
from wordorder.io.numbers import read_number
from wordorder.judge.builder import JudgmentsBuilder

TableRow = dict[str, str]


def lines(path: str) -> Iterator[str]:
    """Yield the lines of a file, plain or compressed."""
    with open_binary(path) as handle:
        for line in read_lines(handle, path):
            if isinstance(line, BadFile):
                raise line
            yield line


def rows(
    path: str,
    wanted: tuple[str, ...],
    *,
    names: Callable[[str], list[str]] = lambda text: text.split("\t"),
    short: bool = False,
) -> Iterator[tuple[TableRow, int]]:
    """Yield the rows of a tab-separated table without quoting, each with its line number.

    ``names`` reads the header, which must have all ``wanted`` columns. With ``short``, a row may lack the
    last column if that is not a wanted one.
    """
    head: list[str] = []
    for line, text in enumerate(lines(path), start=1):
        if line == 1:
            head = names(text)
            for name in wanted:
                if name not in head:
                    message = f"has no column {name!r}; the header is {' '.join(head)[:80]!r}"
                    raise BadFile(message, file=path, line=1)
            continue
        cells = text.split("\t")
        if short and len(cells) == len(head) - 1 and head[-1] not in wanted:
            cells.append("")
        yield fitted(head, cells, path, line), line
    if not head:
        raise empty(path)


def csv_rows(path: str, separator: str) -> Iterator[tuple[list[str], int]]:
    """Yield the cells of each line, including the header; cells may be quoted, but a row is one line."""
    line = 0
    for line, text in enumerate(lines(path), start=1):
        if separator == " ":
            yield text.split(), line
            continue
        try:
            yield [cell.strip() for cell in next(csv.reader([text], delimiter=separator), [])], line
        except csv.Error as error:
            raise BadFile(f"is not CSV: {error}", file=path, line=line) from None
    if not line:
        raise empty(path)


def fitted(head: list[str], cells: list[str], path: str, line: int) -> TableRow:
    """Return a row as a mapping from column name to cell."""
    if cells == [""] and len(head) > 1:
        raise BadFile("is empty; remove the line", file=path, line=line)
    if len(cells) != len(head):
        message = (
            f"has {counted(len(cells), 'column')}, but the header has {len(head)}; is the file truncated?"
        )
        raise BadFile(message, file=path, line=line)
    return dict(zip(head, cells, strict=True))


def empty(path: str) -> BadFile:
    """Return the error for a file without lines."""
    return BadFile("is empty; expected a header line", file=path)


def finite(text: str, what: str, path: str, line: int) -> float:
    """Return a text as a finite number of moderate size."""
    try:
        return read_number(text)
    except ValueError as error:
        raise BadFile(f"{what} is {text!r}; {error}", file=path, line=line) from None


def whole(text: str, what: str, path: str, line: int) -> int:
    """Return a text as a whole number."""
    value = finite(text, what, path, line)
    if not value.is_integer() or abs(value) >= 1 << 53:
        raise BadFile(f"{what} is {text!r}; expected a whole number", file=path, line=line)
    return int(value)


def output(builder: JudgmentsBuilder, segment: str, system: str, text: str, path: str, line: int) -> int:
    """Add an output and return its item; a second, different output of the same item is an error."""
    item = builder.items.add(segment, system)
    if builder.outputs.setdefault(item, text) != text:
        message = f"a second, different output of {system} for segment {segment}"
        raise BadFile(message, file=path, line=line)
    return item
