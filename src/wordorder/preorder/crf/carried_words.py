"""Words without a counterpart in the translation, which are carried along by the next word that has one.

A model that learns orders from links knows little about words that have none: articles, auxiliaries, case
markers. Where it knows which words these are, they stay in front of the word that they stood in front of.
The order of all other words remains as it was. Marks that end the sentence often have no counterpart either;
they stay at the end.

Tables follow: a carried word comes before another word with the probability with which its carrier does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from wordorder.arrays import Doubles, Floats, Longs
from wordorder.preorder.long_sentences import precedence_table

LAST_MARKS = ".!?…。！？｡।؟"
CLOSING = "\"'”’“‘»«›‹)）]］}｝〕】〉》」』"  # quotes and brackets; after a mark, any quote is a closing one
_END = re.compile(
    f"(?:^|(?<= ))(?:[{LAST_MARKS}]+ )*[{LAST_MARKS}]+[{re.escape(CLOSING)}]*(?: [{re.escape(CLOSING)}]+)*$"
)
SURE = 1 - 1e-9  # the largest share of steps among carried words, so that they are left at some time


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


def closing_marks(words: Sequence[str]) -> int:
    """Return how many words at the end are marks that end the sentence, and what is closed after them.

    >>> [closing_marks(text.split()) for text in ("a b", "is it ? !", 'he said : " no . "', '" why ? " .')]
    [0, 2, 2, 1]
    """
    found = _END.search(" ".join(words))
    return len(found[0].split()) if found else 0


def carry(order: Sequence[int], carried: Mapping[int, int]) -> list[int]:
    """Return an order in which words stand directly before those that carry them, in source order.

    The end of the sentence, whose number is that of words, can carry words, too.

    >>> carry([4, 2, 3, 0, 1], {2: 4, 3: 4})
    [2, 3, 4, 0, 1]
    >>> carry([1, 2, 0], {2: 3})
    [1, 0, 2]
    """
    before = _words_by_carrier(carried)
    kept = [moved for word in order if word not in carried for moved in (*before.get(word, ()), word)]
    return kept + before.get(len(order), [])


def _words_by_carrier(carried: Mapping[int, int]) -> dict[int, list[int]]:
    before: dict[int, list[int]] = {}
    for word in sorted(carried):
        before.setdefault(carried[word], []).append(word)
    return before


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


def carried_inversions(inverted: Doubles, carried: Mapping[int, int]) -> Doubles:
    """Return a table of inversions in which carried words go with those that carry them.

    >>> carried_inversions(np.array([[0, 0.5, 0.9], [0, 0, 0.9], [0, 0, 0]]), {0: 1}).tolist()
    [[0.0, 0.0, 0.9], [0.0, 0.0, 0.9], [0.0, 0.0, 0.0]]
    """
    n = len(inverted)
    before = np.zeros((n + 1, n + 1))
    before[:n, :n] = precedence_table([inverted])
    before[:n, n] = 1.0  # the end comes after all words
    by = _carriers_of_all(n, carried)
    found = before[np.ix_(by, by)].T
    found[by[:, None] == by] = 0.0  # words with the same carrier keep their order
    return np.triu(found, 1)


def carried_steps(following: Doubles, carried: Mapping[int, int]) -> Doubles:
    """Return a table of steps to the next word in which carried words go with those that carry them.

    Without carried words, a step leads from a word to the next one that is not carried. The steps between are
    taken as independent.
    """
    n = len(following) - 1
    kept = [word for word in range(n + 1) if word not in carried]
    gone = sorted(carried)
    among = following[np.ix_(gone, gone)] * SURE
    onwards = np.linalg.solve(np.eye(len(gone)) - among, following[np.ix_(gone, kept)])
    steps = following[np.ix_(kept, kept)] + following[np.ix_(kept, gone)] @ onwards
    before = _words_by_carrier(carried)
    found = np.zeros_like(following)
    firsts = [before.get(word, [word])[0] for word in kept]
    found[np.ix_(kept, firsts)] = steps.clip(0.0, 1.0)
    for carrier, words in before.items():
        found[words, [*words[1:], carrier]] = 1.0
    return found


def kept_inversions(inverted: Doubles, kept: Longs, carried: Mapping[int, int]) -> Doubles:
    """Return a table of the words that are kept, each of which counts as much as all words that move with it.

    An order of these words has as many more expected wrong pairs than another one as the order of all words,
    up to a factor: differences of probabilities from one half are multiplied, not the probabilities.
    """
    sizes = 1.0 + np.bincount([*carried.values()], minlength=len(inverted) + 1)[kept]
    weights = np.outer(sizes, sizes)
    shares = weights / weights.max(initial=1.0)
    return np.triu(0.5 + shares * (inverted[np.ix_(kept, kept)] - 0.5), 1)


def _carriers_of_all(n: int, carried: Mapping[int, int]) -> Longs:
    """Return for each of n words the one that it moves with."""
    by = np.arange(n)
    by[[*carried]] = [*carried.values()]
    return by
