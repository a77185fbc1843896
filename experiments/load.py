"""Run the toolkit on large corpora, kill it, resume it, and compare.

    python -m experiments.load score DATA FOLDER --pairs 20000000
    python -m experiments.load align DATA FOLDER --pairs 1000000
    python -m experiments.load preorder DATA FOLDER --pairs 1000000
    python -m experiments.load cluster DATA FOLDER --pairs 1000000
    python -m experiments.load page

DATA is a folder with judgments and parallel text. Texts are repeated until there are enough pairs: shards
are hard links to the same files. FOLDER receives shards and results, and needs about 500 bytes per pair. A
command runs once without interruption and once with kills at random moments; both must leave the same files.
Rates are those of the first run, and for scores also those of sacrebleu on a part of the same text. --keep
keeps the figures beside this file, from which ``page`` writes the tables of docs/results/load.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.stopwatch import wait_for
from benchmarks.texts import judged_pairs
from tools.pages import DOCS, markdown_table, replace_table, write_pages
from wordorder.engine.shard_folder import content_of

COMMAND = [sys.executable, "-c", "from wordorder.cli.main import main; main()"]
SHARDS = {"score": 200_000, "align": 200_000, "preorder": 20_000, "cluster": 20_000}  # pairs in each
KILLS = 10
PEER = 20_000  # pairs that sacrebleu scores
KEPT = Path(__file__).with_name("load.json")
VERBS = {"score": "score", "align": "align --model", "preorder": "preorder apply --model en-ja-crf"}
BILLION, CORES, PRICE = 10**9, 16, 0.04


@dataclass(frozen=True)
class Run:
    """What a command took."""

    wall: float
    cpu: float
    memory: int  # of the largest process, bytes


def main() -> None:
    """Run one of the experiments, and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("what", choices=["score", "align", "preorder", "cluster", "page"])
    parser.add_argument("data", type=Path, nargs="?", default=Path())
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=12345)
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    if chosen.what == "page":
        write_page()
        return
    chosen.folder.mkdir(parents=True, exist_ok=True)
    figures = {"what": chosen.what, "pairs": chosen.pairs, "cores": len(os.sched_getaffinity(0))}
    if chosen.what == "cluster":
        figures |= on_a_cluster(chosen.data, chosen.folder, chosen.pairs)
    else:
        figures |= killed_and_resumed(chosen.what, chosen.data, chosen.folder, chosen.pairs, chosen.seed)
    print(json.dumps(figures, indent=2))
    if chosen.keep:
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        KEPT.write_text(json.dumps({**kept, chosen.what: figures}, indent=2) + "\n")


def killed_and_resumed(what: str, data: Path, folder: Path, pairs: int, seed: int) -> dict[str, object]:
    """Run a command with and without kills."""
    shards = make_shards(what, data, folder, pairs, SHARDS[what])
    peer = sacrebleu_rate(shards) if what == "score" else None
    whole = run([*COMMAND, *arguments(what, folder, "whole")])
    rng = random.Random(seed)
    killed = 0
    for _ in range(KILLS):
        moment = rng.uniform(0.1, 1.2) * whole.wall / KILLS
        killed += stop_after(moment, [*COMMAND, *arguments(what, folder, "killed"), "--resume"])
    run([*COMMAND, *arguments(what, folder, "killed"), "--resume"])
    same = content(folder, "whole") == content(folder, "killed")
    figures: dict[str, object] = {
        "seconds": round(whole.wall, 1),
        "cpu_seconds": round(whole.cpu, 1),
        "pairs_per_cpu_second": round(pairs / whole.cpu),
        "memory_mb": round(whole.memory / 1e6),
        "output_bytes_per_pair": round(size_of(folder / "whole") / pairs, 1),
        "kills": killed,
        "identical": same,
    }
    if peer:
        figures |= {f"{name}_pairs_per_cpu_second": round(rate) for name, rate in peer.items()}
    if not same:
        raise SystemExit(f"the results differ: {folder}/whole, {folder}/killed")
    return figures


