"""Line numbers of the keys of a TOML file, which Python's TOML reader does not provide."""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
_KEY = re.compile(
    r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_TABLE = re.compile(r"\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


class Lines:
    """The lines of the keys of a valid TOML text.

    >>> lines = Lines('a = 1\\n[[rule]]\\nname = "x"\\norder = [\\n  "nsubj",\\n]\\n')
    >>> lines.of(("rule", 0, "name")), lines.of(("rule", 0, "order"), "nsubj"), lines.of(("rule", 1))
    (3, 5, 1)
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.places: dict[Path, int] = {(): 1}
        self.ends: dict[Path, int] = {}
        table: Path = ()
        count: dict[Path, int] = {}
        last: Path = ()
        state = _State()
        for number, line in enumerate(self.lines, start=1):
            if state.inside:
                state.feed(line)
                self.ends[last] = number
                continue
            if (match := _TABLE.fullmatch(line)) and not _KEY.match(line):
                parts: Path = tuple(_parts(match[2]))
                if match[1] == "[[":
                    at = count.get(parts, 0)
                    count[parts] = at + 1
                    parts = (*parts, at)
                elif len(parts) > 1 and (outer := count.get(parts[:1])):
                    parts = (parts[0], outer - 1, *parts[1:])
                table = last = parts
                self.places.setdefault(table, number)
            elif match := _KEY.match(line):
                last = (*table, *_parts(match[1]))
                self.places.setdefault(last, number)
                self.ends[last] = number
                state.feed(line[match.end() :])

    def of(self, path: Path, text: str | None = None) -> int:
        """Return the line of a key, of a member of its list, or of its value ``text``.

        If it is not found, the line of the nearest key above is returned.
        """
        whole = path
        while path not in self.places:
            path = path[:-1]
        first = self.places[path]
        last = self.ends.get(path, first)
        if len(whole) > len(path) and isinstance(at := whole[len(path)], int):
            first, last = self._element(first, last, at)
        word = re.escape(text or "")
        # The whole value first, then a part of a longer one: alternatives, tables.
        for pattern in () if text is None else (f"\"{word}\"|'{word}'", rf"(?<![\w:-]){word}(?![\w:-])"):
            for number in range(first, last + 1):
                if re.search(pattern, self.lines[number - 1]):
                    return number
        return first

    def _element(self, first: int, last: int, at: int) -> tuple[int, int]:
        """Return the lines of a member of a list that spans these lines."""
        starts: list[int] = []
        ends: list[int] = []
        state = _State()
        fresh = True  # no member has begun since the last comma
        for number in range(first, last + 1):
            line = self.lines[number - 1]
            begin = line.index("=") + 1 if number == first and "=" in line else 0
            for depth, letter in state.walk(line[begin:]):
                if depth == 1 and letter == ",":
                    fresh = True
                elif depth >= 1 and not letter.isspace() and not (depth == 1 and letter in "[]"):
                    if fresh:
                        starts.append(number)
                        ends.append(number)
                        fresh = False
                    ends[-1] = number
        return (starts[at], ends[at]) if at < len(starts) else (first, last)


class _State:
    """Whether a value continues on the next line: open brackets, or text in triple quotes."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""

    @property
    def inside(self) -> bool:
        return self.depth > 0 or bool(self.quote)

    def feed(self, line: str) -> None:
        """Read a line."""
        for _ in self.walk(line):
            pass

    def walk(self, line: str) -> Iterator[tuple[int, str]]:
        """Yield the characters of a line with the depth of brackets around them; a string counts as one."""
        at = 0
        while at < len(line):
            if self.quote:
                yield self.depth, '"'
                end = line.find(self.quote, at)
                if end < 0:
                    return
                at, self.quote = end + 3, ""
                continue
            c = line[at]
            if c == "#":
                return
            if line.startswith(('"""', "'''"), at):
                self.quote = line[at : at + 3]
                yield self.depth, '"'
                at += 3
                continue
            if c in "\"'":
                yield self.depth, '"'
                at = _string_end(line, at)
                continue
            self.depth += c in "[{"
            yield self.depth, c
            self.depth -= c in "]}"
            at += 1


def _string_end(line: str, at: int) -> int:
    quote = line[at]
    at += 1
    while at < len(line) and line[at] != quote:
        at += 2 if line[at] == "\\" and quote == '"' else 1
    return at + 1


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(key)]
