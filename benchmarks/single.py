"""Run one benchmark in this process; started by the driver.

python -m benchmarks.single NAME OUTPUT [--data FOLDER] [--row NAME PEER ...]
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.measurement import RowId, Skip, Skipped
from benchmarks.results import Results
from benchmarks.texts import Texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name")
    parser.add_argument("output", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--row", nargs=2, action="append", metavar=("NAME", "PEER"))
    options = parser.parse_args()
    rows = {RowId(*row) for row in options.row} if options.row else None
    bench = Bench(options.name, Texts(options.data), rows)
    try:
        importlib.import_module(f"benchmarks.speed.{options.name}").run(bench)
    except Skip as reason:
        bench.skipped.append(Skipped(options.name, str(reason)))
    results = Results(bench.measured, bench.skipped, bench.checked, bench.described, [options.name])
    options.output.write_bytes(results.to_json())


if __name__ == "__main__":
    main()
