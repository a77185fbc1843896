"""How often the target puts one kind of child, or the head, before another: what rules are learned from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.explain import words_below
from wordorder.preorder.rules.language import HEAD, Side

Ranks = NDArray[np.int32]


class Kind(NamedTuple):
    """A kind of child: its relation and where it stood; the head is of a kind of its own."""

    relation: str
    side: Side | None

    def __str__(self) -> str:
        return self.relation if self.side is None else f"{self.relation} {self.side}"


THE_HEAD = Kind(HEAD, None)
Category = tuple[str, ...]  # (tag, relation), (tag,) or (): the head, more and more loosely
Pair = tuple[Kind, Kind]


@dataclass
class PrecedenceVotes:
    """Votes of one category of heads.

    ``before[a, b]`` is how often a came before b (ties half); ``kept[a, b]``, for kinds that may share a
    slot, how often two of them kept their source order. Both know each pair in both directions.
    """

    heads: int = 0
    before: dict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    kept: dict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    votes: dict[Pair, int] = field(default_factory=lambda: defaultdict(int))


def linked_ranks(alignment: Alignment) -> Ranks:
    """The rank of each word by its first link: equal for words of one target word, -1 without links.

    >>> linked_ranks(Alignment(4, 3, [(0, 2), (2, 0), (3, 0)])).tolist()
    [1, -1, 0, 0]
    """
    first = [found[0] if found else -1 for found in alignment.targets()]
    place = {target: rank for rank, target in enumerate(sorted({at for at in first if at >= 0}))}
    return np.array([place.get(at, -1) for at in first], dtype=np.int32)


def count_precedence(
    sentences: Sequence[Sentence], ranks: Sequence[Ranks | None]
) -> dict[Category, PrecedenceVotes]:
    """Votes by category of heads, from trees and the ranks that their words have in the target.

    Words of rank -1 have no say. Punctuation, and conjuncts with what joins them, stay where rules leave
    them.
    """
    found: dict[Category, PrecedenceVotes] = defaultdict(PrecedenceVotes)
    for sentence, rank in zip(sentences, ranks, strict=True):
        if rank is None:
            continue
        for head, kinds in _families(sentence):
            row = sentence.words[head]
            relation = row.deprel.partition(":")[0] or row.deprel
            counts = [found[category] for category in ((), (row.upos,), (row.upos, relation))]
            for one in counts:
                one.heads += 1
            for k, (a, words_a) in enumerate(kinds):
                for b, words_b in kinds[k + 1 :]:
                    share = _share_before(rank[words_a], rank[words_b])
                    if share is not None:
                        for one in counts:
                            _vote(one, a, b, share)
    return found


def _families(sentence: Sentence) -> Iterator[tuple[int, list[tuple[Kind, list[int]]]]]:
    """Heads, and the kinds and words of their children and themselves in source order."""
    rows = sentence.words
    heads = [head - 1 for head in sentence.heads]
    below = words_below(heads)
    children: list[list[int]] = [[] for _ in rows]
    for i, head in enumerate(heads):
        if head >= 0:
            children[head].append(i)
    for head, some in enumerate(children):
        if not some:
            continue
        kinds: list[tuple[int, Kind, list[int]]] = [(head, THE_HEAD, [head])]
        for i in some:
            relation = rows[i].deprel
            base = relation.partition(":")[0]
            if base == "punct" or (i > head and base in ("conj", "cc")):
                continue
            kinds.append((i, Kind(relation, "before" if i < head else "after"), below[i]))
        yield head, [(kind, words) for _, kind, words in sorted(kinds)]


def _share_before(one: Ranks, other: Ranks) -> float | None:
    """The share of pairs of words in which the first group's ranks before the second's; ties are half."""
    one, other = one[one >= 0], other[other >= 0]
    if not len(one) or not len(other):
        return None
    difference = np.sign(other[None, :].astype(np.int64) - one[:, None])
    return float((difference.mean() + 1) / 2)


def _vote(counts: PrecedenceVotes, a: Kind, b: Kind, share: float) -> None:
    """Kind a, which stood before b, came before it with this share."""
    counts.before[a, b] += share
    counts.before[b, a] += 1 - share
    counts.kept[a, b] += share
    counts.votes[a, b] += 1
    if a != b:
        counts.kept[b, a] += share
        counts.votes[b, a] += 1
