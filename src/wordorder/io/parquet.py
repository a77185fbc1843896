"""Parquet files, which are read but not written. Needs the extra ``parquet``.

Parquet is not text, so that it is not among the formats that are recognised and converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.base import Format
from wordorder.io.lenient import BadLine
from wordorder.io.lines import not_utf8

ROWS = 1024  # at a time
MAGIC = b"PAR1"  # the first bytes


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
            for batch in table.iter_batches(batch_size=ROWS, columns=self._columns(table, file)):
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
