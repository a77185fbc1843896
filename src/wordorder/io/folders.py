"""Folders that are replaced as a whole: the old one stays until the new one is complete."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from wordorder.errors import BadFile
from wordorder.io.files import locked, umask
from wordorder.io.unfinished import PART, flush_to_disk, part_prefix, unfinished

_AT_FDCWD, _RENAME_EXCHANGE, _RENAME_SWAP = -100, 2, 2


@contextlib.contextmanager
def replaced_folder(place: Path) -> Iterator[Path]:
    """Yield a new folder that replaces the old one in the end; if writing fails, nothing is left of it."""
    from safetensors import SafetensorError

    place = Path(os.path.realpath(place))  # a symbolic link is kept
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=place.parent, prefix=part_prefix(place), suffix=PART))
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror}", file=str(place)) from None
    try:
        with unfinished(part):
            yield part
            os.chmod(part, 0o777 & ~umask())
            for file in part.iterdir():
                os.chmod(file, 0o666 & ~umask())
                flush_to_disk(file)
            _take_place(part, place)
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror or error}", file=str(place)) from None
    except SafetensorError as error:  # not an OSError even if the disk is full
        raise BadFile(f"cannot be written: {error}", file=str(place)) from None


@contextlib.contextmanager
def claimed_folder(folder: str) -> Iterator[None]:
    """Keep other runs from training the same model, because they would share its intermediate results."""
    place = Path(os.path.realpath(folder))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror}", file=folder) from None
    with locked(place.with_name(f"{part_prefix(place)}lock"), f"another run is training {folder}"):
        yield


def check_output_folder(folder: str, *, replaced: bool = False) -> None:
    """Raise an error unless a folder can be filled, or replaced, here; to be called before long work."""
    place = Path(os.path.realpath(folder))
    if place.exists() and not place.is_dir():
        raise BadFile("is a file; expected a folder to write", file=folder)
    # What replaces a folder is made beside it; folders on the way to it are made if they are missing.
    existing = next(p for p in (place, *place.parents)[replaced:] if p.exists())
    try:
        with unfinished(tempfile.mkdtemp(dir=existing, prefix=part_prefix(place), suffix=PART)):
            pass
    except OSError as error:
        raise BadFile(f"cannot be written: {existing}: {error.strerror}", file=folder) from None


def remove_unfinished(place: Path) -> None:
    """Remove what killed writers of this folder left behind; no writer may be active."""
    for path in place.parent.glob(f"{glob.escape(part_prefix(place))}*{PART}*"):
        shutil.rmtree(path, ignore_errors=True)


def _take_place(part: Path, place: Path) -> None:
    """Rename the new folder, or swap it with an existing one in one step, so that one is always complete."""
    if not place.exists():
        os.replace(part, place)
    elif not _swapped(part, place):  # the system has no such call: in two steps
        old = part.with_name(part.name + ".old")
        os.replace(place, old)
        try:
            os.replace(part, place)
        except OSError:
            os.replace(old, place)
            raise
        shutil.rmtree(old, ignore_errors=True)


def _swapped(part: Path, place: Path) -> bool:
    """Exchange two folders by an atomic system call; return False if there is none."""
    import ctypes

    names = os.fsencode(part), os.fsencode(place)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(library.renamex_np(*names, _RENAME_SWAP) == 0)
        return bool(library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)
    except (AttributeError, OSError, TypeError):
        return False
