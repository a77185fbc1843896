"""Write the tables of docs/results/crf.md: how well the forest CRF orders words, beside other preorderers.

    python -m experiments.crf.run FOLDER [--work STORE] [--models WORK] [--jobs 2] [--only kftt,pud-ja]

FOLDER holds parallel text with word alignments, one folder per set. All systems of a set learn from the same
sentences; some also read further text, never the tested sentences. A job is one training: its orders are
kept in STORE, so that a run can be interrupted and continued, there or elsewhere. The tables are made from
everything in STORE that belongs to the seeds, whichever jobs were run now.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from experiments.crf.jobs import SYSTEMS, Job, Store, jobs, run_job
from experiments.crf.sets import SETS, Data
from experiments.crf.tables import tables
from tools.pages import DOCS, ROOT, replace_table

PAGE = DOCS / "results" / "crf.md"


def run_all(todo: Sequence[Job], options: argparse.Namespace) -> int:
    """Run jobs as processes of their own, ``options.jobs`` at a time; returns the number of failures."""
    began, failed, late = time.monotonic(), 0, 0
    threads = str(options.threads)
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    command = [sys.executable, "-m", "experiments.crf.run", str(options.folder.resolve())]
    command += ["--work", str(options.work.resolve()), "--threads", threads]
    command += ["--limit", str(options.limit)] if options.limit else []
    command += ["--models", str(options.models.resolve())] if options.models else []

    def run(job: Job) -> tuple[Job, subprocess.CompletedProcess[str], float] | None:
        start = time.monotonic()
        if options.minutes is not None and start - began >= 60 * options.minutes:
            return None
        process = subprocess.run(
            [*command, "--job", str(job)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            cwd=ROOT,
            env={**os.environ, **limits},
        )
        return job, process, time.monotonic() - start

    with ThreadPoolExecutor(options.jobs) as pool:
        for number, future in enumerate(as_completed([pool.submit(run, job) for job in todo]), start=1):
            outcome = future.result()
            if outcome is None:
                late += 1
                continue
            job, process, seconds = outcome
            print(f"{number}/{len(todo)} {job}: {seconds:.0f} s", flush=True)
            if process.returncode:
                failed += 1
                print(f"{job} failed:\n{process.stdout[-2000:]}", flush=True)
    if late:
        print(f"no time for {late} more", flush=True)
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the remaining jobs, and make the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path("crf-work"), help="folder of results")
    parser.add_argument(
        "--models",
        type=Path,
        help="folder of the shipped models of all parts (experiments.shipped_models.pages)",
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--threads", type=int, default=1, help="threads of each process")
    parser.add_argument("--only", default=",".join(SETS), help="sets to run")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="systems to run")
    parser.add_argument("--seeds", default="1,2,3", help="random seeds to run")
    parser.add_argument(
        "--minutes", type=float, help="start no job later than this (0: only make the tables)"
    )
    parser.add_argument("--list", action="store_true", help="list the jobs and whether they are done")
    parser.add_argument("--check", action="store_true", help="run and write nothing; report outdated tables")
    parser.add_argument("--limit", type=int, help="use only the first sentences of every file, for a trial")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    store = Store(options.work, Data(options.folder, options.limit), options.models)
    if options.job:
        run_job(Job.parse(options.job), store, threads=options.threads)
        return 0
    seeds = [int(seed) for seed in options.seeds.split(",")]
    for kind, known, names in (("set", SETS, options.only), ("system", SYSTEMS, options.systems)):
        for name in names.split(","):
            if name not in known:
                parser.error(f"unknown {kind} {name!r}; expected some of {', '.join(known)}")
    every = list(jobs(options.only.split(","), options.systems.split(","), seeds))
    if options.list:
        for job in every:
            print(f"{'done' if store.has(job) else '-':5}{job}")
        print(f"{sum(map(store.has, every))} of {len(every)} done")
        return 0
    failed = 0 if options.check else run_all([job for job in every if not store.has(job)], options)
    page = PAGE.read_text("utf-8")
    for name, text in tables(store, seeds).items():
        new = replace_table(page, name, text)
        if options.check and new != page:
            print(f"{PAGE.name}: {name} is out of date")
            failed += 1
        elif not options.check:
            print(f"{name}\n{text}\n", flush=True)
            page = new
    if not options.check and not options.limit:
        PAGE.write_text(page, "utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
