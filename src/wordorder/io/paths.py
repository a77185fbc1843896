"""What the name of a file says: its extension, a column of a table, a pattern of several files."""

from __future__ import annotations

import os
import re

from wordorder.io.packed import EXTENSIONS

_WILD = re.compile(r"[*?\[]")


def extension_of(path: str) -> str:
    """Return the extension of a file without ``.gz`` or ``.zst``.

    >>> extension_of("dev.align.GZ"), extension_of("folder.d/.hidden")
    ('.align', '')
    """
    name, extension = _split(os.path.basename(path.rstrip(os.sep)))
    return _split(name)[1] if extension in EXTENSIONS else extension


def _split(name: str) -> tuple[str, str]:
    """Split off the extension; a dot at the beginning or the end is part of the name."""
    dot = name.rfind(".")
    return (name[:dot], name[dot:].lower()) if 0 < dot < len(name) - 1 else (name, "")


def is_pattern(path: str) -> bool:
    """Return whether a path is a pattern of file names, and not the name of a file that exists."""
    return bool(_WILD.search(path)) and not os.path.exists(path)


def split_column(path: str) -> tuple[str, str | None]:
    """Split ``file#column``, where the file may be a folder or a pattern; # may be part of a file name.

    >>> split_column("pairs.jsonl#source"), split_column("pairs.txt")
    (('pairs.jsonl', 'source'), ('pairs.txt', None))
    """
    if "#" not in path or os.path.exists(path):
        return path, None
    from wordorder.io.columns import ENDINGS

    for mark in re.finditer("#", path):
        file = path[: mark.start()]
        if extension_of(file) in ENDINGS or os.path.isdir(file) or is_pattern(file):
            return file, path[mark.end() :]
    return path, None
