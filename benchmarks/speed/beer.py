"""BEER of real translations beside sacrebleu's chrF, and the longest lines that it may meet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.bench import Bench, Peer
from benchmarks.measurement import Target
from benchmarks.peers import sacrebleu_score
from benchmarks.texts import MADE_UP
from wordorder.metrics.base import Metric
from wordorder.metrics.beer.features import FeatureSet
from wordorder.metrics.beer.templates import BEER20, PLAIN, parse_templates
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments
from wordorder.text.pairs import Pairs

COUNT, FEW = 20_000, 4000
COUNTED = ("char1-6", "ngram1-4", "skip1-4", "skip1000000")
FEATURES = " ".join(f"{pieces}.{measure}" for pieces in COUNTED for measure in ("a", "b", "sf1", "sg"))
LENGTHS = "len_disbalance_char.d len_disbalance_word.d"
WANTED = {"beer": Target("rate", 80_000), "beer:version=2.0": Target("rate", 40_000)}
BESIDE_CHRF = Target("ratio", 5.0)
MODEL = "beer20-model"


def run(bench: Bench) -> None:
    hypotheses, references, text = bench.texts.pairs(COUNT)
    chrf = Peer("sacrebleu chrF", lambda: sacrebleu_score("chrf", hypotheses[:FEW], references[:FEW]), FEW)
    templates = parse_templates(f"{FEATURES} {LENGTHS}")
    plain, program = FeatureSet(templates, PLAIN), FeatureSet(templates, BEER20)
    work: dict[str, Callable[[], object]] = {
        "counts": lambda: plain.counts(Pairs.of(hypotheses, references)),
        f"{len(templates)} features": lambda: plain.matrix(hypotheses, references),
        f"{len(templates)} features as in BEER 2.0": lambda: program.matrix(hypotheses, references),
    }
    for name, each in work.items():
        bench.measure(name, each, COUNT, "pairs", text=text, peer=chrf)
    specs = {"beer": "beer"}
    model = bench.texts.data and bench.texts.data / MODEL
    if isinstance(model, Path) and model.is_dir():
        specs["beer:version=2.0"] = f"beer:version=2.0,model={model}"
    else:
        bench.skip("beer:version=2.0", "no model of BEER 2.0 in the data", peer=chrf.name)
    for name, spec in specs.items():
        made = metric(spec)
        score = partial(_statistics, made, hypotheses, references)
        bench.measure(name, score, COUNT, "pairs", text=text, peer=chrf, target=BESIDE_CHRF)
        bench.measure(name, score, COUNT, "pairs", text=text, target=WANTED[name])

    running = " ".join(references)[:100_000]
    distinct = " ".join(f"w{k}" for k in range(10_000))
    skip = FeatureSet(parse_templates("skip.f1"), PLAIN)
    for name, line in (
        ("skip, one line of 100,000 characters", running),
        ("skip, 10,000 distinct words", distinct),
    ):
        bench.measure(name, partial(skip.matrix, [line], [line]), 1, "lines", text=MADE_UP)


def _statistics(made: Metric, hypotheses: list[str], references: list[str]) -> None:
    made.statistics(Segments(hypotheses, [references]))  # new segments, which have kept nothing
