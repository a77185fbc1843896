"""The command ``judge``: scoring all systems of a shared task, and agreement with its judgments."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.stopwatch import wordorder

METRICS = "kendall,recpef,full"


def run(bench: Bench) -> None:
    data, text = bench.texts.judgments()
    with tempfile.TemporaryDirectory() as cache:
        command: list[str | Path] = ["judge", data, "-m", METRICS, "--processes", "1", "--quiet"]
        bench.measure("scored anew", wordorder(*command, "--no-cache"), 1, "runs", text=text)
        kept = wordorder(*command, "--cache", cache)
        kept()
        bench.measure("scores kept", kept, 1, "runs", text=text)
