"""Parquet files, which are read but not written. Needs the extra ``parquet``.

Parquet is not text, so that it is not among the formats that are recognised and converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.base import Format
from wordorder.io.lenient import BadLine
from wordorder.io.lines import longest_line, not_utf8, too_long

ROWS = 1024  # at a time
MAGIC = b"PAR1"  # the first bytes
DICTIONARY = 2  # the kind of a page


@dataclass(frozen=True, kw_only=True)
class Parquet(Format[dict[str, Any]]):
    """Tables of Apache Parquet; the record is a row, as a dictionary with one ``column`` or all of them."""

    column: str | None = None

    name = "parquet"
    about = "Apache Parquet, a table of columns"
    extensions = (".parquet",)
    unit = "row"

    def __post_init__(self) -> None:
        """Skip the check of settings, as a column may have any name."""

    def scan(self, handle: IO[bytes], file: str) -> Iterator[dict[str, Any] | BadLine]:
        """Read some rows at a time."""
        try:
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            raise WordOrderError("Parquet needs pyarrow: pip install 'wordorder[parquet]'") from None
        if not handle.seekable():
            raise BadFile("Parquet cannot be read from a pipe, or from inside an archive", file=file)
        row = 1
        try:
            table = parquet.ParquetFile(handle)
            columns = self._columns(table, file)
            for number in range(table.num_row_groups):
                group = RowGroup(table, number, columns, row, file)
                for batch in group.batches(handle):
                    yield from _rows(batch, file, row)
                    row += batch.num_rows
        except BadFile:
            raise
        except MemoryError:  # a page whose header claims gigabytes
            raise BadFile("is damaged, or needs more memory than there is", file=file) from None
        except (OSError, ValueError, OverflowError, NotImplementedError) as error:  # also those of pyarrow
            what = " ".join(str(error).split())[:200]
            raise BadFile(f"is not Parquet, or damaged: {what}", file=file) from None

    def _columns(self, table: Any, file: str) -> list[str] | None:
        """Return the columns to read: others may be large, or of types that Python does not have."""
        if self.column is None:
            return None
        known = table.schema_arrow.names
        if self.column not in known and self.column.partition(".")[0] not in known:
            has = ", ".join(map(repr, known)) or "nothing"
            raise BadFile(f"no column {self.column!r}; the file has {has}", file=file)
        return [self.column]

    def write(self, records: Iterable[dict[str, Any]], out: IO[bytes], *, file: str = "output") -> None:
        """Refuse."""
        raise BadSetting("Parquet cannot be written")

    def examples(self) -> list[dict[str, Any]]:
        """Return nothing, as Parquet is not written."""
        return []

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Return 0: Parquet is not text."""
        return 0.0


@dataclass(frozen=True)
class RowGroup:
    """The rows that a file packs together.

    A few bytes may stand for gigabytes: for a long cell, or for one of many rows, which is held once.
    Rows that are longer than a line of text may be are refused, before they are unpacked if the file says so.
    Not more rows are unpacked at a time than would fill such a line, if all of them were as long as possible.
    """

    table: Any
    number: int
    columns: list[str] | None
    first_row: int
    file: str

    def batches(self, handle: IO[bytes]) -> Iterator[Any]:
        """Yield the rows, some at a time."""
        longest, part = longest_line(), self.table.metadata.row_group(self.number)
        paths = [self.table.schema.column(k).path for k in range(part.num_columns)]
        wanted = [k for k, path in enumerate(paths) if self._is_wanted(path)]
        if len(wanted) == len(paths):
            self._check_mean(part.total_byte_size, part.num_rows, longest)
        # An error in the description of a column is an exception here; pyarrow ends the process below.
        next(self._read(1), None)
        chunks = [part.column(k) for k in wanted]
        size = sum(chunk.total_uncompressed_size for chunk in chunks)
        mean = self._check_mean(size, part.num_rows, longest)
        repeated = sum(_dictionary_bytes(handle, chunk) for chunk in chunks)
        first = self.first_row
        for batch in self._read(max(1, min(ROWS, longest // max(1, mean, repeated)))):
            for k, size in enumerate(_sizes(batch) if batch.nbytes > longest else ()):
                if size > longest:
                    raise too_long(self.file, first + k, longest, "the row")
            yield batch
            first += batch.num_rows

    def _check_mean(self, size: int, rows: int, longest: int) -> int:
        """Return the mean size of a row; one that is too long is an error."""
        mean = size // max(1, rows)
        if mean > longest:
            last = self.first_row + rows - 1
            what = "the row" if rows == 1 else f"one of the rows up to {last:,}"
            raise too_long(self.file, self.first_row, longest, what)
        return mean

    def _read(self, rows: int) -> Iterator[Any]:
        read: Iterator[Any] = self.table.iter_batches(
            batch_size=rows, row_groups=[self.number], columns=self.columns
        )
        return read

    def _is_wanted(self, path: str) -> bool:
        wanted = self.columns
        return wanted is None or path in wanted or path.startswith(tuple(f"{name}." for name in wanted))


def _dictionary_bytes(handle: IO[bytes], chunk: Any) -> int:
    """Return the unpacked bytes of the values that a column holds once for all rows where they occur.

    They are in its first page, which begins with its kind and size (Thrift's compact protocol).
    """
    at = chunk.data_page_offset
    if chunk.has_dictionary_page:
        at = min(at, chunk.dictionary_page_offset)
    handle.seek(max(at, 0))
    found = re.match(rb"\x15([\x80-\xff]*[\0-\x7f])\x15([\x80-\xff]*[\0-\x7f])", handle.read(32))
    if not found:
        return int(chunk.total_uncompressed_size)
    kind, size = (
        sum((byte & 127) << 7 * k for k, byte in enumerate(digits)) // 2 for digits in found.groups()
    )
    return size if kind == DICTIONARY else 0


def _sizes(batch: Any) -> list[int]:
    """Return the bytes of the text of each row; texts in lists do not count."""
    columns = [_lengths(field) for column in batch.columns for field in _fields(column)]
    return [sum(row) for row in zip(*columns, strict=True)]


def _fields(array: Any) -> Iterator[Any]:
    """Yield the arrays of the fields of objects, at any depth, or else the array."""
    if hasattr(array, "field"):
        for field in array.flatten():
            yield from _fields(field)
    else:
        yield array


def _lengths(array: Any) -> list[int]:
    """Return the bytes of each text of an array, 0 for other values."""
    arrow: Any = import_module("pyarrow")
    compute: Any = import_module("pyarrow.compute")
    if arrow.types.is_dictionary(array.type):
        known = _lengths(array.dictionary)
        return [0 if k is None else known[k] for k in array.indices.to_pylist()]
    try:
        return list(compute.fill_null(compute.binary_length(array), 0).to_pylist())
    except NotImplementedError:  # numbers, dates, lists
        return [0] * len(array)


def _rows(batch: Any, file: str, first: int) -> Iterator[dict[str, Any] | BadLine]:
    """Yield the rows; one with text that is not UTF-8 is an error."""
    try:
        yield from batch.to_pylist()
        return
    except UnicodeDecodeError:
        pass
    for k in range(batch.num_rows):
        try:
            (row,) = batch.slice(k, 1).to_pylist()
            yield row
        except UnicodeDecodeError as error:
            yield not_utf8(error, file, first + k)
