"""Orders of source words from word alignments, by named policies.

An alignment is many-to-many and leaves words out; an order is one-to-one. A policy decides where a source
word goes that has several links, or none, and which words may stand in any order.

============= ====================================================================================
``talbot``    Talbot et al. (2011, 3.1), the default. Words are sorted by their first target word; those
              that share it form a group whose inner order does not matter. ``unaligned`` words go before
              the ``next`` linked word (the paper), after the ``previous`` one, or ``drop`` out. An unaligned
              word ``inside`` a group is ``free`` to move within it (the paper ignores the order within the
              whole source span), or it is ``fixed``: it keeps its place and divides the group.
              ``punctuation`` is treated as ``words``; or marks without links at the borders of the
              sentence stay there (``pin``); or no mark counts (``drop``).
``birch``     Birch and Osborne (2010). As ``talbot:unaligned=previous``.
``thesis``    Stanojević (2017, 2.5.2 and 3.4.1). Words are sorted by the ``first``, ``last`` or ``mean``
              target position, or by that of their most ``probable`` link (``link``), for which links need
              scores; of links with the same score the first counts. An unaligned word stays beside its linked
              neighbour on the ``right`` or ``left`` (``attach``). There are no groups.
``phrases``   Stanojević (2017, 3.2). Minimal phrases, the smallest spans that are consistent with the
              alignment, move as one; ``attach`` as for ``thesis``. There are no groups.
``nakagawa``  Nakagawa (2015). Linked words by first and last target position; those that share both form
              a group, others do not count. A sentence in which one such span lies inside another has no
              order and does not count.
``lader``     Neubig et al. (2012), as the program LADER ranks words: those with overlapping target spans,
              and all words between them, are one group; ``attach`` joins unaligned words to a neighbour;
              brackets without links stand around what they enclose, if words are given.
``middle``    Words by the middle of their first and last target positions, groups where it is the same; an
              unaligned word joins the next linked word, or the last.
============= ====================================================================================

A policy is written ``name`` or ``name:setting=value,...``, for example ``thesis:link=first``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Literal, NamedTuple, overload

import numpy as np

from wordorder import _native
from wordorder.arrays import Bools, Doubles, Ints, Longs
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.lader import lader_ranks
from wordorder.core.permutation import Permutations
from wordorder.core.plugins import field_types, read_settings, split_spec
from wordorder.errors import InvalidAlignment, InvalidPermutation, UnknownName

PolicyName = Literal["talbot", "birch", "thesis", "phrases", "nakagawa", "lader", "middle"]
Words = Sequence[Sequence[str]]

_SETTINGS: dict[str, tuple[str, ...]] = {
    "talbot": ("unaligned", "inside", "punctuation"),
    "birch": (),
    "thesis": ("link", "attach"),
    "phrases": ("attach",),
    "nakagawa": (),
    "lader": ("attach",),
    "middle": (),
}
_NAMED_MARKS = frozenset({"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "``", "''"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """How links become an order; a policy looks only at the settings that it has (see above).

    >>> str(policy_of("talbot:punctuation=pin")), str(Policy(name="thesis", link="first"))
    ('talbot:unaligned=next,inside=free,punctuation=pin', 'thesis:link=first,attach=right')
    """

    name: PolicyName = "talbot"
    unaligned: Literal["next", "previous", "drop"] = "next"
    inside: Literal["free", "fixed"] = "free"
    punctuation: Literal["words", "pin", "drop"] = "words"
    link: Literal["first", "last", "mean", "probable"] = "mean"
    attach: Literal["left", "right"] = "right"

    @property
    def settings(self) -> dict[str, str]:
        """The settings that this policy looks at."""
        return {key: getattr(self, key) for key in _SETTINGS[self.name]}

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.name}:{settings}" if settings else self.name


DEFAULT = Policy()


def policy_of(spec: str | Policy) -> Policy:
    """Make a policy from ``name`` or ``name:setting=value,...``; a policy is returned as it is."""
    if isinstance(spec, Policy):
        return spec
    name, texts = split_spec(spec)
    if name not in _SETTINGS:
        raise UnknownName("policy", name, _SETTINGS)
    settings = read_settings(name, texts, field_types(Policy), _SETTINGS[name])
    return Policy(name=name, **settings)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, eq=False)
class Ranks(Sequence[Ints]):
    """The ranks of the source words of many sentences.

    Words of one sentence with equal ranks form a group whose inner order does not matter; a rank of -1 marks
    a word that does not count. The ranks of sentence s are ``values[offsets[s]:offsets[s + 1]]``.
    """

    values: Ints
    offsets: Longs

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Ints: ...
    @overload
    def __getitem__(self, index: slice) -> list[Ints]: ...
    def __getitem__(self, index: int | slice) -> Ints | list[Ints]:
        if isinstance(index, slice):
            return [self[s] for s in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return self.values[self.offsets[at] : self.offsets[at + 1]]

    def __iter__(self) -> Iterator[Ints]:
        return (self[s] for s in range(len(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Orders:
    """The orders of source words that a policy makes of alignments.

    ``permutations`` place every word, also those that do not count; ``ranks`` have the groups; ``aligned``
    says which words have links; ``counts``, which sentences have an order at all.
    """

    permutations: Permutations
    ranks: Ranks
    aligned: Bools
    counts: Bools

    @property
    def sentence(self) -> Longs:
        """The sentence of every word."""
        return np.repeat(np.arange(len(self.permutations)), self.permutations.lengths)

    def relative_to(self, reference: Orders) -> Permutations:
        """Say for each word, as read in this order, the place that it has in the reference's order."""
        offsets = self.permutations.offsets
        if not np.array_equal(offsets, reference.permutations.offsets):
            raise InvalidPermutation("the two sides order different numbers of source words")
        return Permutations._trusted(reference.permutations.values[self.read_words], offsets)

    @property
    def read_words(self) -> Longs:
        """The words of all sentences by number, in the order in which they are read."""
        return np.repeat(self.permutations.offsets[:-1], self.permutations.lengths) + self.permutations.orders

    def in_source(self) -> Permutations:
        """Say for each word that counts, as read in this order, its place in the source.

        Words that do not count are left out, and the places of the others are numbered without them.

        >>> orders = orders_from_links([Alignment(3, 2, [(0, 1), (2, 0)])], "talbot:unaligned=drop")
        >>> list(orders.in_source()[0])
        [1, 0]
        """
        counted = self.ranks.values[self.read_words] >= 0
        places = np.where(counted, self.permutations.orders, -1).astype(np.int32)
        return Permutations._trusted(*_native.renumber(places, self.permutations.offsets))

    def linked_in_both(self, other: Orders) -> Longs:
        """Count the source words of each sentence that have a link here and there."""
        both = self.sentence[self.aligned & other.aligned]
        return np.bincount(both, minlength=len(self.permutations)).astype(np.int64)


