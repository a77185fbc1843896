"""What docs/howto/decoder.md says about lattices: a reader by the rules of Moses reads ours."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.oracle.moses import parse_lattice, paths, read_lattices
from wordorder.data import sample
from wordorder.io.plf import Plf, PlfArc


def apply(text: str, *options: str) -> list[str]:
    command = [sys.executable, "-m", "wordorder", "preorder", "apply", "-k", "10", *options]
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("model", ["en-ja-crf", "en-ja"])
def test_lattices_hold_the_best_orders_as_moses_reads_them(model: str) -> None:
    lines = [*sample("text.en").read_text("utf-8").splitlines()[:6], "it's a \\ '"]
    text = "".join(f"{line}\n" for line in lines)
    expected: list[set[tuple[str, ...]]] = [set() for _ in lines]
    for line in apply(text, "--model", model, "--as", "nbest"):
        number, _, words, *_ = line.split(" ||| ")
        expected[int(number)].add(tuple(words.split()))
    written = "".join(f"{line}\n" for line in apply(text, "--model", model, "--as", "lattice"))
    for states, orders in zip(read_lattices(written), expected, strict=True):
        read = [words for words, _ in paths(states)]
        assert sorted(read) == sorted(orders)


def test_named_features_are_sparse() -> None:
    line = Plf().to_line(((PlfArc("it's", (("index", 3.0), ("KTau", 0.25)), 1),),))
    assert parse_lattice(line) == [[("it's", [], {"index": 3.0, "KTau": 0.25}, 1)]]
