"""What a file of alignments looks like, and what is probably wrong with it.

Everything is counted over arrays, so that millions of sentences take seconds. Without the text the
number of words is not known; sentences then end at their last link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Longs
from wordorder.core.alignment import Alignments, linked_sizes
from wordorder.core.permutation import Permutations
from wordorder.io.lines import counted

ENOUGH = 10  # sentences with links, below which nothing is said about the file


@dataclass(frozen=True, slots=True)
class Side:
    """The words of one side: how many links they have."""

    words: int
    unaligned: float  # share of the words
    links_per_word: dict[str, int]
    widest: int  # the most links of one word
    widest_sentence: int  # where, from 1; 0 if there is no link


@dataclass(frozen=True, slots=True)
class Health:
    """The figures of a file of alignments; shares are between 0 and 1."""

    sentences: int
    links: int  # without repetitions and those out of range
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
    flags: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """All figures by name, for JSON."""
        return asdict(self)


def health(
    links: Alignments,
    source_sizes: Sequence[int] | None = None,
    target_sizes: Sequence[int] | None = None,
    *,
    numbers: Sequence[int] | None = None,
) -> Health:
    """Count, and flag what looks wrong; ``numbers`` are those of the sentences, where some were skipped.

    >>> told = health(Alignments.from_links([[(0, 1), (1, 0)], []]), [2, 1], [2, 1])
    >>> told.crossings, told.empty, round(told.source.unaligned, 3)
    (1, 1, 0.333)
    """
    given = links
    lines = np.arange(1, len(links) + 1) if numbers is None else np.asarray(numbers, dtype=np.int64)
    n, m = _sizes(links, source_sizes, 0), _sizes(links, target_sizes, 1)
    at = links.sentence
    inside = (links.pairs[:, 0] < n[at]) & (links.pairs[:, 1] < m[at])
    links, repeated = _unique(links, inside)
    at = links.sentence
    crossings, comparable = _crossings(links)
    with_pairs = comparable > 0
    shares = 1 - crossings[with_pairs] / comparable[with_pairs]
    spans, block_offsets = _native.blocks(links.pairs, links.offsets)
    sizes = 1 + np.maximum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2])
    # How far, in target words, a link is from where an even spread of words would put it.
    expected = (links.pairs[:, 0] + 0.5) * m[at] / np.maximum(n[at], 1) - 0.5
    distance = np.abs(links.pairs[:, 1] - expected)
    filled = np.diff(links.offsets) > 0
    told = Health(
        sentences=len(links),
        links=len(links.pairs),
        empty=int((np.diff(given.offsets) == 0).sum()),
        repeated=repeated,
        out_of_range=int((~inside).sum()),
        sizes_known=source_sizes is not None and target_sizes is not None,
        source=_side(links, n, 0, lines),
        target=_side(links, m, 1, lines),
        crossings=int(crossings.sum()),
        crossings_per_sentence=float(crossings.mean()) if len(links) else 0.0,
        kendall=float(shares.mean()) if len(shares) else 1.0,
        monotone=float((crossings[filled] == 0).mean()) if filled.any() else 1.0,
        blocks=len(spans),
        block_sizes=_histogram(sizes, [1, 2, 3, 5, 10]),
        operators=_histogram(_operators(spans, block_offsets)[filled], [0, 2, 4, 5, 7]),
        distances=_histogram(np.rint(distance).astype(np.int64), [0, 1, 2, 5, 10, 20]),
        on_diagonal=float((distance <= 1).mean()) if len(distance) else 1.0,
        flags=(),
    )
    object.__setattr__(told, "flags", tuple(_flags(told, given, n, m, inside, lines)))
    return told


def sample(links: Alignments, size: int, seed: int) -> list[int]:
    """Numbers of sentences, from 0, drawn among those that have links; in rising order.

    >>> sample(Alignments.from_links([[(0, 0)], [], [(0, 0)]]), 5, seed=1)
    [0, 2]
    """
    filled = np.flatnonzero(np.diff(links.offsets))
    drawn = np.random.default_rng(seed).choice(filled, min(size, len(filled)), replace=False)
    return sorted(drawn.tolist())


def _sizes(links: Alignments, sizes: Sequence[int] | None, side: int) -> Longs:
    if sizes is not None:
        return np.asarray(sizes, dtype=np.int64)
    return linked_sizes(links.pairs[:, side], links.offsets)


def _unique(links: Alignments, keep: NDArray[np.bool_]) -> tuple[Alignments, int]:
    """Sort links and drop repeated ones; also count these."""
    rows = np.column_stack([links.sentence, links.pairs])[keep]
    kept = np.unique(rows, axis=0) if len(rows) else rows
    counts = np.bincount(kept[:, 0], minlength=len(links))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    pairs = np.ascontiguousarray(kept[:, 1:], dtype=np.int32)
    return Alignments(pairs, offsets, links.source_sizes, links.target_sizes), len(rows) - len(kept)


def _per_word(links: Alignments, sizes: Longs, side: int) -> tuple[Longs, Longs]:
    """Count the links of each word, all sentences in a row; also where each sentence begins."""
    starts = np.concatenate([[0], np.cumsum(sizes)])
    counts = np.bincount(starts[links.sentence] + links.pairs[:, side], minlength=int(starts[-1]))
    return counts, starts


def _side(links: Alignments, sizes: Longs, side: int, lines: Longs) -> Side:
    counts, starts = _per_word(links, sizes, side)
    widest = int(counts.argmax()) if len(counts) and counts.max() else -1
    return Side(
        words=len(counts),
        unaligned=float((counts == 0).mean()) if len(counts) else 0.0,
        links_per_word=_histogram(counts, [0, 1, 2, 3, 4]),
        widest=int(counts[widest]) if widest >= 0 else 0,
        widest_sentence=int(lines[np.searchsorted(starts, widest, side="right") - 1]) if widest >= 0 else 0,
    )


def _crossings(links: Alignments) -> tuple[Longs, Longs]:
    """Of each sentence, the pairs of links that cross, and those that could: no word in common."""
    at, (i, j) = links.sentence, links.pairs.T
    order = np.lexsort((i, j, at))  # by target; the links themselves are by source
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    values = (rank - links.offsets[at]).astype(np.int32)
    crossings = _native.counts(values, links.offsets, 0)  # inversions; links of one word never cross
    number = np.diff(links.offsets)
    comparable = number * (number - 1) // 2
    for side in (i, j):
        words, repeats = np.unique(np.column_stack([at, side]), axis=0, return_counts=True)
        np.subtract.at(comparable, words[:, 0], repeats * (repeats - 1) // 2)
    return crossings, comparable


def _operators(spans: NDArray[np.int32], offsets: Longs) -> Longs:
    """The longest operator of the tree over each sentence's blocks, 0 where there is none."""
    at = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((spans[:, 2], at))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    blocks = Permutations._trusted((rank - offsets[at]).astype(np.int32), offsets)
    longest: Longs = _native.tree_counts(blocks.values, blocks.offsets)[:, 1]
    return longest


