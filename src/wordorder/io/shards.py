"""Corpora in many files: folders and patterns, whose files are matched with each other by their names."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from wordorder.errors import BadFile
from wordorder.io.columns import split_column
from wordorder.io.lines import counted

MANIFEST = "manifest.json"  # beside the outputs of a run, which may be the inputs of the next
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of a corpus: a file of each kind, such as the source and the target."""

    name: str  # of the first file, without its endings
    files: Mapping[str, str]


def is_sharded(path: str) -> bool:
    """Return whether a path means many files: a folder, or a pattern that is not the name of a file."""
    plain, _ = split_column(path)
    return os.path.isdir(plain) or (bool(_WILD.search(plain)) and not os.path.exists(plain))


def find_shards(inputs: Mapping[str, str]) -> list[Shard]:
    """Return the shards of a corpus, in the order of their names; ``inputs`` are folders or patterns by kind.

    The files of a shard are those whose names are equal in the part in which the names of a folder differ:
    ``part-01.en`` belongs to ``part-01.ja``, and to ``01.align.gz``.
    """
    many = next((path for path in inputs.values() if is_sharded(path)), "")
    for path in inputs.values():
        if many and not is_sharded(path):
            raise BadFile(f"is a single file, but {many} means many; expected folders or patterns", file=path)
    found = {kind: _by_key(path) for kind, path in inputs.items()}
    (first, keys), *others = found.items()
    for kind, files in others:
        for one, other, path in ((keys, files, inputs[kind]), (files, keys, inputs[first])):
            if missing := sorted(one.keys() - other.keys()):
                what = f"has no partner in {path}, where there {'is' if len(other) == 1 else 'are'}"
                raise BadFile(f"{what} {counted(len(other), 'file')}, not {len(one)}", file=one[missing[0]])
    shards = [
        Shard(_stem(keys[key]), {kind: files[key] for kind, files in found.items()}) for key in sorted(keys)
    ]
    return shards


def _by_key(path: str) -> dict[str, str]:
    """Return the files that a folder or a pattern means, by the part of the name that tells them apart."""
    plain, column = split_column(path)
    pattern = os.path.join(glob.escape(plain), "*") if os.path.isdir(plain) else plain
    found = (file for file in glob.glob(pattern) if os.path.basename(file) != MANIFEST)
    files = sorted(file for file in found if os.path.isfile(file))
    if not files:
        raise BadFile("no file is there; expected the parts of a corpus", file=path)
    names = [_stem(file) for file in files]
    start = _shared(names)
    end = _shared([name[start:][::-1] for name in names])
    keys = [name[start : len(name) - end] for name in names]
    by_key: dict[str, str] = {}
    for key, file in zip(keys, files, strict=True):
        if key in by_key:
            raise BadFile(f"differs from {by_key[key]} only in its ending; use a pattern", file=file)
        by_key[key] = file
    return {key: f"{file}#{column}" if column else file for key, file in by_key.items()}


def _shared(names: list[str]) -> int:
    """Return the length of the beginning that all names share; a number is not cut."""
    first, last = min(names), max(names)  # what these share, all share
    size = next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    while size > 0 and first[size - 1].isdigit():
        size -= 1
    return size


def _stem(path: str) -> str:
    """Return the name of a file without folder, column and endings.

    >>> _stem("corpus/part-0001.en.gz")
    'part-0001'
    """
    return PurePath(split_column(path)[0]).name.lstrip(".").partition(".")[0]