def on_a_cluster(data: Path, folder: Path, pairs: int) -> dict[str, object]:
    """Score on threads, on two processes, and on two processes of which one is killed."""
    make_shards("score", data, folder, pairs, SHARDS["cluster"])
    base = arguments("score", folder, "threads")
    threads = run([*COMMAND, *base])
    both = run([*COMMAND, *arguments("score", folder, "cluster"), "--cluster", "local:2"])
    command = [*COMMAND, *arguments("score", folder, "killed"), "--cluster", "local:2"]
    running = subprocess.Popen(command)
    while len(list((folder / "killed").glob("*.npy"))) < 3 and running.poll() is None:
        time.sleep(0.05)
    victim = workers_of(running.pid)[0]
    os.kill(victim, signal.SIGKILL)
    if running.wait():
        raise SystemExit("the command failed without its worker")
    contents = [content(folder, name) for name in ("threads", "cluster", "killed")]
    return {
        "threads_seconds": round(threads.wall, 1),
        "threads_cpu_seconds": round(threads.cpu, 1),
        "cluster_seconds": round(both.wall, 1),
        "cluster_cpu_seconds": round(both.cpu, 1),
        "overhead_wall": round(both.wall / threads.wall - 1, 3),
        "overhead_cpu": round(both.cpu / threads.cpu - 1, 3),
        "workers_killed": 1,
        "identical": contents[0] == contents[1] == contents[2],
    }


