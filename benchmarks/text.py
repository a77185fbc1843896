"""Speed on real translations beside sacrebleu and NLTK, everything in one run.

``python benchmarks/text.py FOLDER`` reads hypotheses and references from tables of judgments
(``*/outputs.tsv.gz`` and ``*/segments.tsv.gz``, joined on language pair, test set and segment).
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from wordorder.engine.score_texts import TextBlock, collect
from wordorder.engine.text_blocks import SEGMENTS
from wordorder.engine.threads import ordered_map
from wordorder.metrics.base import Metric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import REGISTRY, metric, metric_names
from wordorder.metrics.segments import Segments
from wordorder.report.table import text_table

# Metric, label, and pairs at most: the rate of a slow one is known after fewer.
PEERS = [
    ("bleu", "sacrebleu BLEU", 20_000),
    ("chrf", "sacrebleu chrF", 200_000),
    ("ter", "sacrebleu TER", 2_000),
    ("nltk", "nltk RIBES", 20_000),
    ("ribes", "wordorder ribes", 200_000),
    ("full", "wordorder full", 200_000),
]


def rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        head = lines.readline().rstrip("\n").split("\t")
        for line in lines:
            yield dict(zip(head, line.rstrip("\n").split("\t"), strict=True))


def pairs(folder: Path, count: int) -> tuple[list[str], list[str]]:
    """Hypotheses into English with their references."""
    hypotheses: list[str] = []
    references: list[str] = []
    for outputs in sorted(folder.glob("*/outputs.tsv.gz")):
        keys = ("lp", "testset", "segment")
        known = {
            tuple(row[k] for k in keys): row["reference"]
            for row in rows(outputs.with_name("segments.tsv.gz"))
            if row.get("reference")
        }
        for row in rows(outputs):
            reference = known.get(tuple(row[k] for k in keys))
            if row["lp"].endswith("-en") and reference:
                hypotheses.append(row["output"])
                references.append(reference)
            if len(hypotheses) == count:
                return hypotheses, references
    raise SystemExit(f"only {len(hypotheses):,} pairs under {folder}")


def seconds(metrics: list[Metric], hypotheses: list[str], references: list[str], threads: int = 1) -> float:
    """Time to score a corpus with some metrics."""
    blocks = [
        TextBlock([k + 1], [references[k : k + SEGMENTS]], [hypotheses[k : k + SEGMENTS]])
        for k in range(0, len(hypotheses), SEGMENTS)
    ]
    start = time.perf_counter()
    collect(blocks, metrics, ["system"], partial(ordered_map, threads=threads))
    return time.perf_counter() - start


def nltk_ribes(hypotheses: list[str], references: list[str]) -> float:
    """Time of NLTK's RIBES, an independent program by the same definition."""
    from nltk.translate.ribes_score import corpus_ribes

    start = time.perf_counter()
    corpus_ribes([[r.lower().split()] for r in references], [h.lower().split() for h in hypotheses])
    return time.perf_counter() - start


def ribes_agreement(hypotheses: list[str], references: list[str]) -> tuple[str, bool]:
    """Our RIBES of each pair beside NLTK's.

    Two differences are known. NLTK looks for context right before left, NTT's program left before right: both
    sides are turned round for NLTK, which changes nothing else. And one word that matches a reference
    of one word is perfect for NTT's program and 0 for NLTK: those pairs are counted apart, like
    empty lines, on which NLTK stops.
    """
    from nltk.translate.ribes_score import sentence_ribes

    made = metric("ribes")
    ours = made.segment_scores(made.statistics(Segments(hypotheses, [references])))
    equal = different = apart = 0
    for mine, hypothesis, reference in zip(ours, hypotheses, references, strict=True):
        hyp, ref = hypothesis.lower().split()[::-1], reference.lower().split()[::-1]
        if not hyp or len(ref) < 2:
            apart += 1
        elif abs(mine - sentence_ribes([ref], hyp)) > 1e-9:
            different += 1
        else:
            equal += 1
    told = f"ribes: {equal:,} pairs equal to NLTK's, {different} different (0), {apart} too short to compare"
    return told, not different


def main(folder: Path) -> list[tuple[str, bool]]:
    orders = [n for n in metric_names() if issubclass(REGISTRY.get(n), OrderingMetric)]
    ordering = [metric(name) for name in orders]
    ours = f"all {len(orders)} ordering scores"
    met: list[tuple[str, bool]] = []
    for count in (20_000, 200_000):
        hypotheses, references = pairs(folder, count)
        words = sum(len(line.split()) for line in references) / count
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        one = min(seconds(ordering, hypotheses, references) for _ in range(3))
        rates = {ours: count / one}
        for name, label, most in PEERS:
            few = min(count, most)
            texts = hypotheses[:few], references[:few]
            took = nltk_ribes(*texts) if name == "nltk" else seconds([metric(name)], *texts)
            rates[label] = few / took
        os.sched_setaffinity(0, cores)
        both = min(seconds(ordering, hypotheses, references, threads=2) for _ in range(3))
        rates[f"{ours}, two threads"] = count / both
        chrf = rates["sacrebleu chrF"]
        table = [[f"{count:,} pairs, {words:.1f} words", "pairs per second", "times chrF's rate"]]
        table += [[label, f"{rate:,.0f}", f"{rate / chrf:.1f}"] for label, rate in rates.items()]
        print(text_table(table))
        faster = rates[ours] / chrf
        met.append((f"{count:,} pairs: ordering scores {faster:.1f} times chrF's rate (10)", faster >= 10))
        met.append((f"{count:,} pairs: two threads {one / both:.2f} times one (1.7)", one / both >= 1.7))
    met.append(ribes_agreement(hypotheses[:20_000], references[:20_000]))
    met.append(million(hypotheses, references))
    return met


def million(hypotheses: list[str], references: list[str]) -> tuple[str, bool]:
    """Memory of the command on a million pairs."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "hyp.txt", Path(folder) / "ref.txt"]
        for path, lines in zip(files, (hypotheses, references), strict=True):
            with path.open("w", encoding="utf-8") as out:
                for k in range(1_000_000):
                    out.write(lines[k % len(lines)].replace("\n", " ") + "\n")
        code = (
            "import resource, subprocess, sys\n"
            "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
        )
        command = [sys.executable, "-m", "wordorder", "score", "-r", str(files[1]), str(files[0])]
        command += ["-m", "kendall,fuzzy,recpef,full", "--samples", "0"]
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
        )
        took = time.perf_counter() - start
        megabytes = int(done.stdout) / 1024
    return f"1,000,000 pairs: {megabytes:.0f} MB at most (1000), {took:.0f} s", megabytes < 1000


if __name__ == "__main__":
    for what, holds in main(Path(sys.argv[1])):
        print(f"{'met   ' if holds else 'MISSED'}  {what}")
