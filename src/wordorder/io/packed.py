"""Compressed files: known by their first bytes when read, by their name when written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

from wordorder.errors import BadFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 10  # bytes that tell every kind
EXTENSIONS = {".gz": "gzip", ".zst": "zstd"}


def packing_of(head: bytes) -> str | None:
    """The kind of compression that the first bytes of a file announce.

    >>> packing_of(b"\\x1f\\x8b\\x08"), packing_of(b"plain text")
    ('gzip', None)
    """
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    skippable = head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F
    if head.startswith(b"\x28\xb5\x2f\xfd") or skippable:
        return "zstd"
    if head.startswith(b"BZh") and head[4:10] == b"1AY&SY":
        return "bzip2"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    return "zip" if head.startswith(b"PK\x03\x04") else None


def unpacked(handle: IO[bytes], kind: str, file: str) -> IO[bytes]:
    """The text inside a packed file, as a file."""
    if kind not in EXTENSIONS.values():
        raise BadFile(f"is packed with {kind}; gzip and zstd are read as they are: unpack it", file=file)
    chunks = _gunzip(handle) if kind == "gzip" else _unzstd(handle)
    return io.BufferedReader(_Unpacked(chunks, handle, kind, file), 64 << 10)


def rejoined(head: bytes, handle: IO[bytes]) -> IO[bytes]:
    """A file whose first bytes were read already, whole again."""
    return io.BufferedReader(_Rejoined(head, handle), 64 << 10)


def unpacked_from(handle: IO[bytes]) -> str | None:
    """How the file that was opened is packed: then it is not as long as its text."""
    raw = handle.raw if isinstance(handle, io.BufferedReader) else None
    return raw.kind if isinstance(raw, _Unpacked) else None


@contextmanager
def packing(handle: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """Compress what is written if the name ends in ``.gz`` or ``.zst``."""
    if path.lower().endswith(".gz"):
        import gzip

        # no name and no time inside: the same text gives the same bytes
        with gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0) as out:
            yield cast(IO[bytes], out)
    elif path.lower().endswith(".zst"):
        import zstandard

        packer = zstandard.ZstdCompressor(write_checksum=True).stream_writer(handle, closefd=False)
        # buffered, for the packer itself has no writelines
        with io.BufferedWriter(cast(io.RawIOBase, packer), 64 << 10) as buffered:
            yield buffered
    else:
        yield handle


def _gunzip(handle: IO[bytes]) -> Iterator[bytes]:
    import gzip
    import zlib

    with gzip.GzipFile(fileobj=handle, mode="rb") as inside:
        try:
            while chunk := inside.read(64 << 10):
                yield chunk
        except (gzip.BadGzipFile, zlib.error) as error:
            raise _Damaged(str(error)) from None


def _unzstd(handle: IO[bytes]) -> Iterator[bytes]:
    import zstandard

    # Not stream_reader: it takes a file that was cut off for a whole one.
    machine = zstandard.ZstdDecompressor()
    frame = machine.decompressobj()
    try:
        while piece := handle.read(8 << 10):  # a piece may unpack to a thousand times its size
            while piece:
                if frame.eof:
                    frame = machine.decompressobj()
                if chunk := frame.decompress(piece):
                    yield chunk
                piece = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise _Damaged(str(error)) from None
    if not frame.eof:
        raise EOFError


class _Damaged(Exception):
    """The archive cannot be unpacked."""


class _Unpacked(io.RawIOBase):
    def __init__(self, chunks: Iterator[bytes], packed: IO[bytes], kind: str, file: str) -> None:
        self._chunks, self._packed, self.kind, self._file = chunks, packed, kind, file
        self._rest = memoryview(b"")
        self._size = 0

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._packed.fileno()

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        if not self._rest:
            self._rest = memoryview(self._next())
            self._size += len(self._rest)
        part = self._rest[: len(view)]
        view[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)

    def _next(self) -> bytes:
        after = f"after {self._size:,} bytes of text"
        try:
            return next(self._chunks, b"")
        except EOFError:
            raise BadFile(f"the {self.kind} archive is cut off {after}", file=self._file) from None
        except _Damaged as error:
            raise BadFile(f"the {self.kind} archive is damaged {after}: {error}", file=self._file) from None


class _Rejoined(io.RawIOBase):
    def __init__(self, head: bytes, handle: IO[bytes]) -> None:
        self._head, self._handle = head, handle

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._handle.fileno()

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._head[: len(view)] or self._handle.read(len(view))
        self._head = self._head[len(data) :]
        view[: len(data)] = data
        return len(data)
