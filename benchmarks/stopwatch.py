"""What work costs: CPU time with all child processes, time by the clock, and peak memory."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

Work = Callable[[], object]
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
LEAST_RUNS, MOST_RUNS = 3, 25
ENOUGH_SECONDS = 1.0  # of CPU time in all runs of one side


class Cost(NamedTuple):
    """Cost of one run."""

    seconds: float
    wall_seconds: float
    megabytes: float


@dataclass
class Command:
    """A program that is run as a user would, with as many BLAS threads as it likes; its output is dropped."""

    arguments: Sequence[str]
    input: bytes = b""
    megabytes: float = field(default=0, init=False)

    def __call__(self) -> None:
        """Run the program and keep its peak memory."""
        environment = {key: value for key, value in os.environ.items() if key not in ONE_THREAD}
        with subprocess.Popen(
            self.arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment
        ) as process:
            assert process.stdin
            process.stdin.write(self.input)
            process.stdin.close()
            used = wait_for(process)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, list(self.arguments))
        self.megabytes = used.megabytes


class Used(NamedTuple):
    """What a process used, with the processes that it waited for; the memory is its own."""

    cpu_seconds: float
    megabytes: float


def wait_for(process: subprocess.Popen[bytes]) -> Used:
    """Wait for a process, and return what it used."""
    peak = 0.0
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        peak = max(peak, _peak_megabytes(process.pid))
        time.sleep(0.005)
    _, status, usage = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    if sys.platform != "linux":
        peak = usage.ru_maxrss / 1024**2
    return Used(usage.ru_utime + usage.ru_stime, peak)


def wordorder(*arguments: str | int | Path) -> Command:
    """Return a command of this package."""
    return Command([sys.executable, "-m", "wordorder", *map(str, arguments)])


def cost_of(work: Work) -> Cost:
    """Run once."""
    _forget_peak()
    cpu, clock = _cpu_seconds(), time.perf_counter()
    work()
    cpu, clock = _cpu_seconds() - cpu, time.perf_counter() - clock
    return Cost(cpu, clock, work.megabytes if isinstance(work, Command) else _peak_megabytes())


def best_in_turns(works: Sequence[Work]) -> list[Cost]:
    """Run all in turns until each has used enough time; return the best of each figure.

    Turns matter: if the machine slows down, it does so for all. The garbage collector looks only at what the
    work itself allocates, not at the texts that are there already, whose number differs between benchmarks.
    """
    gc.collect()
    gc.freeze()
    runs: list[list[Cost]] = [[] for _ in works]
    for turn in range(MOST_RUNS):
        for work, costs in zip(works, runs, strict=True):
            spent = sum(cost.seconds for cost in costs)
            if spent < ENOUGH_SECONDS or (turn < LEAST_RUNS and spent < 4 * ENOUGH_SECONDS):
                costs.append(cost_of(work))
    return [Cost(*map(min, zip(*costs, strict=True))) for costs in runs]


def calibration_loop() -> None:
    """Do a fixed amount of work, half in the interpreter and half on arrays, for want of a peer."""
    words = [str(k * 7919 % 10_007) for k in range(60_000)]
    assert len(sorted(Counter(words))) == 10_007
    values = np.random.default_rng(1).integers(1 << 30, size=400_000)
    assert int(np.diff(np.sort(values)).min()) >= 0


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _forget_peak() -> None:
    """Let the peak of this process begin anew, where the system can do that (Linux)."""
    if sys.platform == "linux":
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak_megabytes(process: int | str = "self") -> float:
    """Return the peak memory of a process; what Linux reports at its end includes that of its parent."""
    if sys.platform == "linux":
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace").splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM")), 0) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2 if process == "self" else 0.0
