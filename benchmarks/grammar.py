"""Speed of the Reordering Grammar: ``make bench-grammar``.

    python benchmarks/grammar.py [--data FOLDER] [--pairs 100000] [--iterations 10]

Milliseconds a sentence of the E-step and of exact decoding with 30 and 3 states and all operators up to five
children, on one core (CPU time) and on two (the clock's), the best of several runs. With the folder of
parallel text, also a real training on English-Japanese pairs, and how long the thesis's training set would
take at that rate.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.io.read_write import read_records
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.operators import OPERATORS, Layout
from wordorder.preorder.grammar.tables import Tables, expect, normalise
from wordorder.preorder.grammar.treebank import ForestShape, TokenisedSentence, Treebank, build_treebank
from wordorder.preorder.grammar.vocabulary import Vocabulary
from wordorder.report.table import text_table

WORDS = 2000
SETS = ("kftt30k/en-ja/train", "small-enja/en-ja/train", "tatoeba/en-ja/train")
THESIS = 786_000, 27, 10  # sentences, words each, iterations


def grammar() -> Tables:
    """Random probabilities; the unaligned child of P01 and P10 is a word."""
    layout = Layout.split(OPERATORS, binary=30, nary=3)
    rng = np.random.default_rng(0)
    rules = rng.gamma(0.3, size=(layout.slot_count, layout.state_count))
    at = 0
    for op, states in zip(layout.operators, layout.states, strict=True):
        if op.unaligned >= 0:
            rules[at + op.unaligned * states : at + (op.unaligned + 1) * states] = 0
        at += op.arity * states
    return normalise(layout, rules, rng.gamma(0.3, size=(WORDS, layout.slot_count)))


def bank(n: int, sentences: int, kind: str, rng: np.random.Generator) -> Treebank:
    """Words that stay (the largest forest there is), or that move by a few places, a fifth unaligned."""
    names = Vocabulary((" unknown", *(f"w{i}" for i in range(1, WORDS))), False)
    made = []
    while len(made) < sentences:
        if kind == "monotone":
            ranks = list(range(n))
        else:
            aligned = np.sort(rng.permutation(n)[: max(2, n * 4 // 5)])
            found = np.argsort(np.argsort(np.arange(len(aligned)) + rng.uniform(0, 3, len(aligned))))
            ranks = [-1] * n
            for place, rank in zip(aligned.tolist(), found.tolist(), strict=True):
                ranks[place] = rank
        made.append(TokenisedSentence([f"w{i}" for i in rng.integers(1, WORDS, size=n)], ranks))
    return build_treebank(made, names, ForestShape(longest=n), OPERATORS)


def best_of(runs: int, work: Callable[[], object], threads: int) -> float:
    """Seconds: of CPU on one core, so that others' work does not count; of the clock on two."""
    clock = time.process_time if threads == 1 else time.perf_counter
    times = []
    for _ in range(runs):
        began = clock()
        work()
        times.append(clock() - began)
    return min(times)


def speed() -> dict[int, float]:
    """Print the table; returns the E-step's milliseconds at the thesis's length on two cores."""
    tables = grammar()
    decoder = _native.GrammarDecoder(tables.layout.native, tables.rules, tables.lexical)
    rng = np.random.default_rng(1)
    rows = []
    thesis = {}
    for n, sentences in ((10, 512), (25, 256), (27, 256), (50, 128), (100, 64)):
        row: list[str] = [str(n)]
        for kind in ("local", "monotone"):
            some = bank(n, sentences, kind, rng)
            for threads in (1, 2):
                took = best_of(
                    5, lambda some=some, threads=threads: expect(tables, some, threads=threads), threads
                )
                row.append(f"{1000 * took / len(some):.3f}")
                if n == THESIS[1] and kind == "monotone":
                    thesis[threads] = 1000 * took / len(some)
        texts = [rng.integers(WORDS, size=n).tolist() for _ in range(max(4, sentences // 8))]
        for threads in (1, 2):
            with ThreadPoolExecutor(threads) as pool:
                took = best_of(
                    3,
                    lambda pool=pool, texts=texts: list(
                        pool.map(lambda words: decoder.consensus(words, [], 1, True), texts)
                    ),
                    threads,
                )
            row.append(f"{1000 * took / len(texts):.2f}")
        rows.append(row)
    head = [
        "words",
        "E-step local, 1 core",
        "2 cores",
        "monotone, 1 core",
        "2 cores",
        "decoding, 1 core",
        "2 cores",
    ]
    print("ms a sentence, 30/3 states, all operators up to five children\n")
    print(text_table([head, *rows]))
    sentences, words, iterations = THESIS
    minutes = {t: ms * sentences * iterations / 60000 for t, ms in thesis.items()}
    print(
        f"\n{sentences:,} sentences of {words} words, {iterations} iterations, at the rate of the largest"
        f" forests: {minutes[1]:.0f} minutes on one core, {minutes[2]:.0f} on two"
    )
    return minutes


def read_pairs(data: Path, most: int) -> tuple[list[Source], list[Alignment]]:
    sources, alignments = [], []
    for name in SETS:
        place = data / name
        texts = [list(read_records(f"{place}.{side}.gz", "text")) for side in ("en", "ja")]
        links = list(read_records(f"{place}.auto.align.gz", "text"))
        for one, other, line in zip(*texts, links, strict=True):
            words = tuple(one.lower().split())
            pairs = [tuple(map(int, link.split("-"))) for link in line.split()]
            sources.append(Source(words))
            alignments.append(Alignment(len(words), len(other.split()), pairs))
    return sources[:most], alignments[:most]


def real(data: Path, most: int, iterations: int) -> None:
    """Train on real pairs with two threads."""
    began = time.perf_counter()
    sources, alignments = read_pairs(data, most)
    read = time.perf_counter() - began
    seconds: list[float] = []
    made = ReorderingGrammar(iterations=iterations)
    began = time.perf_counter()
    run = RunOptions(threads=2, log=lambda record: seconds.append(record["seconds"]))
    fitted = made.fit(TrainingData(sources, alignments), run)
    took = time.perf_counter() - began
    facts = fitted.trained
    print(
        f"\nreal training: {len(sources):,} pairs read in {read:.1f} s; {facts['sentences']:,} sentences of"
        f" {facts['words'] / facts['sentences']:.1f} words, {facts['vocabulary']:,} words and classes,"
        f" {iterations} iterations on two cores: {took / 60:.2f} minutes in all,"
        f" {np.mean(seconds):.2f} s an iteration; left out: {facts['filtered']}"
    )
    print(f"perplexity: {facts['perplexity']}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of parallel text")
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--iterations", type=int, default=10)
    given = parser.parse_args()
    speed()
    if given.data and given.data.is_dir():
        real(given.data, given.pairs, given.iterations)
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
