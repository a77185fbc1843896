"""Learned precedence: the rules that aligned trees ask for, in the language in which people write them.

For each category of heads the kinds of children are put into slots so that as many votes as possible are
kept: two kinds in different slots win the votes for that order, two in one slot those for their source
order (or, read from right to left, against it). Rare kinds lean on the votes of all heads of the same
tag, these on those of all heads, and all on the source order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import WordOrderError
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.counting import THE_HEAD, Category, Counts, Kind, Ranks, count_precedence
from wordorder.preorder.rules.language import (
    AFTER,
    BEFORE,
    HEAD,
    Condition,
    Rule,
    RuleSet,
    Slot,
    Values,
)

Doubles = NDArray[np.float64]
LEVELS = 3


@dataclass(frozen=True, kw_only=True)
class Learning:
    """How to learn: votes that a kind of child needs, heads of a category, votes that back-off is worth."""

    min_count: int = 5
    min_heads: int = 50
    back_off: float = 4.0
    passes: int = 20


@dataclass(frozen=True, slots=True)
class Learned:
    """Rules, and for each of them its heads, votes and how many of these it keeps."""

    rules: RuleSet
    support: Mapping[str, tuple[int, float, float]]

    def notes(self) -> dict[str, str]:
        """A comment for each rule: what it was learned from."""
        return {
            name: f"{heads:,} heads, {votes:,.0f} pairs of pieces, {share:.0%} of what any order could win"
            for name, (heads, votes, share) in self.support.items()
        }


def learn_rules(
    sentences: Sequence[Sentence],
    ranks: Sequence[Ranks | None],
    *,
    name: str = "learned",
    about: str = "",
    how: Learning | None = None,
) -> Learned:
    """Rules from trees and reference ranks of their words (-1: unknown, equal: no matter)."""
    how = how or Learning()
    counts = count_precedence(sentences, ranks)
    if not counts:
        raise WordOrderError("nothing to learn from: no sentence has a reference order")
    rules: list[Rule] = []
    support: dict[str, tuple[int, float, float]] = {}
    # The most special categories first: the first rule that fits fires.
    for category in sorted(counts, key=lambda one: (-len(one), -counts[one].heads, one)):
        mine = counts[category]
        if len(category) == LEVELS - 1 and mine.heads < how.min_heads:
            continue
        kinds = _kinds(mine, how)
        if len(kinds) < 2:
            continue
        before, kept = _tables(category, counts, kinds, how)
        slots, reverse = _search(before, kept, kinds.index(THE_HEAD), how.passes)
        title = " ".join(category) or "any"
        rules.append(Rule(title, _head(category), _as_slots(slots, reverse, kinds)))
        best = float(np.abs(before).sum() / 2)
        won = _value(before, kept, slots, reverse) / best if best else 1.0
        support[title] = (mine.heads, float(sum(mine.votes.values())) / 2, won)
    return Learned(RuleSet(name, tuple(rules), multiword="split", about=about), support)


def _head(category: Category) -> Condition:
    if not category:
        return Condition()
    relation = Values((category[1],)) if len(category) > 1 else None
    return Condition(upos=Values((category[0],)), relation=relation)


def _kinds(counts: Counts, how: Learning) -> list[Kind]:
    """The kinds that were seen often enough, the head with them."""
    seen: dict[Kind, int] = {}
    for (a, _), votes in counts.votes.items():
        seen[a] = seen.get(a, 0) + votes
    return sorted(
        (kind for kind, votes in seen.items() if votes >= how.min_count or kind == THE_HEAD),
        key=lambda kind: (kind.side != "before", kind.side is not None, kind.relation),
    )


def _tables(
    category: Category, counts: Mapping[Category, Counts], kinds: Sequence[Kind], how: Learning
) -> tuple[Doubles, Doubles]:
    """What it is worth, in votes, that kind a comes before kind b, and that two of them keep their order."""
    n = len(kinds)
    before, kept = np.zeros((n, n)), np.zeros((n, n))
    chain = [counts[category[:k]] for k in range(len(category) + 1)]
    for x, a in enumerate(kinds):
        for y, b in enumerate(kinds):
            # Unseen pairs keep the source order, as far as their sides tell it.
            share, keep = 0.5 + 0.5 * (_source(a) < _source(b)) - 0.5 * (_source(b) < _source(a)), 0.75
            for one in chain:
                votes = one.votes.get((a, b), 0)
                share = (one.before.get((a, b), 0.0) / (2 if a == b else 1) + how.back_off * share) / (
                    votes + how.back_off
                )
                keep = (one.kept.get((a, b), 0.0) + how.back_off * keep) / (votes + how.back_off)
            weight = chain[-1].votes.get((a, b), 0) + 0.01
            before[x, y] = weight * (2 * share - 1) if a != b else 0.0
            kept[x, y] = weight * (2 * keep - 1)
    return (before - before.T) / 2, (kept + kept.T) / 2


def _source(kind: Kind) -> int:
    return {"before": 0, None: 1, "after": 2}[kind.side]


def _search(before: Doubles, kept: Doubles, head: int, passes: int) -> tuple[list[list[int]], list[bool]]:
    """Slots that win the most votes: kinds are moved one at a time while that helps."""
    n = len(before)
    # To begin with every kind alone, by how many it beats.
    slots = [[k] for k in sorted(range(n), key=lambda k: -before[k].sum())]
    reverse = [bool(kept[slot[0], slot[0]] < 0) for slot in slots]
    for _ in range(passes):
        moved = False
        for k in range(n):
            moved |= _move(k, slots, reverse, before, kept, head)
        if not moved:
            break
    return slots, reverse


def _move(
    k: int, slots: list[list[int]], reverse: list[bool], before: Doubles, kept: Doubles, head: int
) -> bool:
    """Put one kind where it wins most: into a slot, or between two; whether that is elsewhere than it was."""
    old = _value(before, kept, slots, reverse)
    at = next(s for s, slot in enumerate(slots) if k in slot)
    was = [list(slot) for slot in slots], list(reverse)
    slots[at].remove(k)
    if not slots[at]:
        del slots[at], reverse[at]
    # What k wins against each slot if it stands before it; it loses the same if it stands after.
    ahead = np.array([before[k, slot].sum() for slot in slots])
    base = -ahead.sum() + 2 * np.concatenate([np.cumsum(ahead[::-1])[::-1], [0.0]])  # k just before slot s
    own = abs(kept[k, k])
    options: list[tuple[float, int, bool]] = [(float(value) + own, s, False) for s, value in enumerate(base)]
    if k != head:
        for s, slot in enumerate(slots):
            if head in slot:
                continue
            sign = -1.0 if reverse[s] else 1.0
            inside = sign * (kept[k, slot].sum() + kept[k, k])
            options.append((float(base[s] - ahead[s] + inside), s, True))
    _, s, into = max(options, key=lambda option: (option[0], not option[2]))
    if into:
        slots[s].append(k)
        mine = slots[s]
        total = kept[np.ix_(mine, mine)]
        reverse[s] = bool((total.sum() + np.trace(total)) / 2 < 0)
    else:
        slots.insert(s, [k])
        reverse.insert(s, bool(kept[k, k] < 0))
    if _value(before, kept, slots, reverse) > old + 1e-9:
        return True
    slots[:], reverse[:] = was
    return False


def _value(before: Doubles, kept: Doubles, slots: Sequence[Sequence[int]], reverse: Sequence[bool]) -> float:
    """The votes won less those lost."""
    place = {k: s for s, slot in enumerate(slots) for k in slot}
    where = np.array([place[k] for k in range(len(before))])
    ordered = where[:, None] < where[None, :]
    total = float(before[ordered].sum())
    for slot, turned in zip(slots, reverse, strict=True):
        inside = kept[np.ix_(slot, slot)]
        votes = float((inside.sum() + np.trace(inside)) / 2)
        total += -votes if turned else votes
    return total


def _as_slots(
    slots: Sequence[Sequence[int]], reverse: Sequence[bool], kinds: Sequence[Kind]
) -> tuple[Slot, ...]:
    """Slots of the language; a relation of which both sides are in one slot needs no side."""
    made: list[Slot] = []
    known = set(kinds)
    for slot, turned in zip(slots, reverse, strict=True):
        mine = [kinds[k] for k in slot]
        if THE_HEAD in mine:
            made += [Slot(BEFORE), Slot(HEAD), Slot(AFTER)]
            continue
        both: list[str] = []
        sided: dict[str, list[str]] = {}
        for relation, side in mine:
            other = Kind(relation, "after" if side == "before" else "before")
            if other in mine or other not in known:
                both += [relation] if relation not in both else []
            else:
                sided.setdefault(str(side), []).append(relation)
        turn = turned and len(mine) > 0
        made += _together(both, sided, turn)
    return tuple(made)


def _together(both: list[str], sided: dict[str, list[str]], turned: bool) -> list[Slot]:
    """One slot, or, where sides differ, several: the language asks one thing of all relations in a slot."""
    if both and sided:  # mixed: say the side of all of them
        for side in ("before", "after"):
            sided.setdefault(side, []).extend(both)
        both = []
    made = [Slot("", Condition(relation=Values(tuple(both))), turned)] if both else []
    sides = [side for side in (("after", "before") if turned else ("before", "after")) if side in sided]
    return made + [
        Slot("", Condition(relation=Values(tuple(sided[side])), side=side), turned) for side in sides
    ]
