"""System orders in terms of reference orders: the permutations that all ordering scores take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.arrays import Ints, Longs
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import InvalidPermutation


def relative_orders(
    ranks: Sequence[Ints | None],
    orders: Sequence[Permutation],
    words: Sequence[Sequence[str]] | None = None,
) -> Permutations:
    """The reference places of the words in the order of the system.

    Words of equal rank are a group whose inner order does not matter: they take their places in the order of
    the system. Words of rank -1 are left out, and so are sentences without ranks (they become empty). With
    ``words``, a word of the system may be any of the same words of the reference: the first that is not
    taken (Talbot et al. 2011, 3.2).

    >>> relative_orders([np.array([2, 0, 0])], [Permutation([0, 2, 1])])[0]
    Permutation([2, 0, 1])
    >>> relative_orders([np.array([1, 2, 0])], [Permutation([0, 1, 2])], [["the", "dog", "the"]])[0]
    Permutation([0, 2, 1])
    """
    sizes = np.array([len(order) for order in orders], dtype=np.int64)
    for s, (found, order) in enumerate(zip(ranks, orders, strict=True)):
        if found is not None and len(found) != len(order):
            raise InvalidPermutation(
                f"sentence {s + 1}: the order has {len(order)} words, the reference {len(found)}"
            )
    nothing = np.empty(0, np.int64)
    rank = np.concatenate(
        [nothing, *(np.full(n, -1) if r is None else r for r, n in zip(ranks, sizes.tolist(), strict=True))]
    )
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    at = np.concatenate([nothing, *(one.order for one in orders)]) + starts
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    kept = rank[at] >= 0
    at, sentence = at[kept], sentence[kept]
    read = rank[at]  # the ranks as the system reads them
    if words is not None and len(at):
        read = _matched(at, read, sentence, _numbers(words))
    # Equal ranks become rising numbers from left to right.
    lengths = np.bincount(sentence, minlength=len(sizes)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.empty(len(read), dtype=np.int32)
    places[np.lexsort((read, sentence))] = np.arange(len(read)) - np.repeat(offsets[:-1], lengths)
    return Permutations._trusted(places, offsets)


def matched_ranks(
    ranks: Sequence[Ints], orders: Sequence[Permutation], words: Sequence[Sequence[str]]
) -> list[Ints]:
    """The ranks of the words of the reference that those of the system are matched with, by source position.

    >>> matched_ranks([np.array([1, 2, 0])], [Permutation([0, 1, 2])], [["the", "dog", "the"]])[0].tolist()
    [0, 2, 1]
    """
    sizes = np.array([len(order) for order in orders], dtype=np.int64)
    rank = np.concatenate([np.empty(0, np.int64), *ranks])
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    at = np.concatenate([np.empty(0, np.int64), *(one.order for one in orders)]) + starts
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    kept = rank[at] >= 0
    at, sentence = at[kept], sentence[kept]
    found = np.full(len(rank), -1, dtype=np.int32)
    if len(at):
        found[at] = _matched(at, rank[at], sentence, _numbers(words))
    return np.split(found, np.cumsum(sizes)[:-1]) if len(sizes) else []


def _matched(order: Longs, read: Longs, sentence: Longs, number: Longs) -> Longs:
    """Ints by words: the k-th of equal words in the system has the rank of the k-th in the reference."""
    word = number[order]
    in_system = np.lexsort((np.arange(len(order)), word, sentence))
    # The reference reads its words by rank, and those of equal rank from left to right in the source.
    in_reference = np.lexsort((order, read, word, sentence))
    matched = np.empty_like(read)
    matched[in_system] = read[in_reference]
    return matched


def _numbers(words: Sequence[Sequence[str]]) -> Longs:
    """A number for every word, the same for the same word."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(word, len(known)) for line in words for word in line], dtype=np.int64)
