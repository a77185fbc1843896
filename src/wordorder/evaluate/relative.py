"""Orders of systems in terms of reference orders: the permutations that ordering metrics score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.arrays import Ints, Longs
from wordorder.core.orders import Words
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import InvalidPermutation


def relative_orders(
    ranks: Sequence[Ints | None], orders: Sequence[Permutation], words: Words | None = None
) -> Permutations:
    """Return the reference places of the words in the order of the system.

    Words of equal rank form a group whose inner order does not matter: they take their places in the order of
    the system. Words of rank -1 are left out, and so are sentences without ranks (they become empty). With
    ``words``, a word of the system is matched with the first word of the reference that has the same form
    and is not taken (Talbot et al. 2011, 3.2).

    >>> relative_orders([np.array([2, 0, 0])], [Permutation.from_order([0, 2, 1])])[0]
    Permutation([2, 0, 1])
    >>> relative_orders([np.array([1, 2, 0])], [Permutation.identity(3)], [["the", "dog", "the"]])[0]
    Permutation([0, 2, 1])
    """
    _, read, sentence = _read(ranks, orders, words)
    # Equal ranks become rising numbers from left to right.
    lengths = np.bincount(sentence, minlength=len(orders)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    places = np.empty(len(read), dtype=np.int32)
    places[np.lexsort((read, sentence))] = np.arange(len(read)) - np.repeat(offsets[:-1], lengths)
    return Permutations._trusted(places, offsets)


def matched_ranks(ranks: Sequence[Ints], orders: Sequence[Permutation], words: Words) -> list[Ints]:
    """Return, for each source word, the rank of the reference word with which it is matched.

    >>> matched_ranks([np.array([1, 2, 0])], [Permutation.identity(3)], [["the", "dog", "the"]])[0].tolist()
    [0, 2, 1]
    """
    at, read, _ = _read(ranks, orders, words)
    sizes = [len(order) for order in orders]
    matched = np.full(sum(sizes), -1, dtype=np.int32)
    matched[at] = read
    return np.split(matched, np.cumsum(sizes)[:-1]) if sizes else []


def _read(
    ranks: Sequence[Ints | None], orders: Sequence[Permutation], words: Words | None
) -> tuple[Longs, Longs, Longs]:
    """List the words that count as the systems read them: their positions, ranks and sentences."""
    for s, (rank, order) in enumerate(zip(ranks, orders, strict=True), start=1):
        if rank is not None and len(rank) != len(order):
            raise InvalidPermutation(
                f"sentence {s}: the order has {len(order)} words, the reference {len(rank)}"
            )
    sizes = np.array([len(order) for order in orders], dtype=np.int64)
    nothing = np.empty(0, np.int64)
    pairs = zip(ranks, sizes.tolist(), strict=True)
    flat = np.concatenate([nothing, *(np.full(n, -1) if rank is None else rank for rank, n in pairs)])
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    at = np.concatenate([nothing, *(order.order for order in orders)]) + starts
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    counts = flat[at] >= 0
    at, sentence = at[counts], sentence[counts]
    read = flat[at]
    if words is not None and len(at):
        read = _matched(at, read, sentence, words)
    return at, read, sentence


def _matched(at: Longs, read: Longs, sentence: Longs, words: Words) -> Longs:
    """Give the k-th of equal words of the system the rank of the k-th in the reference."""
    known: dict[str, int] = {}
    numbers = np.array([known.setdefault(word, len(known)) for line in words for word in line], np.int64)
    word = numbers[at]
    in_system = np.lexsort((np.arange(len(at)), word, sentence))
    # The reference reads its words by rank, and those of equal rank from left to right in the source.
    in_reference = np.lexsort((at, read, word, sentence))
    matched = np.empty_like(read)
    matched[in_system] = read[in_reference]
    return matched
