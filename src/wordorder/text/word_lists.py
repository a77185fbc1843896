"""Lists of words, by which words of a translation are recognised that are not of its language.

The language of a reference is the one that has the most of its words among its 2,000 most frequent ones.
Some languages without a list are known by such words only, so that they are not taken for others. A word
counts as known if it is listed, or if it is a compound of two frequent words. It counts as derived if other
forms of it are listed, or if it is a compound of two listed words. The rarity of a word is the number of its
class, from 1 for the 60 most frequent words to 5 for those that are not among the 20,000 most frequent ones.
Files hold each word as the number of bytes that it shares with the word before, and the rest.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.data import package_file
from wordorder.text.pairs import Pairs
from wordorder.text.tokens import joined, utf8

LANGUAGES = ("en", "cs", "de", "es", "fi", "fr", "ru")
# Languages without a list whose frequent words are known, so that they are not taken for those above.
RELATED = (
    "bg", "ca", "da", "fil", "hu", "id", "is", "it", "lt", "lv", "mk", "nb", "nl", "pl", "pt", "ro", "sh",
    "sk", "sl", "sv", "tr", "uk", "vi",
)  # fmt: skip
COMMON_FILE, COMMON = "words/common.zst", 2000  # the words by which each of these languages is recognised
# Languages with so many forms of words that most are not listed, and the endings of these forms.
INFLECTED, ENDINGS_FILE = ("cs", "fi", "ru"), "words/endings.zst"
# Letters beyond a to z, with those of frequent foreign names. Other languages, such as Turkish, have others.
ALPHABETS = {
    "en": "áàâäãåæąçćčďéèêëěęíïłńñňóôöøőœřśšťúùûüůýźžż",
    "cs": "áčďéěíňóřšťúůýžäöü",
    "de": "äöüéèêáàâç",
    "es": "áéíóúüñç",
    "fi": "åäöšžé",
    "fr": "àâäæçéèêëîïñôöœùûüÿ",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
}
CLASSES = (60, 1000, 5000, 20_000)  # most frequent words, by which the rarity of words is counted
FREQUENT = CLASSES[1]  # words with which a list begins, by their frequency
PARTS = 50_000  # most frequent words, which may be parts of compounds
SHARE, PRIOR = 0.2, 0.2  # of common words in a text of a language; one more word counts as so much of one
SHARES = ("unknown", "unknown_name", "misspelt", "misspelt_name", "strange", "derived", "rarity")
SHARED, MOST_SHARED = 32, 63  # files begin a word with this byte plus the number of bytes that it shares
RARITY, ENGLISH = SHARES.index("rarity"), LANGUAGES.index("en")


def folded(word: str) -> str:
    """Return a word in lower case as it is listed: ss stands for ß, whose spellings vary.

    >>> folded("straße")
    'strasse'
    """
    return word.replace("ß", "ss")


def _folded(lowered: bytes) -> bytes:
    return lowered.replace("ß".encode(), b"ss")


@dataclass(frozen=True)
class WordList:
    """The words of a language in lower case: the most frequent first, then class by class.

    >>> small = WordList.of("en", ("the", "cat", "sat"))
    >>> small.shares(Pairs.of(["the Kater sat"], ["the cat sat"])).round(2).tolist()
    [[0.0], [0.33], [0.0], [0.0], [0.33], [0.0], [0.67]]
    """

    language: str
    lines: bytes = field(repr=False)  # of the words
    endings: bytes = field(default=b"", repr=False)  # lines of endings and related ones

    @classmethod
    def of(cls, language: str, words: Sequence[str], endings: str = "") -> WordList:
        """Make a list of words."""
        return cls(language, utf8(joined(words)), endings.encode())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words."""
        return tuple(self.lines.decode().split("\n")[:-1])

    @cached_property
    def _native(self) -> Any:
        return _native.ListedWords(self.lines, list(CLASSES), PARTS, self.endings)

    def shares(self, pairs: Pairs, *, threads: int = 1) -> Doubles:
        """Compare the words of texts: one row for each of :data:`SHARES`, one column for each pair.

        All but the last two are words that the hypothesis has beyond the reference and that are not of the
        language, as shares of the reference words, 1 at most: those that begin like no word of the reference
        (``unknown``) or with the first four letters of one (``misspelt``), each without and with a capital
        letter; and unknown ones with four characters in a row that no listed word has (``strange``).
        ``derived`` words are not listed either, but seem to be made of listed words. Words with digits do not
        count. ``rarity`` is the summed rarity of the reference words that the hypothesis has, as a share of
        that of all of them.
        """
        lowered = _folded(pairs.lowered)
        found: Doubles = self._native.shares(pairs.written, lowered, pairs.first, pairs.second, threads)
        return found

    def is_compound(self, word: str) -> bool:
        """Return whether a word in lower case is a compound of two frequent words.

        >>> WordList.of("de", ("arbeit", "platz", "wechsel")).is_compound("arbeitsplatz")
        True
        """
        return bool(self._native.is_compound(folded(word)))

    def is_form(self, word: str) -> bool:
        """Return whether two words are listed with the stem of a word in lower case, and related endings.

        >>> some = WordList.of("fi", ("laatikko", "laatikkona"), "ssa - na lle")
        >>> some.is_form("laatikkossa"), some.is_form("laatikossa")
        (True, False)
        """
        return bool(self._native.is_form(folded(word)))

    def is_derived(self, word: str) -> bool:
        """Return whether a word in lower case is a form of listed words, or a compound of two of them."""
        return bool(self._native.is_derived(folded(word)))

    def is_known(self, word: str) -> bool:
        """Return whether a word in lower case is listed, or a compound of two frequent words."""
        return folded(word) in self._all or self.is_compound(word)

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self.words)


