"""Statistics of a file of alignments, and warnings about probable errors.

Everything is counted over arrays, so that millions of sentences take seconds. Without the text the
number of words is unknown; sentences then end at their last link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Bools, Ints, Longs
from wordorder.core.alignment import Alignments, linked_sizes
from wordorder.io.lines import counted

ENOUGH = 10  # sentences with links that are needed for conclusions about the file


@dataclass(frozen=True, slots=True)
class Side:
    """The numbers of links of the words of one side."""

    words: int
    unaligned: float  # share of the words
    links_per_word: dict[str, int]
    widest: int  # the largest number of links of a word
    widest_sentence: int  # its sentence, from 1; 0 if there is no link


@dataclass(frozen=True, slots=True)
class Health:
    """The statistics of a file of alignments; shares are between 0 and 1."""

    sentences: int
    links: int  # without repeated links and those out of range
    empty: int  # sentences without a link
    repeated: int
    out_of_range: int
    sizes_known: bool
    source: Side
    target: Side
    crossings: int
    crossings_per_sentence: float
    kendall: float  # mean over sentences of the share of pairs of links that do not cross
    monotone: float  # share of sentences without a crossing
    blocks: int
    block_sizes: dict[str, int]  # the longer side of a minimal phrase pair
    operators: dict[str, int]  # sentences by the longest operator of the tree over their blocks
    distances: dict[str, int]  # words between a link and the diagonal
    on_diagonal: float  # share of links within one word of it
    flags: tuple[str, ...] = ()


def health(
    links: Alignments,
    source_sizes: Sequence[int] | None = None,
    target_sizes: Sequence[int] | None = None,
    *,
    numbers: Sequence[int] | None = None,
) -> Health:
    """Compute statistics and flag probable errors; ``numbers`` are the line numbers, if some were skipped.

    >>> report = health(Alignments.from_links([[(0, 1), (1, 0)], []]), [2, 1], [2, 1])
    >>> report.crossings, report.empty, round(report.source.unaligned, 3)
    (1, 1, 0.333)
    """
    lines = np.arange(1, len(links) + 1) if numbers is None else np.asarray(numbers, dtype=np.int64)
    n, m = (
        linked_sizes(links.pairs[:, side], links.offsets) if sizes is None else np.asarray(sizes, np.int64)
        for side, sizes in enumerate((source_sizes, target_sizes))
    )
    stored = replace(links, source_sizes=n, target_sizes=m)
    at = links.sentence
    inside = (links.pairs[:, 0] < n[at]) & (links.pairs[:, 1] < m[at])
    links, repeated = _unique(stored, inside)
    at = links.sentence
    crossings, comparable = _crossings(links)
    with_pairs = comparable > 0
    shares = 1 - crossings[with_pairs] / comparable[with_pairs]
    spans, block_offsets = _native.blocks(links.pairs, links.offsets)
    sizes = 1 + np.maximum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2])
    # The distance, in target words, from where a link would be if words were spread evenly.
    expected = (links.pairs[:, 0] + 0.5) * m[at] / np.maximum(n[at], 1) - 0.5
    distance = np.abs(links.pairs[:, 1] - expected)
    filled = np.diff(links.offsets) > 0
    report = Health(
        sentences=len(links),
        links=len(links.pairs),
        empty=int((np.diff(stored.offsets) == 0).sum()),
        repeated=repeated,
        out_of_range=int((~inside).sum()),
        sizes_known=source_sizes is not None and target_sizes is not None,
        source=_side(links, 0, lines),
        target=_side(links, 1, lines),
        crossings=int(crossings.sum()),
        crossings_per_sentence=float(crossings.mean()) if len(links) else 0.0,
        kendall=float(shares.mean()) if len(shares) else 1.0,
        monotone=float((crossings[filled] == 0).mean()) if filled.any() else 1.0,
        blocks=len(spans),
        block_sizes=_histogram(sizes, [1, 2, 3, 5, 10]),
        operators=_histogram(_operators(spans, block_offsets)[filled], [0, 2, 4, 5, 7]),
        distances=_histogram(np.rint(distance).astype(np.int64), [0, 1, 2, 5, 10, 20]),
        on_diagonal=float((distance <= 1).mean()) if len(distance) else 1.0,
    )
    return replace(report, flags=tuple(_flags(report, stored, inside, lines)))


def sample(links: Alignments, size: int, seed: int) -> list[int]:
    """Draw sentences (numbers from 0, in ascending order) among those that have links.

    >>> sample(Alignments.from_links([[(0, 0)], [], [(0, 0)]]), 5, seed=1)
    [0, 2]
    """
    filled = np.flatnonzero(np.diff(links.offsets))
    drawn = np.random.default_rng(seed).choice(filled, min(size, len(filled)), replace=False)
    return sorted(drawn.tolist())


def _unique(links: Alignments, keep: Bools) -> tuple[Alignments, int]:
    """Sort the links to keep, drop repeated ones, and count these."""
    rows = np.column_stack([links.sentence, links.pairs])[keep]
    kept = np.unique(rows, axis=0) if len(rows) else rows
    counts = np.bincount(kept[:, 0], minlength=len(links))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    pairs = np.ascontiguousarray(kept[:, 1:], dtype=np.int32)
    return Alignments(pairs, offsets, links.source_sizes, links.target_sizes), len(rows) - len(kept)


def _side(links: Alignments, side: int, lines: Longs) -> Side:
    counts, sentence = links.links_per_word(side)
    widest = int(counts.argmax()) if counts.any() else -1
    return Side(
        words=len(counts),
        unaligned=float((counts == 0).mean()) if len(counts) else 0.0,
        links_per_word=_histogram(counts, [0, 1, 2, 3, 4]),
        widest=int(counts.max(initial=0)),
        widest_sentence=int(lines[sentence[widest]]) if widest >= 0 else 0,
    )


def _ranked(keys: tuple[NDArray[np.integer], ...], offsets: Longs) -> Ints:
    """Rank the items of each sentence by keys, the last of which is the first to be compared."""
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    rank = np.empty(len(sentence), dtype=np.int64)
    rank[np.lexsort((*keys, sentence))] = np.arange(len(sentence))
    return (rank - offsets[sentence]).astype(np.int32)


def _crossings(links: Alignments) -> tuple[Longs, Longs]:
    """Count the pairs of links of each sentence that cross, and those that could: without a common word."""
    at, (i, j) = links.sentence, links.pairs.T
    # The links are sorted by source; ranked by target, links of one word never cross.
    crossings = _native.counts(_ranked((i, j), links.offsets), links.offsets, 0)  # inversions
    number = np.diff(links.offsets)
    comparable = number * (number - 1) // 2
    for side in (i, j):
        words, repeats = np.unique(np.column_stack([at, side]), axis=0, return_counts=True)
        np.subtract.at(comparable, words[:, 0], repeats * (repeats - 1) // 2)
    return crossings, comparable


def _operators(spans: Ints, offsets: Longs) -> Longs:
    """Return the size of the longest operator of the tree over each sentence's blocks, or 0."""
    longest: Longs = _native.tree_counts(_ranked((spans[:, 2],), offsets), offsets)[:, 1]
    return longest


