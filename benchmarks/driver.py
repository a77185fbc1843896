"""Run benchmarks, each in a process of its own, and again what seems to have become worse."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from benchmarks import speed
from benchmarks.comparison import compare
from benchmarks.measurement import RowId
from benchmarks.results import Results
from benchmarks.stopwatch import ONE_THREAD

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 600  # seconds for one benchmark
REPEATS = 2  # of a row that got worse, beside the first measurement


def benchmark_names() -> list[str]:
    """List the benchmarks: the files in ``speed``."""
    return sorted(module.name for module in pkgutil.iter_modules(speed.__path__))


def run_all(names: Sequence[str], data: Path | None, kept: Results | None) -> Results:
    """Run benchmarks, then repeat the rows that are worse than kept; the best of all runs counts."""
    began = time.perf_counter()
    results = Results()
    for name in names:
        results.add(run_one(name, data))
    for _ in range(REPEATS):
        worse = [row.id for row in compare(results, kept) if row.failures and row.now is not None]
        for name in names:
            rows = [row for row in worse if row.name.startswith(f"{name}:")]
            if rows:
                results.add(run_one(name, data, rows))
    results.wall_seconds = round(time.perf_counter() - began)
    return results


def run_one(name: str, data: Path | None, rows: Collection[RowId] | None = None) -> Results:
    """Run one benchmark, or some of its rows, in a process of its own."""
    print(f"{name}{'' if rows is None else ' again'} ...", file=sys.stderr, end=" ", flush=True)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="wordorder-bench-") as folder:
        output = Path(folder) / "results.json"
        command = [sys.executable, "-m", "benchmarks.single", name, str(output)]
        command += ["--data", str(data.resolve())] if data else []
        for row in rows or ():
            command += ["--row", *row]
        # Child processes find this folder and the package as this process does.
        paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": paths}
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True, check=False,
                timeout=LIMIT,
            )  # fmt: skip
            message = (done.stderr.strip().splitlines() or ["no message"])[-1]
            failed = done.returncode != 0
        except subprocess.TimeoutExpired:
            failed, message = True, f"took more than {LIMIT} s"
        part = Results(failed={name: message}) if failed else Results.from_json(output.read_bytes())
    print(f"{'FAILED' if failed else 'done'} after {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return part
