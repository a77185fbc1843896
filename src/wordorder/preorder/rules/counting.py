"""Counts of how often the target puts one kind of child, or the head, before another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from wordorder.arrays import Ints
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.explain import children_of, words_below
from wordorder.preorder.rules.language import HEAD, Side


class Kind(NamedTuple):
    """A kind of child: its relation and its side of the head; the head is a kind of its own."""

    relation: str
    side: Side | None

    def __str__(self) -> str:
        return self.relation if self.side is None else f"{self.relation} {self.side}"


THE_HEAD = Kind(HEAD, None)
Category = tuple[str, ...]  # (tag, relation), (tag,) or () of the head, from narrow to broad
Pair = tuple[Kind, Kind]


@dataclass
class PrecedenceVotes:
    """The votes of one category of heads.

    ``before[a, b]`` counts how often kind a came before kind b (ties count half). ``kept[a, b]`` counts, for
    kinds that may share a slot, how often two of them kept their source order. Both hold each pair in both
    directions.
    """

    heads: int = 0
    before: dict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    kept: dict[Pair, float] = field(default_factory=lambda: defaultdict(float))
    votes: dict[Pair, int] = field(default_factory=lambda: defaultdict(int))


def linked_ranks(alignment: Alignment) -> Ints:
    """Return the rank of each word by its first link: equal for words of one target word, -1 without links.

    >>> linked_ranks(Alignment(4, 3, [(0, 2), (2, 0), (3, 0)])).tolist()
    [1, -1, 0, 0]
    """
    return orders_from_links([alignment], "talbot:unaligned=drop").ranks[0]


def count_precedence(
    sentences: Sequence[Sentence], ranks: Sequence[Ints | None]
) -> dict[Category, PrecedenceVotes]:
    """Count votes by category of heads, from trees and the target ranks of their words.

    Words of rank -1 do not vote. Punctuation, conjuncts and coordinators are left out: rules do not move
    them.
    """
    votes: dict[Category, PrecedenceVotes] = defaultdict(PrecedenceVotes)
    for sentence, rank in zip(sentences, ranks, strict=True):
        if rank is None:
            continue
        for head, kinds in _families(sentence):
            row = sentence.words[head]
            relation = row.deprel.partition(":")[0] or row.deprel
            counts = [votes[category] for category in ((), (row.upos,), (row.upos, relation))]
            for count in counts:
                count.heads += 1
            for k, (a, words_a) in enumerate(kinds):
                for b, words_b in kinds[k + 1 :]:
                    share = _share_before(rank[words_a], rank[words_b])
                    if share is not None:
                        for count in counts:
                            _vote(count, a, b, share)
    return votes


def _families(sentence: Sentence) -> Iterator[tuple[int, list[tuple[Kind, list[int]]]]]:
    """Yield each head with the kinds and words of itself and its children, in source order."""
    rows = sentence.words
    heads = [head - 1 for head in sentence.heads]
    below = words_below(heads)
    for head, children in enumerate(children_of(heads)):
        if not children:
            continue
        kinds: list[tuple[int, Kind, list[int]]] = [(head, THE_HEAD, [head])]
        for i in children:
            relation = rows[i].deprel
            base = relation.partition(":")[0]
            if base == "punct" or (i > head and base in ("conj", "cc")):
                continue
            kinds.append((i, Kind(relation, "before" if i < head else "after"), below[i]))
        yield head, [(kind, words) for _, kind, words in sorted(kinds)]


def _share_before(first: Ints, second: Ints) -> float | None:
    """Return the share of word pairs in which the first group comes before the second; ties count half."""
    first, second = first[first >= 0], second[second >= 0]
    if not len(first) or not len(second):
        return None
    difference = np.sign(second[None, :].astype(np.int64) - first[:, None])
    return float((difference.mean() + 1) / 2)


def _vote(counts: PrecedenceVotes, a: Kind, b: Kind, share: float) -> None:
    """Add the vote that kind a, which is before b in the source, comes before it with this share."""
    counts.before[a, b] += share
    counts.before[b, a] += 1 - share
    counts.kept[a, b] += share
    counts.votes[a, b] += 1
    if a != b:
        counts.kept[b, a] += share
        counts.votes[b, a] += 1
