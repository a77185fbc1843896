"""Training the Reordering Grammar on real sentences, and decoding with all its states."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.bench import Bench
from benchmarks.made_up import random_grammar, random_treebank
from benchmarks.texts import MADE_UP
from wordorder import _native
from wordorder.preorder import RunOptions, TrainingData
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.tables import expect

COUNT, ITERATIONS = 5000, 3
LENGTHS = {25: 256, 100: 32}  # sentences by number of words


def run(bench: Bench) -> None:
    corpus, text = bench.texts.linked(COUNT)
    made = ReorderingGrammar(iterations=ITERATIONS)
    bench.measure(
        f"training, {ITERATIONS} iterations", lambda: made.fit(TrainingData(*corpus), RunOptions(threads=1)),
        COUNT * ITERATIONS, "sentences", text=text,
    )  # fmt: skip
    tables = random_grammar()
    decoder = _native.GrammarDecoder(tables.layout.native, tables.rules, tables.lexical)
    rng = np.random.default_rng(1)
    for n, sentences in LENGTHS.items():
        for kind in ("local", "monotone"):
            bank = random_treebank(n, sentences, kind, rng)
            bench.measure(
                f"E-step, 30/3 states, {kind}, n = {n}", partial(expect, tables, bank, threads=1),
                len(bank), "sentences", text=MADE_UP,
            )  # fmt: skip
        texts = [rng.integers(len(tables.lexical), size=n).tolist() for _ in range(sentences // 8)]
        bench.measure(
            f"decoding, 30/3 states, n = {n}",
            partial(_decode, decoder, texts),
            len(texts), "sentences", text=MADE_UP,
        )  # fmt: skip


def _decode(decoder: _native.GrammarDecoder, texts: list[list[int]]) -> None:
    for words in texts:
        decoder.consensus(words, [], 1, True)
