"""Helpers for writing pages: Markdown tables, tables between marks, pages written or checked."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def markdown_table(rows: Sequence[Sequence[object]], *, right_aligned: bool = False) -> str:
    r"""Format rows as a Markdown table; the first row is the header.

    ``right_aligned`` aligns all columns but the first to the right.

    >>> print(markdown_table([["metric", "value"], ["a|b", 0.5]]))
    | metric | value |
    | --- | --- |
    | a\|b | 0.5 |
    """
    header, *body = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    rule = ["---"] + ["--:" if right_aligned else "---"] * (len(header) - 1)
    return "\n".join(f"| {' | '.join(line)} |" for line in [header, rule, *body])


def replace_table(page: str, name: str, text: str) -> str:
    r"""Replace the table between the two marks with its name in the text of a page.

    >>> replace_table("<!-- a -->\nold\n<!-- end a -->\n", "a", "new")
    '<!-- a -->\nnew\n<!-- end a -->\n'
    """
    first, last = f"<!-- {name} -->\n", f"\n<!-- end {name} -->"
    before, _, rest = page.partition(first)
    _, mark, after = rest.partition(last)
    if not mark:
        sys.exit(f"the page has no place for the table {name!r}")
    return before + first + text + last + after


def out_of_date(pages: Mapping[Path, str]) -> list[Path]:
    """List the files that are missing or have another content."""
    return [path for path, text in pages.items() if not path.exists() or path.read_text("utf-8") != text]


def write_pages(pages: Mapping[Path, str]) -> None:
    """Write files, and the folders that they need."""
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def generator_main(
    arguments: Sequence[str] | None, description: str, pages: Callable[[], Mapping[Path, str]]
) -> int:
    """Run a program that writes pages, or with ``--check`` reports those that are out of date."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    if not parser.parse_args(arguments).check:
        write_pages(pages())
        return 0
    old = out_of_date(pages())
    for path in old:
        print(f"{path} is out of date: run 'make docs'", file=sys.stderr)
    return 1 if old else 0
