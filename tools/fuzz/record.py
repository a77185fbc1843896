"""Figures of all recorded runs, and the table of docs/results/reliability.md that is made from them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tools.fuzz.runner import Result
from tools.pages import DOCS, markdown_table, replace_table, write_pages

RUNS = Path(__file__).with_name("runs.jsonl")  # one object per run of a target


def record(result: Result, seed: int) -> None:
    """Add a run; findings that were mended since are of older runs."""
    run = {
        "target": result.target,
        "seed": seed,
        "cases": result.cases,
        "cpu_seconds": round(result.cpu, 1),
        "slowest": round(result.slowest, 2),
        "findings": len(result.findings),
    }
    with RUNS.open("a", encoding="utf-8") as out:
        out.write(json.dumps(run) + "\n")


def table(lines: Iterable[str]) -> str:
    """Return the sums of all runs by target."""
    totals: dict[str, list[float]] = {}
    for line in lines:
        run = json.loads(line)
        one = totals.setdefault(run["target"], [0, 0, 0, 0])
        one[0] += run["cases"]
        one[1] += run["cpu_seconds"]
        one[2] = max(one[2], run["slowest"])
        one[3] += run["findings"]
    rows: list[list[object]] = [["target", "cases", "CPU minutes", "slowest case", "findings"]]
    for name, (cases, seconds, slowest, findings) in sorted(totals.items()):
        rows.append([name, f"{cases:,.0f}", f"{seconds / 60:.1f}", f"{slowest:.2f} s", f"{findings:.0f}"])
    return markdown_table(rows, right_aligned=True)


def write_page() -> None:
    """Write the table into the page."""
    page = DOCS / "results" / "reliability.md"
    text = replace_table(page.read_text("utf-8"), "fuzzing", table(RUNS.read_text("utf-8").splitlines()))
    write_pages({page: text})


if __name__ == "__main__":
    write_page()
