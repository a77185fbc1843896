"""Open and write files: errors name the file, and no file is left half-written."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from wordorder.errors import BadFile
from wordorder.io.packed import HEAD, packing, packing_of, rejoined, unpacked
from wordorder.io.terminal import harmless
from wordorder.io.unfinished import PART, flush_to_disk, part_prefix, unfinished

# A short command takes as long as its imports: what only files on the disk need is imported where it is used.
if TYPE_CHECKING:
    from pathlib import Path

IN_MEMORY = 64 << 20  # bytes of output that wait for its end without a file
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the errors of a full disk


@contextmanager
def open_binary(path: str) -> Iterator[IO[bytes]]:
    """Open a file for reading; ``-`` is standard input, and gzip and zstd are unpacked."""
    if path == "-":
        yield _plain(standard_input(), path)
        return
    try:
        handle = open(path, "rb")  # noqa: SIM115 (closed below, after the error is translated)
    except IsADirectoryError:
        raise BadFile("is a directory; expected a file", file=path) from None
    except FileNotFoundError:
        raise BadFile("does not exist", file=path) from None
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=path) from None
    with handle:
        yield _plain(handle, path)


def _plain(handle: IO[bytes], path: str) -> IO[bytes]:
    """Return the file itself, or its unpacked content."""
    try:
        head = handle.read(HEAD)
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=path) from None
    kind = packing_of(head)
    if path != "-" and handle.seekable():
        handle.seek(0)
    else:
        handle = rejoined(head, handle)
    return unpacked(handle, kind, path) if kind else handle


@contextmanager
def open_output(path: str, *, flush: bool = True) -> Iterator[IO[bytes]]:
    """Write to a file or, for ``-``, to standard output; nothing appears unless everything was written.

    A file is written under a temporary name and renamed when it is on the disk; without ``flush``, a power
    failure can damage it. Standard output receives its text at the end; large results wait in a temporary
    file. Files named ``.gz`` or ``.zst`` are packed.
    """
    if path == "-" or _is_device(path):
        with Spool() as spool:
            yield cast(IO[bytes], spool)
            _copy_out(spool.from_begin(), path)
        return
    target, handle = _begun(path)
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~umask()
    try:
        with unfinished(handle.name):
            with handle, packing(handle, path) as out:
                yield out
            os.chmod(handle.name, mode)
            if flush:
                flush_to_disk(handle.name)
            os.replace(handle.name, target)
    except OSError as error:
        if error.filename is None and error.errno in FULL:
            raise BadFile(f"cannot be written: {error.strerror}", file=path) from None
        raise


class Spool:
    """Output that waits until it is complete: in memory, or in a temporary file if there is much of it.

    >>> with Spool() as spool:
    ...     spool.writelines([b"one ", b"two"])
    ...     spool.from_begin().read()
    b'one two'
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = io.BytesIO()

    def write(self, piece: bytes) -> int:
        """Add a piece."""
        written = self._file.write(piece)
        if isinstance(self._file, io.BytesIO) and self._file.tell() > IN_MEMORY:
            import tempfile

            with self._file as before:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the spool)
                self._file.write(before.getbuffer())
        return written

    def writelines(self, pieces: Iterable[bytes]) -> None:
        """Add pieces."""
        for piece in pieces:
            self.write(piece)

    def from_begin(self) -> IO[bytes]:
        """Return what was written, to be read."""
        self._file.seek(0)
        return self._file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def check_output(path: str) -> None:
    """Raise an error unless a file can be written here; to be called before long work."""
    if path == "-":
        standard_output()
    elif not _is_device(path):
        with _begun(path)[1] as handle, unfinished(handle.name):
            pass


def _is_device(path: str) -> bool:
    """Whether the path is a named pipe, a terminal or another device, which cannot be replaced."""
    return os.path.exists(path) and not os.path.isdir(path) and not os.path.isfile(path)


def _begun(path: str) -> tuple[Path, IO[bytes]]:
    """Return the file that a path leads to, and a new one beside it that can take its place."""
    import tempfile
    from pathlib import Path

    target = Path(os.path.realpath(path))  # a symbolic link is kept
    if target.is_dir():
        raise BadFile("is a directory; expected a file to write", file=path)
    if target.is_symlink():  # it leads to itself
        raise BadFile(f"cannot be written: {os.strerror(errno.ELOOP)}", file=path)
    try:
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 (the caller closes it)
            dir=target.parent, prefix=part_prefix(target), suffix=PART, delete=False
        )
    except OSError as error:
        place = "" if target.parent.is_dir() else f"; there is no folder {target.parent}"
        raise BadFile(f"cannot be written: {error.strerror}{place}", file=path) from None
    return target, cast(IO[bytes], handle)


@contextmanager
def locked(path: Path, otherwise: str) -> Iterator[None]:
    """Hold a file that only one process can hold, or raise an error; it is removed when the process ends."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    while True:
        try:
            handle = open(path, "ab")  # noqa: SIM115 (closed below, after the error is translated)
        except OSError as error:
            raise BadFile(f"cannot be written: {error.strerror}", file=str(path)) from None
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise BadFile(otherwise, file=str(path)) from None
            if not (os.path.exists(path) and os.path.samestat(os.fstat(handle.fileno()), os.stat(path))):
                continue  # the process that held it has removed it meanwhile
            with unfinished(path):
                yield
            return


def standard_input() -> BinaryIO:
    """Return standard input, or raise an error if the program was started without it."""
    if sys.stdin is None:
        raise BadFile("is closed; nothing can be read", file="standard input")
    return sys.stdin.buffer


def standard_output() -> BinaryIO:
    """Return standard output, or raise an error if the program was started without it."""
    if sys.stdout is None:
        raise BadFile("is closed; nothing can be written", file="standard output")
    return sys.stdout.buffer


def _copy_out(spool: IO[bytes], path: str) -> None:
    """Copy the finished output to standard output, or to a named pipe or device."""
    if path != "-":
        try:
            with open(path, "wb") as device:
                device.writelines(_pieces(spool))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise BadFile(f"cannot be written: {error.strerror}", file=path) from None
        return
    stdout = standard_output()
    try:
        if stdout.isatty():
            stdout.writelines(map(harmless, spool))
        else:
            stdout.writelines(_pieces(spool))
        stdout.flush()
    except BrokenPipeError:  # the reader has stopped reading, which is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())  # the rest is not tried again
        raise BadFile(f"cannot be written: {error.strerror}", file="standard output") from None


def _pieces(spool: IO[bytes]) -> Iterator[bytes]:
    while piece := spool.read(1 << 20):
        yield piece


def umask() -> int:
    """Return the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
