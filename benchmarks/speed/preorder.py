"""Reordering real sentences, long ones included, with every kind of model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.bench import Bench
from benchmarks.stopwatch import wordorder
from wordorder.preorder import Preorderer, RunOptions, Source, TrainingData, load_preorderer
from wordorder.preorder.crf import FeatureCRF

SHIPPED: dict[str, dict[str, str]] = {"en-ja": {}, "en-ja-crf": {}, "en-multi-crf": {"language": "ja"}}
LENGTHS = ((1, 20), (21, 40), (41, 10_000))  # words


def run(bench: Bench) -> None:
    corpus, text = bench.texts.sentences()
    train, _ = bench.texts.sentences(training=True)
    # Speed does not depend on the weights, so little is learned.
    features = FeatureCRF(epochs=1).fit(
        TrainingData(*train.select(range(min(100, len(train.sources))))), RunOptions()
    )
    models: dict[str, Preorderer] = {"feature CRF": features}
    for name, settings in SHIPPED.items():
        models[name] = load_preorderer(name).with_settings(**settings)
    for name, model in models.items():
        work = reordering(model, corpus.sources)
        bench.measure(name, work, len(corpus.sources), "sentences", text=text)
    for name in ("en-ja", "en-ja-crf"):
        for low, high in LENGTHS:
            what = f"{name}, {low} to {high} words" if high < 10_000 else f"{name}, {low} words or more"
            some = [source for source in corpus.sources if low <= len(source) <= high]
            if some:
                bench.measure(what, reordering(models[name], some), len(some), "sentences", text=text)
            else:
                bench.skip(what, "the text has no such sentences")
    command = wordorder("preorder", "apply", "--model", "en-ja-crf", "--threads", 1, "--quiet")
    command.input = "".join(" ".join(source.words) + "\n" for source in corpus.sources).encode()
    bench.measure(
        "preorder apply --model en-ja-crf --threads 1", command, len(corpus.sources), "sentences", text=text
    )


def reordering(model: Preorderer, sources: Sequence[Source]) -> Callable[[], object]:
    """Return the work of reordering sentences, after a first few."""
    model.reorder(sources[:2])
    return lambda: model.reorder(sources)
