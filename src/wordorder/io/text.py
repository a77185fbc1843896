"""Plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from wordorder.io.base import LineFormat
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines
from wordorder.io.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Text(LineFormat[str]):
    """Plain text, one sentence per line; the record is the line, including its spaces."""

    name = "text"
    about = "plain text, one sentence per line"
    extensions = (".txt", ".tok")

    def scan(self, handle: IO[bytes], file: str) -> Iterator[str | BadLine]:
        """Yield the lines, which need no parsing."""
        return read_lines(handle, file)

    def parse(self, line: str) -> str:
        """Return the line as it is."""
        return line

    def to_line(self, record: str) -> str:
        """Return the text as it is."""
        return record

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Return a low score, as every other format is more specific."""
        return 0.1

    def examples(self) -> list[str]:
        """Return spaces at the ends, characters that other readers take for line breaks, an empty line."""
        odd = "a\u2028b\x85c\x0bd\x0ce\x00f"
        return ["the cat sat", "", " two  blanks ", odd, "猫 が\u3000座った", "end"]
