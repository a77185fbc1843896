"""Phrases that mean the same, from a file in METEOR's format.

An entry has three lines: a weight and two phrases. The file may be compressed by gzip. Nothing is
shipped; ``paraphrase-en.gz`` is part of METEOR 1.5 and of the Python package pycocoevalcap.
"""

from __future__ import annotations

import importlib.util
import os
import re
import zlib
from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from wordorder import _native
from wordorder.arrays import Ints
from wordorder.errors import BadFile, BadSetting
from wordorder.text.tokens import Words

_BLOCK = 1 << 24


def find_paraphrases(path: str | None, language: str) -> Path:
    """Return the table to use: the given one, or the one in a usual place."""
    if path is not None:
        if Path(path).is_dir():
            raise BadSetting(f"no paraphrase table {path}: it is a directory; expected a file")
        if not Path(path).exists():
            raise BadSetting(f"no paraphrase table {path}: it does not exist")
        return Path(path)
    name = f"paraphrase-{language}.gz"
    for folder in _folders():
        if (folder / name).is_file():
            return folder / name
    raise BadSetting(
        f"no paraphrase table {name}; give a file in METEOR's format, set METEOR_DATA to the folder that "
        "holds it, or pip install pycocoevalcap, which has the English one.",
        suggest={"paraphrases": "FILE"},
    )


def _folders() -> list[Path]:
    folders = [Path(os.environ["METEOR_DATA"])] if os.environ.get("METEOR_DATA") else []
    spec = importlib.util.find_spec("pycocoevalcap")  # read, not imported
    for place in (spec.submodule_search_locations if spec else None) or ():
        folders.append(Path(place) / "meteor" / "data")
    return folders


class ParaphraseTable:
    """A paraphrase table in memory, for any number of word tables."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = plain_name(path.name.removesuffix(".gz"))
        self._table = _native.Paraphrases()
        self._known: WeakKeyDictionary[Words, Ints] = WeakKeyDictionary()
        import gzip

        try:
            with open(path, "rb") as raw:
                packed = raw.read(2) == b"\x1f\x8b"
            with gzip.open(path, "rb") if packed else open(path, "rb") as lines:
                checksum = 0
                while block := lines.read(_BLOCK):
                    block += lines.readline()
                    checksum = zlib.crc32(block, checksum)
                    if not self._table.read(block):
                        self._bad()
                self.name += f"-{checksum:08x}"  # distinguishes tables of the same name
        except (OSError, EOFError, zlib.error) as error:
            raise BadFile(f"cannot be read: {error}", file=str(path)) from None
        if not self._table.finish():
            self._bad()
        if not len(self):
            raise BadFile("is empty; expected a weight and two phrases, one per line", file=str(path))

    def _bad(self) -> None:
        kind = ("a weight", "a phrase", "a phrase")[self._table.line % 3]
        message = f"expected {kind} (an entry has three lines: a weight and two phrases)"
        raise BadFile(message, file=str(self.path), line=self._table.line + 1)

    def numbers(self, words: Words) -> tuple[_native.Paraphrases, Ints]:
        """Return the kernel's table, and its numbers for the words (-1 for words that it lacks)."""
        done = self._known.get(words, np.empty(0, np.int32))
        if len(done) < len(words):
            done = np.concatenate([done, self._table.numbers(words.words[len(done) :])])
            self._known[words] = done
        return self._table, done

    def __len__(self) -> int:
        return self._table.pairs // 2


@lru_cache(maxsize=2)
def load_paraphrases(path: Path) -> ParaphraseTable:
    """Read a table, once: METEOR's English one takes some seconds."""
    return ParaphraseTable(path)


def plain_name(name: str) -> str:
    """Replace characters that have a meaning in signatures."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)
