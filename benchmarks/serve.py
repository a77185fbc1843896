"""Speed of BEER's line protocol over a pipe, one request at a time and many at once.

``python benchmarks/serve.py FOLDER [MODEL]`` reads pairs as ``text.py`` does; MODEL is the folder of a BEER
2.0 model. Starting the process is not counted one at a time, and is counted where all are sent at once.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from text import pairs

from wordorder.report.table import text_table

WANTED = 500  # answers a second, one at a time


def command(model: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "wordorder",
        "beer",
        "--serve-stdio",
        *(["--model", model] if model else []),
    ]


def one_by_one(lines: list[bytes], model: str) -> float:
    """Answers a second of a client that waits for each."""
    with subprocess.Popen(command(model), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as server:
        assert server.stdin and server.stdout
        start = 0.0
        for line in [lines[0], *lines]:
            server.stdin.write(line)
            server.stdout.readline()
            start = start or time.perf_counter()  # after the first, when the server is up
        took = time.perf_counter() - start
        server.stdin.write(b"EXIT\n")
    return len(lines) / took


def at_once(lines: list[bytes], model: str) -> float:
    """Answers a second of a client that sends everything."""
    start = time.perf_counter()
    done = subprocess.run(command(model), input=b"".join(lines), stdout=subprocess.PIPE, check=True)
    assert done.stdout.count(b"\n") == len(lines) and b"ERROR" not in done.stdout
    return len(lines) / (time.perf_counter() - start)


def main(folder: Path, model: str, count: int = 20_000) -> int:
    texts = zip(*pairs(folder, count), strict=True)
    lines = [f"EVAL ||| {hypothesis} ||| {reference}\n".encode() for hypothesis, reference in texts]
    slow, fast = one_by_one(lines[: count // 10], model), at_once(lines, model)
    table = [["requests", "answers/s"], ["one at a time", f"{slow:,.0f}"], ["all at once", f"{fast:,.0f}"]]
    print(text_table(table), end="")
    return 0 if slow > WANTED else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""))
