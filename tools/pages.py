"""Pages with tables that scripts write: each stands between two marks with its name."""

from __future__ import annotations

import sys


def replaced(page: str, name: str, text: str) -> str:
    """The text of a page with another table between its two marks."""
    first, last = f"<!-- {name} -->\n", f"\n<!-- end {name} -->"
    before, _, rest = page.partition(first)
    _, found, after = rest.partition(last)
    if not found:
        sys.exit(f"the page has no place for the table {name!r}")
    return before + first + text + last + after
