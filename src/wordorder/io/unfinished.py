"""Files and folders that are being written under temporary names, and can be removed at any moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PART = ".part"  # the ending of temporary names, which are random in between: no two runs share one
_LONGEST = 40  # characters; a longer name is shortened, because the system limits names
_unfinished: set[str] = set()


def part_prefix(target: Path) -> str:
    """Return the beginning of the temporary names of a file or folder, which are hidden."""
    name = target.name
    if len(name) > _LONGEST:
        import zlib

        name = f"{name[:_LONGEST]}~{zlib.crc32(os.fsencode(name)):08x}"
    return f".{name}."


@contextmanager
def unfinished(path: str | Path) -> Iterator[None]:
    """Remove a file or folder at the end, unless it was renamed."""
    name = os.fspath(path)
    _unfinished.add(name)
    try:
        yield
    finally:
        _remove(name)
        _unfinished.discard(name)


def remove_all_unfinished() -> None:
    """Remove what other threads are writing; for a program that ends at once."""
    for name in list(_unfinished):
        _remove(name)


def flush_to_disk(path: str | Path) -> None:
    """Wait until a file is on the disk, so that a renamed file is never empty after a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(name: str) -> None:
    if os.path.isdir(name):
        import shutil

        shutil.rmtree(name, ignore_errors=True)
    else:
        with suppress(OSError):
            os.unlink(name)