def orders_from_links(
    alignments: Iterable[Alignment], policy: str | Policy = DEFAULT, *, words: Words | None = None
) -> Orders:
    """Order the source words of each sentence as the target does.

    ``words`` are the source words: needed by ``punctuation``, and for the brackets of ``lader``.

    >>> batch = [Alignment(4, 3, [(0, 2), (2, 0), (3, 0)])]
    >>> orders = orders_from_links(batch)
    >>> orders.permutations[0].apply("abcd"), orders.ranks[0].tolist()
    (['b', 'c', 'd', 'a'], [2, 0, 1, 1])
    >>> orders_from_links(batch, "birch").permutations[0].apply("abcd")
    ['c', 'd', 'a', 'b']
    >>> orders_from_links(batch, "thesis:attach=left").permutations[0].apply("abcd")
    ['c', 'd', 'a', 'b']
    """
    batch, chosen = Alignments.from_alignments(alignments), policy_of(policy)
    links = _LinkTable(batch)
    if words is not None:
        _check_words(words, batch.source_sizes)
    if chosen.name in ("talbot", "birch"):
        order, ranks = _by_first_word(links, chosen, words)
        return _orders(links, order, ranks)
    if chosen.name == "thesis":
        return _orders(links, _sorted(links, getattr(links, chosen.link), chosen.attach))
    if chosen.name == "phrases":
        return _orders(links, _by_phrases(links, chosen.attach))
    if chosen.name == "middle":
        at = links.neighbour(chosen.attach)
        middle = np.where(links.aligned, links.first + links.last, -1)
        ranks = _dense(np.where(at >= 0, middle[at], 0), links.sentence) if links.words else middle
        return _orders(links, _stable(ranks, links.sentence), ranks)
    if chosen.name == "nakagawa":
        return _by_spans(links)
    rows = [
        lader_ranks(targets, words[s] if words is not None else None, attach=chosen.attach)
        for s, targets in enumerate(_spans_of(links))
    ]
    ranks = np.concatenate([np.empty(0, np.int64), *rows])
    return _orders(links, _stable(ranks, links.sentence), ranks)


