"""Columns separated by tabs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Tsv(LineFormat[tuple[str, ...]]):
    """Columns separated by tabs, the same number in every line; the record is the tuple of texts.

    There is no quoting and no escaping: a quotation mark is a character, and a text cannot hold a tab.
    """

    name = "tsv"
    about = "columns separated by tabs, no quoting"
    extensions = (".tsv", ".tab")

    def parse(self, line: str) -> tuple[str, ...]:
        """Split at tabs."""
        return tuple(line.split("\t"))

    def width(self, record: tuple[str, ...]) -> int:
        """Return the number of columns."""
        return len(record)

    def to_line(self, record: tuple[str, ...]) -> str:
        """Join with tabs, if the line can be split again."""
        if not record:
            raise Problem("a row without columns", reason="no columns")
        for number, text in enumerate(record, start=1):
            if "\t" in text:
                raise Problem(f"column {number} is {shown(text)}, which holds a tab", reason="tab in a text")
        return "\t".join(record)

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require two or more columns, the same number in every line."""
        counts = {line.count("\t") for line in lines}
        return 0.6 if len(counts) == 1 and counts != {0} else 0.0

    def examples(self) -> list[tuple[str, ...]]:
        """Return empty columns, quotation marks, spaces."""
        return [("das Haus", "the house", "0.5"), ("", "", ""), ('"', " x ", "a|||b"), ("ein", "a", "1")]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines with too few columns."""
        return [(b"a\tb\nc\td\ne\n", 3), (b"a\tb\n\n", 2)]
