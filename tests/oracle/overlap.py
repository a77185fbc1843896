"""Slow, obvious twins of the counting of shared pieces, of lost order and of BEER 2.0's score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any


def tokens(text: str, split: str) -> list[str]:
    """The words of a text.

    ``blanks``: between white space. ``beer20``: as Java's split at runs of spaces has it: a leading
    space leaves an empty first word, trailing ones leave nothing, and an empty text is one empty word.
    """
    if split == "blanks":
        return text.split()
    if not text:
        return [""]
    words = re.split(" +", text)
    while words and not words[-1]:
        words.pop()
    return words


def pieces(words: Sequence[str], kind: str, size: int, edges: str) -> Iterator[Any]:
    """The pieces of one side; ``edges=beer20`` as the program cuts them."""
    text = " ".join(words)
    if kind == "char" and edges == "beer20":
        yield from (text[i : i + size - 1] for i in range(len(text) - size + 1))
    elif kind == "char":
        yield from (text[i : i + size] for i in range(len(text) - size + 1))
    elif kind == "ngram":
        yield from (("in", *words[i : i + size]) for i in range(len(words) - size + 1))
        if edges == "beer20":
            yield ("<S>", *words[:size])
            yield (*words[max(len(words) - size, 0) :], "</S>")
    else:
        for i, first in enumerate(words):
            for j in range(i + 1, len(words)):
                if size < 0 or j - i - 1 <= size:
                    yield first, words[j]


def counts(
    hypothesis: str, reference: str, kind: str, size: int, edges: str, split: str
) -> tuple[int, int, int]:
    """Pieces in common, of the hypothesis and of the reference."""
    hyp = Counter(pieces(tokens(hypothesis, split), kind, size, edges))
    ref = Counter(pieces(tokens(reference, split), kind, size, edges))
    return (hyp & ref).total(), hyp.total(), ref.total()


def lost_order(hypothesis: str, reference: str, *, neighbours: bool) -> Fraction:
    """The expected share of pairs of shared words in order that is missing."""
    kind, size = ("ngram", 2) if neighbours else ("skip", -1)
    shared, length, words = counts(hypothesis, reference, "ngram", 1, "plain", "blanks")
    in_order, _, _ = counts(hypothesis, reference, kind, size, "plain", "blanks")
    if shared == 0:
        return Fraction(0)
    # From 1.5 to 2 times the length of the reference, pairs count less and less.
    length_quotient = Fraction(length, words)
    if length_quotient <= Fraction(3, 2):
        counted = Fraction(1)
    elif length_quotient >= 2:
        counted = Fraction(0)
    else:
        counted = (2 - length_quotient) / (2 - Fraction(3, 2))
    recall = Fraction(shared, words)
    if neighbours:
        expected, pairs, prior = Fraction(1, 2) * recall, shared - 1, 2
    else:
        expected, pairs, prior = Fraction(3, 4) * recall**4, shared * (shared - 1) // 2, 4
    found = (in_order * counted + prior) / (pairs + prior)
    return expected - found if found < expected else Fraction(0)
