"""Columns of tables as text files: ``pairs.jsonl#source`` and ``pairs.parquet#source`` are read like text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from wordorder.errors import BadSetting
from wordorder.io.base import Format, LineFormat, Problem
from wordorder.io.jsonl import JsonLines
from wordorder.io.lenient import BadLine
from wordorder.io.lines import shown
from wordorder.io.parquet import Parquet
from wordorder.io.registry import file_format
from wordorder.io.sniff import extension_of

TABLES: dict[str, type[Format[Any]]] = {
    extension: form for form in (Parquet, JsonLines) for extension in form.extensions
}


def split_column(path: str) -> tuple[str, str]:
    """Split ``file#column``; a file whose name contains # is itself.

    >>> split_column("pairs.jsonl#source"), split_column("pairs.txt")
    (('pairs.jsonl', 'source'), ('pairs.txt', ''))
    """
    file, mark, column = path.rpartition("#")
    if not mark or os.path.exists(path) or extension_of(file) not in TABLES:
        return path, ""
    return file, column


def column_format(path: str, form: Format[Any] | str) -> Format[Any]:
    """Return the format of ``file#column``, whose cells are lines of another format."""
    file, column = split_column(path)
    cells = file_format(form)
    if not isinstance(cells, LineFormat):
        raise BadSetting(f"{path}: a column cannot hold {cells.name}, which takes several lines")
    return TableColumn(table=TABLES[extension_of(file)](), column=column, cells=cells)


@dataclass(frozen=True, kw_only=True)
class TableColumn(Format[Any]):
    """One column of a table; a cell is a line of the format ``cells``."""

    table: Format[Any]
    column: str
    cells: LineFormat[Any]

    name = "column"
    about = "one column of JSON lines or Parquet"

    def __post_init__(self) -> None:
        """Skip the check of settings, which are formats here."""

    def scan(self, handle: IO[bytes], file: str) -> Iterator[Any | BadLine]:
        """Read cell by cell."""
        for number, row in enumerate(self.table.scan(handle, file), start=1):
            try:
                yield row if isinstance(row, BadLine) else self.cells.parse(self._cell(row))
            except Problem as problem:
                yield problem.at(file, number)

    def _cell(self, row: dict[str, Any]) -> str:
        if self.column not in row:
            has = ", ".join(map(repr, row)) or "nothing"
            raise Problem(f"no column {self.column!r}; the row has {has}", reason="no such column")
        text = row[self.column]
        if not isinstance(text, str):
            raise Problem(f"{self.column!r} is {shown(str(text))}; expected text", reason="not text")
        if "\n" in text or text.endswith("\r"):
            raise Problem(f"{shown(text)} contains a line break; expected one line", reason="line break")
        return text

    def write(self, records: Iterable[Any], out: IO[bytes], *, file: str = "output") -> None:
        """Refuse: other columns would be missing."""
        raise BadSetting("a single column cannot be written")

    def examples(self) -> list[Any]:
        """Return nothing, as columns are not written."""
        return []

    @classmethod
    def likeness(cls, lines: Any) -> float:
        """Return 0: a column is chosen by name."""
        return 0.0
