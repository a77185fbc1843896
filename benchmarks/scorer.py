"""Speed of ``wordorder scorer`` over a pipe, one request at a time and many at once.

``python benchmarks/scorer.py FOLDER [METRIC ...]`` reads pairs as ``text.py`` does. Starting the process is
not counted one at a time, and is counted where all requests are sent at once.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from text import pairs

from wordorder.report.table import text_table

METRICS = ("beer", "bleu", "recpef")
WANTED = 500  # answers a second, one at a time


def command(metric: str) -> list[str]:
    return [sys.executable, "-m", "wordorder", "scorer", "-m", metric]


def one_by_one(lines: list[bytes], metric: str) -> float:
    """Answers a second of a client that waits for each."""
    with subprocess.Popen(
        command(metric), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    ) as server:
        assert server.stdin and server.stdout
        start = 0.0
        for line in [lines[0], *lines]:
            server.stdin.write(line)
            server.stdout.readline()
            start = start or time.perf_counter()  # after the first, when the server is up
        took = time.perf_counter() - start
        server.stdin.write(b"EXIT\n")
    return len(lines) / took


def at_once(lines: list[bytes], metric: str) -> tuple[float, list[bytes]]:
    """Answers a second of a client that sends everything, and the answers."""
    start = time.perf_counter()
    done = subprocess.run(command(metric), input=b"".join(lines), stdout=subprocess.PIPE, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines) and b"ERROR" not in done.stdout
    return len(lines) / (time.perf_counter() - start), answers


def main(folder: Path, metrics: list[str], count: int = 20_000) -> int:
    texts = list(zip(*pairs(folder, count), strict=True))
    requests = {
        "EVAL ||| hypothesis ||| reference": [f"EVAL ||| {h} ||| {r}\n".encode() for h, r in texts],
        "SCORE ||| reference ||| hypothesis": [f"SCORE ||| {r} ||| {h}\n".encode() for h, r in texts],
    }
    table = [["metric", "requests", "one at a time, answers/s", "all at once, answers/s"]]
    slowest = float("inf")
    for metric in metrics:
        statistics: list[bytes] = []
        for name, lines in requests.items():
            fast, statistics = at_once(lines, metric)
            slow = one_by_one(lines[: count // 10], metric)
            table.append([metric, name, f"{slow:,.0f}", f"{fast:,.0f}"])
            slowest = min(slowest, slow)
        sums = [b"EVAL ||| %s\n" % row for row in statistics]
        fast, _ = at_once(sums, metric)
        slow = one_by_one(sums[: count // 10], metric)
        table.append([metric, "EVAL ||| statistics", f"{slow:,.0f}", f"{fast:,.0f}"])
    print(text_table(table, left=2), end="")
    return 0 if slowest > WANTED else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:] or list(METRICS)))
