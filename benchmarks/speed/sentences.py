"""One sentence per call, as in a notebook or inside another program, beside sacrebleu's chrF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sacrebleu.metrics.chrf import CHRF

from benchmarks.bench import Bench, Peer
from benchmarks.measurement import Target
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments

COUNT, FEW = 2000, 500
WANTED = {
    "kendall": 20_000,
    "fuzzy": 20_000,
    "pet_size": 20_000,
    "recpef": 20_000,
    "full": None,
    "beer": 10_000,
}


def run(bench: Bench) -> None:
    hypotheses, references, text = bench.texts.pairs(COUNT)
    chrf = Peer("sacrebleu chrF", scoring(CHRF().sentence_score, hypotheses[:FEW], references[:FEW]), FEW)
    for name, rate in WANTED.items():
        made = metric(name)
        work = scoring(made.sentence_score, hypotheses, references)
        target = Target("rate", rate) if rate else None
        bench.measure(name, work, COUNT, "calls", text=text, peer=chrf, target=target)
        segments = Segments(hypotheses, [references])
        together = made.segment_scores(made.statistics(segments)).tolist()
        pairs = zip(hypotheses, references, strict=True)
        alone = [made.sentence_score(hypothesis, [reference]).score for hypothesis, reference in pairs]
        bench.check(f"{name} of a sentence has the same bits as in a corpus", alone == together)


def scoring(score: Callable[..., Any], hypotheses: list[str], references: list[str]) -> Callable[[], object]:
    """Return the work of scoring sentences one by one."""
    return lambda: [score(h, [r]) for h, r in zip(hypotheses, references, strict=True)]
