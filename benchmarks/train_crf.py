"""Train the neural forest CRF, several seeds and settings at once, on a machine with a GPU.

    python benchmarks/crf_data.py FOLDER bundle.npz
    python3 benchmarks/train_crf.py --bundle bundle.npz --out OUT [--plan full] [--minutes 8.5]

The second needs torch, numpy and safetensors, and not the package. Every *line* of the plan is a process of
its own: a round of pretraining on automatic links (or none), then from there one fine-tuning for each task.
Then the posteriors of all seeds are averaged, and students learn from the average on unlinked text. Rounds
end when their share of the time is over, with the learning rate down by then. Writes
``results.json``, ``log.txt`` and the models of tasks that say ``keep`` into OUT.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import types as python_types
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file

HERE = Path(__file__).resolve().parent
# The modules of the network, without the package around them, which may not be built here.
for _name in ("wordorder", "wordorder.preorder", "wordorder.preorder.crf"):
    _module = sys.modules[_name] = python_types.ModuleType(_name)
    _module.__path__ = [str(HERE.parent / "src" / _name.replace(".", "/"))]
sys.path.insert(0, str(HERE))

from crf_data import score_orders, unpack  # noqa: E402
from crf_plan import PLANS  # noqa: E402

from wordorder.preorder.crf.charts import consensus, edges_of  # noqa: E402
from wordorder.preorder.crf.lexicon import Lexicon, Types  # noqa: E402
from wordorder.preorder.crf.masked import learn_to_read  # noqa: E402
from wordorder.preorder.crf.network import EdgeScorer, Shape  # noqa: E402
from wordorder.preorder.crf.training import (  # noqa: E402
    Batcher,
    Example,
    Stage,
    forest_loss,
    inversions,
    mixture_loss,
    pair_signs,
    train,
)

CONTEXTS = 1500  # frequent words whose places around a word make its first vector


class Bench:
    """The data, the vocabulary and the first vectors of words, as every process sees them."""

    def __init__(self, bundle: Path, device: str, limit: int | None, buckets: int, most: int) -> None:
        self.sets = unpack(bundle, limit)
        self.device = device
        # The vocabulary and the vectors are made of text that nothing is tested on.
        self.raw = [
            one for one in self.sets.values() if not one.manual and not one.name.startswith("pud")
        ] + [self.sets["kftt-dev"]]
        self.lexicon = Lexicon.of(
            (words for one in self.raw for words in one.words), least=2, most=most, buckets=buckets
        )
        self.types = Types.of(
            self.lexicon, (word for one in self.sets.values() for words in one.words for word in words)
        )
        self.batcher = Batcher(self.types, device)

    def examples(self, name: str, places: Iterable[int] | None, strength: float, line: dict) -> list[Example]:
        """Sentences of a set; the target language is told where the line knows several."""
        one = self.sets[name]
        known = line.get("languages") or [one.language]
        tag = known.index(one.language) if one.language in known else None
        stay, attach = line.get("stay", 0.1), line.get("attach", True)
        return [
            Example(
                self.types.encode(one.words[s]),
                pair_signs(one.links[s], len(one.words[s]), stay, attach=attach),
                s % len(known) if tag is None else tag,  # raw text is read for any language
                strength,
            )
            for s in (range(len(one)) if places is None else places)
            if one.words[s]
        ]

    def vectors(self, size: int) -> np.ndarray:
        """First vectors of words: singular vectors of how often frequent words stand around them."""
        numbers = self.lexicon.numbers
        rows = len(self.lexicon)
        parts = []
        stream = np.concatenate(
            [
                np.array([1, *(numbers.get(w.lower(), 0) for w in words), 2, 2])
                for one in self.raw
                for words in one.words
            ]
        )
        for away in (-2, -1, 1, 2):
            left, right = (stream[:-away], stream[away:]) if away > 0 else (stream[-away:], stream[:away])
            near = right < CONTEXTS
            counts = np.bincount(left[near] * CONTEXTS + right[near], minlength=rows * CONTEXTS)
            parts.append(torch.from_numpy(counts.astype(np.float32)).view(rows, CONTEXTS).to(self.device))
        table = torch.cat(parts, dim=1)
        each = table.sum(1, keepdim=True).clamp(min=1)
        smooth = table.sum(0, keepdim=True).clamp(min=1) ** 0.75
        table = torch.log((table / each) / (smooth / smooth.sum()) + 1e-12).clamp(min=0)
        torch.manual_seed(0)
        u, s, _ = torch.svd_lowrank(table, q=min(size + 16, rows), niter=4)
        found = (u * s.sqrt())[:, :size].cpu().numpy()
        wide = np.zeros((rows, size), dtype=np.float32)
        wide[:, : found.shape[1]] = found * (0.3 / max(float(found.std()), 1e-9))
        return wide

    def network(self, line: dict, vectors: np.ndarray | None) -> EdgeScorer:
        shape = Shape(
            words=len(self.lexicon),
            buckets=self.lexicon.buckets,
            languages=len(line.get("languages") or ["any"]),
            **line.get("shape", {}),
        )
        torch.manual_seed(line["seed"])
        made = EdgeScorer(shape, dropout=line.get("dropout", 0.5), word_dropout=line.get("word_dropout", 0.1))
        if vectors is not None and line.get("vectors", True):
            with torch.no_grad():
                made.word.weight.copy_(torch.from_numpy(vectors[:, : shape.word_size]))
        return made.to(self.device)


def save_network(model: EdgeScorer, bench: Bench, path: Path, facts: dict, *, half: bool = True) -> None:
    arrays = {name: p.detach().float().cpu().numpy() for name, p in model.named_parameters()}
    if half:
        arrays = {name: array.astype(np.float16) for name, array in arrays.items()}
    about = {
        "shape": asdict(model.shape),
        **facts,
    }
    save_file({**arrays, **bench.lexicon.arrays()}, str(path), {"crf": json.dumps(about)})


def load_network(model: EdgeScorer, path: Path) -> EdgeScorer:
    arrays = load_file(str(path))
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(torch.from_numpy(arrays[name].astype(np.float32)))
    return model


def run_line(bench: Bench, line: dict, scratch: Path) -> None:
    """One process: pretraining, then every task from there."""
    began = time.time()
    name = f"{line['name']}.{line['seed']}"

    def tell(record: dict) -> None:
        print(json.dumps({"line": name, "at": round(time.time() - line["start"], 1), **record}), flush=True)

    vectors = np.load(scratch / "vectors.npy")
    model = bench.network(line, vectors)
    if line.get("from"):
        load_network(model, scratch / f"{line['from']}.start.safetensors")
    until = line["start"] + line["pretrain_until"]
    if line.get("read"):
        text = [one for given in bench.raw for one in bench.examples(given.name, None, 0.0, line)]
        learn_to_read(
            model, bench.batcher, text, passes=line["read"], seed=line["seed"], until=until, log=tell
        )
    pick = [
        one
        for given, strength in line.get("pretrain", [])
        for one in bench.examples(given, None, strength, line)
    ]
    if pick:
        teachers = [
            load_network(bench.network({**line, **teacher["line"]}, None), scratch / teacher["file"]).eval()
            for teacher in line.get("teachers", [])
        ]
        tell({"pretrain": len(pick), "ready": round(time.time() - began, 1)})
        train(
            model,
            bench.batcher,
            pick,
            Stage(**line["stage"]),
            seed=line["seed"],
            loss=(lambda scores, batch: mixture_loss(scores, batch, teachers)) if teachers else forest_loss,
            until=until,
            log=tell,
        )
    save_network(model, bench, scratch / f"{name}.start.safetensors", {}, half=False)
    for number, task in enumerate(line["tasks"]):
        run_task(bench, {**line, **task}, scratch, f"{name}.{task['task']}", tell, number)


def run_task(bench: Bench, task: dict, scratch: Path, name: str, tell: object, number: int) -> None:
    """Fine-tune on manual links, leaving a fold of documents out where the task says so; then test."""
    now = time.time()
    end = task["start"] + task["tasks_until"]
    share = (end - now) / max(1, len(task["tasks"]) - number) if end > now else 1.0
    model = bench.network(task, None)
    load_network(model, scratch / f"{task['name']}.{task['seed']}.start.safetensors")
    fold = task.get("fold")  # [number, of]: left out of training wherever a set is tested on
    pick: list[Example] = []
    for given, strength in task.get("manual", []):
        one = bench.sets[given]
        tested = fold is not None and any(test.split("-")[0] == given.split("-")[0] for test in task["test"])
        places = one.fold(*fold, inside=False) if tested else list(range(len(one)))
        pick += bench.examples(given, places, strength, task)
    if pick:
        train(
            model,
            bench.batcher,
            pick,
            Stage(**task["fine"]),
            seed=task["seed"] + 1000,
            until=now + share,
            log=None if number else tell,  # type: ignore[arg-type]
        )
    tables: dict[str, np.ndarray] = {}
    for given in task["test"]:
        one = bench.sets[given]
        places = one.fold(*fold, inside=True) if fold is not None else list(range(len(one)))
        if not places:
            continue
        examples = bench.examples(given, places, 0.0, task)
        found = inversions(model, bench.batcher, examples)
        tables[f"{given}.places"] = np.array([s for s in places if one.words[s]], dtype=np.int64)
        tables[f"{given}.table"] = np.concatenate([table.ravel() for table in found]).astype(np.float32)
    np.savez(scratch / f"{name}.npz", **tables)
    save_network(model, bench, scratch / f"{name}.safetensors", {"name": name}, half=False)
    tell({"task": task["task"], "sentences": len(pick), "seconds": round(time.time() - now, 1)})  # type: ignore[operator]


def read_tables(bench: Bench, path: Path) -> dict[str, dict[int, np.ndarray]]:
    found: dict[str, dict[int, np.ndarray]] = {}
    with np.load(path) as arrays:
        for key in arrays:
            if not key.endswith(".places"):
                continue
            given = key.removesuffix(".places")
            flat, at = arrays[f"{given}.table"], 0
            found[given] = {}
            for s in arrays[key].tolist():
                n = len(bench.sets[given].words[s])
                found[given][s] = flat[at : at + n * n].reshape(n, n)
                at += n * n
    return found


def decode(tables: dict[int, np.ndarray], device: str) -> tuple[list[int], list[list[int]]]:
    places = sorted(tables, key=lambda s: len(tables[s]))
    orders: list[list[int]] = []
    for at in range(0, len(places), 64):
        some = [tables[s] for s in places[at : at + 64]]
        n = max(len(table) for table in some)
        padded = np.zeros((len(some), n, n), dtype=np.float32)
        for row, table in enumerate(some):
            padded[row, : len(table), : len(table)] = table
        sizes = torch.tensor([len(table) for table in some])
        orders += consensus(torch.from_numpy(padded).to(device), sizes, edges_of(n, device))
    return places, orders


def evaluate(bench: Bench, plan: list[dict], scratch: Path) -> list[dict]:
    """Scores of each seed and of the average of seeds, by line, group of tasks (folds together) and set."""
    predictions: dict[tuple[str, str, str], dict[int, dict[int, np.ndarray]]] = {}
    for line in plan:
        for task in line["tasks"]:
            path = scratch / f"{line['name']}.{line['seed']}.{task['task']}.npz"
            if path.exists():
                for given, tables in read_tables(bench, path).items():
                    key = line.get("system", line["name"]), task.get("group", task["task"]), given
                    predictions.setdefault(key, {}).setdefault(line["seed"], {}).update(tables)
    rows = []
    for (name, group, given), seeds in sorted(predictions.items()):
        common = set.intersection(*(set(tables) for tables in seeds.values()))
        mean = {s: np.mean([tables[s] for tables in seeds.values()], axis=0) for s in common}
        still = {s: np.zeros_like(table) for s, table in mean.items()}
        for system, tables in [
            ("identity", still),
            *((f"seed {k}", seeds[k]) for k in seeds),
            ("mean", mean),
        ]:
            places, orders = decode(tables, bench.device)
            scores = score_orders(bench.sets[given], places, orders)
            rows.append({"line": name, "group": group, "set": given, "system": system, **scores})
    return rows


def show(rows: list[dict]) -> None:
    """One row for each line, group and set: no reordering, mean and spread of seeds, the average's scores."""
    head = ("line", "group", "set", "used", "identity", "seeds: tau", "frs", "ensemble")
    print("{:10} {:14} {:13} {:>5}  {:15}  {:22}  {:22}  {}".format(*head))
    keys = sorted({(row["line"], row["group"], row["set"]) for row in rows})
    for key in keys:
        own = [row for row in rows if (row["line"], row["group"], row["set"]) == key]
        by = {row["system"]: row for row in own}
        seeds = [row for row in own if row["system"].startswith("seed")]
        tau, frs = ([row[score] for row in seeds] for score in ("tau", "frs"))
        cells = [f"{np.mean(x):.4f} ({min(x):.4f}-{max(x):.4f})" for x in (tau, frs)]
        still, mean = by["identity"], by["mean"]
        print(
            f"{key[0]:10} {key[1]:14} {key[2]:13} {mean['used']:5}  {still['tau']:.4f} / {still['frs']:.4f}"
            f"  {cells[0]:22}  {cells[1]:22}  {mean['tau']:.4f} / {mean['frs']:.4f}"
        )
    sys.stdout.flush()


