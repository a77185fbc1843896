"""Reference orders as text, with groups of words whose internal order does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.registry import register

Groups = tuple[tuple[str, ...], ...]  # a single word is a group of one
OPEN, CLOSE = "{{", "}}"


@register
@dataclass(frozen=True, kw_only=True)
class ReferenceText(LineFormat[Groups]):
    """Words in the order of the target; between ``{{`` and ``}}`` any order is correct (Talbot et al. 2011).

    >>> ReferenceText().parse("A Mortgage {{ Tax Deduction }} For")
    (('A',), ('Mortgage',), ('Tax', 'Deduction'), ('For',))
    """

    name = "reference"
    about = "reference orders as words: A Mortgage {{ Tax Deduction }} For (Talbot et al.)"
    extensions = (".reference",)

    def parse(self, line: str) -> Groups:
        """Read words and groups."""
        groups: list[tuple[str, ...]] = []
        inside: list[str] | None = None
        for number, word in enumerate(split_words(line), start=1):
            if word == OPEN:
                if inside is not None:
                    raise Problem(f"word {number}: a group inside a group", reason="bad group")
                inside = []
            elif word == CLOSE:
                if not inside:
                    what = "closes no group" if inside is None else "closes a group of no words"
                    raise Problem(f"word {number}: {CLOSE} {what}", reason="bad group")
                groups.append(tuple(inside))
                inside = None
            elif inside is not None:
                inside.append(word)
            else:
                groups.append((word,))
        if inside is not None:
            raise Problem(f"a group is not closed: {shown(' '.join(inside))}", reason="bad group")
        return tuple(groups)

    def to_line(self, record: Groups) -> str:
        """Write words and groups."""
        pieces: list[str] = []
        for group in record:
            for word in group:
                if word in (OPEN, CLOSE) or split_words(word) != [word]:
                    raise Problem(f"{shown(word)} cannot be a word of this format", reason="bad word")
            if not group:
                raise Problem("a group of no words", reason="bad group")
            pieces += group if len(group) == 1 else [OPEN, *group, CLOSE]
        return " ".join(pieces)

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require complete groups, and at least one."""
        grouped = any(OPEN in split_words(line) for line in lines)
        return 0.8 if grouped and cls.parses(lines) else 0.0

    def examples(self) -> list[Groups]:
        """Return groups, a repeated word, a sentence without words."""
        return [(("a",), ("b", "c"), ("a",)), (), (("{", "}}x"),), (("猫",),)]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return groups that are not closed, not opened, nested, empty."""
        return [(b"a\n{{ a b\n", 2), (b"a }}\n", 1), (b"{{ a {{ b }} }}\n", 1), (b"{{ }}\n", 1)]
