"""Dependency parses by the text of a sentence, and the pieces of them that BEER counts (Treepel).

======================== ==========================================================================
kind                     pieces, one or none for each word
``chain2`` .. ``chain4``  a word, its head, the head's head, ..., as many words (HWCM; Liu and Gildea 2005)
``arc``                   ``relation(head,word)``, the root's too, without a head
``arc_subject``, ...      the arcs of one class of relations (:data:`CLASSES`), so that a verb's arguments can
                          weigh more than punctuation; an arc is in one class
======================== ==========================================================================

Words are in lower case. A line holds the pieces of a sentence, separated by spaces, to be counted as words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from wordorder.errors import UnknownName, WordOrderError

# Relations of Universal Dependencies, version 2, and what version 1 called them; subtypes count with them.
_RELATIONS = {
    "root": "root",
    "subject": "nsubj csubj nsubjpass csubjpass",
    "object": "obj iobj ccomp xcomp dobj",
    "oblique": "obl advmod advcl neg",
    "modifier": "nmod amod acl nummod appos",
    "function": "det case mark aux cop cc clf expl auxpass",
    "compound": "compound flat fixed goeswith name mwe foreign",
    "coordination": "conj list parataxis",
    "punctuation": "punct",
}
OTHER = "other"
CLASSES = (*_RELATIONS, OTHER)
_CLASS_OF = {name: group for group, names in _RELATIONS.items() for name in names.split()}
CHAINS = {f"chain{length}": length for length in (2, 3, 4)}
KINDS = (*CHAINS, "arc", *(f"arc_{group}" for group in CLASSES))
_RESERVED = re.compile(r"[\s%>(),]")


class Parse(NamedTuple):
    """The words of a sentence, their heads counted from 1 (0: the root), and their relations."""

    forms: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


NOTHING = Parse((), (), ())


class ParseTable:
    """Parses by the text that was parsed; white space at the ends, and how much of it, does not matter.

    >>> table = ParseTable()
    >>> table.add(Parse(("It", "rains", "."), (2, 0, 2), ("nsubj", "root", "punct")), text="It rains.")
    >>> table.find("It rains.") == table.find("It rains .")
    True
    """

    def __init__(self) -> None:
        self.sources: list[str] = []  # where parses are from, for messages
        self._parses: dict[str, Parse] = {}
        self._tags: dict[str, tuple[str, ...]] = {}
        self._sum = 0

    @property
    def tag(self) -> str:
        """A checksum of all parses, for signatures."""
        return f"{self._sum:08x}"

    def add(self, parse: Parse, *, text: str | None = None, tags: tuple[str, ...] = ()) -> None:
        """Add a parse under its text and its words; the first parse of a text is kept.

        ``tags`` are the parts of speech of the words, where they are known.
        """
        for known in (" ".join(parse.forms), text):
            if known is not None and _key(known) not in self._parses:
                self._parses[_key(known)] = parse
                self._tags[_key(known)] = tags
        self._sum = crc32(repr((text, parse)).encode("utf-8", "surrogatepass"), self._sum)

    def find(self, text: str) -> Parse:
        """Return the parse of a text; an empty text has an empty one."""
        parse = self._parses.get(text) or self._parses.get(_key(text))
        if parse:
            return parse
        if not text.strip():
            return NOTHING
        place = f" in {', '.join(self.sources)}" if self.sources else ""
        raise WordOrderError(
            f"there is no parse{place} of {text[:80]!r}. A parse is found by its comment '# text = ...', "
            "letter by letter, or by its words separated by spaces; parse this text, too, and give the file"
        )

    def tags(self, text: str) -> tuple[str, ...]:
        """Return the parts of speech of the words of a text; () if the parse has none."""
        self.find(text)
        return self._tags.get(_key(text), ())

    def __contains__(self, text: str) -> bool:
        return _key(text) in self._parses

    def __len__(self) -> int:
        """Return the number of known texts; one that is written in two ways counts twice."""
        return len(self._parses)


def _key(text: str) -> str:
    return " ".join(text.split())


def relation_class(relation: str) -> str:
    """Return the class of a relation.

    >>> relation_class("nsubj:pass"), relation_class("punct"), relation_class("vocative")
    ('subject', 'punctuation', 'other')
    """
    return _CLASS_OF.get(relation.partition(":")[0].lower(), OTHER)


@lru_cache(maxsize=1 << 16)
def escaped(word: str) -> str:
    """Lowercase a word and escape white space and the characters used in pieces.

    >>> escaped("10 000"), escaped("A>b")
    ('10%20;000', 'a%3e;b')
    """
    return _RESERVED.sub(lambda match: f"%{ord(match[0]):x};", word.lower())


def pieces(parse: Parse, kind: str) -> list[str]:
    """List the pieces of a parse.

    >>> rains = Parse(("It", "often", "rains"), (3, 3, 0), ("nsubj", "advmod", "root"))
    >>> pieces(rains, "chain2"), pieces(rains, "arc_subject")
    (['it>rains', 'often>rains'], ['nsubj(rains,it)'])
    >>> pieces(rains, "arc")
    ['nsubj(rains,it)', 'advmod(rains,often)', 'root(,rains)']
    """
    return _maker(kind)(parse)


def pieces_lines(table: ParseTable, sentences: Sequence[str], kind: str) -> list[str]:
    """Make one line of pieces for each sentence."""
    make = _maker(kind)
    lines: dict[str, str] = {}  # of a sentence that comes again, as references do
    for sentence in sentences:
        if sentence not in lines:
            lines[sentence] = " ".join(make(table.find(sentence)))
    return [lines[sentence] for sentence in sentences]


def _maker(kind: str) -> Callable[[Parse], list[str]]:
    if kind in CHAINS:
        length = CHAINS[kind]
        return lambda parse: _chains(parse, length)
    if kind == "arc":
        return lambda parse: _arcs(parse, None)
    if kind in KINDS:
        group = kind.removeprefix("arc_")
        return lambda parse: _arcs(parse, group)
    raise UnknownName("kind of pieces of parses", kind, KINDS)


def _chains(parse: Parse, length: int) -> list[str]:
    words = [escaped(form) for form in parse.forms]
    chains: list[str] = words  # the chain that begins at each word; empty where it would pass the root
    for _ in range(length - 1):
        above = ["", *chains]
        chains = [
            f"{word}>{above[head]}" if above[head] else ""
            for word, head in zip(words, parse.heads, strict=True)
        ]
    return [chain for chain in chains if chain]


def _arcs(parse: Parse, group: str | None) -> list[str]:
    words = ["", *(escaped(form) for form in parse.forms)]
    return [
        f"{escaped(relation)}({words[head]},{word})"
        for word, head, relation in zip(words[1:], parse.heads, parse.relations, strict=True)
        if group is None or relation_class(relation) == group
    ]
