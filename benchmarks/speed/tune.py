"""The command ``tune`` on an n-best list: reading, scoring and searching."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.stopwatch import wordorder

METHODS = ("mert", "mira", "pro")


def run(bench: Bench) -> None:
    lists, reference, text = bench.texts.tuning()
    for method in METHODS:
        command = wordorder(
            "tune", lists, "-r", reference, "-m", "bleu:tokenize=none", "--method", method, "--seeds", 1,
            "--threads", 1, "--quiet",
        )  # fmt: skip
        bench.measure(f"--method {method}", command, 1, "runs", text=text)
