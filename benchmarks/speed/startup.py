"""Commands on next to nothing: what it costs to start."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.bench import Bench, Peer
from benchmarks.measurement import Target
from benchmarks.stopwatch import Command, wordorder
from benchmarks.texts import Text
from wordorder.data import sample
from wordorder.metrics.registry import metric

QUICK = 0.15  # CPU seconds for a score on next to nothing
SACREBLEU = [sys.executable, "-m", "sacrebleu"]


def run(bench: Bench) -> None:
    nothing = Text("none", "No text")
    peer = Peer("sacrebleu --help", Command([*SACREBLEU, "--help"]))
    bench.measure("wordorder --help", wordorder("--help"), 1, "runs", text=nothing, peer=peer)

    # The least that there is: the interpreter with numpy, which all scores need.
    numpy = Peer("import numpy", Command([sys.executable, "-c", "import numpy"]))
    bench.measure(
        "import wordorder",
        Command([sys.executable, "-c", "import wordorder"]),
        1,
        "runs",
        text=nothing,
        peer=numpy,
    )
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("system-a.txt", "reference.txt")]
        for path in paths:
            first = sample(path.name).read_text(encoding="utf-8").splitlines()[0]
            path.write_text(first + "\n", encoding="utf-8")
        one = Text("sample, 1 pair", "The first pair of the bundled sample")
        for name in ("kendall", "recpef", "beer"):
            bench.measure(
                f"score -m {name}, one sentence", wordorder("score", "-r", paths[1], paths[0], "-m", name), 1,
                "runs", text=one, peer=numpy, target=None if name == "beer" else Target("rate", 1 / QUICK),
            )  # fmt: skip

    hypotheses, reference = sample("system-a.txt"), sample("reference.txt")
    text = Text("sample, 20 pairs", "20 pairs of the bundled sample, 7.1 words on average, 9 at most")
    theirs = [*SACREBLEU, str(reference), "-i", str(hypotheses), "-m", "bleu"]
    ours = wordorder("score", "-r", reference, hypotheses, "-m", "bleu", "--samples", 0)
    bench.measure(
        "score -m bleu", ours, 1, "runs", text=text, peer=Peer("sacrebleu -m bleu", Command(theirs))
    )

    ours = wordorder("score", "-r", reference, hypotheses, "-m", "kendall")
    theirs_chrf = [*SACREBLEU, str(reference), "-i", str(hypotheses), "-m", "chrf"]
    bench.measure(
        "score -m kendall", ours, 1, "runs", text=text, peer=Peer("sacrebleu -m chrf", Command(theirs_chrf)),
        target=Target("rate", 1 / QUICK),
    )  # fmt: skip
    bench.measure(
        "score", wordorder("score", "-r", reference, hypotheses), 1, "runs", text=text,
        peer=Peer("sacrebleu -m chrf", Command(theirs_chrf)), target=Target("rate", 1 / QUICK),
    )  # fmt: skip

    told = subprocess.run([*theirs, "-b", "-w", "6"], capture_output=True, text=True, check=True).stdout
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (hypotheses, reference)]
    score = metric("bleu").corpus_score(lines[0], [lines[1]]).score
    bench.check("BLEU of the sample is sacrebleu's", abs(float(told) - score) < 1e-5)
