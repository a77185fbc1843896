"""Reference ranks of a whole corpus at once, the same as :func:`.references.reference` gives one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from wordorder.arrays import Bools, Longs
from wordorder.core.alignment import Alignment
from wordorder.evaluate.gold import Ranks
from wordorder.evaluate.references import Punctuation, Unaligned, is_punctuation


def corpus_ranks(
    alignments: Sequence[Alignment],
    words: Sequence[Sequence[str]],
    *,
    unaligned: Unaligned = "next",
    punctuation: Punctuation = "words",
) -> list[Ranks]:
    """The ranks of the words of each sentence; equal in groups, -1 for words that do not count.

    >>> corpus_ranks([Alignment(3, 2, [(0, 1), (1, 0), (2, 0)])], [["can", "tax", "deduction"]])[0].tolist()
    [1, 0, 0]
    """
    sizes = np.array([a.source_size for a in alignments], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    n = int(offsets[-1])
    if not n:
        return [np.empty(0, np.int32) for _ in alignments]
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    own = _first_links(alignments, offsets)
    linked = own >= 0
    at = _neighbours(linked, offsets, sentence, before=unaligned == "previous")
    outside = int(own.max()) + 1 if unaligned != "previous" else -1
    place = np.where(at >= 0, own[at], outside)
    at = np.where(at >= 0, at, np.arange(n))
    mark = _marks(words) if punctuation != "words" else np.zeros(n, np.bool_)
    border = np.zeros(n, np.int64)
    if punctuation == "pin":
        border = _borders(mark & ~linked, offsets, sentence)
    order = np.lexsort((np.arange(n), at, place, border, sentence))
    counts = linked | (border != 0) if unaligned == "drop" else np.ones(n, np.bool_)
    if punctuation == "drop":
        counts &= ~mark
    # In this order, a word goes on with the group of the one before it if both are between the
    # first and the last linked word of one target word.
    key_sentence, key_place = sentence[order], np.where(border[order] != 0, -2, place[order])
    run = np.cumsum(np.r_[True, (np.diff(key_sentence) != 0) | (np.diff(key_place) != 0)]) - 1
    inside = linked[order] & (border[order] == 0)
    places = np.arange(n)
    first, last = np.full(int(run[-1]) + 1, n), np.full(int(run[-1]) + 1, -1)
    np.minimum.at(first, run[inside], places[inside])
    np.maximum.at(last, run[inside], places[inside])
    goes_on = (places > first[run]) & (places <= last[run])
    group = np.cumsum(~goes_on)
    # Groups are numbered anew among the words that count.
    kept = counts[order]
    ranks = np.full(n, -1, dtype=np.int32)
    kept_group, kept_sentence = group[kept], key_sentence[kept]
    fresh = np.r_[True, np.diff(kept_group) != 0][: len(kept_group)]
    number = np.cumsum(fresh)
    begins = np.searchsorted(kept_sentence, np.arange(len(sizes)))
    base = (
        number[np.minimum(begins, max(len(number) - 1, 0))] if len(number) else np.zeros(len(sizes), np.int64)
    )
    ranks[order[kept]] = number - base[kept_sentence]
    return np.split(ranks, offsets[1:-1])


def _first_links(alignments: Sequence[Alignment], offsets: Longs) -> Longs:
    links = [a.links for a in alignments]
    pairs = np.fromiter(chain.from_iterable(chain.from_iterable(links)), dtype=np.int64).reshape(-1, 2)
    rows = np.repeat(offsets[:-1], [len(some) for some in links]) + pairs[:, 0]
    own = np.full(int(offsets[-1]), -1, dtype=np.int64)
    own[rows[::-1]] = pairs[::-1, 1]  # links are sorted, so the first of a word is written last
    return own


def _neighbours(linked: Bools, offsets: Longs, sentence: Longs, *, before: bool) -> Longs:
    """The nearest linked word at or after each word (or at or before it) in its sentence, -1 if none."""
    words = np.arange(len(linked))
    if before:
        found = np.maximum.accumulate(np.where(linked, words, -1))
        return np.where(found >= offsets[sentence], found, -1)
    found = np.minimum.accumulate(np.where(linked, words, len(words))[::-1])[::-1]
    return np.where(found < offsets[sentence + 1], found, -1)


def _marks(words: Sequence[Sequence[str]]) -> Bools:
    known: dict[str, bool] = {}
    flat = []
    for word in chain.from_iterable(words):
        if word not in known:
            known[word] = is_punctuation(word)
        flat.append(known[word])
    return np.array(flat, dtype=np.bool_)


def _borders(alone: Bools, offsets: Longs, sentence: Longs) -> Longs:
    """-1 for marks that stand first, 1 for those that stand last, 0 for other words."""
    words = np.arange(len(alone))
    last_other = np.maximum.accumulate(np.where(alone, -1, words))
    next_other = np.minimum.accumulate(np.where(alone, len(words), words)[::-1])[::-1]
    first = last_other < offsets[sentence]
    last = next_other >= offsets[sentence + 1]
    return np.where(first, -1, np.where(last, 1, 0))