def spawn(lines: list[dict], scratch: Path, given: argparse.Namespace, log: Path, until: float) -> None:
    """Run lines as processes, so many at a time; what is late is ended."""
    waiting, running = list(lines), []
    while waiting or running:
        while waiting and len(running) < given.processes:
            line = waiting.pop(0)
            path = scratch / f"line.{line['name']}.{line['seed']}.json"
            path.write_text(json.dumps(line))
            command = [sys.executable, __file__, "--bundle", str(given.bundle), "--line", str(path)]
            command += ["--device", given.device, "--words", str(given.words), "--scratch", str(scratch)]
            command += ["--limit", str(given.limit)] if given.limit else []
            with log.open("a") as out:
                environment = {**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
                running.append(
                    subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
                )
        time.sleep(0.2)
        for process in list(running):
            if process.poll() is not None:
                running.remove(process)
                if process.returncode:
                    print(f"a line failed ({process.returncode}):\n{log.read_text()[-3000:]}", flush=True)
        if time.time() > until:
            for process in running:
                process.kill()
            print(f"out of time: {len(running)} running, {len(waiting)} waiting", flush=True)
            return


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plan", choices=sorted(PLANS), default="full")
    parser.add_argument("--minutes", type=float, default=8.5)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--words", type=int, default=12_000, help="of the vocabulary")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seeds", type=int, default=100, help="of each line at most")
    parser.add_argument("--limit", type=int, help="first sentences of each set, to try things out")
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--line", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    start = time.time()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    bench = Bench(given.bundle, given.device, given.limit, 8192, given.words)
    if given.line:
        run_line(bench, json.loads(given.line.read_text()), given.scratch)
        return
    given.out.mkdir(parents=True, exist_ok=True)
    log = given.out / "log.txt"
    log.write_text("")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        np.save(scratch / "vectors.npy", bench.vectors(128))
        print(
            f"{len(bench.lexicon)} words, {len(bench.types.numbers)} types, {time.time() - start:.0f} s",
            flush=True,
        )
        rows: list[dict] = []
        for plan in PLANS[given.plan](start, 60 * given.minutes):
            plan = [line for line in plan if line["seed"] <= given.seeds]
            for line in plan:  # a student's teachers are models of an earlier round
                if "teachers" in line:
                    line["teachers"] = [one for one in line["teachers"] if (scratch / one["file"]).exists()]
            plan = [line for line in plan if line.get("teachers", True)]
            if not plan:
                continue
            spawn(plan, scratch, given, log, start + max(line["tasks_until"] for line in plan) + 30)
            rows += (found := evaluate(bench, plan, scratch))
            show(found)
            (given.out / "results.json").write_text(json.dumps(rows, indent=0))
            for line in plan:
                for task in line["tasks"]:
                    made = scratch / f"{line['name']}.{line['seed']}.{task['task']}.safetensors"
                    if task.get("keep") and made.exists():
                        model = load_network(bench.network(line, None), made)
                        facts = {"name": line["name"], "seed": line["seed"], "task": task["task"]}
                        facts["languages"] = line.get("languages", [])
                        save_network(model, bench, given.out / made.name, facts)
            print(f"{time.time() - start:.0f} s", flush=True)
    if given.device == "cuda":
        print(torch.cuda.get_device_name(), f"{time.time() - start:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