def _histogram(values: NDArray[np.integer], ends: list[int]) -> dict[str, int]:
    """Count the values up to each end, and beyond the last."""
    edges = np.searchsorted(np.sort(values), np.array(ends) + 1)
    counts = np.diff(np.concatenate([[0], edges, [len(values)]])).tolist()
    lows = [0 if ends[0] == 0 else 1, *(end + 1 for end in ends)]
    names = [str(low) if low == end else f"{low}-{end}" for low, end in zip(lows, ends, strict=False)]
    return dict(zip([*names, f"{lows[-1]}+"], counts, strict=True))


def _flags(report: Health, stored: Alignments, inside: Bools, lines: Longs) -> Iterator[str]:
    pairs, at = stored.pairs, stored.sentence
    n, m = stored.source_sizes[at], stored.target_sizes[at]
    filled, outside = report.sentences - report.empty, report.out_of_range
    swapped = int(((pairs[:, 1] >= n) | (pairs[:, 0] >= m)).sum()) if report.sizes_known else 0
    past_end = int(((pairs[:, 0] == n) | (pairs[:, 1] == m)).sum()) if report.sizes_known else 0
    no_zero = bool(filled and (pairs > 0).all())
    # No 0 in many sentences, or in few of which some link is one past the end as well.
    one_based = no_zero and (filled >= ENOUGH or past_end > 0)
    if one_based:
        more = f", and {_are(past_end)} one past the last word" if past_end else ""
        yield f"the links probably start at 1: no link has a 0{more}. Read them with base 1."
    elif no_zero and not report.sizes_known:
        yield "no link has a 0: do they start at 1? The source and target texts would show it."
    elif outside and swapped * 10 <= outside:
        yield (
            f"source and target are probably swapped: {_are(outside)} out of range as given, "
            f"{swapped} if swapped."
        )
    elif report.sizes_known and filled >= ENOUGH and _swapped_fits_better(pairs, n, m):
        yield "source and target may be swapped: the links are nearer the diagonal if they are."
    if outside and not one_based:
        yield f"{_are(outside)} out of range, the first in line {int(lines[at[~inside][0]])}."
    if report.repeated:
        yield f"{_are(report.repeated)} repeated in the same line."
    if report.empty > 0.05 * report.sentences:
        yield f"{100 * report.empty / report.sentences:.0f} % of the sentences have no link."
    for name, side in (("source", report.source), ("target", report.target)):
        if side.unaligned > 0.5:
            yield f"{100 * side.unaligned:.0f} % of the {name} words have no link."
        if side.widest > 10:
            yield f"one {name} word has {side.widest} links, in line {side.widest_sentence}."
    if filled >= ENOUGH and bool((pairs[:, 0] == pairs[:, 1]).all()):
        yield "every link is i-i: was this text aligned at all?"


def _are(links: int) -> str:
    return counted(links, "link is", "links are")


def _swapped_fits_better(pairs: Ints, n: Longs, m: Longs) -> bool:
    """Return whether links are clearly nearer the diagonal when read as target-source."""
    uneven = n != m
    if not uneven.any():
        return False
    (i, j), n, m = pairs[uneven].T, n[uneven], m[uneven]
    as_stored = np.abs((i + 0.5) / n - (j + 0.5) / m).mean()
    turned = np.abs((j + 0.5) / n - (i + 0.5) / m).mean()
    return bool(turned < 0.7 * as_stored)
