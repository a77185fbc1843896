"""Compressed files: recognised by their first bytes for reading, by their name for writing."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, cast

from wordorder.errors import BadFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 10  # bytes that identify every kind
SIZE = 64 << 10
EXTENSIONS = {".gz": "gzip", ".zst": "zstd"}


def packing_of(head: bytes) -> str | None:
    """Return the kind of compression that the first bytes of a file indicate.

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
    """Return the text inside a packed file, as a file."""
    if kind not in EXTENSIONS.values():
        raise BadFile(f"is packed with {kind}; only gzip and zstd can be read directly: unpack it", file=file)
    chunks = _gunzip(handle) if kind == "gzip" else _unzstd(handle)
    return io.BufferedReader(_Chunks(_reported(chunks, kind, file), handle, kind), SIZE)


def rejoined(head: bytes, handle: IO[bytes]) -> IO[bytes]:
    """Return a file, the first bytes of which were already read, from its beginning."""
    return io.BufferedReader(_Chunks(chain([head] * bool(head), _chunks(handle)), handle), SIZE)


def unpacked_from(handle: IO[bytes]) -> str | None:
    """Return how an opened file is packed, or None if it is not."""
    raw = handle.raw if isinstance(handle, io.BufferedReader) else None
    return raw.kind if isinstance(raw, _Chunks) else None


@contextmanager
def packing(handle: IO[bytes], path: str) -> Iterator[IO[bytes]]:
    """Compress what is written if the name ends in ``.gz`` or ``.zst``."""
    if path.lower().endswith(".gz"):
        import gzip

        # without a name and a time, so that the same text gives the same bytes
        with gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0) as out:
            yield cast(IO[bytes], out)
    elif path.lower().endswith(".zst"):
        import zstandard

        packer = zstandard.ZstdCompressor(write_checksum=True).stream_writer(handle, closefd=False)
        # buffered, because the packer itself has no writelines
        with io.BufferedWriter(cast(io.RawIOBase, packer), SIZE) as buffered:
            yield buffered
    else:
        yield handle


def _chunks(handle: IO[bytes]) -> Iterator[bytes]:
    while chunk := handle.read(SIZE):
        yield chunk


def _gunzip(handle: IO[bytes]) -> Iterator[bytes]:
    import gzip
    import zlib

    with gzip.GzipFile(fileobj=handle, mode="rb") as inside:
        try:
            yield from _chunks(cast(IO[bytes], inside))
        except (gzip.BadGzipFile, zlib.error) as error:
            raise _Damaged(str(error)) from None


def _unzstd(handle: IO[bytes]) -> Iterator[bytes]:
    import zstandard

    # Not stream_reader, which does not notice that a file was cut off.
    decompressor = zstandard.ZstdDecompressor()
    frame = decompressor.decompressobj()
    try:
        while piece := handle.read(8 << 10):  # a piece may unpack to a thousand times its size
            while piece:
                if frame.eof:
                    frame = decompressor.decompressobj()
                if chunk := frame.decompress(piece):
                    yield chunk
                piece = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise _Damaged(str(error)) from None
    if not frame.eof:
        raise EOFError


class _Damaged(Exception):
    """The archive cannot be unpacked."""


def _reported(chunks: Iterator[bytes], kind: str, file: str) -> Iterator[bytes]:
    """Pass on the chunks of an archive; errors name the file."""
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            yield chunk
    except EOFError:
        raise BadFile(f"the {kind} archive is cut off after {size:,} bytes of text", file=file) from None
    except _Damaged as error:
        message = f"the {kind} archive is damaged after {size:,} bytes of text: {error}"
        raise BadFile(message, file=file) from None


class _Chunks(io.RawIOBase):
    """A file made of chunks of bytes; ``kind`` is how the file behind it is packed."""

    def __init__(self, chunks: Iterator[bytes], handle: IO[bytes], kind: str | None = None) -> None:
        self._chunks, self._handle, self.kind = chunks, handle, kind
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._handle.fileno()

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        self._rest = self._rest or memoryview(next(self._chunks, b""))
        part = self._rest[: len(view)]
        view[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)