class LinkCounts(NamedTuple):
    """How far alignments are from being one-to-one."""

    sentences: int
    plain: int  # sentences in which every source word has one link, and no target word has several
    unaligned: int  # source words without links
    one_to_many: int  # source words with several links
    many_to_one: int  # target words with several links

    def __add__(self, other: object) -> LinkCounts:
        assert isinstance(other, LinkCounts)
        return LinkCounts(*(a + b for a, b in zip(self, other, strict=True)))


def count_links(alignments: Iterable[Alignment]) -> LinkCounts:
    """Count what an order has to decide: words with several links or none.

    >>> count_links([Alignment(3, 2, [(0, 1), (1, 0)]), Alignment(2, 2, [(0, 1), (1, 0)])])
    LinkCounts(sentences=2, plain=1, unaligned=1, one_to_many=0, many_to_one=0)
    """
    batch = Alignments.from_alignments(alignments)
    (source, in_source), (target, in_target) = batch.links_per_word(0), batch.links_per_word(1)
    plain = np.ones(len(batch), np.bool_)
    plain[in_source[source != 1]] = plain[in_target[target > 1]] = False
    counts = plain, source == 0, source > 1, target > 1
    return LinkCounts(len(batch), *(int(count.sum()) for count in counts))


class _LinkTable:
    """What policies look at: for every source word, sentence after sentence, its target positions."""

    def __init__(self, alignments: Alignments) -> None:
        self.alignments = alignments
        self.sizes = alignments.source_sizes
        self.offsets = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        self.words = int(self.offsets[-1])
        self.sentence = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.row = self.offsets[alignments.sentence] + alignments.pairs[:, 0]  # the word of each link
        self.first, self.last = target_spans(alignments)
        self.aligned: Bools = self.first >= 0

    @property
    def mean(self) -> Doubles:
        """The mean target position of each word, -1 for a word without links."""
        count = np.bincount(self.row, minlength=self.words)
        total = np.bincount(self.row, weights=self.alignments.pairs[:, 1], minlength=self.words)
        return np.where(count > 0, total / np.maximum(count, 1), -1.0)

    @property
    def probable(self) -> Longs:
        """The target position of the most probable link of each word, -1 for a word without links."""
        scores, targets = self.alignments.scores, self.alignments.pairs[:, 1]
        if scores is None:
            if len(np.unique(self.row)) < len(self.row):  # some word has several links
                raise InvalidAlignment(
                    "link=probable chooses among links by their scores, and these have none: align with"
                    " scores (0-0:0.9), or use link=first, last or mean"
                )
            scores = np.ones(len(targets), dtype=np.float32)
        by_score = np.lexsort((targets, -scores, self.row))
        words, best = np.unique(self.row[by_score], return_index=True)
        position = np.full(self.words, -1, dtype=np.int64)
        position[words] = targets[by_score[best]]
        return position

    def nearest(self, side: str, among: Bools | None = None) -> Longs:
        """The nearest linked word at or after each word (``right``), or at or before it; -1: none."""
        linked, number = self.aligned if among is None else among, np.arange(self.words)
        if side == "right":
            after = np.minimum.accumulate(np.where(linked, number, self.words)[::-1])[::-1]
            return np.where(after < self.offsets[self.sentence + 1], after, -1)
        before = np.maximum.accumulate(np.where(linked, number, -1))
        return np.where(before >= self.offsets[self.sentence], before, -1)

    def neighbour(self, side: str, among: Bools | None = None) -> Longs:
        """The nearest linked word on one side, else the one on the other side; -1: none in the sentence."""
        near = self.nearest(side, among)
        return np.where(near >= 0, near, self.nearest("left" if side == "right" else "right", among))


