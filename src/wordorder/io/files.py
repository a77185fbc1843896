"""Opening and writing files with errors that name the file, and never half a file."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wordorder.errors import BadFile


@contextmanager
def open_binary(path: str) -> Iterator[IO[bytes]]:
    """Open a file for reading; ``-`` is standard input."""
    if path == "-":
        yield sys.stdin.buffer
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
        yield handle


@contextmanager
def open_output(path: str) -> Iterator[IO[bytes]]:
    """Write to a file or, for ``-``, to standard output; nothing appears unless all was written.

    A file is written beside its place and moved there at the end. Standard output gets its
    text at the end; large results wait in a temporary file meanwhile.
    """
    if path == "-":
        with tempfile.SpooledTemporaryFile(max_size=64 << 20) as spool:
            yield spool
            spool.seek(0)
            try:
                shutil.copyfileobj(spool, sys.stdout.buffer, 1 << 20)
                sys.stdout.buffer.flush()
            except BrokenPipeError:  # the reader has seen enough: not our error
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    target = Path(path)
    if target.is_dir():
        raise BadFile("is a directory; expected a file to write", file=path)
    try:
        handle = tempfile.NamedTemporaryFile(  # noqa: SIM115 (moved, not closed away)
            dir=target.parent, prefix=f".{target.name}.", suffix=".part", delete=False
        )
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror}", file=path) from None
    try:
        with handle:
            yield handle
        os.chmod(handle.name, 0o666 & ~_umask())
        os.replace(handle.name, target)
    except BaseException:
        os.unlink(handle.name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
