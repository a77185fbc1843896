"""Two sentences per line, as fast_align, eflomal and awesome-align read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.registry import register

_BAR = re.compile(r"(?<![^ ])\|\|\|(?![^ ])")  # between spaces, or at an end of a line that was stripped


@register
@dataclass(frozen=True, kw_only=True)
class Joint(LineFormat[tuple[str, str]]):
    """Source and target on one line with ``|||`` between them; the record is the pair of texts.

    One space on either side belongs to the bar. A line with two bars is ambiguous and therefore an error.

    >>> Joint().parse("das Haus ||| the house")
    ('das Haus', 'the house')
    """

    name = "joint"
    about = "source ||| target on one line (fast_align, eflomal)"
    extensions = (".joint",)

    def parse(self, line: str) -> tuple[str, str]:
        """Split at the bar."""
        bars = list(_BAR.finditer(line))
        if len(bars) == 1:
            begin, end = bars[0].span()
            return line[:begin].removesuffix(" "), line[end:].removeprefix(" ")
        if bars:
            raise Problem(
                f"{len(bars) + 1} texts between '|||'; expected 2. Does a text hold '|||' of its own?",
                reason="not two texts",
            )
        hint = " Put a space on either side of '|||'." if "|||" in line else ""
        raise Problem(f"no ' ||| ' between two texts in {shown(line)}.{hint}", reason="not two texts")

    def to_line(self, record: tuple[str, str]) -> str:
        """Join with the bar, if the line can be split again."""
        line = " ||| ".join(record)
        if not self.parses([line]) or self.parse(line) != tuple(record):
            raise Problem(f"{shown(line)} could not be split again at ' ||| '", reason="not two texts")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require a bar in every line."""
        return 0.9 * cls.parses(lines)

    def examples(self) -> list[tuple[str, str]]:
        """Return empty sides, spaces at the ends, bars inside words."""
        return [("das Haus", "the house"), ("", "b"), ("a", ""), ("", ""), ("a ", " b|||c"), ("||", "| x")]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without a bar, with two bars, with a bar without spaces."""
        return [(b"a ||| b\nab\n", 2), (b"a ||| b ||| c\n", 1), (b"a|||b\n", 1), (b"a ||| b\n\n", 2)]
