"""``wordorder scorer`` over a pipe, one request at a time and all at once; starting it is counted."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.bench import Bench
from benchmarks.measurement import Target
from benchmarks.stopwatch import wordorder

METRICS = ("beer", "bleu", "recpef")
WANTED = Target("rate", 500)  # answers a second, one at a time
SINGLE, MANY = 2000, 20_000


def one_by_one(lines: list[bytes], metric: str) -> None:
    """Ask as a client that waits for each answer."""
    command = [sys.executable, "-m", "wordorder", "scorer", "-m", metric]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as server:
        assert server.stdin and server.stdout
        for line in lines:
            server.stdin.write(line)
            assert not server.stdout.readline().startswith(b"ERROR")
        server.stdin.write(b"EXIT\n")


def run(bench: Bench) -> None:
    hypotheses, references, text = bench.texts.pairs(MANY)
    lines = [f"EVAL ||| {h} ||| {r}\n".encode() for h, r in zip(hypotheses, references, strict=True)]
    for metric in METRICS:
        bench.measure(
            f"{metric}, one at a time", partial(one_by_one, lines[:SINGLE], metric), SINGLE,
            "answers", text=text, target=WANTED,
        )  # fmt: skip
        command = wordorder("scorer", "-m", metric, "--threads", "1")
        command.input = b"".join(lines)
        bench.measure(f"{metric}, all at once", command, MANY, "answers", text=text)
