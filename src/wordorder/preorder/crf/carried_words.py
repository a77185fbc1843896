"""Words without a counterpart in the translation, which are carried along by the next word that has one.

A model that learns orders from links knows little about words that have none: articles, auxiliaries, case
markers. Where it knows which words these are, they stay in front of the word that they stood in front of.
The order of all other words remains as it was. A mark that ends the sentence often has no counterpart
either; it stays at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordorder.arrays import Floats

LAST_MARKS = frozenset(".!?…。！？｡।؟")


def carriers(words: Sequence[str], linked: Floats, least: float) -> dict[int, int]:
    """Return, for each word that is carried along, the word that carries it.

    ``linked`` are probabilities that words have a counterpart; words below ``least`` are carried by the next
    word that is not, unless a punctuation mark comes first. Punctuation marks stand for themselves.

    >>> import numpy as np
    >>> carriers("he saw the big dog .".split(), np.array([0.9, 1, 0.1, 0.9, 1, 0], np.float32), 0.2)
    {2: 3}
    """
    found: dict[int, int] = {}
    carrier: int | None = None
    for at in range(len(words) - 1, -1, -1):
        if not any(character.isalnum() for character in words[at]):
            carrier = None
        elif linked[at] >= least:
            carrier = at
        elif carrier is not None:
            found[at] = carrier
    return found


def carry(order: Sequence[int], carried: Mapping[int, int]) -> list[int]:
    """Return an order in which words stand directly before those that carry them, in source order.

    The end of the sentence, whose number is that of words, can carry words, too.

    >>> carry([4, 2, 3, 0, 1], {2: 4, 3: 4})
    [2, 3, 4, 0, 1]
    >>> carry([1, 2, 0], {2: 3})
    [1, 0, 2]
    """
    before: dict[int, list[int]] = {}
    for word in sorted(carried):
        before.setdefault(carried[word], []).append(word)
    kept = [moved for word in order if word not in carried for moved in (*before.get(word, ()), word)]
    return kept + before.get(len(order), [])


def without_chains(carried: Mapping[int, int]) -> dict[int, int]:
    """Return words with carriers that are not carried themselves, where windows or members disagree.

    >>> without_chains({1: 2, 2: 4, 5: 6, 6: 5})
    {1: 4, 2: 4}
    """
    ends = {}
    for word, carrier in carried.items():
        seen = {word}
        while carrier in carried and carrier not in seen:
            seen.add(carrier)
            carrier = carried[carrier]
        if carrier not in seen:
            ends[word] = carrier
    return ends
