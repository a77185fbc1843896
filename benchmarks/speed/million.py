"""The command ``score`` on a million pairs: its memory must not grow with the text."""

from __future__ import annotations

import tempfile
from itertools import cycle, islice
from pathlib import Path

from benchmarks.bench import Bench, Peer
from benchmarks.measurement import Target
from benchmarks.peers import sacrebleu_score
from benchmarks.stopwatch import wordorder
from benchmarks.texts import Text

COUNT = 1_000_000
MEGABYTES = 1000.0
FEW = 4000


def run(bench: Bench) -> None:
    hypotheses, references, source = bench.texts.pairs(100_000)
    text = Text(f"{source.name}, repeated to {COUNT:,}", source.description)
    peer = Peer("sacrebleu chrF", lambda: sacrebleu_score("chrf", hypotheses[:FEW], references[:FEW]), FEW)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("hypotheses", "references")]
        for path, lines in zip(paths, (hypotheses, references), strict=True):
            with path.open("w", encoding="utf-8") as out:
                out.writelines(" ".join(line.splitlines()) + "\n" for line in islice(cycle(lines), COUNT))
        command = wordorder(
            "score", "-r", paths[1], paths[0], "-m", "kendall,fuzzy,recpef,full", "--samples", 0, "--quiet"
        )
        bench.measure(
            "score -m kendall,fuzzy,recpef,full", command, COUNT, "pairs", text=text, peer=peer,
            target=Target("megabytes", MEGABYTES),
        )  # fmt: skip