def _histogram(values: NDArray[np.integer], ends: list[int]) -> dict[str, int]:
    """Counts of the values up to each end, and beyond the last."""
    edges = np.searchsorted(np.sort(values), np.array(ends) + 1)
    counts = np.diff(np.concatenate([[0], edges, [len(values)]])).tolist()
    lows = [0 if ends[0] == 0 else 1, *(end + 1 for end in ends)]
    names = [str(low) if low == end else f"{low}-{end}" for low, end in zip(lows, ends, strict=False)]
    return dict(zip([*names, f"{lows[-1]}+"], counts, strict=True))


def _flags(
    told: Health, given: Alignments, n: Longs, m: Longs, inside: NDArray[np.bool_], lines: Longs
) -> list[str]:
    flags = []
    pairs, at = given.pairs, given.sentence
    filled = told.sentences - told.empty
    outside = int((~inside).sum())
    swapped = int(((pairs[:, 1] >= n[at]) | (pairs[:, 0] >= m[at])).sum()) if told.sizes_known else 0
    past_end = (pairs[:, 0] == n[at]) | (pairs[:, 1] == m[at]) if told.sizes_known else np.zeros(0, bool)
    # No 0 in many sentences, or in few where some link is one past the end as well.
    one_based = bool(filled and (pairs > 0).all() and (filled >= ENOUGH or past_end.any()))
    if one_based:
        past = int(past_end.sum())
        more = f", and {_are(past)} one past the last word" if past else ""
        flags.append(f"the links probably start at 1: no link has a 0{more}. Read them with base 1.")
    elif filled and not told.sizes_known and bool((pairs > 0).all()):
        flags.append("no link has a 0: do they start at 1? The source and target texts would show it.")
    elif outside and swapped * 10 <= outside:
        flags.append(
            f"source and target are probably swapped: {_are(outside)} out of range as given, "
            f"{swapped} if swapped."
        )
    elif told.sizes_known and filled >= ENOUGH and _swapped_fits_better(pairs, n[at], m[at]):
        flags.append("source and target may be swapped: the links are nearer the diagonal if they are.")
    if outside and not one_based:
        first = int(lines[at[~inside][0]])
        flags.append(f"{_are(outside)} out of range, the first in line {first}.")
    if told.repeated:
        flags.append(f"{_are(told.repeated)} repeated in the same line.")
    if told.sentences and told.empty > 0.05 * told.sentences:
        flags.append(f"{100 * told.empty / told.sentences:.0f} % of the sentences have no link.")
    for name, side in (("source", told.source), ("target", told.target)):
        if side.unaligned > 0.5:
            flags.append(f"{100 * side.unaligned:.0f} % of the {name} words have no link.")
        if side.widest > 10:
            flags.append(f"one {name} word has {side.widest} links, in line {side.widest_sentence}.")
    if filled >= ENOUGH and bool((pairs[:, 0] == pairs[:, 1]).all()):
        flags.append("every link is i-i: was this text aligned at all?")
    return flags


def _are(links: int) -> str:
    return counted(links, "link is", "links are")


def _swapped_fits_better(pairs: NDArray[np.int32], n: Longs, m: Longs) -> bool:
    """Whether links lie clearly nearer the diagonal when read as target-source."""
    uneven = n != m
    if not uneven.any():
        return False
    (i, j), n, m = pairs[uneven].T, n[uneven], m[uneven]
    as_given = np.abs((i + 0.5) / n - (j + 0.5) / m).mean()
    turned = np.abs((j + 0.5) / n - (i + 0.5) / m).mean()
    return bool(turned < 0.7 * as_given)
