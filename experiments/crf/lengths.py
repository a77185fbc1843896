"""Long sentences: what windows and cuts lose against exact decoding, and how time grows with the length.

    python -m experiments.crf.lengths FOLDER [--model NAME] [--language CODE] [--corpus SET/PAIR/SPLIT]
        [--longest WORDS]

FOLDER holds parallel text (``experiments.parallel``). The first table compares ways of ordering the
sentences of 46 to 100 words of a corpus, all of which can be decoded exactly: from windows of fewer words,
and in pieces of fewer words that are cut at punctuation. *Quality* is the expected quality under the exact
tables, which exact decoding maximises; the other columns are scores against the links. The second table shows
the processor time for one sentence, made of the first words of the corpus, in one chart or in parts of up to
100 words. Set ``OPENBLAS_NUM_THREADS=1`` to measure one core.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.crf.scores import Column, score
from experiments.parallel import Corpus, read_parallel
from tools.pages import markdown_table
from wordorder.core.permutation import Permutation
from wordorder.preorder import Source, load_preorderer
from wordorder.preorder.crf.decoding import expected_quality
from wordorder.preorder.crf.forest_crf import ForestCRF

SHORTEST, LONGEST = 46, 100  # words of the sentences that are compared
SIZES = (20, 30, 40)  # of windows and pieces
COLUMNS: tuple[Column, ...] = (("nakagawa", "tau"), ("nakagawa", "frs"))
LENGTHS = (25, 50, 100, 150, 200, 300, 400, 700, 1000)
MOST_EXACT = 300  # words; the charts of longer sentences take gigabytes


def ways(model: ForestCRF, sizes: Sequence[int]) -> dict[str, ForestCRF]:
    """Return the model with settings for each way of ordering long sentences."""
    made = {"exact": model.with_settings(window=0, piece=0)}
    made |= {f"windows of {size}": model.with_settings(window=size) for size in sizes}
    return made | {f"cut to {size}": model.with_settings(window=0, piece=size) for size in sizes}


def timed(model: ForestCRF, sources: Sequence[Source]) -> tuple[list[Permutation], float]:
    """Return the orders of sentences, and the seconds of processor time."""
    start = time.process_time()
    orders = model.reorder_batch(sources)
    return orders, time.process_time() - start


def accuracy_rows(model: ForestCRF, corpus: Corpus, sizes: Sequence[int] = SIZES) -> list[list[str]]:
    """Return a row for each way: its name, equal orders, quality, scores and seconds."""
    exact = ways(model, sizes)["exact"]
    tables = [own[0] for own in exact.expectations(corpus.sources)]
    found = {name: timed(way, corpus.sources) for name, way in ways(model, sizes).items()}
    systems = {name: {column: [orders] for column in COLUMNS} for name, (orders, _) in found.items()}
    table = score(corpus.alignments, [s.words for s in corpus.sources], systems, columns=COLUMNS)
    rows = []
    for name, (orders, seconds) in found.items():
        same = np.mean([a == b for a, b in zip(orders, found["exact"][0], strict=True)])
        quality = np.mean(
            [
                expected_quality(order.order.tolist(), own, model.adjacency)
                for order, own in zip(orders, tables, strict=True)
            ]
        )
        scores = [f"{table.cells[name][column].score:.4f}" for column in COLUMNS]
        rows.append([name, f"{same:.0%}", f"{quality:.4f}", *scores, f"{seconds:.2f}"])
    return rows


def time_rows(model: ForestCRF, words: Sequence[str], lengths: Sequence[int]) -> list[list[str]]:
    """Return a row for each length: the seconds of each way of ordering one sentence."""
    some = {"exact": ways(model, ())["exact"], "windows": model, "cut": model.with_settings(window=0)}
    rows = []
    for n in lengths:
        source = Source(tuple(words[:n]))
        row = [f"{n}"]
        for name, way in some.items():
            too_long = name == "exact" and n > MOST_EXACT
            row.append("—" if too_long else f"{timed(way, [source])[1]:.3f}")
        rows.append(row)
    return rows


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="en-ja-crf")
    parser.add_argument("--language")
    parser.add_argument("--corpus", default="kftt-gold/en-ja/devtest")
    parser.add_argument("--longest", type=int, default=LENGTHS[-1])
    arguments = parser.parse_args()
    settings = {"language": arguments.language} if arguments.language else {}
    model = load_preorderer(arguments.model, **settings)
    if not isinstance(model, ForestCRF):
        parser.error(f"{arguments.model} is not a forest CRF")
    corpus = read_parallel(arguments.folder, arguments.corpus, manual=True)
    long = corpus.select([s for s, one in enumerate(corpus.sources) if SHORTEST <= len(one) <= LONGEST])
    timed(model, long.sources[:1])  # the first call prepares weights
    print(f"{len(long.sources)} sentences of {arguments.corpus}, {arguments.model}\n")
    head = ["", "same order", "quality", *(" ".join(column) for column in COLUMNS), "seconds"]
    print(markdown_table([head, *accuracy_rows(model, long)]))
    words = [word for source in corpus.sources for word in source.words]
    lengths = [n for n in LENGTHS if n <= min(len(words), arguments.longest)]
    head = ["words", "one chart", "windows of 100", "cut to 100"]
    print("\n" + markdown_table([head, *time_rows(model, words, lengths)]))


if __name__ == "__main__":
    main()
