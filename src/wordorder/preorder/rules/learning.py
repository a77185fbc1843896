"""Learning rules from aligned trees, in the same language in which rules are written by hand.

For each category of heads, the kinds of children are assigned to slots so that as many votes as possible are
won: two kinds in different slots win the votes for this order; two kinds in one slot win the votes for their
source order (or, in a reversed slot, those against it). Rare kinds back off to the votes of all heads with
the same tag, these to the votes of all heads, and these to the source order.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles, Ints
from wordorder.errors import WordOrderError
from wordorder.io.lines import counted
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.counting import THE_HEAD, Category, Kind, PrecedenceVotes, count_precedence
from wordorder.preorder.rules.language import (
    AFTER,
    BEFORE,
    HEAD,
    Condition,
    Rule,
    RuleSet,
    Slot,
    Values,
    filled,
)
from wordorder.preorder.rules.ud_labels import TAGS, covers, is_relation

LEVELS = 3


@dataclass(frozen=True, kw_only=True)
class Learning:
    """Settings: smallest numbers of votes of a kind and heads of a category, pseudo-votes of back-off."""

    min_count: int = 2
    min_heads: int = 50
    back_off: float = 8.0
    passes: int = 20


@dataclass(frozen=True, slots=True)
class LearnedRules:
    """Rules, and for each rule its number of heads and votes, and the share of the votes that it wins."""

    rules: RuleSet
    support: Mapping[str, tuple[int, float, float]]

    def notes(self) -> dict[str, str]:
        """Return a comment for each rule: what it was learned from."""
        return {
            name: f"{heads:,} heads, {votes:,.0f} pairs of pieces, {share:.0%} of what any order could win"
            for name, (heads, votes, share) in self.support.items()
        }


def learn_rules(
    sentences: Sequence[Sentence],
    ranks: Sequence[Ints | None],
    *,
    name: str = "learned",
    about: str = "",
    how: Learning | None = None,
) -> LearnedRules:
    """Learn rules from trees and target ranks of their words (-1: unknown; equal: either order)."""
    how = how or Learning()
    counts = count_precedence(sentences, ranks)
    linked = sum(rank is not None and bool((rank >= 0).any()) for rank in ranks)
    if not linked:
        raise WordOrderError(f"nothing to learn from: none of {counted(len(sentences), 'tree')} has links")
    if not any(count.votes for count in counts.values()):
        raise WordOrderError(
            f"nothing to learn from: {counted(linked, 'tree')} of {len(sentences)} with links, but in no"
            " group of a head and its children are two linked"
        )
    rules: list[Rule] = []
    support: dict[str, tuple[int, float, float]] = {}
    # The narrowest categories come first, because the first rule that matches fires.
    for category in sorted(counts, key=lambda c: (-len(c), -counts[c].heads, c)):
        votes = counts[category]
        if len(category) == LEVELS - 1 and votes.heads < how.min_heads:
            continue
        kinds = _kinds(votes, how)
        if len(kinds) < 2:
            continue
        before, kept = _tables(category, counts, kinds, how)
        sides = [_source(kind) for kind in kinds]
        slots, reverse = _search(before, kept, kinds.index(THE_HEAD), how.passes, sides)
        title = _title(category, support)
        rules.append(Rule(title, _head(category), _as_slots(slots, reverse, kinds, _seen(votes))))
        best = _most(before, kept, kinds.index(THE_HEAD))
        won = min(_value(before, kept, slots, reverse) / best, 1.0) if best else 1.0
        support[title] = (votes.heads, float(sum(votes.votes.values())) / 2, won)
    labels, tags = _labels(rules)
    learned = RuleSet(name, tuple(rules), multiword="split", about=about, labels=labels, tags=tags)
    return LearnedRules(learned, support)


def _title(category: Category, taken: Mapping[str, object]) -> str:
    """Return a valid name for the rule of a category; tags may contain any characters."""
    title = " ".join(re.sub(r"[^\w.+:-]+", "_", part) for part in category) or "any"
    names = itertools.chain([title], (f"{title} {k}" for k in itertools.count(2)))
    return next(name for name in names if name not in taken and name != "default")


def _labels(rules: Sequence[Rule]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the relations and tags of rules if they are not those of Universal Dependencies."""
    conditions = [c for rule in rules for c in (rule.head, *(slot.child for slot in rule.slots))]
    labels = tuple(sorted({label for c in conditions if c.relation for label in c.relation.known}))
    tags = tuple(sorted({tag for c in conditions if c.upos for tag in c.upos.known}))
    return () if all(map(is_relation, labels)) else labels, () if TAGS.issuperset(tags) else tags


