"""Corpora in many files: folders and patterns, whose files are matched with each other by their names."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from wordorder.errors import BadFile
from wordorder.io.packed import EXTENSIONS
from wordorder.io.paths import is_pattern, split_column

MANIFEST = "manifest.json"  # beside the outputs of a run, which may be the inputs of the next
_PACKED = re.compile(rf"({'|'.join(map(re.escape, EXTENSIONS))})$", re.I)


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of a corpus: a file of each kind, such as the source and the target."""

    name: str  # of the first file, without the endings that all its neighbours have
    files: Mapping[str, str]


def is_sharded(path: str) -> bool:
    """Return whether a path means many files: a folder, or a pattern that is not the name of a file."""
    plain, _ = split_column(path)
    return os.path.isdir(plain) or is_pattern(plain)


def find_shards(inputs: Mapping[str, str]) -> list[Shard]:
    """Return the shards of a corpus, in the order of their names; ``inputs`` are folders or patterns by kind.

    The files of a shard are those whose names are equal in the part in which the names of a folder differ:
    ``part-01.en`` belongs to ``part-01.ja``, and to ``01.align.gz``. Subfolders, and files whose names begin
    with . or _, are no part of a corpus, nor is the manifest of a run.
    """
    many = next((path for path in inputs.values() if is_sharded(path)), None)
    if many is None:
        what = "is neither a folder nor a pattern such as 'parts/*.txt'; give one of them"
        raise BadFile(what, file=next(iter(inputs.values()), ""))
    for path in inputs.values():
        if not is_sharded(path):
            raise BadFile(f"is a single file, but {many} means many; expected folders or patterns", file=path)
    found = {kind: _by_key(path) for kind, path in inputs.items()}
    (first, names), *others = found.items()
    for kind, files in others:
        for one, other, path in ((names, files, inputs[kind]), (files, names, inputs[first])):
            if missing := sorted(one.keys() - other.keys()):
                what = f"has no partner in {path}: no name there has {missing[0]!r} where names differ"
                raise BadFile(what, file=one[missing[0]].path)
    return [
        Shard(names[key].name, {kind: files[key].path for kind, files in found.items()})
        for key in sorted(names)
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    path: str


def _by_key(path: str) -> dict[str, _Found]:
    """Return the files that a folder or a pattern means, by the part of the name that tells them apart."""
    import glob

    plain, column = split_column(path)
    pattern = os.path.join(glob.escape(plain), "*") if os.path.isdir(plain) else plain
    files = sorted(file for file in glob.glob(pattern) if os.path.isfile(file) and _is_data(file))
    if not files:
        raise BadFile("no file is there; expected the parts of a corpus", file=path)
    for file in files:
        if not file.isprintable():
            raise BadFile("the name cannot be written in a manifest; rename the file", file=repr(file))
    # With a pattern such as */text.en, the folders tell the files apart.
    root = os.path.commonpath([os.path.dirname(file) or "." for file in files])
    names = [_PACKED.sub("", os.path.relpath(file, root)).replace(os.sep, "-") for file in files]
    if len(names) == 1:  # there is nothing to tell apart
        return {"": _Found(os.path.splitext(names[0])[0], _with_column(files[0], column))}
    start = _shared(names)
    end = _shared([name[start:][::-1] for name in names])
    ending = names[0][len(names[0]) - end :] if end else ""
    cut = len(ending) - ending.index(".") if "." in ending else 0
    by_key: dict[str, _Found] = {}
    for name, file in zip(names, files, strict=True):
        key = name[start : len(name) - end]
        if key in by_key:
            raise BadFile(f"differs from {by_key[key].path} only in how it is packed", file=file)
        by_key[key] = _Found(name[: len(name) - cut], _with_column(file, column))
    return by_key


def _with_column(file: str, column: str | None) -> str:
    return file if column is None else f"{file}#{column}"


def _is_data(file: str) -> bool:
    name = os.path.basename(file)
    return name != MANIFEST and not name.startswith((".", "_"))


def _shared(names: list[str]) -> int:
    """Return the length of the beginning that all names share; a number is not cut, nor is all of a name."""
    first, last = min(names), max(names)  # what these share, all share
    if first == last:
        return 0
    size = next((k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    while size > 0 and first[size - 1].isdigit():
        size -= 1
    return size
