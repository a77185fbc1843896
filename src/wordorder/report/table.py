"""Plain tables for people."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Align columns; the first ``left`` to the left, numbers to the right.

    >>> print(text_table([["metric", "score"], ["kendall", "0.5"]]), end="")
    metric   score
    kendall    0.5
    """
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if c < left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)
