"""Ranks of source words as the program LADER (Neubig et al. 2012) computes them for evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.arrays import Longs

Span = tuple[float, float]

OPENING = ("(", "[", '"', "（", "「", "『", "【")
CLOSING = (")", "]", '"', "）", "」", "』", "】")
_BESIDE = 1e-4  # a bracket stands just before or after what it encloses


def lader_ranks(
    spans: Sequence[Span | None], words: Sequence[str] | None = None, *, attach: str = "right"
) -> Longs:
    """Rank all words of a sentence, in blocks whose target spans do not overlap.

    ``spans`` are the first and last target positions of each word, None for words without links. Words
    whose target spans overlap are one block, with all source words between them. Brackets without links stand
    around what they enclose (this needs ``words``). Other words without links join the word after them, those
    at the end the word before (``attach="left"``: the other way round).

    >>> lader_ranks([(2, 2), (0, 1), (1, 1), None]).tolist()
    [1, 0, 0, 0]
    """
    placed = list(spans)
    _combine_blocks(placed)
    if words is not None:
        _place_brackets(placed, words)
    _attach(placed, attach)
    ordered = sorted({span for span in placed if span is not None})
    place = {span: rank for rank, span in enumerate(ordered)}
    return np.array([0 if span is None else place[span] for span in placed], dtype=np.int64)


def _combine_blocks(spans: list[Span | None]) -> None:
    """Replace the spans of the words of each block by the span of the block.

    A block begins with the next span in ascending order and includes every word whose span begins within it,
    and all words between them, which may extend the block.
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
    """Place pairs of brackets without links directly around the words that they enclose."""
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
    """Give words without a span that of the next word that has one, otherwise of the previous one."""
    n = len(spans)
    walk = range(n - 1, -1, -1) if side == "right" else range(n)
    for way in (walk, reversed(walk)):
        near: Span | None = None
        for i in way:
            near = spans[i] = near if spans[i] is None else spans[i]
