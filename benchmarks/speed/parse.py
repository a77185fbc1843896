"""Tagging and parsing real sentences, long ones included, and starting the command."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.stopwatch import wordorder
from wordorder.parse.models import load_parser


def run(bench: Bench) -> None:
    corpus, text = bench.texts.sentences()
    words = [source.words for source in corpus.sources if source.words]
    parser = load_parser()
    parser.parse_batch(words[:2])
    bench.measure("parse", lambda: parser.parse_batch(words), len(words), "sentences", text=text)
    some = words[: max(1, len(words) // 10)]
    work = lambda: parser.nbest_batch(some, 20)  # noqa: E731
    bench.measure("20 trees of a sentence", work, len(some), "sentences", text=text)
    command = wordorder("preorder", "parse", "--threads", 1, "--quiet")
    command.input = b"the cat sat on the mat\n"
    bench.measure("preorder parse, one sentence", command, 1, "runs", text=text)
