"""Words and n-grams of the reference that systems keep.

An n-gram of the reference is kept if its words are matched with neighbouring words of the output in the same
order. An n-gram of one word is kept if it is matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.analyse.sentences import ComparedSentences
from wordorder.arrays import Bools, Longs

LONGEST = 4
MOST = 200  # n-grams of each length that are reported
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class KeptNgram:
    """An n-gram of the reference: how often it occurs, and how often each system keeps it."""

    words: tuple[str, ...]  # in lower case
    count: int
    kept: tuple[int, ...]  # by system
    examples: tuple[int, ...]  # segments, from 0, where some systems keep it and others do not


def kept_ngrams(
    sentences: ComparedSentences, *, longest: int = LONGEST, most: int = MOST, examples: int = EXAMPLES
) -> list[KeptNgram]:
    """Return the n-grams of each length that systems keep most differently, those first.

    They are sorted by the difference between the system that keeps an n-gram most often and the one that
    keeps it least often. With one system, they are those that it loses most often.
    """
    reference = _Reference([[word.lower() for word in line] for line in sentences.reference])
    places = [reference.places(system.partners) for system in sentences.systems]
    found: list[KeptNgram] = []
    for ngrams in reference.ngrams(longest):
        found += _most_different(reference, ngrams, [ngrams.kept(own) for own in places], most, examples)
    return found


@dataclass(frozen=True)
class _Ngrams:
    """All n-grams of one length: their first words, their numbers, and where each number occurs first."""

    length: int
    starts: Longs
    numbers: Longs
    first: Longs  # among starts

    def kept(self, places: Longs) -> Bools:
        """Whether each n-gram is kept, by the places in the output of all words of the reference."""
        begin = places[self.starts]
        whole = begin >= 0
        for step in range(1, self.length):
            whole &= places[self.starts + step] == begin + step
        return np.asarray(whole)


class _Reference:
    """The words of all references, numbered and joined."""

    def __init__(self, lines: Sequence[Sequence[str]]) -> None:
        self.words = [word for line in lines for word in line]
        sizes = np.array([len(line) for line in lines], dtype=np.int64)
        self.offsets = np.concatenate([[0], np.cumsum(sizes)])
        self.segment = np.repeat(np.arange(len(lines)), sizes)
        self.left = np.repeat(self.offsets[1:], sizes) - np.arange(len(self.words))  # words from here on
        numbers: dict[str, int] = {}
        self.ids = np.array([numbers.setdefault(word, len(numbers)) for word in self.words], dtype=np.int64)
        self.size = max(len(numbers), 1)

    def places(self, partners: Sequence[Sequence[int]]) -> Longs:
        """Return the place in the output of each word of the references, or -1."""
        places = np.full(len(self.words), -1, dtype=np.int64)
        for begin, line in zip(self.offsets[:-1].tolist(), partners, strict=True):
            for place, partner in enumerate(line):
                if partner >= 0:
                    places[begin + partner] = place
        return places

    def ngrams(self, longest: int) -> Iterator[_Ngrams]:
        """Yield the n-grams of each length; their numbers follow from those of their first words."""
        starts = np.arange(len(self.words))
        numbers = self.ids
        for length in range(1, longest + 1):
            if length > 1:
                fits = self.left[starts] >= length
                starts, numbers = starts[fits], numbers[fits]
                numbers = numbers * self.size + self.ids[starts + length - 1]
            if not len(starts):
                return
            _, first, numbers = np.unique(numbers, return_index=True, return_inverse=True)
            yield _Ngrams(length, starts, numbers, first)


def _most_different(
    reference: _Reference, ngrams: _Ngrams, kept: Sequence[Bools], most: int, examples: int
) -> Iterator[KeptNgram]:
    count = np.bincount(ngrams.numbers)
    totals = np.array([np.bincount(ngrams.numbers[own], minlength=len(count)) for own in kept])
    spread = totals.max(axis=0) - totals.min(axis=0) if len(kept) > 1 else count - totals[0]
    order = np.lexsort((ngrams.first, -count, -spread))[:most]
    order = order[spread[order] > 0]
    differs = np.any(np.array(kept) != kept[0], axis=0) if len(kept) > 1 else ~kept[0]
    where: dict[int, list[int]] = {number: [] for number in order.tolist()}
    for place in np.flatnonzero(differs & np.isin(ngrams.numbers, order)).tolist():
        segments = where[int(ngrams.numbers[place])]
        segment = int(reference.segment[ngrams.starts[place]])
        if len(segments) < examples and segment not in segments:
            segments.append(segment)
    for number in order.tolist():
        start = int(ngrams.starts[ngrams.first[number]])
        words = tuple(reference.words[start : start + ngrams.length])
        yield KeptNgram(words, int(count[number]), tuple(totals[:, number].tolist()), tuple(where[number]))
