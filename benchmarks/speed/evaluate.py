"""Parsed sentences: read, reordered by rules, and evaluated with 1,000 resamples."""

from __future__ import annotations

from benchmarks.bench import Bench
from wordorder.evaluate.corpus import ReferenceFile, read_corpus
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.preorder.rules.preorderer import Rules


def run(bench: Bench) -> None:
    align, trees, text = bench.texts.parsed()

    def read() -> object:
        return read_corpus(None, [ReferenceFile(str(align))], [("parse", str(trees))])

    corpus = read_corpus(None, [ReferenceFile(str(align))], [("parse", str(trees))])
    count = len(corpus.sources)
    bench.measure("reading trees and links", read, count, "sentences", text=text)
    rules = Rules(set="en-ja")
    bench.measure("rules:en-ja", lambda: rules.reorder_batch(corpus.sources), count, "sentences", text=text)
    orders = rules.reorder_batch(corpus.sources)
    metrics = parse_ordering_metrics(["fuzzy,kendall"])
    bench.measure(
        "evaluate",
        lambda: evaluate_orders(
            corpus.alignments, {"en-ja": orders}, words=corpus.words, variants=["talbot"], metrics=metrics
        ),
        count, "sentences", text=text,
    )  # fmt: skip
