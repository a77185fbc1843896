"""What docs/howto/decoder.md says about lattices: Moses' reader, written again from its rules, reads ours."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator

import pytest

from wordorder.data import sample
from wordorder.io.plf import Plf, PlfArc

Arc = tuple[str, list[float], dict[str, float], int]


def moses_lattice(line: str) -> list[list[Arc]]:
    """Read PLF character by character: plain numbers come first, then name=number, and a step at the end."""
    at = 0

    def take(expected: str) -> None:
        nonlocal at
        assert line[at] == expected, (at, line[at : at + 20])
        at += 1

    def word() -> str:
        nonlocal at
        take("'")
        letters = ""
        while True:
            letter = line[at]
            at += 1
            if letter == "\\":
                letters += line[at]
                at += 1
            else:
                letters += letter
            if line[at] == "'":
                break
        take("'")
        return letters

    def arc() -> Arc:
        nonlocal at
        take("(")
        text = word()
        tokens = []
        while line[at] == ",":
            at += 1
            end = min(line.index(",", at) if "," in line[at:] else len(line), line.index(")", at))
            tokens.append(line[at:end])
            at = end
        take(")")
        *numbers, step = tokens
        plain = [number for number in numbers if "=" not in number]
        assert all("=" in number for number in numbers[len(plain) :])
        named = dict(number.split("=") for number in numbers[len(plain) :])
        return text, [float(x) for x in plain], {key: float(x) for key, x in named.items()}, int(step)

    states = []
    take("(")
    while line[at] != ")":
        take("(")
        arcs = []
        while line[at] != ")":
            arcs.append(arc())
            take(",")
        take(")")
        take(",")
        states.append(arcs)
    take(")")
    assert at == len(line)
    return states


def paths(states: list[list[Arc]], state: int = 0) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the words and the sum of the logarithms of each path."""
    if state == len(states):
        yield (), 0.0
        return
    for word, (weight,), _, step in states[state]:
        for words, total in paths(states, state + step):
            yield (word, *words), total + math.log(weight)


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
    for line, orders in zip(apply(text, "--model", model, "--as", "lattice"), expected, strict=True):
        states = moses_lattice(line)
        read = [words for words, _ in paths(states)]
        assert sorted(read) == sorted(orders)
        assert all(weights[0] > 0 for arcs in states for _, weights, _, _ in arcs)


def test_named_features_are_sparse() -> None:
    line = Plf().to_line(((PlfArc("it's", (("index", 3.0), ("KTau", 0.25)), 1),),))
    assert moses_lattice(line) == [[("it's", [], {"index": 3.0, "KTau": 0.25}, 1)]]