def target_spans(alignments: Alignments) -> tuple[Longs, Longs]:
    """The first and the last target position of every source word; -1 for words without links.

    >>> [side.tolist() for side in target_spans(Alignments.from_links([[(0, 2), (0, 0), (2, 1)]]))]
    [[0, -1, 1], [2, -1, 1]]
    """
    offsets = np.concatenate([[0], np.cumsum(alignments.source_sizes)]).astype(np.int64)
    row = offsets[alignments.sentence] + alignments.pairs[:, 0]
    target = alignments.pairs[:, 1].astype(np.int64)
    last = np.full(offsets[-1], -1, dtype=np.int64)
    first = np.full(offsets[-1], np.iinfo(np.int64).max)
    np.maximum.at(last, row, target)
    np.minimum.at(first, row, target)
    return np.where(last >= 0, first, -1), last


def _check_words(words: Words, sizes: Longs) -> None:
    if len(words) != len(sizes):
        raise InvalidAlignment(f"{len(words)} sentences, and alignments of {len(sizes)}")
    for line, size in zip(words, sizes.tolist(), strict=True):
        if len(line) != size:
            raise InvalidAlignment(f"{len(line)} words, and links of a sentence of {size}")


def _orders(
    links: _LinkTable, order: Longs, ranks: Longs | None = None, counts: Bools | None = None
) -> Orders:
    """Collect the result; ``order`` lists word numbers over the whole batch."""
    starts = links.offsets[links.sentence]
    places = np.empty(links.words, dtype=np.int32)
    places[order] = np.arange(links.words) - starts
    return Orders(
        Permutations._trusted(places, links.offsets),
        Ranks(places if ranks is None else ranks.astype(np.int32), links.offsets),
        links.aligned,
        np.ones(len(links.sizes), np.bool_) if counts is None else counts,
    )


def _stable(key: Longs, sentence: Longs) -> Longs:
    """Sort words by a key within their sentences; equal ones keep their source order."""
    return np.lexsort((key, sentence))


def _dense(key: Longs, sentence: Longs) -> Longs:
    """Number the different keys of each sentence from 0."""
    order = np.lexsort((key, sentence))
    new = np.r_[False, np.diff(key[order]) != 0] & np.r_[False, np.diff(sentence[order]) == 0][: len(order)]
    number = np.cumsum(new)
    begins = np.searchsorted(sentence[order], sentence[order])  # the first word of each sentence
    ranks = np.empty(len(key), dtype=np.int64)
    ranks[order] = number - number[begins]
    return ranks


def _sorted(links: _LinkTable, key: Longs | Doubles, attach: str) -> Longs:
    """Sort by a key of linked words; others stand beside the neighbour that they are attached to.

    The number of that neighbour keeps them there, even where other words have the same key.
    """
    at = links.neighbour(attach)
    place = np.where(at >= 0, key[at], 0) if links.words else key
    return np.lexsort((np.where(at >= 0, at, np.arange(links.words)), place, links.sentence))


def _by_phrases(links: _LinkTable, attach: str) -> Longs:
    """Sort minimal phrases by their target spans; the words of a phrase keep their order."""
    alignments = links.alignments
    by_source = np.lexsort((alignments.pairs[:, 1], alignments.pairs[:, 0], alignments.sentence))
    spans, ends = _native.blocks(np.ascontiguousarray(alignments.pairs[by_source]), alignments.offsets)
    starts = links.offsets[np.repeat(np.arange(len(ends) - 1), np.diff(ends))]
    lengths = spans[:, 1] - spans[:, 0] + 1
    inside = np.repeat(starts + spans[:, 0], lengths) + _counted(lengths)
    target = np.full(links.words, -1, dtype=np.int64)
    target[inside] = np.repeat(spans[:, 2], lengths)
    at = links.neighbour(attach, target >= 0)  # words inside a phrase are as good as linked
    return _stable(np.where(at >= 0, target[at], 0) if links.words else target, links.sentence)