def write_words(words: Iterable[str], path: Path) -> None:
    """Write words to a compressed file, each as what it shares with the word before, and the rest."""
    stored, before = bytearray(), b""
    for word in words:
        own = word.encode()
        pairs = zip(before, own[:MOST_SHARED], strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        stored += bytes([SHARED + shared]) + own[shared:]
        before = own
    path.write_bytes(zstandard.ZstdCompressor(level=22).compress(bytes(stored)))


def _read_lines(name: str) -> bytes:
    return _native.front_decoded(zstandard.decompress(package_file(name).read_bytes()))


NO_LIST = WordList("", b"")  # for texts in other languages, all words of which are equally rare


def list_file(language: str) -> str:
    """Return the name of the file of a list that comes with the package.

    >>> list_file("de")
    'words/de.zst'
    """
    return f"words/{language}.zst"


@cache
def word_list(language: str) -> WordList:
    """Read a list that comes with the package.

    >>> words = word_list("en").words
    >>> "pandemic" in words, "oder" in words
    (True, False)
    """
    return WordList(language, _read_lines(list_file(language)), _read_endings().get(language, b""))


@cache
def _read_endings() -> dict[str, bytes]:
    """Read the endings of all languages: an empty line is between those of two."""
    stored = zstandard.decompress(package_file(ENDINGS_FILE).read_bytes())
    return dict(zip(INFLECTED, stored.split(b"\n\n"), strict=True))


def write_endings(endings: Mapping[str, Mapping[str, Sequence[str]]], path: Path) -> None:
    """Write the endings of all inflected languages, each with related ones; - stands for no ending."""
    blocks = [
        "\n".join(" ".join([ending, *(other or "-" for other in related)]) for ending, related in own.items())
        for own in (endings[language] for language in INFLECTED)
    ]
    path.write_bytes(zstandard.ZstdCompressor(level=22).compress("\n\n".join(blocks).encode()))


@cache
def lists_tag() -> str:
    """Return a checksum of all lists."""
    names = [COMMON_FILE, ENDINGS_FILE, *map(list_file, LANGUAGES)]
    content = b"".join(package_file(name).read_bytes() for name in names)
    return f"{zlib.crc32(content):08x}"


@cache
def _common_words() -> Any:
    alphabets = [ALPHABETS.get(language, "") for language in LANGUAGES]
    return _native.CommonWords(_read_lines(COMMON_FILE), COMMON, alphabets)


def languages_of(lowered: bytes, chosen: Longs) -> Longs:
    """Return the number of the language of chosen lines in lower case, -1 if there is no list of it."""
    found: Longs = _common_words().languages(_folded(lowered), chosen, SHARE, PRIOR)
    found[found >= len(LANGUAGES)] = -1
    return found


def language_of(text: str) -> str | None:
    """Return the language of a text, None if it is not one of :data:`LANGUAGES`.

    >>> language_of("Das ist auch nicht schlecht ."), language_of("Dette er heller ikke ille .")
    ('de', None)
    """
    number = int(languages_of(utf8(joined([text.lower()])), np.zeros(1, np.int64))[0])
    return LANGUAGES[number] if number >= 0 else None


@dataclass(frozen=True, eq=False)
class ListedShares:
    """The shares of :meth:`WordList.shares`, each pair with the list of the language of its reference."""

    shares: Doubles
    language: Longs  # the number of the language of each reference, or -1
    only: int | None = None  # the language of all references, if there is only one

    @classmethod
    def of(cls, pairs: Pairs, *, threads: int = 1) -> ListedShares:
        """Compare the words of pairs of texts; of other languages only their shared words count."""
        language = languages_of(pairs.lowered, pairs.second)
        numbers = set(language.tolist())
        if len(numbers) == 1:
            number = numbers.pop()
            return cls(_shares(pairs, number, threads), language, number)
        shares = np.zeros((len(SHARES), len(pairs)))
        for number in numbers:
            own = np.flatnonzero(language == number)
            shares[:, own] = _shares(pairs.take(own), number, threads)
        return cls(shares, language)

    def counted(self, *, english: bool) -> Doubles | None:
        """Return the shares, 0 where the reference is not in English, or not in another language.

        None if this is so for all references.
        """
        if self.only is not None:
            return self.shares if (self.only == ENGLISH) == english else None
        return np.where((self.language == ENGLISH) == english, self.shares, 0.0)


def _shares(pairs: Pairs, number: int, threads: int) -> Doubles:
    if number >= 0:
        return word_list(LANGUAGES[number]).shares(pairs, threads=threads)
    shares = NO_LIST.shares(pairs, threads=threads)
    shares[:RARITY] = 0.0
    return shares
