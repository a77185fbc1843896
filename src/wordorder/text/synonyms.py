"""Words that share a meaning, by WordNet.

A word has the synsets of its own form and of its base forms, by WordNet's lists of exceptions and rules
of inflection. Two words may match if they share a synset, whatever their parts of speech. The files are those
of WordNet itself (``index.noun`` ..., ``noun.exc`` ...: Debian's package wordnet-base) or METEOR's digest
of them (``english.synsets``, ``english.exceptions``). Nothing is shipped.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from wordorder.arrays import Ints, Longs
from wordorder.errors import BadFile, BadSetting
from wordorder.text.paraphrases import plain_name
from wordorder.text.tokens import Words

Synsets = tuple[Ints, Longs, int]

PARTS = ("noun", "verb", "adj", "adv")
PLACES = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/WordNet-3.0/dict")
# Endings and what takes their place: the rules of WordNet's morphy for all parts of speech at once, in
# METEOR's order.
ENDINGS = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""),
    ("er", "e"), ("est", ""), ("est", "e"),
)  # fmt: skip


def find_wordnet(folder: str | None, language: str) -> Path:
    """Return the folder to use: the given one, or the one in a usual place."""
    if language != "en":
        raise BadSetting(f"synonyms come from the English WordNet; the language is {language!r}")
    if folder is not None:
        if not _is_wordnet(Path(folder)):
            raise BadSetting(f"no WordNet in {folder}: neither index.noun nor english.synsets is there")
        return Path(folder)
    home = os.environ.get("WNSEARCHDIR") or os.path.join(os.environ.get("WNHOME", ""), "dict")
    for place in (home, *PLACES):
        if _is_wordnet(Path(place)):
            return Path(place)
    raise BadSetting(
        "no WordNet found; apt-get install wordnet-base, or set WNSEARCHDIR to the folder of its files.",
        suggest={"wordnet": "FOLDER"},
    )


def _is_wordnet(folder: Path) -> bool:
    return (folder / "index.noun").is_file() or (folder / "english.synsets").is_file()


class WordNet:
    """Synsets of words; each word is looked up once."""

    def __init__(self, folder: Path) -> None:
        self._numbers: dict[str, int] = {}
        self._synsets: dict[str, tuple[int, ...]] = {}
        self._bases: dict[str, list[str]] = {}
        self._known: WeakKeyDictionary[Words, tuple[list[int], list[int]]] = WeakKeyDictionary()
        self.name = "wordnet"
        if (folder / "index.noun").is_file():
            for part in PARTS:
                self._read_index(folder / f"index.{part}", part[0] if part != "adv" else "r")
                self._read_exceptions(folder / f"{part}.exc")
        else:
            self.name = "wordnet-meteor"
            self._read_digest(folder)
        checksum = 0
        for path in sorted([*folder.glob("index.*"), *folder.glob("*.synsets")]):
            checksum = zlib.crc32(path.read_bytes(), checksum)
        self.name = f"{plain_name(self.name)}-{checksum:08x}"  # which version it is

    def _read_index(self, path: Path, part: str) -> None:
        empty = True
        for number, line in _lines(path):
            if line.startswith(" ") or not line:
                continue  # the licence
            fields = line.split()
            try:
                synsets = fields[-int(fields[2]) :]
            except (IndexError, ValueError):
                raise BadFile("not a line of WordNet's index", file=str(path), line=number) from None
            self._add(fields[0], [part + synset for synset in synsets])
            empty = False
        if empty:
            raise BadFile("has no words; expected WordNet's index", file=str(path))

    def _read_exceptions(self, path: Path) -> None:
        for number, line in _lines(path):
            form, *bases = line.split() or [""]
            if not bases:
                raise BadFile("expected a form and its base forms", file=str(path), line=number)
            self._bases.setdefault(form, []).extend(bases)

    def _read_digest(self, folder: Path) -> None:
        for word, synsets in _pairs_of_lines(folder / "english.synsets"):
            self._add(word, synsets.split())
        if not self._synsets:
            raise BadFile("has no words; expected METEOR's synsets", file=str(folder / "english.synsets"))
        for base, forms in _pairs_of_lines(folder / "english.exceptions"):
            for form in forms.split():
                self._bases.setdefault(form, []).append(base)

    def _add(self, word: str, synsets: list[str]) -> None:
        more = tuple(self._numbers.setdefault(s, len(self._numbers)) for s in synsets)
        self._synsets[word] = self._synsets.get(word, ()) + more

    def bases(self, word: str) -> Iterator[str]:
        """Yield the forms whose synsets a word has: itself, and its exceptions or the first found by a rule.

        A word with exceptions has no rules: WordNet lists ``player`` as one of itself, so that it is not
        a form of ``play``. No rules apply to words that end in ``ss`` or have one or two letters.
        """
        yield word
        if word in self._bases:
            yield from self._bases[word]
            return
        if word.endswith("ss") or len(word) <= 2:
            return
        for ending, other in ENDINGS:
            if word.endswith(ending) and (base := word.removesuffix(ending) + other) in self._synsets:
                yield base
                return

    def synsets_of(self, word: str) -> list[int]:
        """Return the numbers of a word's synsets, sorted."""
        return sorted({synset for base in self.bases(word) for synset in self._synsets.get(base, ())})

    def synsets(self, words: Words) -> Synsets:
        """Return the synset numbers of all words, their offsets by word, and how many numbers there are."""
        ids, ends = self._known.setdefault(words, ([], [0]))
        for word in words.words[len(ends) - 1 :] if len(ends) <= len(words) else ():
            ids.extend(self.synsets_of(word))
            ends.append(len(ids))
        return np.array(ids, np.int32), np.array(ends, np.int64), len(self._numbers)

    def __len__(self) -> int:
        return len(self._synsets)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                yield number, line.rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"cannot be read: {error}", file=str(path)) from None


def _pairs_of_lines(path: Path) -> Iterator[tuple[str, str]]:
    lines = [line for _, line in _lines(path)]
    if len(lines) % 2:
        raise BadFile("the last word has no second line", file=str(path), line=len(lines))
    yield from zip(lines[::2], lines[1::2], strict=True)


@lru_cache(maxsize=2)
def load_wordnet(folder: Path) -> WordNet:
    """Read a WordNet, once: it takes about a second."""
    return WordNet(folder)
