"""RIBES as NLTK computes it, sentence by sentence."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

from experiments.interoperability.comparison import Comparison, installed
from wordorder.data import sample
from wordorder.judge.read import read_sets
from wordorder.metrics import metric
from wordorder.metrics.segments import Segments

COMMAND = "python -m experiments.interoperability nltk"
EVERY = 20  # of the outputs of real systems
CLOSE = "within 1e-12"
ONE_WORD = "NLTK gives 0 where one word is matched, NTT's program counts it if the reference has no other"
SIDE = "where the contexts on both sides are unique, NTT's program takes the left one, NLTK the right one"


def comparisons(data: Path | None) -> Iterator[Comparison]:
    """Compare RIBES on the sample and, if there are judgments among the data, on real outputs."""
    version = installed("nltk")
    if version is None:
        raise LookupError("needs NLTK: pip install nltk")
    references = sample("reference.txt").read_text("utf-8").splitlines()
    pairs = [
        pair
        for name in ("system-a", "system-b")
        for pair in zip(sample(f"{name}.txt").read_text("utf-8").splitlines(), references, strict=True)
    ]
    equal = [abs(ours - theirs) < 1e-12 for ours, theirs in ribes(pairs)]
    yield _row(version, "RIBES of the sentences of the sample", equal, f"{CLOSE}; {ONE_WORD}", COMMAND)
    folder = data / "judgments" / "wmt13-rr" if data else None
    if folder is not None and folder.is_dir():
        real = [
            (text, one.references[0][segment])
            for one in read_sets([str(folder)], pairs=["de-en"])
            for text, segment in zip(one.outputs, one.item_segment.tolist(), strict=True)
            if text
        ][::EVERY]
        equal = [abs(ours - theirs) < 1e-12 for ours, theirs in ribes(real)]
        compared = f"RIBES of WMT13 de-en, every {EVERY}th output"
        yield _row(version, compared, equal, f"{CLOSE}; {ONE_WORD}; {SIDE}", f"{COMMAND} --data DATA")


def ribes(pairs: list[tuple[str, str]]) -> Iterator[tuple[float, float]]:
    """Yield our score and NLTK's of each sentence."""
    sentence_ribes = importlib.import_module("nltk.translate.ribes_score").sentence_ribes
    made = metric("ribes")
    ours = made.segment_scores(made.statistics(Segments([h for h, _ in pairs], [[r for _, r in pairs]])))
    for (hypothesis, reference), score in zip(pairs, ours.tolist(), strict=True):
        yield score, sentence_ribes([reference.lower().split()], hypothesis.lower().split())


def _row(version: str, compared: str, equal: list[bool], how: str, command: str) -> Comparison:
    return Comparison(
        program="NLTK", version=version, compared=compared, cases=len(equal), equal=sum(equal), how=how,
        command=command,
    )  # fmt: skip
