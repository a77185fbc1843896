"""On which line of a TOML file something stands; Python's reader does not tell."""

from __future__ import annotations

import re

Path = tuple[str | int, ...]
_KEY = re.compile(
    r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*="""
)
_TABLE = re.compile(r"\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


class Lines:
    """The lines of the keys of a TOML text that was read without error.

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
            if (found := _TABLE.fullmatch(line)) and not _KEY.match(line):
                parts: Path = tuple(_parts(found[2]))
                if found[1] == "[[":
                    at = count.get(parts, 0)
                    count[parts] = at + 1
                    parts = (*parts, at)
                elif len(parts) > 1 and (outer := count.get(parts[:1])):
                    parts = (parts[0], outer - 1, *parts[1:])
                table = last = parts
                self.places.setdefault(table, number)
            elif found := _KEY.match(line):
                last = (*table, *_parts(found[1]))
                self.places.setdefault(last, number)
                self.ends[last] = number
                state.feed(line[found.end() :])

    def of(self, path: Path, text: str | None = None) -> int:
        """The line of a key, or of its value ``text``; the nearest thing above where it is not found."""
        while path not in self.places:
            path = path[:-1]
        first = self.places[path]
        for number in range(first, self.ends.get(path, first) + 1) if text is not None else ():
            if f'"{text}"' in self.lines[number - 1] or f"'{text}'" in self.lines[number - 1]:
                return number
        if text is not None:  # within a longer value: alternatives, tables
            for number in range(first, self.ends.get(path, first) + 1):
                if re.search(rf"(?<![\w:-]){re.escape(text)}(?![\w:-])", self.lines[number - 1]):
                    return number
        return first


class _State:
    """Whether a value goes on in the next line: open brackets, or text in three quotes."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""

    @property
    def inside(self) -> bool:
        return self.depth > 0 or bool(self.quote)

    def feed(self, line: str) -> None:
        at = 0
        while at < len(line):
            if self.quote:
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
                at += 3
                continue
            if c in "\"'":
                at = _string_end(line, at)
                continue
            self.depth += (c in "[{") - (c in "]}")
            at += 1


def _string_end(line: str, at: int) -> int:
    quote = line[at]
    at += 1
    while at < len(line) and line[at] != quote:
        at += 2 if line[at] == "\\" and quote == '"' else 1
    return at + 1


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(key)]