def _head(category: Category) -> Condition:
    if not category:
        return Condition()
    relation = Values((category[1],)) if len(category) > 1 else None
    return Condition(upos=Values((category[0],)), relation=relation)


def _seen(counts: PrecedenceVotes) -> Counter[Kind]:
    """Return the number of votes of each kind."""
    seen = Counter({THE_HEAD: 0})  # the head has a place even if it never has links
    for (kind, _), votes in counts.votes.items():
        seen[kind] += votes
    return seen


def _kinds(counts: PrecedenceVotes, how: Learning) -> list[Kind]:
    """Return the kinds with enough votes, and the head."""
    seen = _seen(counts)
    return sorted(
        (kind for kind, votes in seen.items() if votes >= how.min_count or kind == THE_HEAD),
        key=lambda kind: (kind.side != "before", kind.side is not None, kind.relation),
    )


def _tables(
    category: Category, counts: Mapping[Category, PrecedenceVotes], kinds: Sequence[Kind], how: Learning
) -> tuple[Doubles, Doubles]:
    """Return the votes for kind a before kind b, and those for keeping the source order of two kinds."""
    n = len(kinds)
    before, kept = np.zeros((n, n)), np.zeros((n, n))
    chain = [counts[category[:k]] for k in range(len(category) + 1)]
    for x, a in enumerate(kinds):
        for y, b in enumerate(kinds):
            # Unseen pairs keep the source order, as far as it follows from their sides.
            share, keep = 0.5 + 0.5 * (_source(a) < _source(b)) - 0.5 * (_source(b) < _source(a)), 0.75
            for level in chain:
                total = level.votes.get((a, b), 0) + how.back_off
                won = level.before.get((a, b), 0.0) / (2 if a == b else 1)
                share = (won + how.back_off * share) / total
                keep = (level.kept.get((a, b), 0.0) + how.back_off * keep) / total
            weight = chain[-1].votes.get((a, b), 0) + 0.01
            before[x, y] = weight * (2 * share - 1) if a != b else 0.0
            kept[x, y] = weight * (2 * keep - 1)
    return (before - before.T) / 2, (kept + kept.T) / 2


def _source(kind: Kind) -> int:
    return {"before": 0, None: 1, "after": 2}[kind.side]


def _search(
    before: Doubles, kept: Doubles, head: int, passes: int, source: Sequence[int]
) -> tuple[list[list[int]], list[bool]]:
    """Search for the slots that win the most votes, by moving one kind at a time while this helps.

    The search starts twice, from every kind in its own slot and from the source order (``source``: 0 before
    the head, 1 the head, 2 after it), and the better result is kept.
    """
    n = len(before)
    alone = [[k] for k in sorted(range(n), key=lambda k: -before[k].sum())]
    sides = [[k for k in range(n) if source[k] == side] for side in (0, 1, 2)]
    best: tuple[float, list[list[int]], list[bool]] | None = None
    for slots in (alone, [slot for slot in sides if slot]):
        reverse = [_turned(kept, slot) for slot in slots]
        for _ in range(passes):
            moved = False
            for k in range(n):
                moved |= _move(k, slots, reverse, before, kept, head)
            if not moved:
                break
        value = _value(before, kept, slots, reverse)
        if best is None or value > best[0] + 1e-9:
            best = value, slots, reverse
    assert best is not None
    return best[1], best[2]


def _turned(kept: Doubles, slot: Sequence[int]) -> bool:
    """Whether a slot wins more votes when it is reversed."""
    inside = kept[np.ix_(slot, slot)]
    return bool(inside.sum() + np.trace(inside) < 0)


