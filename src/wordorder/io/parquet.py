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

ROWS = 1024  # at a time
MAGIC = b"PAR1"  # the first bytes


@dataclass(frozen=True, kw_only=True)
class Parquet(Format[dict[str, Any]]):
    """Tables of Apache Parquet; the record is a row, as a dictionary."""

    name = "parquet"
    about = "Apache Parquet, a table of columns"
    extensions = (".parquet",)
    unit = "row"

    def scan(self, handle: IO[bytes], file: str) -> Iterator[dict[str, Any]]:
        """Read some rows at a time."""
        try:
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            raise WordOrderError("Parquet needs pyarrow: pip install 'wordorder[parquet]'") from None
        if not handle.seekable():
            raise BadFile("Parquet cannot be read from a pipe, or from inside an archive", file=file)
        try:
            for batch in parquet.ParquetFile(handle).iter_batches(batch_size=ROWS):
                yield from batch.to_pylist()
        except (
            OSError,
            ValueError,
            OverflowError,
            NotImplementedError,
        ) as error:  # pyarrow's are among these
            what = " ".join(str(error).split())[:200]
            raise BadFile(f"is not Parquet, or damaged: {what}", file=file) from None

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
