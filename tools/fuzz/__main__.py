"""Run targets, print a table, and save what goes wrong.

python -m tools.fuzz --minutes 1                    # CPU minutes for every target
python -m tools.fuzz --minutes 10 --target aligner  # one target, or several
python -m tools.fuzz --cases 20                     # a few cases of every target
python -m tools.fuzz --minutes 10 --record          # and add the figures to those of earlier runs
python -m tools.fuzz --replay build/fuzz/aligner-12 # a finding again
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from tools.fuzz.record import record
from tools.fuzz.runner import Finding, fuzz, replay
from tools.fuzz.target import Target, read_files, write_files
from tools.fuzz.targets import targets

FILES, TEXT = "files", "finding.txt"


def main(arguments: list[str] | None = None) -> int:
    """Return 1 if there is a finding."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz", description="Fuzz readers, loaders and kernels."
    )
    parser.add_argument("--minutes", type=float, default=1.0, help="CPU minutes for each target (default: 1)")
    parser.add_argument("--cases", type=int, help="cases of each target, instead of minutes")
    parser.add_argument(
        "--target", action="append", help="target, or the beginning of its name; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--record", action="store_true", help="add the figures to the table of reliability.md"
    )
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="folder of findings")
    parser.add_argument("--replay", type=Path, help="folder of one finding, to try again")
    parser.add_argument("--list", action="store_true", help="list the targets")
    options = parser.parse_args(arguments)
    known = targets()
    if options.list:
        print("\n".join(known))
        return 0
    if options.replay:
        finding = replay(known[options.replay.name.rpartition("-")[0]], read_files(options.replay / FILES))
        print(finding.details if finding else "nothing is wrong")
        return 1 if finding else 0
    chosen = [name for name in known if not options.target or name.startswith(tuple(options.target))]
    if not chosen:
        parser.error(f"no target {options.target[0]}; known: {', '.join(known)}")
    print(f"{'target':<28} {'cases':>9} {'CPU s':>8} {'slowest':>8} {'findings':>8}", flush=True)
    total = 0
    for name in chosen:
        cpu = float("inf") if options.cases else 60 * options.minutes
        result = fuzz(known[name], seed=options.seed, cpu=cpu, cases=options.cases)
        count = len(result.findings)
        total += count
        print(
            f"{name:<28} {result.cases:>9,} {result.cpu:>8.1f} {result.slowest:>8.2f} {count:>8}", flush=True
        )
        if options.record:
            record(result, options.seed)
        for finding in result.findings.values():
            folder = _save(known[name], options.seed, finding, options.out)
            print(f"  {finding.kind} at {finding.place}: {folder}", flush=True)
    return 1 if total else 0


def _save(target: Target, seed: int, finding: Finding, out: Path) -> Path:
    """Write the files of a finding, what happened, and how to try it again."""
    folder = out / f"{target.name}-{finding.number}"
    shutil.rmtree(folder, ignore_errors=True)
    write_files(folder / FILES, target.case(seed, finding.number))
    command = f"python -m tools.fuzz --replay {folder}"
    text = f"{finding.kind} at {finding.place}\n{command}\n\n{finding.details}\n"
    (folder / TEXT).write_text(text, encoding="utf-8", errors="replace")
    return folder


if __name__ == "__main__":
    sys.exit(main())