def _counted(lengths: Longs) -> Longs:
    """0 .. n-1 for each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _by_spans(links: _LinkTable) -> Orders:
    """Rank linked words by first and last target position; where these contradict, nothing counts."""
    width = int(links.last.max(initial=0)) + 2
    key = np.where(links.aligned, links.first * width + links.last, -1)
    order = np.lexsort((key, links.sentence))
    linked = order[links.aligned[order]]
    falls = (np.diff(links.last[linked]) < 0) & (np.diff(links.sentence[linked]) == 0)
    counts = np.ones(len(links.sizes), np.bool_)
    counts[links.sentence[linked][1:][falls]] = False
    ranks = np.full(links.words, -1, dtype=np.int64)
    ranks[linked] = _dense(key[linked], links.sentence[linked]) if len(linked) else 0
    return _orders(links, _sorted(links, key, "right"), ranks, counts)


def _spans_of(links: _LinkTable) -> Iterator[list[tuple[float, float] | None]]:
    """The target spans of the words of each sentence, None for words without links."""
    rows = zip(links.first.tolist(), links.last.tolist(), strict=True)
    spans = [(first, last) if first >= 0 else None for first, last in rows]
    ends = links.offsets.tolist()
    return (spans[begin:end] for begin, end in pairwise(ends))


# Groups of words that share their first target word


def _by_first_word(links: _LinkTable, policy: Policy, words: Words | None) -> tuple[Longs, Longs]:
    """Order and ranks of ``talbot`` and ``birch``."""
    before = policy.name == "birch" or policy.unaligned == "previous"
    punctuation = policy.punctuation if policy.name == "talbot" else "words"
    drop = policy.name == "talbot" and policy.unaligned == "drop"
    n = links.words
    at = links.nearest("left" if before else "right")
    outside = -1 if before else int(links.first.max(initial=0)) + 1
    place = np.where(at >= 0, links.first[at], outside) if n else at
    marks = np.zeros(n, np.bool_)
    if punctuation != "words":
        if words is None:
            raise InvalidAlignment(f"punctuation={punctuation} needs the source words")
        marks = _marks(words)
    border = np.zeros(n, np.int64)
    if punctuation == "pin":
        border = _borders(marks & ~links.aligned, links)
    order = np.lexsort((np.where(at >= 0, at, np.arange(n)), place, border, links.sentence))
    counts = links.aligned | (border != 0) if drop else np.ones(n, np.bool_)
    if punctuation == "drop":
        counts &= ~marks
    place = np.where(border != 0, -2, place)
    return order, _grouped(links, order, place, border == 0, counts, divided=policy.inside == "fixed")


def _grouped(
    links: _LinkTable, order: Longs, place: Longs, free: Bools, counts: Bools, *, divided: bool
) -> Longs:
    """Rank words in this order; those from the first to the last word of one place share their rank.

    If groups are ``divided``, only linked words that are neighbours share it.
    """
    n = links.words
    ranks = np.full(n, -1, dtype=np.int64)
    if not n:
        return ranks
    sentence, key = links.sentence[order], place[order]
    run = np.cumsum(np.r_[False, (np.diff(sentence) != 0) | (np.diff(key) != 0)])
    inside = (links.aligned & free)[order]
    places = np.arange(n)
    first, last = np.full(int(run[-1]) + 1, n), np.full(int(run[-1]) + 1, -1)
    np.minimum.at(first, run[inside], places[inside])
    np.maximum.at(last, run[inside], places[inside])
    joined = (places > first[run]) & (places <= last[run])
    if divided:
        joined &= inside & np.r_[False, inside[:-1]]
    group = np.cumsum(~joined)
    kept = counts[order]  # groups are numbered among the words that count
    ranks[order[kept]] = _dense(group[kept], sentence[kept])
    return ranks


def is_punctuation(word: str) -> bool:
    """Return whether a word consists of punctuation marks only.

    >>> [is_punctuation(word) for word in (",", "...", "-LRB-", "。", "$", "o'clock")]
    [True, True, True, True, False, False]
    """
    return word.upper() in _NAMED_MARKS or all(
        unicodedata.category(letter).startswith("P") for letter in word
    )


def _marks(words: Words) -> Bools:
    known: dict[str, bool] = {}
    flat = []
    for word in chain.from_iterable(words):
        if word not in known:
            known[word] = is_punctuation(word)
        flat.append(known[word])
    return np.array(flat, dtype=np.bool_)


def _borders(alone: Bools, links: _LinkTable) -> Longs:
    """-1 for marks at the beginning of a sentence, 1 for those at its end, 0 for other words."""
    number = np.arange(len(alone))
    last_other = np.maximum.accumulate(np.where(alone, -1, number))
    next_other = np.minimum.accumulate(np.where(alone, len(number), number)[::-1])[::-1]
    first = last_other < links.offsets[links.sentence]
    last = next_other >= links.offsets[links.sentence + 1]
    return np.where(first, -1, np.where(last, 1, 0))
