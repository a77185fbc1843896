"""Write the tables of docs/results/benchmarks.md from the kept results."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.report import kept_table
from benchmarks.results import kept_path, read_kept
from tools.pages import DOCS, generator_main, replace_table, write_pages
from wordorder.report.table import write_table

PAGE = DOCS / "results" / "benchmarks.md"


def page() -> dict[Path, str]:
    """Fill in the tables of the page."""
    text = PAGE.read_text("utf-8")
    for name, with_data in (("with data", True), ("sample", False)):
        kept = read_kept(kept_path(with_data))
        table = write_table(kept_table(kept), "markdown").decode() if kept else "Nothing is kept."
        text = replace_table(text, name, table.rstrip("\n"))
    return {PAGE: text}


def write_page() -> None:
    """Write the page."""
    write_pages(page())


if __name__ == "__main__":
    sys.exit(generator_main(None, __doc__ or "", page))
