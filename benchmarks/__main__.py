"""Measure speed and memory beside other programs, and compare with the last kept result.

    python -m benchmarks [--data FOLDER] [--only text,preorder] [--keep NOTE]

Exits with 1 if a row got more than 20 % slower beside its peer (or takes 20 % more memory), misses a target
that the kept result meets, is missing without a reason, or if a check fails. Such rows are measured three
times before they count. ``--keep`` makes this run the one to compare with; the note explains why.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.comparison import compare, failures
from benchmarks.driver import ROOT, benchmark_names, run_all
from benchmarks.page import write_page
from benchmarks.report import comparison_table
from benchmarks.results import HISTORY, kept_path, read_kept
from wordorder.report.table import write_table

LATEST = ROOT / "build" / "benchmarks"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder of real texts; default: the sample"
    )
    parser.add_argument("--only", metavar="NAME,...", help=f"some of: {', '.join(benchmark_names())}")
    parser.add_argument("--json", type=Path, metavar="FILE", default=LATEST / "latest.json")
    parser.add_argument("--markdown", type=Path, metavar="FILE", default=LATEST / "latest.md")
    parser.add_argument("--keep", metavar="NOTE", help="keep this run, with the reason for what changed")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else benchmark_names()
    if unknown := [name for name in names if name not in benchmark_names()]:
        parser.error(f"no benchmark {', '.join(unknown)}; expected some of: {', '.join(benchmark_names())}")
    if options.data and not options.data.is_dir():
        parser.error(f"no folder {options.data}")

    path = kept_path(with_data=options.data is not None)
    kept = read_kept(path)
    results = run_all(names, options.data, kept)
    rows = compare(results, kept)
    table = comparison_table(results, rows)
    for file, content in (
        (options.json, results.to_json()),
        (options.markdown, write_table(table, "markdown")),
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    sys.stdout.buffer.write(write_table(table, "text"))
    problems = failures(results, rows)
    if options.keep:
        missing = [row.id for row in rows if row.now is None and row.failures]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(results.kept_after(kept, missing).to_json())
        with HISTORY.open("ab") as history:
            history.write(results.history_line(options.keep))
        write_page()
    for problem in problems:
        print(f"FAILED  {problem}")
    print(f"{len(results.measurements)} rows, {len(problems)} failures; written to {options.json}")
    return 1 if problems and not options.keep else 0


if __name__ == "__main__":
    sys.exit(main())
