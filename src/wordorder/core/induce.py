"""Permutations from alignments: the named policies of the papers.

An alignment is many-to-many and leaves words out; a permutation is one-to-one. Each policy
says where a source word goes that has several links or none. All give the *order* in which
the target reads the source words, and count what did not fit.

============  ==================================================================================
``birch``     Birch and Osborne (2010): first link; an unaligned word follows the word before it
``talbot``    Talbot et al. (2011): first link; an unaligned word precedes the next aligned one;
              words with the same first link form a group whose inner order does not matter
``thesis``    Stanojević (2017, 2.5.2): first, last or mean link; an unaligned word takes the
              position of its aligned neighbour on the left or right; stable sort
============  ==================================================================================

:func:`minimal_phrases` merges words that only move together; :func:`relative` compares two
permutations of one source, the reference's and the system's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Literal

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, InvalidPermutation

PolicyName = Literal["birch", "talbot", "thesis"]
Link = Literal["first", "last", "mean"]
Side = Literal["left", "right"]
Key = Fraction | int


@dataclass(frozen=True, slots=True)
class Induced:
    """A permutation of the source words, and what the alignment had beyond it.

    ``groups`` are runs of ``order`` whose inner order the alignment does not decide: source
    positions in the order in which they stand there.
    """

    order: Permutation
    groups: tuple[tuple[int, ...], ...]
    unaligned: tuple[int, ...]
    one_to_many: int  # source words with more than one link
    many_to_one: int  # target words with more than one link

    @property
    def is_plain(self) -> bool:
        """Whether the alignment was a permutation to begin with."""
        return not self.unaligned and not self.one_to_many and not self.many_to_one


def induce(
    alignment: Alignment, policy: PolicyName = "talbot", *, link: Link = "first", attach: Side = "right"
) -> Induced:
    """Order the source words as the target does, by a named policy.

    ``link`` and ``attach`` are settings of ``thesis``; the other policies have their own.

    >>> a = Alignment(4, 3, [(0, 2), (2, 0), (3, 0)])
    >>> induce(a, "talbot").order.apply("abcd"), induce(a, "talbot").groups
    (['b', 'c', 'd', 'a'], ((2, 3),))
    >>> induce(a, "birch").order.apply("abcd")
    ['c', 'd', 'a', 'b']
    """
    targets = alignment.targets()
    fan_in = Counter(j for _, j in alignment.links)
    if policy not in ("birch", "talbot", "thesis"):
        raise BadSetting(f"unknown policy {policy!r}; expected birch, talbot or thesis")
    chosen = link if policy == "thesis" else "first"
    own = [_position(found, chosen) for found in targets]
    if policy == "birch":
        keys = _attached(own, "left", before_all=True)
    elif policy == "talbot":
        keys = _attached(own, "right", after_all=True)
    else:
        keys = _attached(own, attach)
    # Sorting is stable, so words of one key keep their source order; an attached word stands
    # before or after its neighbour, never among the words of another neighbour.
    order = Permutation.from_order(sorted(range(len(keys)), key=keys.__getitem__))
    aligned = [i for i in order.order.tolist() if targets[i]]
    groups = [tuple(run) for _, run in groupby(aligned, key=own.__getitem__)]
    return Induced(
        order=order,
        groups=tuple(group for group in groups if len(group) > 1),
        unaligned=tuple(i for i, found in enumerate(targets) if not found),
        one_to_many=sum(len(found) > 1 for found in targets),
        many_to_one=sum(count > 1 for count in fan_in.values()),
    )


def _position(found: list[int], link: Link) -> Key | None:
    if not found:
        return None
    if link == "mean":
        return Fraction(sum(found), len(found))
    if link not in ("first", "last"):
        raise BadSetting(f"link is {link!r}; expected first, last or mean")
    return found[0] if link == "first" else found[-1]


def _attached(
    own: list[Key | None], side: Side, *, before_all: bool = False, after_all: bool = False
) -> list[tuple[Key, int]]:
    """Sort keys: position, and the source position of the word that an unaligned one is attached to.

    The second number keeps words with one link position in source order, and an attached word
    next to its neighbour even where other words share that position.
    """
    if side not in ("left", "right"):
        raise BadSetting(f"attach is {side!r}; expected left or right")
    n = len(own)
    neighbour: list[int | None] = [None] * n
    walk = range(n) if side == "left" else range(n - 1, -1, -1)
    last: int | None = None
    for i in walk:
        last = i if own[i] is not None else last
        neighbour[i] = last
    aligned = [i for i in range(n) if own[i] is not None]
    keys: list[tuple[Key, int]] = []
    for i in range(n):
        at = neighbour[i]
        if at is None and not aligned:
            keys.append((0, i))  # nothing aligned at all: as they stand
        elif at is None and (before_all or after_all):
            keys.append((-1 if before_all else 10**9, i))
        else:
            at = at if at is not None else (aligned[0] if side == "left" else aligned[-1])
            position = own[at]
            assert position is not None
            keys.append((position, at))
    return keys


@dataclass(frozen=True, slots=True)
class Phrases:
    """Minimal phrases of the source: spans that move as one, and the order of the spans."""

    spans: tuple[tuple[int, int], ...]
    order: Permutation

    @property
    def words(self) -> Permutation:
        """The order of the words, each phrase keeping its own."""
        order = [i for k in self.order.order.tolist() for i in range(*self.spans[k])]
        return Permutation.from_order(order)


def minimal_phrases(alignment: Alignment, *, attach: Side = "right") -> Phrases:
    """Cut the source into the smallest spans that are consistent with the alignment.

    A span is consistent when no target word inside its target span is linked to a source word
    outside. Starting from one aligned word, spans grow until they are; the widest are kept
    (Stanojević 2017, 3.2). Unaligned words outside all phrases stand alone and are attached.

    >>> minimal_phrases(Alignment(4, 4, [(0, 0), (0, 2), (1, 1), (2, 1), (3, 3)])).spans
    ((0, 3), (3, 4))
    """
    targets = alignment.targets()
    sources = alignment.inverse().targets()
    spans: list[tuple[int, int]] = []
    at = 0
    while at < alignment.source_size:
        if not targets[at]:
            spans.append((at, at + 1))
            at += 1
            continue
        begin, end = _closure(at, targets, sources)
        while spans and spans[-1][0] >= begin:  # a phrase may take in what came before
            spans.pop()
        if spans and spans[-1][1] > begin:
            begin = spans.pop()[0]
        spans.append((begin, end))
        at = end
    own: list[Key | None] = []
    for begin, end in spans:
        found = [j for i in range(begin, end) for j in targets[i]]
        own.append(min(found) if found else None)
    keys = _attached(own, attach)
    return Phrases(tuple(spans), Permutation.from_order(sorted(range(len(keys)), key=keys.__getitem__)))


def _closure(at: int, targets: list[list[int]], sources: list[list[int]]) -> tuple[int, int]:
    """The smallest consistent source span around an aligned word."""
    begin, end = at, at + 1
    low, high = targets[at][0], targets[at][-1]
    while True:
        linked = [i for j in range(low, high + 1) for i in sources[j]]
        new_begin, new_end = min([begin, *linked]), max([end - 1, *linked]) + 1
        reached = [j for i in range(new_begin, new_end) for j in targets[i]]
        new_low, new_high = min(reached), max(reached)
        if (new_begin, new_end, new_low, new_high) == (begin, end, low, high):
            return begin, end
        begin, end, low, high = new_begin, new_end, new_low, new_high


def relative(reference: Permutation, system: Permutation) -> Permutation:
    """The system's order of the source words in terms of the reference's order.

    Both are orders of the same source words; the result lists the places in the reference
    in the order of the system, and is the identity if the two agree (Birch and Osborne 2010).

    >>> relative(Permutation.from_order([2, 0, 1]), Permutation.from_order([0, 2, 1]))
    Permutation([1, 0, 2])
    """
    if len(reference) != len(system):
        raise InvalidPermutation(
            f"the reference orders {len(reference)} source words and the system {len(system)}"
        )
    return reference.compose(system.inverse())


def through_source(reference: Alignment, system: Alignment) -> tuple[Permutation, int]:
    """The permutation of reference words that the system's words stand for, through the source.

    Each system word takes the first reference word that one of its source words is linked to
    and that no earlier system word took. Returns the permutation and how many system words
    are in it.

    >>> ref, sys = Alignment(3, 3, [(0, 2), (1, 0), (2, 1)]), Alignment(3, 3, [(0, 0), (1, 1), (2, 2)])
    >>> through_source(ref, sys)
    (Permutation([2, 0, 1]), 3)
    """
    if reference.source_size != system.source_size:
        raise InvalidPermutation(
            f"the source has {reference.source_size} words in one alignment"
            f" and {system.source_size} in the other"
        )
    to_reference = reference.targets()
    taken: set[int] = set()
    found: list[int] = []
    for sources in system.inverse().targets():
        choice = next((j for i in sources for j in to_reference[i] if j not in taken), None)
        if choice is not None:
            taken.add(choice)
            found.append(choice)
    return Permutation.standardise(found), len(found)
