"""JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class JsonLines(LineFormat[dict[str, Any]]):
    """One JSON object a line; the record is the dictionary.

    Numbers are finite and whole ones have 64 bits. Of a key that stands twice the last value counts,
    as in other readers of JSON.
    """

    name = "jsonl"
    about = "one JSON object per line"
    extensions = (".jsonl", ".ndjson")

    def parse(self, line: str) -> dict[str, Any]:
        """Read an object."""
        import orjson

        if not line.strip():
            raise Problem("empty line; expected a JSON object", reason="empty line")
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise Problem(f"not JSON: {error.msg} at column {error.colno}", reason="not JSON") from None
        if not isinstance(value, dict):
            raise Problem(f"{shown(line)} is not an object: {{...}}", reason="not an object")
        return value

    def to_line(self, record: dict[str, Any]) -> str:
        """Write an object."""
        import orjson

        try:
            line = orjson.dumps(record).decode("utf-8")
        except orjson.JSONEncodeError as error:
            raise Problem(f"cannot be written as JSON: {error}", reason="not JSON") from None
        # orjson writes NaN as null and tuples as lists; that would not be what was given.
        if not isinstance(record, dict) or orjson.loads(line) != record:
            raise Problem(f"{shown(line)} is not what was given", reason="not JSON")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Ask for an object in every line."""
        if not all(line.lstrip().startswith("{") for line in lines):
            return 0.0
        try:
            made = cls()
            for line in lines:
                made.parse(line)
        except Problem:
            return 0.0
        return 1.0

    def examples(self) -> list[dict[str, Any]]:
        """Texts with every kind of line end inside, numbers, nothing."""
        return [{"source": "a\nb\r\u2028c\td\x00", "links": [[0, 0], [1, 2]]}, {}, {"x": -1.5e-9, "y": None}]

    def broken(self) -> list[tuple[bytes, int]]:
        """Cut off, not an object, empty, not a number of JSON."""
        return [(b'{}\n{"a": 1\n', 2), (b"[1]\n", 1), (b"{}\n\n{}\n", 2), (b'{"a": NaN}\n', 1)]
