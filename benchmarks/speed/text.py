"""Scores of real translations, beside sacrebleu and NLTK."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.bench import Bench, Peer
from benchmarks.measurement import Target
from benchmarks.peers import nltk_meteor, nltk_ribes, sacrebleu_score
from wordorder.engine.compare import compare_table
from wordorder.engine.score_texts import CorpusStatistics, TextBlock, collect
from wordorder.engine.text_blocks import SEGMENTS
from wordorder.engine.threads import ordered_map
from wordorder.metrics.base import Metric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import REGISTRY, metric, metric_names
from wordorder.metrics.segments import Segments

COUNT, MANY = 20_000, 100_000
TEN = (
    "kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy",
    "pet_size", "pet_count", "recpet", "recpef",
)  # fmt: skip
FASTER = 10.0  # than chrF, for all ordering scores together
SCALING = 1.7  # of two threads
FEW = {"bleu": 5000, "chrf": 4000, "ter": 300}  # pairs that are enough to time sacrebleu


def run(bench: Bench) -> None:
    hypotheses, references, text = bench.texts.pairs(COUNT)
    few = FEW["chrf"]
    chrf = Peer("sacrebleu chrF", lambda: sacrebleu_score("chrf", hypotheses[:few], references[:few]), few)
    names = [name for name in metric_names() if issubclass(REGISTRY.get(name), OrderingMetric)]
    ordering = [metric(name) for name in names]
    every = f"all {len(names)} ordering scores"
    bench.measure(
        every, scoring(ordering, hypotheses, references), COUNT, "pairs", text=text, peer=chrf,
        target=Target("ratio", FASTER),
    )  # fmt: skip
    ten = [metric(name) for name in TEN]
    bench.measure(
        "ten ordering scores with intervals", with_intervals(ten, hypotheses, references), COUNT, "pairs",
        text=text, peer=chrf, target=Target("ratio", FASTER),
    )  # fmt: skip
    for name in ("full", "lrscore"):
        bench.measure(
            name, scoring([metric(name)], hypotheses, references), COUNT, "pairs", text=text, peer=chrf
        )
    for name, most in FEW.items():
        texts = hypotheses[:most], references[:most]
        peer = Peer(f"sacrebleu {name}", partial(sacrebleu_score, name, *texts), most)
        bench.measure(name, scoring([metric(name)], *texts), most, "pairs", text=text, peer=peer)
        score = metric(name).corpus_score(texts[0], [texts[1]]).score
        bench.check(
            f"{name} of {most:,} pairs is sacrebleu's", abs(score - sacrebleu_score(name, *texts)) < 1e-9
        )
    if bench.can_import("nltk", "ribes", peer="nltk RIBES"):
        peer = Peer("nltk RIBES", lambda: nltk_ribes(hypotheses[:few], references[:few]), few)
        bench.measure(
            "ribes", scoring([metric("ribes")], hypotheses, references), COUNT, "pairs", text=text, peer=peer
        )
        bench.check(*ribes_agreement(hypotheses[:few], references[:few]))
    meteor = "meteor:match=exact+stem"
    if bench.can_import("nltk", meteor, peer="nltk METEOR"):
        peer = Peer("nltk METEOR", lambda: nltk_meteor(hypotheses[:few], references[:few]), few)
        bench.measure(
            meteor, scoring([metric(meteor)], hypotheses, references), COUNT, "pairs", text=text, peer=peer
        )

    hypotheses, references, text = bench.texts.pairs(MANY)
    one = scoring(ordering, hypotheses, references)
    bench.measure(
        f"{every}, {MANY:,} pairs", one, MANY, "pairs", text=text, peer=chrf, target=Target("ratio", FASTER)
    )
    bench.measure(
        f"{every}, two threads", scoring(ordering, hypotheses, references, threads=2), MANY, "pairs",
        text=text, peer=Peer("one thread", one, MANY), target=Target("wall_ratio", SCALING),
    )  # fmt: skip


def scoring(
    metrics: list[Metric], hypotheses: list[str], references: list[str], threads: int = 1
) -> Callable[[], CorpusStatistics]:
    """Return the work of scoring a corpus with some metrics."""
    blocks = [
        TextBlock([k + 1], [references[k : k + SEGMENTS]], [hypotheses[k : k + SEGMENTS]])
        for k in range(0, len(hypotheses), SEGMENTS)
    ]
    return lambda: collect(blocks, metrics, ["system"], partial(ordered_map, threads=threads))


def with_intervals(
    metrics: list[Metric], hypotheses: list[str], references: list[str]
) -> Callable[[], object]:
    """Return the work of scoring a corpus with intervals, as ``wordorder score`` does by default."""
    score = scoring(metrics, hypotheses, references)

    def work() -> object:
        found = score()
        return compare_table(found.rows, found.widths, [one.scores for one in metrics])

    return work


def ribes_agreement(hypotheses: list[str], references: list[str]) -> tuple[str, bool]:
    """Compare our RIBES of each pair with NLTK's.

    Two differences are known. NLTK looks for context right before left, NTT's program left before right: both
    sides are turned round for NLTK, which changes nothing else. And one word that matches a reference of one
    word is perfect for NTT's program and 0 for NLTK: those pairs are counted apart, like empty lines, on
    which NLTK stops.
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
    told = (
        f"ribes of {equal:,} pairs equals NLTK's, of {different} it differs, {apart} are too short to compare"
    )
    return told, not different
