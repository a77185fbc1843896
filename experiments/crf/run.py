"""Write the tables of docs/crf.md: how well the forest CRF orders words, beside everything else there is.

    python docs/make_crf.py FOLDER [--work STORE] [--jobs 2] [--only kftt,pud-ja] [--systems features,network]

FOLDER holds parallel text with word alignments, a folder for each set. Every system learns from the same
sentences; some are given further text, never the tested sentences. A job is one training: its orders are kept
in STORE, so that a run can be ended and gone on with, there or elsewhere. The tables are made of all that
STORE has of the seeds, whatever was run just now. With --minutes no job begins later than that (0: only make
the tables); --list shows the jobs; --check says which tables are out of date.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parent))

from crf_jobs import SYSTEMS, Job, Store, jobs, perform
from crf_sets import SETS, Data
from crf_tables import tables
from pages import replaced

PAGE = Path(__file__).with_name("crf.md")


def run(todo: Sequence[Job], given: argparse.Namespace) -> int:
    """Do jobs as processes of their own, so many at a time; returns how many failed."""
    began, failed, done = time.monotonic(), 0, 0
    waiting = list(todo)
    running: list[tuple[Job, subprocess.Popen[bytes], IO[bytes], float]] = []
    threads = str(given.threads)
    few = {name: threads for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [sys.executable, __file__, str(given.folder), "--work", str(given.work), "--threads", threads]
    command += ["--limit", str(given.limit)] if given.limit else []
    while waiting or running:
        late = given.minutes is not None and time.monotonic() - began >= 60 * given.minutes
        if late and waiting:
            print(f"no time for {len(waiting)} more", flush=True)
            waiting.clear()
        while waiting and len(running) < given.jobs:
            job = waiting.pop(0)
            told: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it is over)
            process = subprocess.Popen(
                [*command, "--job", str(job)],
                stdout=told,
                stderr=subprocess.STDOUT,
                env={**os.environ, **few},
            )
            running.append((job, process, told, time.monotonic()))
        for one in list(running):
            job, process, told, start = one
            if process.poll() is None:
                continue
            running.remove(one)
            done += 1
            failed += process.returncode != 0
            print(f"{done}/{len(todo)} {job}: {time.monotonic() - start:.0f} s", flush=True)
            if process.returncode:
                told.seek(0)
                print(f"{job} failed:\n{told.read().decode(errors='replace')[-2000:]}", flush=True)
            told.close()
        time.sleep(0.1)
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the jobs that are left, and make the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path("crf-work"), help="where results are kept")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--threads", type=int, default=1, help="of each of them")
    parser.add_argument("--only", default=",".join(SETS), help="sets to run")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="systems to run")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--minutes", type=float, help="begin no job after that")
    parser.add_argument("--list", action="store_true", help="show the jobs and which are done")
    parser.add_argument("--check", action="store_true", help="run and write nothing: say what is out of date")
    parser.add_argument("--limit", type=int, help="first sentences of all text, to try things out")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    data = Data(given.folder, given.limit)
    store = Store(given.work, data)
    if given.job:
        perform(Job.of(given.job), store, threads=given.threads)
        return 0
    seeds = [int(seed) for seed in given.seeds.split(",")]
    for kind, known, asked in (("set", SETS, given.only), ("system", SYSTEMS, given.systems)):
        for name in asked.split(","):
            if name not in known:
                parser.error(f"unknown {kind} {name!r}; expected some of {', '.join(known)}")
    every = list(jobs(given.only.split(","), given.systems.split(","), seeds))
    if given.list:
        for job in every:
            print(f"{'done' if store.has(job) else '-':5}{job}")
        print(f"{sum(map(store.has, every))} of {len(every)} done")
        return 0
    failed = 0 if given.check else run([job for job in every if not store.has(job)], given)
    page = PAGE.read_text(encoding="utf-8")
    for name, text in tables(store, seeds).items():
        new = replaced(page, name, text)
        if given.check and new != page:
            print(f"{PAGE.name}: {name} is out of date")
            failed += 1
        elif not given.check:
            print(f"{name}\n{text}\n", flush=True)
            page = new
    if not given.check and not given.limit:
        PAGE.write_text(page, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