def make_shards(what: str, data: Path, folder: Path, pairs: int, size: int) -> Path:
    """Make shards of the text for a command."""
    base = folder / "base"
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir()
    if what == "score":
        both = list(islice(judged_pairs(data / "judgments"), size))
        sides = {"system": [pair[0] for pair in both], "reference": [pair[1] for pair in both]}
    else:
        text = data / "parallel" / {"align": "kftt30k", "preorder": "tatoeba"}[what] / "en-ja"
        sides = {side: list(repeated(text, side, size)) for side in ("en", "ja")}
    for side, lines in sides.items():
        (base / side).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        shutil.rmtree(folder / side, ignore_errors=True)
        (folder / side).mkdir()
        for k in range(pairs // size):
            os.link(base / side, folder / side / f"part-{k:05d}.txt")
    for name in ("whole", "killed", "threads", "cluster"):
        shutil.rmtree(folder / name, ignore_errors=True)
    if what == "align":
        model = ["align", "-s", str(base / "en"), "-t", str(base / "ja"), "--save-model", str(base / "model")]
        shorten(base, 30_000)
        subprocess.run([*COMMAND, *model, "-o", os.devnull], check=True)
    return base


def shorten(base: Path, lines: int) -> None:
    """Keep the first lines of the base text, which are enough to train an aligner."""
    for side in ("en", "ja"):
        with open(base / side, encoding="utf-8") as text:
            kept = [next(text) for _ in range(lines)]
        (base / side).unlink()  # the shards are links to it
        (base / side).write_text("".join(kept), encoding="utf-8")


def repeated(folder: Path, side: str, count: int) -> Iterator[str]:
    """Yield lines of the packed texts of a folder, from the beginning again if there are too few."""
    lines: list[str] = []
    for path in sorted(folder.glob(f"*.{side}.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as text:
            lines += text.read().rstrip("\n").split("\n")
    for k in range(count):
        yield lines[k % len(lines)]


def arguments(what: str, folder: Path, name: str) -> list[str]:
    """Return the arguments of a command that writes to a folder of this name."""
    out = str(folder / name)
    if what == "score":
        files = ["-r", str(folder / "reference"), str(folder / "system")]
        return ["score", *files, "-q", "--folder", out, "-f", "json", "-o", f"{out}.json"]
    if what == "align":
        texts = ["-s", str(folder / "en"), "-t", str(folder / "ja")]
        return ["align", *texts, "-q", "--model", str(folder / "base" / "model"), "-o", out]
    return ["preorder", "apply", "--model", "en-ja-crf", "-s", str(folder / "en"), "-q", "-o", out]


def run(command: Sequence[str]) -> Run:
    """Run a command and measure it, with the processes that it starts."""
    began = time.monotonic()
    process = subprocess.Popen(command)
    used = wait_for(process)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Run(time.monotonic() - began, used.cpu_seconds, round(used.megabytes * 2**20))


def stop_after(seconds: float, command: Sequence[str]) -> bool:
    """Run a command and kill it; return whether it was still running."""
    process = subprocess.Popen(command)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    return False


def content(folder: Path, name: str) -> dict[str, str]:
    """Return the contents of all results, by name."""
    files = [path for path in (folder / name).rglob("*") if path.is_file() and path.name != ".lock"]
    found = {str(path.relative_to(folder / name)): content_of(str(path)) for path in files}
    table = folder / f"{name}.json"
    return {**found, "table": content_of(str(table))} if table.exists() else found


def size_of(folder: Path) -> int:
    """Return the bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def write_page() -> None:
    """Write the tables of the page from the kept figures."""
    kept = json.loads(KEPT.read_text())
    page = DOCS / "results" / "load.md"
    text = replace_table(page.read_text("utf-8"), "load", load_table(kept))
    write_pages({page: replace_table(text, "plan", plan_table(kept))})


def load_table(kept: dict[str, dict[str, float]]) -> str:
    """Return what was run, and how fast it was."""
    rows: list[list[object]] = [
        [
            "command",
            "pairs",
            "time",
            "CPU time",
            "pairs per CPU second",
            "memory",
            "killed and resumed",
            "result",
        ]
    ]
    for name, one in ((name, kept[name]) for name in VERBS if name in kept):
        rows.append([
            f"`{VERBS[name]}`", f"{one['pairs']:,}", f"{one['seconds'] / 60:.1f} min",
            f"{one['cpu_seconds'] / 60:.1f} min", f"{one['pairs_per_cpu_second']:,}",
            f"{one['memory_mb']:.0f} MB", f"{one['kills']:.0f}",
            "identical" if one["identical"] else "different",
        ])  # fmt: skip
    notes = []
    if "score" in kept:
        rates = [f"{kept['score'][f'sacrebleu_{name}_pairs_per_cpu_second']:,}" for name in ("bleu", "chrf")]
        notes.append(
            "`score` computes its six default metrics, with intervals. In the same run, sacrebleu scored "
            f"{rates[0]} pairs per CPU second with BLEU and {rates[1]} with chrF, without intervals."
        )
    if "cluster" in kept:
        one = kept["cluster"]
        notes.append(
            f"`score` of {one['pairs']:,} pairs on two processes of a local Dask cluster took "
            f"{100 * one['overhead_cpu']:+.0f} % CPU time and {100 * one['overhead_wall']:+.0f} % time "
            "compared with threads. With one of the two killed in mid-run, the result was "
            f"{'identical' if one['identical'] else 'different'}."
        )
    return "\n\n".join([markdown_table(rows), *notes])


def plan_table(kept: dict[str, dict[str, float]]) -> str:
    """Return what a billion pairs would take at the measured rates."""
    rows: list[list[object]] = [
        [
            "command",
            "core hours",
            f"hours on {CORES} cores",
            "memory per worker",
            "output",
            f"cost at ${PRICE} per core hour",
        ]
    ]
    for name, one in ((name, kept[name]) for name in VERBS if name in kept):
        hours = BILLION / one["pairs_per_cpu_second"] / 3600
        rows.append([
            f"`{VERBS[name]}`", f"{hours:,.0f}", f"{hours / CORES:.1f}", f"{one['memory_mb']:.0f} MB",
            f"{one['output_bytes_per_pair'] * BILLION / 1e9:,.0f} GB", f"${hours * PRICE:,.2f}",
        ])  # fmt: skip
    return markdown_table(rows)


def sacrebleu_rate(base: Path) -> dict[str, float]:
    """Return the pairs that sacrebleu scores in a CPU second, by BLEU and by chrF."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    with open(base / "system", encoding="utf-8") as one, open(base / "reference", encoding="utf-8") as other:
        hypotheses = [next(one).rstrip("\n") for _ in range(PEER)]
        references = [next(other).rstrip("\n") for _ in range(PEER)]
    rates = {}
    for name, metric in (("sacrebleu_bleu", BLEU()), ("sacrebleu_chrf", CHRF())):
        began = time.process_time()
        metric.corpus_score(hypotheses, [references])
        rates[name] = PEER / (time.process_time() - began)
    return rates


def workers_of(parent: int) -> list[int]:
    """Return the processes of Dask workers below a process."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
            above = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if above == parent and b"spawn_main" in command:
            found.append(int(place.name))
    return sorted(found)


if __name__ == "__main__":
    main()
