"""The commands that pages show, with their output.

Commands are those of console blocks, and those in tables with a column ``where``. A block of commands that
needs data which is not shipped has a comment on the line above it, ``<!-- needs: WMT judgments -->``; a row
of a table says ``needs: WMT judgments``. If a page shows the output of a command, it must be the same, up to
``…`` if it is shortened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"(?:<!-- needs: (?P<needs>[^>]*) -->\n)?```console\n(?P<text>.*?)```", re.S)
TABLE = re.compile(r"^\|.*\| where \|.*\n((?:\|.*\n)+)", re.M)


@dataclass(frozen=True)
class Example:
    """A command of a page, the output that the page shows, and the data that it needs beyond the package."""

    command: str
    output: str
    needs: str | None
    in_table: bool = False

    def shows(self, printed: str) -> bool:
        """Return whether the page shows what the command printed; ``…`` stands for the rest of it."""
        beginning, shortened, _ = self.output.partition("…")
        return not self.output or (printed[: len(beginning)] if shortened else printed) == beginning


def examples(page: Path) -> Iterator[Example]:
    """Yield the commands of a page."""
    content = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(content):
        text = block["text"].replace("\\\n", " ")
        for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, re.M):
            yield Example(re.sub(r"\s+# .*", "", command), output, block["needs"])
    for row in (row for table in TABLE.findall(content) for row in table.splitlines()):
        needs = re.search(r"needs: ([^|]*)", row)
        for command in re.findall(r"`(wordorder [^`]*)`", row):
            yield Example(command.replace("\\|", "|"), "", needs and needs[1], in_table=True)
