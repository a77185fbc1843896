"""Columns of tables as text files: ``pairs.jsonl#source`` and ``pairs.parquet#source`` are read like text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from wordorder.errors import BadSetting
from wordorder.io.base import Format, LineFormat, Problem
from wordorder.io.jsonl import JsonLines
from wordorder.io.lenient import BadLine
from wordorder.io.lines import shown
from wordorder.io.parquet import Parquet
from wordorder.io.paths import extension_of, split_column
from wordorder.io.registry import file_format

ENDINGS = (*Parquet.extensions, *JsonLines.extensions)


def column_format(path: str, form: Format[Any] | str) -> Format[Any]:
    """Return the format of ``file#column``, whose cells are lines of another format."""
    file, column = split_column(path)
    cells = file_format(form)
    if not isinstance(cells, LineFormat):
        raise BadSetting(f"{path}: a column cannot hold {cells.name}, which takes several lines")
    table = Parquet(column=column) if extension_of(file) in Parquet.extensions else JsonLines()
    return TableColumn(table=table, column=column or "", cells=cells)


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
        text = cell_of(row, self.column)
        if not isinstance(text, str):
            what = "null" if text is None else shown(str(text))
            raise Problem(f"{self.column!r} is {what}; expected text", reason="not text")
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


def cell_of(row: dict[str, Any], column: str) -> Any:
    """Return a cell of a row; ``a.b`` is the field b of the object in column a.

    >>> cell_of({"translation": {"en": "yes"}}, "translation.en")
    'yes'
    """
    if column in row:
        return row[column]
    first, dot, rest = column.partition(".")
    if dot and isinstance(row.get(first), dict):
        return cell_of(row[first], rest)
    has = ", ".join(map(repr, row)) or "nothing"
    raise Problem(f"no column {column!r}; the row has {has}", reason="no such column")
