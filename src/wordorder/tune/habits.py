"""What tuning settles on besides the metric: length, repetition, and words copied from the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Habits:
    """Properties of some output by which a metric may be gamed."""

    length_ratio: float  # words of the output per word of the reference
    repetition: float  # share of pairs of neighbouring words that occurred before in the sentence
    copied: float | None  # share of words that are in the source sentence; None without the source


def habits_of(
    texts: Sequence[str], references: Sequence[str], sources: Sequence[str] | None = None
) -> Habits:
    """Measure some output against one reference; words are separated by spaces.

    >>> habits_of(["a b a b"], ["a b"])
    Habits(length_ratio=2.0, repetition=0.3333333333333333, copied=None)
    """
    words = [text.split() for text in texts]
    length = sum(map(len, words))
    wanted = sum(len(reference.split()) for reference in references)
    pairs = [list(pairwise(line)) for line in words]
    repeated = sum(count - 1 for line in pairs for count in Counter(line).values())
    copied = None
    if sources is not None:
        known = [set(source.split()) for source in sources]
        hits = sum(word in seen for line, seen in zip(words, known, strict=True) for word in line)
        copied = hits / max(length, 1)
    return Habits(length / max(wanted, 1), repeated / max(sum(map(len, pairs)), 1), copied)
