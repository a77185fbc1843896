"""Speed beside peers, everything in one run: ``make bench``.

Rates are per second on one core, the best of several runs; ratios are within this run, for
machines differ and are noisy.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import peers

from wordorder.core.permutation import Permutations
from wordorder.core.tree import flat_tables
from wordorder.metrics import metric
from wordorder.report.table import text_table

KINDS = ("random", "local", "monotone")
FLAT = ("kendall", "spearman", "hamming", "ulam", "fuzzy")
WORDS = 2_000_000  # words in a batch, so that a run takes tens of milliseconds


def order(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """One permutation: uniform, words moved by a few places, or none moved."""
    if kind == "random":
        return rng.permutation(n)
    if kind == "local":
        return np.argsort(np.argsort(np.arange(n) + rng.uniform(0, 4, n)))
    return np.arange(n)


def batch_of(kind: str, n: int, words: int = WORDS) -> Permutations:
    """Many different permutations, so that branch prediction cannot learn them."""
    rng = np.random.default_rng(n)
    return Permutations([order(kind, n, rng) for _ in range(max(1, words // n))])


def rate(work: Callable[[], object], count: int, *, repeat: int = 7) -> float:
    """Items per second, the best of several runs."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return count / best


def trees(met: list[tuple[str, bool]]) -> None:
    library = peers.compiled_stack_scan()
    rows = [["trees per second", "n", "wordorder", "ns/word", "stack scan, C++", "ratio", "permuta", "ratio"]]
    per_word: dict[tuple[str, int], float] = {}
    for kind in KINDS:
        for n in (25, 100, 1000, 100_000):
            batch = batch_of(kind, n)
            ours = rate(lambda b=batch: flat_tables(b), len(batch))
            few = Permutations(batch[: max(1, min(len(batch), 20_000_000 // (n * n)))])
            stack = rate(lambda b=few: peers.stack_scan(library, b), len(few), repeat=3 if n < 10_000 else 1)
            per_word[kind, n] = 1e9 / ours / n
            row = [
                kind,
                f"{n:,}",
                f"{ours:,.0f}",
                f"{per_word[kind, n]:.1f}",
                f"{stack:,.1f}",
                f"{ours / stack:.1f}",
            ]
            if n <= 1000:
                some = [p.ranks.tolist() for p in batch[: 500 if n < 1000 else 5]]
                perm = rate(lambda s=some: [peers.permuta_operators(o) for o in s], len(some), repeat=1)
                row += [f"{perm:,.0f}", f"{ours / perm:,.0f}"]
            else:
                row += ["-", "-"]
            rows.append(row)
    print(text_table(rows))
    for kind in KINDS:
        many = 1e9 / per_word[kind, 25] / 25
        met.append((f"trees, {kind}, n = 25: {many / 1e6:.2f} million a second (2 wanted)", many >= 2e6))
    for kind in KINDS:
        grows = per_word[kind, 100_000] / per_word[kind, 25]
        met.append(
            (f"trees, {kind}: a word at n = 100,000 costs {grows:.2f} times one at n = 25 (3)", grows <= 3)
        )


def recursive(met: list[tuple[str, bool]]) -> None:
    rows = [["recpef per second", "n", "as published", "beer11"]]
    wanted = {25: 300_000, 400: 2000}
    for kind in KINDS:
        for n in (25, 100, 400):
            batch = batch_of(kind, n)
            small = Permutations(batch[: max(20, 200_000 // n // (n if n > 25 else 1))])
            ours = rate(lambda b=batch: metric("recpef").score_orders(b), len(batch), repeat=5)
            beer = rate(lambda b=small: metric("recpef:variant=beer11").score_orders(b), len(small), repeat=1)
            rows.append([kind, str(n), f"{ours:,.0f}", f"{beer:,.0f}"])
            if n in wanted:
                met.append(
                    (f"recpef, {kind}, n = {n}: {ours:,.0f} a second ({wanted[n]:,})", ours >= wanted[n])
                )
    print(text_table(rows))


def flat() -> None:
    batch = batch_of("random", 25)
    orders = [p.ranks for p in batch[:400]]
    others = {
        "kendall": [("scipy kendalltau", peers.scipy_kendall), ("nltk kendall_tau", peers.nltk_kendall)],
        "spearman": [("scipy spearmanr", peers.scipy_spearman), ("nltk spearman_rho", peers.nltk_spearman)],
    }
    rows = [["flat scores per second, n = 25", "rate", "wordorder is faster by", "same value"]]
    for name in FLAT:
        ours = rate(lambda name=name: metric(name).score_orders(batch), len(batch))
        rows.append([f"wordorder {name}", f"{ours:,.0f}", "", ""])
        for label, peer in others.get(name, []):
            theirs = rate(lambda work=peer: work(orders), len(orders), repeat=3)
            same = np.allclose(peer(orders), metric(name).score_orders(orders), atol=1e-9)
            rows.append([f"  {label}", f"{theirs:,.0f}", f"{ours / theirs:,.0f}", "yes" if same else "no"])
    print(text_table(rows))


def command_line(met: list[tuple[str, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.txt"
        rng = np.random.default_rng(1)
        with path.open("w") as out:
            for _ in range(1000):
                block = np.argsort(rng.random((1000, 25)), axis=1)
                out.write("\n".join(" ".join(map(str, row)) for row in block.tolist()) + "\n")
        rows = [["1,000,000 permutations, n = 25", "seconds"]]
        for level in ("corpus", "sentence"):
            for output in ("text", "tsv", "json"):
                command = [sys.executable, "-m", "wordorder", "score", "--permutations", str(path)]
                command += ["-m", ",".join(FLAT), "--level", level, "--format", output]

                def once(command: list[str] = command) -> None:
                    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

                seconds = 1 / rate(once, 1, repeat=3)
                rows.append([f"wordorder score --level {level} --format {output}", f"{seconds:.2f}"])
                met.append((f"five flat scores, {level}, {output}: {seconds:.2f} s (3)", seconds < 3))
    print(text_table(rows))


def main() -> None:
    met: list[tuple[str, bool]] = []
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if cores:
        os.sched_setaffinity(0, {min(cores)})
    trees(met)
    recursive(met)
    flat()
    if cores:
        os.sched_setaffinity(0, cores)
    command_line(met)
    for what, holds in met:
        print(f"{'met   ' if holds else 'MISSED'}  {what}")


if __name__ == "__main__":
    main()
