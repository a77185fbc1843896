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
    """JSON objects, one per line; the record is the dictionary.

    Numbers are finite, and whole numbers have at most 64 bits. If a key is repeated, the last value counts,
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
        # orjson writes NaN as null and tuples as lists, so the record would be read back changed.
        if not isinstance(record, dict) or orjson.loads(line) != record:
            raise Problem(f"{shown(line)} would be read back changed", reason="not JSON")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require an object in every line."""
        return float(all(line.lstrip().startswith("{") for line in lines) and cls.parses(lines))

    def examples(self) -> list[dict[str, Any]]:
        """Return texts with every kind of line break inside, numbers, an empty object."""
        return [{"source": "a\nb\r\u2028c\td\x00", "links": [[0, 0], [1, 2]]}, {}, {"x": -1.5e-9, "y": None}]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines that are cut off, not an object, empty, or have a number that is not JSON."""
        return [(b'{}\n{"a": 1\n', 2), (b"[1]\n", 1), (b"{}\n\n{}\n", 2), (b'{"a": NaN}\n', 1)]
