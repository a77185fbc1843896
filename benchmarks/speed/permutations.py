"""The command ``score --permutations`` on a million real orders."""

from __future__ import annotations

import tempfile
from itertools import cycle, islice
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.measurement import Target
from benchmarks.stopwatch import wordorder
from benchmarks.texts import Text

METRICS = "kendall,spearman,hamming,ulam,fuzzy"
COUNT = 1_000_000
MOST_SECONDS = 3.0


def run(bench: Bench) -> None:
    orders, source = bench.texts.orders(25_000)
    lines = [" ".join(map(str, p.ranks.tolist())) for p in orders if len(p)]
    text = Text(f"{source.name}, repeated to {COUNT:,}", source.description)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.txt"
        with path.open("w", encoding="ascii") as out:
            out.writelines(f"{line}\n" for line in islice(cycle(lines), COUNT))
        for level, form in (("corpus", "text"), ("sentence", "tsv"), ("sentence", "json")):
            command = wordorder(
                "score", "--permutations", path, "-m", METRICS, "--level", level, "--format", form
            )
            bench.measure(
                f"five flat scores, --level {level} --format {form}", command, COUNT, "orders", text=text,
                target=Target("wall_seconds", MOST_SECONDS),
            )  # fmt: skip