def _move(
    k: int, slots: list[list[int]], reverse: list[bool], before: Doubles, kept: Doubles, head: int
) -> bool:
    """Move one kind to where it wins most, into a slot or between two; return whether it moved."""
    old = _value(before, kept, slots, reverse)
    at = next(s for s, slot in enumerate(slots) if k in slot)
    was = [list(slot) for slot in slots], list(reverse)
    slots[at].remove(k)
    if not slots[at]:
        del slots[at], reverse[at]
    # The votes that k wins if it comes before each slot; it loses as many if it comes after.
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
        reverse[s] = _turned(kept, slots[s])
    else:
        slots.insert(s, [k])
        reverse.insert(s, _turned(kept, [k]))
    if _value(before, kept, slots, reverse) > old + 1e-9:
        return True
    slots[:], reverse[:] = was
    return False


def _value(before: Doubles, kept: Doubles, slots: Sequence[Sequence[int]], reverse: Sequence[bool]) -> float:
    """Return the votes won minus the votes lost."""
    place = {k: s for s, slot in enumerate(slots) for k in slot}
    where = np.array([place[k] for k in range(len(before))])
    ordered = where[:, None] < where[None, :]
    total = float(before[ordered].sum())
    for slot, turned in zip(slots, reverse, strict=True):
        inside = kept[np.ix_(slot, slot)]
        votes = float((inside.sum() + np.trace(inside)) / 2)
        total += -votes if turned else votes
    return total


def _most(before: Doubles, kept: Doubles, head: int) -> float:
    """Return an upper bound on the votes: each pair of kinds at its best, in two slots or in one."""
    together = np.abs(kept)
    together[head, :] = together[:, head] = 0.0  # the head does not share its slot
    pairs = np.triu(np.maximum(np.abs(before), together), k=1)
    return float(pairs.sum() + np.abs(np.diag(kept)).sum())


def _as_slots(
    slots: Sequence[Sequence[int]], reverse: Sequence[bool], kinds: Sequence[Kind], seen: Mapping[Kind, int]
) -> tuple[Slot, ...]:
    """Convert slots of kinds into slots of the rule language.

    On each side, the slot with the most children also takes the children that no slot names. Its own kinds
    need not be named, unless a name in another slot would match them too.
    """
    result: list[Slot] = []
    home = {side: _home(slots, kinds, seen, side) for side in ("before", "after")}
    named = [kinds[k] for s, slot in enumerate(slots) for k in slot if home.get(str(kinds[k].side)) != s]
    for s, (slot, turned) in enumerate(zip(slots, reverse, strict=True)):
        mine = [kinds[k] for k in slot]
        if THE_HEAD in mine:
            result.append(Slot(HEAD))
            continue
        parts: list[Slot] = []
        for side, rest in (("before", BEFORE), ("after", AFTER)):
            some = [kind.relation for kind in mine if kind.side == side]
            if home[side] == s:
                parts.append(Slot(rest, reverse=turned))
                some = [
                    name for name in some if any(covers(k.relation, name) for k in named if k.side == side)
                ]
            if some:
                child = Condition(relation=Values(tuple(some)), side=side)  # type: ignore[arg-type]
                parts.append(Slot("", child, turned))
        result += reversed(parts) if turned else parts
    return _plain(result, kinds)


def _home(slots: Sequence[Sequence[int]], kinds: Sequence[Kind], seen: Mapping[Kind, int], side: str) -> int:
    """Return the slot with the most children of one side; -1 if there are none."""
    weights = [sum(seen[kinds[k]] for k in slot if kinds[k].side == side) for slot in slots]
    return int(np.argmax(weights)) if any(weights) else -1


def _plain(slots: Sequence[Slot], kinds: Sequence[Kind]) -> tuple[Slot, ...]:
    """Simplify conditions, and add slots for children on sides that were never seen."""
    result: list[Slot] = []
    for slot in slots:
        relation, side = slot.child.relation, slot.child.side
        if relation is not None and side is not None:
            others = [kind.relation for kind in kinds if kind.side not in (side, None)]
            if not any(covers(label, name) for label in relation.known for name in others):
                slot = Slot("", Condition(relation=relation), slot.reverse)
        result.append(slot)
    return filled(result)
