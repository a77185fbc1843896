"""Load on ``wordorder serve``: many clients ask for scores of short sentences, at a fixed rate.

    python -m benchmarks.serve_load --seconds 300 --rate 200 --clients 50

Starts a server, sends requests on kept connections for so long, and prints how many were answered per second,
how long answers took, the CPU time per request of the server, of its workers and of the clients, and the
memory of server and workers at the beginning and at the end. Exits with 1 if a request failed, if the rate
was not reached, or if memory grew.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from wordorder.data import sample

METRICS = ["kendall", "recpef", "fuzzy", "full"]
GROWTH = 1.05  # memory at the end, as a multiple of that after the first tenth
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Tally:
    """What the clients have seen."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def bodies(count: int, seed: int = 1) -> list[bytes]:
    """Make requests: pairs of short sentences, and permutations."""
    rng = random.Random(seed)
    read = [
        sample(name).read_text(encoding="utf-8").splitlines() for name in ("system-a.txt", "reference.txt")
    ]
    made = []
    for k in range(count):
        if k % 2:
            line = rng.randrange(len(read[0]))
            texts = {"hypotheses": [read[0][line]], "references": [[read[1][line]]]}
            made.append({"metrics": METRICS, **texts})
        else:
            order = rng.sample(range(12), 12)
            made.append({"metrics": METRICS[:3], "permutations": [order]})
    return [json.dumps(body).encode() for body in made]


async def client(host: str, port: int, work: asyncio.Queue[bytes | None], tally: Tally) -> None:
    """Send what is in the queue, one request after the other, on one connection."""
    reader, writer = await asyncio.open_connection(host, port)
    while (body := await work.get()) is not None:
        head = (
            f"POST /api/v1/score HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        begin = time.perf_counter()
        writer.write(head.encode() + body)
        status = await reader.readline()
        size = 0
        while (line := await reader.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
        answer = await reader.readexactly(size)
        tally.seconds.append(time.perf_counter() - begin)
        if b" 200 " not in status or not answer.startswith(b'{"scores":[{'):
            tally.errors.append(f"{status!r} {answer[:200]!r}")
    writer.close()


async def load(host: str, port: int, *, seconds: float, rate: float, clients: int, tally: Tally) -> None:
    """Offer requests at this rate; clients that are slower make the queue longer, which shows in the rate."""
    work: asyncio.Queue[bytes | None] = asyncio.Queue()
    tasks = [asyncio.create_task(client(host, port, work, tally)) for _ in range(clients)]
    made, begin, sent = bodies(1000), time.perf_counter(), 0
    while (now := time.perf_counter() - begin) < seconds:
        while sent < now * rate:
            work.put_nowait(made[sent % len(made)])
            sent += 1
        await asyncio.sleep(0.005)
    for _ in tasks:
        work.put_nowait(None)
    for task in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(task, BaseException):
            tally.errors.append(repr(task))


def family(process: int) -> list[int]:
    """Return a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *map(int, children)]


def cpu(process: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory(process: int) -> float:
    """Return the memory of a process in MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def main() -> int:
    """Run the server and the clients."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--clients", type=int, default=50)
    chosen = parser.parse_args()
    command = [sys.executable, "-m", "wordorder", "serve", "--port", "0", "--no-browser", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = urlsplit(server.stdout.readline().strip())
        host, port = address.hostname or "", address.port or 0
        try:
            return measure(server.pid, host, port, chosen.seconds, chosen.rate, chosen.clients)
        finally:
            server.terminate()


def measure(server: int, host: str, port: int, seconds: float, rate: float, clients: int) -> int:
    """Load the server, and print what it cost."""
    warm = Tally()
    asyncio.run(load(host, port, seconds=max(2.0, seconds / 10), rate=rate, clients=clients, tally=warm))
    processes = family(server)
    before = {p: (cpu(p), memory(p)) for p in processes}
    own = resource.getrusage(resource.RUSAGE_SELF)
    tally, begin = Tally(), time.perf_counter()
    asyncio.run(load(host, port, seconds=seconds, rate=rate, clients=clients, tally=tally))
    passed = time.perf_counter() - begin
    spent = resource.getrusage(resource.RUSAGE_SELF)
    count = len(tally.seconds)
    after = {p: (cpu(p), memory(p)) for p in processes}
    took = [1000 * second for second in sorted(tally.seconds)]
    reached = count / passed
    print(f"{count:,} requests, {reached:.1f} a second, {len(tally.errors) + len(warm.errors)} errors")
    print(f"answers took {took[count // 2]:.1f} ms (median), {took[count * 99 // 100]:.1f} ms (99 %)")
    for number, process in enumerate(processes):
        used = 1000 * (after[process][0] - before[process][0]) / count
        name = "server" if not number else f"worker {number}"
        print(
            f"{name}: {used:.2f} ms of CPU a request, {before[process][1]:.1f} -> {after[process][1]:.1f} MiB"
        )
    clients_used = spent.ru_utime + spent.ru_stime - own.ru_utime - own.ru_stime
    print(f"clients: {1000 * clients_used / count:.2f} ms of CPU a request")
    for error in [*warm.errors, *tally.errors][:5]:
        print(error)
    grown = any(after[p][1] > GROWTH * before[p][1] for p in processes)
    return int(bool(tally.errors or warm.errors) or reached < 0.98 * rate or grown)


if __name__ == "__main__":
    sys.exit(main())
