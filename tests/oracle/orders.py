"""Orders and ranks from the links of one sentence, by definition: the slow twin of core/orders.py."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from wordorder.core.alignment import Alignment
from wordorder.core.orders import is_punctuation
from wordorder.core.permutation import Permutation

Key = Fraction | int


def relative(reference: Permutation, system: Permutation) -> Permutation:
    """Places of the reference's order, in the system's order."""
    return Permutation([reference.ranks[i] for i in system.order])


def order(alignment: Alignment, policy: str, *, link: str = "mean", attach: str = "right") -> list[int]:
    """The source positions in the order of the target: birch, talbot, thesis or phrases."""
    if policy == "phrases":
        spans, order = minimal_phrases(alignment, attach=attach)
        return [i for k in order for i in range(*spans[k])]
    own = [_position(found, link if policy == "thesis" else "first") for found in alignment.targets()]
    if policy == "birch":
        keys = _attached(own, "left", outside=-1)
    elif policy == "talbot":
        keys = _attached(own, "right", outside=10**9)
    else:
        keys = _attached(own, attach)
    return sorted(range(len(keys)), key=keys.__getitem__)


def _position(found: list[int], link: str) -> Key | None:
    if not found:
        return None
    return {"first": found[0], "last": found[-1], "mean": Fraction(sum(found), len(found))}[link]


def _attached(own: list[Key | None], side: str, *, outside: int | None = None) -> list[tuple[Key, int]]:
    """Position, and the source position of the word that an unaligned one is attached to."""
    aligned = [i for i, position in enumerate(own) if position is not None]
    keys: list[tuple[Key, int]] = []
    for i in range(len(own)):
        near = [k for k in aligned if k <= i][-1:] if side == "left" else [k for k in aligned if k >= i][:1]
        if not near and outside is None and aligned:
            near = [aligned[0] if side == "left" else aligned[-1]]
        position = own[near[0]] if near else None
        if position is None:
            keys.append(((outside or 0) if aligned else 0, i))
        else:
            keys.append((position, near[0]))
    return keys


def groups(
    alignment: Alignment, words: Sequence[str], unaligned: str, punctuation: str, inside: str = "free"
) -> list[list[int]]:
    """Talbot's reference: source positions in the order of the target, group by group."""
    targets = alignment.targets()
    read = order(alignment, "birch" if unaligned == "previous" else "talbot")
    alone = {i for i, found in enumerate(targets) if not found}
    marks = {i for i, word in enumerate(words) if is_punctuation(word)}
    n = len(words)
    border: set[int] = set()
    if punctuation == "pin":
        first = list(itertools.takewhile(lambda i: i in alone & marks, range(n)))
        last = list(itertools.takewhile(lambda i: i in alone & marks and i not in first, reversed(range(n))))
        border = {*first, *last}
        read = [*first, *(i for i in read if i not in border), *reversed(last)]
    dropped = alone - border if unaligned == "drop" else set()
    if punctuation == "drop":
        dropped |= marks
    place = {i: k for k, i in enumerate(read)}
    found: list[list[int]] = []
    at = 0
    while at < n:
        end = at
        if targets[read[at]]:  # up to the last word with the same first link
            end = max(place[i] for i in range(n) if targets[i][:1] == targets[read[at]][:1])
        parts = [read[at : end + 1]]
        if inside == "fixed":  # words without links divide the group
            parts = [list(part) for _, part in itertools.groupby(parts[0], key=lambda i: i in alone)]
            parts = [one for part in parts for one in ([[i] for i in part] if part[0] in alone else [part])]
        found += [[i for i in part if i not in dropped] for part in parts]
        at = end + 1
    return [group for group in found if group]


def ranks(groups: list[list[int]], n: int) -> list[int]:
    """The rank of each word: the number of its group, -1 without one."""
    return [next((k for k, group in enumerate(groups) if i in group), -1) for i in range(n)]


def nakagawa(alignment: Alignment) -> list[int] | None:
    """Ranks by first and last target position; None where these contradict each other."""
    spans = [(found[0], found[-1]) if found else None for found in alignment.targets()]
    ordered = sorted({span for span in spans if span is not None})
    if any(after[1] < before[1] for before, after in itertools.pairwise(ordered)):
        return None
    return [-1 if span is None else ordered.index(span) for span in spans]


def middle(alignment: Alignment) -> list[int]:
    """Ranks by the middle of first and last target position; unaligned words join the next linked one."""
    keys = [found[0] + found[-1] if found else None for found in alignment.targets()]
    linked = [i for i, key in enumerate(keys) if key is not None]
    if not linked:
        return [0] * len(keys)
    near = [next((k for k in linked if k >= i), linked[-1]) for i in range(len(keys))]
    known = sorted({key for key in keys if key is not None})
    return [known.index(keys[k]) for k in near]  # type: ignore[arg-type]


def minimal_phrases(
    alignment: Alignment, *, attach: str = "right"
) -> tuple[list[tuple[int, int]], list[int]]:
    """The smallest consistent spans of the source, the widest kept, and their order.

    A span is consistent when no target word inside its target span is linked to a source word outside.
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
    reached = [[j for i in range(*span) for j in targets[i]] for span in spans]
    keys = _attached([min(found) if found else None for found in reached], attach)
    return spans, sorted(range(len(keys)), key=keys.__getitem__)


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
