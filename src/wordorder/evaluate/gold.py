"""Ranks of source words from their links, as those who evaluate preordering make them.

A rank says where a word belongs in the order of the target. Words of one rank may stand in any order among
themselves. A rank of -1 marks a word that is not looked at; no ranks at all, a sentence that is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment
from wordorder.core.induce import induce

Ranks = NDArray[np.int32]
Span = tuple[float, float]

OPENING = ("(", "[", '"', "（", "「", "『", "【")
CLOSING = (")", "]", '"', "）", "」", "』", "】")
_BESIDE = 1e-4  # a bracket stands just before or after what it encloses


def thesis_ranks(alignment: Alignment, words: Sequence[str] | None = None) -> Ranks:
    """Words sorted by mean target position; one without links goes with the next that has one (3.4.1).

    >>> thesis_ranks(Alignment(3, 3, [(0, 2), (2, 0)])).tolist()
    [2, 0, 1]
    """
    return induce(alignment, "thesis", link="mean", attach="right").order.ranks


def nakagawa_ranks(alignment: Alignment, words: Sequence[str] | None = None) -> Ranks | None:
    """Words with links, by first and last target position; None where these two contradict each other.

    A word is before another if neither its first nor its last target position is after the other's; words
    with the same first and last position rank equal. Where one span lies inside another there is no
    order, and the sentence is left out.

    >>> nakagawa_ranks(Alignment(4, 4, [(0, 2), (0, 3), (2, 1), (3, 1)])).tolist()
    [1, -1, 0, 0]
    >>> nakagawa_ranks(Alignment(2, 3, [(0, 0), (0, 2), (1, 1)])) is None
    True
    """
    spans = _spans(alignment)
    ordered = sorted({span for span in spans if span is not None})
    # Sorted by first position: the last ones must not fall, or one span lies in another.
    if any(after[1] < before[1] for before, after in itertools.pairwise(ordered)):
        return None
    place = {span: rank for rank, span in enumerate(ordered)}
    return np.array([-1 if span is None else place[span] for span in spans], dtype=np.int32)


def lader_ranks(
    alignment: Alignment, words: Sequence[str] | None = None, *, attach: str = "right", combine: bool = True
) -> Ranks:
    """All words, in blocks whose target spans do not overlap, as LADER ranks them.

    Words whose target spans overlap are one block, with all source words between them. Brackets without links
    stand around what they enclose (``words`` are needed for that). Other words without links join
    the word after them, those at the end the word before (``attach="left"``: the other way round).

    >>> lader_ranks(Alignment(4, 3, [(0, 2), (1, 0), (1, 1), (2, 1)])).tolist()
    [1, 0, 0, 0]
    """
    spans: list[Span | None] = list(_spans(alignment))
    if combine:
        _combine_blocks(spans)
    if words is not None:
        _place_brackets(spans, words)
    _attach(spans, attach)
    ordered = sorted({span for span in spans if span is not None})
    place = {span: rank for rank, span in enumerate(ordered)}
    return np.array([0 if span is None else place[span] for span in spans], dtype=np.int32)


def _spans(alignment: Alignment) -> list[Span | None]:
    """First and last target position of each source word."""
    return [(found[0], found[-1]) if found else None for found in alignment.targets()]


def _combine_blocks(spans: list[Span | None]) -> None:
    """Give the words of each block the span of the block, in rising order of their own spans.

    A block begins with the next span and takes in every word whose span begins within it, and with it all
    words that stand between: their ends may make it longer.
    """
    linked = sorted((span, i) for i, span in enumerate(spans) if span is not None)
    at = 0
    while at < len(linked):
        left = right = linked[at][1]
        begun = spans[left]
        assert begun is not None
        first, last = begun
        at += 1
        while at < len(linked):
            word = linked[at][1]
            own = spans[word]
            assert own is not None
            if own[0] > last:
                break
            for i in [*range(word, left), *range(right + 1, word + 1)]:
                between = spans[i]
                last = max(last, between[1]) if between else last
            left, right = min(left, word), max(right, word)
            at += 1
        spans[left : right + 1] = [(first, last)] * (right + 1 - left)


def _place_brackets(spans: list[Span | None], words: Sequence[str]) -> None:
    """Put pairs of brackets that have no links just around the words that they enclose."""
    opened: list[int] = []
    for i, word in enumerate(words):
        if spans[i] is not None:
            continue
        if word in CLOSING and opened and words[opened[-1]] == OPENING[CLOSING.index(word)]:
            begin = opened.pop()
            inside = [span for span in spans[begin + 1 : i] if span is not None]
            if inside:
                first, last = min(s[0] for s in inside) - _BESIDE, max(s[1] for s in inside) + _BESIDE
                spans[begin], spans[i] = (first, first), (last, last)
        elif word in OPENING:
            opened.append(i)


def _attach(spans: list[Span | None], side: str) -> None:
    """Words without a span take that of the next word that has one, else of the last."""
    n = len(spans)
    walk = range(n - 1, -1, -1) if side == "right" else range(n)
    for way in (walk, reversed(walk)):
        near: Span | None = None
        for i in way:
            near = spans[i] = near if spans[i] is None else spans[i]
