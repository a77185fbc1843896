"""Sentences with dependency trees, as in CoNLL-U."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wordorder.io.lines import shown

WORD = re.compile(r"[1-9][0-9]{0,8}")
RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
EMPTY = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")


class Row(NamedTuple):
    """A line of a sentence: its ten columns as in the file."""

    id: str
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: str = "_"
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"

    @property
    def is_word(self) -> bool:
        """Whether this is a syntactic word: not a range ``1-2``, not an empty node ``1.1``."""
        return self.id.isdecimal()


@dataclass(frozen=True)
class Sentence:
    """A sentence with its comments, words, multiword ranges and empty nodes, in the order of the file.

    ``line`` is where it begins in its file; it is not part of the value.

    >>> words = [Row("1", "zu", head="3"), Row("2", "dem", head="3"), Row("3", "Haus", head="0")]
    >>> sentence = Sentence([Row("1-2", "zum"), *words], ["# sent_id = s1"])
    >>> sentence.forms, sentence.heads, sentence.surface, sentence.sent_id
    (['zu', 'dem', 'Haus'], [3, 3, 0], 'zum Haus', 's1')
    """

    rows: Sequence[Row]
    comments: Sequence[str] = ()
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "comments", tuple(self.comments))

    @property
    def words(self) -> list[Row]:
        """The syntactic words: no ranges, no empty nodes."""
        return [row for row in self.rows if row.is_word]

    @property
    def forms(self) -> list[str]:
        """The forms of the words."""
        return [row.form for row in self.words]

    @property
    def heads(self) -> list[int]:
        """The head of each word, counted from 1; 0 is the root."""
        return [int(row.head) for row in self.words]

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """First and last word of each multiword token, counted from 1."""
        return [(int(r[1]), int(r[2])) for row in self.rows if (r := RANGE.fullmatch(row.id))]

    @property
    def surface(self) -> str:
        """The text as written, with multiword tokens unsplit and no space after ``SpaceAfter=No``."""
        pieces: list[str] = []
        covered = 0
        for row in self.rows:
            span = RANGE.fullmatch(row.id)
            if span:
                covered = int(span[2])
            elif not row.is_word or int(row.id) <= covered:
                continue
            pieces += [row.form, "" if "SpaceAfter=No" in row.misc.split("|") else " "]
        return "".join(pieces).removesuffix(" ")

    def comment(self, key: str) -> str | None:
        """Return the value of the first comment ``# key = value``."""
        for comment in self.comments:
            name, equals, value = comment[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return None

    @property
    def sent_id(self) -> str | None:
        """The comment ``sent_id``."""
        return self.comment("sent_id")

    @property
    def text(self) -> str | None:
        """The comment ``text``."""
        return self.comment("text")


def find_problem(rows: Sequence[Row], *, trees: bool) -> tuple[int, str]:
    """Return the index of the first bad row and its fault, or an empty text if there is none."""
    words = empty = covered = widest = 0
    for at, row in enumerate(rows):
        if row.id == str(words + 1):
            words, empty = words + 1, 0
            continue
        if WORD.fullmatch(row.id):
            return at, f"id {row.id} where {words + 1} was expected"
        if row.head != "_":
            return at, f"{row.id} has a head; only words have one (write _)"
        if span := RANGE.fullmatch(row.id):
            first, last = int(span[1]), int(span[2])
            if first != words + 1 or last <= first or first <= covered:
                return at, f"range {row.id} must come before its first word and cover words of its own"
            covered, widest = last, at
        elif node := EMPTY.fullmatch(row.id):
            empty += 1
            if (int(node[1]), int(node[2])) != (words, empty):
                return at, f"empty node {row.id} where {words}.{empty} was expected"
        else:
            return at, f"id {shown(row.id)}; expected a number, a range 1-2 or an empty node 1.1"
    if not words:
        return 0, "a sentence without words; one empty line ends a sentence"
    if covered > words:
        return widest, f"range {rows[widest].id} ends after the last word ({words})"
    return _find_tree_problem(rows, words) if trees else (0, "")


def _find_tree_problem(rows: Sequence[Row], words: int) -> tuple[int, str]:
    places = [at for at, row in enumerate(rows) if row.is_word]
    heads: list[int] = []
    for number, at in enumerate(places, start=1):
        head = rows[at].head
        if not (head.isascii() and head.isdecimal() and len(head) < 10):
            return at, f"head is {shown(head)}; expected a number (text without trees: conllu:trees=false)"
        heads.append(int(head))
        if heads[-1] > words:
            return at, f"head {head} is past the last word ({words})"
        if heads[-1] == number:
            return at, f"word {number} is its own head"
        if not heads[-1] and heads.count(0) > 1:
            return at, f"a second root; word {heads.index(0) + 1} is one already"
    if cycle := _in_cycle(heads):
        root = "" if 0 in heads else "no root: "
        return places[cycle - 1], f"{root}the heads of word {cycle} form a cycle"
    return 0, ""


def _in_cycle(heads: Sequence[int]) -> int:
    """Return the first word that is its own ancestor, or 0 if there is none."""
    children = Counter(heads)
    remaining = set(range(1, len(heads) + 1))
    leaves = [word for word in remaining if not children[word]]
    while leaves:  # take off leaves until only cycles remain
        word = leaves.pop()
        remaining.discard(word)
        head = heads[word - 1]
        children[head] -= 1
        if head and not children[head]:
            leaves.append(head)
    return min(remaining, default=0)
