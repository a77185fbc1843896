"""Rules on trees: which rule fires for each head, and which slot each child takes.

Rules look at few things of a word, and most words look alike, so every answer is kept: a rule is matched
once for each kind of head, and a slot once for each kind of child under it. The words are put into their
order by the kernel (``native/linearise.cpp``).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from wordorder import _native
from wordorder.arrays import Ints, Longs
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import InvalidTree
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.rules.language import AFTER, BEFORE, HEAD, OTHER, Around, Condition, Rule, RuleSet
from wordorder.preorder.rules.ud_labels import covers

# The bits of native/linearise.h.
JOINED, MARK, OPENS, CLOSES, CONJUNCT, COORDINATOR, REVERSED, HEAD_REVERSED = (1 << k for k in range(8))
_KIND = 8
_PAIRS = ["()", "[]", "{}", "<>", "“”", "‘’", "«»", "„“", "（）", "「」", "『』", "【】", "《》", "``"]
_BRACKETS: dict[str, int] = {}
for _kind, _pair in enumerate(_PAIRS, start=1):
    _BRACKETS.setdefault(_pair[0], OPENS | _kind << _KIND)
    _BRACKETS.setdefault(_pair[1], CLOSES | _kind << _KIND)
_BRACKETS |= {
    "``": OPENS | 30 << _KIND, "''": CLOSES | 30 << _KIND, '"': OPENS | CLOSES | 31 << _KIND,
    "'": OPENS | CLOSES | 32 << _KIND, "-LRB-": _BRACKETS["("], "-RRB-": _BRACKETS[")"],
    "¿": OPENS | 33 << _KIND, "¡": OPENS | 34 << _KIND,
}  # fmt: skip
_NOTHING: frozenset[str] = frozenset()
_COLUMN = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "relation": 7}


@dataclass(frozen=True, slots=True)
class RuleMatches:
    """What the rules say of some sentences, word after word; sentence s begins at ``offsets[s]``."""

    offsets: Longs
    heads: Ints  # from 0 in each sentence, -1: root; multiword tokens contracted, no arcs cross
    rules: Ints  # of each word as a head, as a number; -1: no children, nothing fires
    slots: Ints  # of each word in the rule of its head
    own_slots: Ints  # of HEAD in the rule of the word itself
    flags: Ints
    lifted: Ints  # words of each sentence that were lifted over crossing arcs

    def orders(self) -> Permutations:
        """Return the new order of each sentence."""
        order, bad = _native.linearise(self.heads, self.slots, self.own_slots, self.flags, self.offsets)
        assert bad < 0, "the trees were projected"
        return Permutations.from_orders(order, self.offsets)


class RuleMatcher:
    """A rule set, ready to be applied."""

    def __init__(self, rules: RuleSet) -> None:
        self.set = rules
        self.rules: list[Rule] = [*rules.rules, rules.fallback]
        heads = [rule.head for rule in self.rules]
        children = [slot.child for rule in self.rules for slot in rule.slots]
        self.look_at_head, self.look_at_child = Look(heads), Look(children, relation=True)
        self.uses_parent = any(one.parent for one in heads)
        self.asked = frozenset(label for one in [*heads, *children] for label in (*one.has, *one.lacks))
        self.is_asked: dict[str, bool] = {}  # relations that has and lacks look for
        self.head_below = any("below" in one.uses for one in heads)
        self.child_below = any("below" in one.uses for one in children)
        # Threads may fill these at once: they write the same answers.
        self.rule_of: dict[Any, int] = {}
        self.slot_of: dict[Any, tuple[int, int]] = {}
        self.own = [_own_slot(rule) for rule in self.rules]

    def match(self, sentences: Sequence[Sentence]) -> RuleMatches:
        """Find rules and slots of all words."""
        rows = [[row for row in sentence.rows if row.is_word] for sentence in sentences]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(some) for some in rows], out=offsets[1:])
        given: list[int] = []
        flags: list[int] = []
        for sentence, some in zip(sentences, rows, strict=True):
            heads = _heads(some)
            mine = self._marks(some)
            if self.set.multiword == "whole" and len(some) != len(sentence.rows):
                _join(heads, mine, sentence.ranges)
            for head in heads:  # a mark with words below it is a word, even if these are lifted away
                if 0 <= head < len(mine):
                    mine[head] &= ~MARK
            given += heads
            flags += mine
        projected, lifted, bad = _native.project(_ints(given), _ints(flags), offsets)
        if bad >= 0:
            text = " ".join(row.form for row in rows[bad])
            raise InvalidTree(
                f"sentence {bad + 1}, {text[:40]!r}: the heads are no tree (one root, no circle)"
            )
        columns: tuple[list[int], ...] = ([], [], [])
        all_heads = projected.tolist()
        ends = offsets.tolist()
        for s, some in enumerate(rows):
            begin, end = ends[s], ends[s + 1]
            mine = flags[begin:end]
            found = self._sentence(some, all_heads[begin:end], mine)
            flags[begin:end] = mine
            for all_words, words in zip(columns, found, strict=True):
                all_words += words
        rules, slots, own = map(_ints, columns)
        return RuleMatches(offsets, projected, rules, slots, own, _ints(flags), lifted)

    def _sentence(self, rows: list[Row], heads: list[int], flags: list[int]) -> tuple[list[int], ...]:
        """The rule of each word, its slot, and the slot of HEAD in its own rule; adds to the flags."""
        n = len(rows)
        children = [False] * n
        for head in heads:
            if head >= 0:
                children[head] = True
        below = self._below(rows, heads) if self.asked else [_NOTHING] * n
        rules = [-1] * n
        own = [0] * n
        for i, row in enumerate(rows):
            if not children[i]:
                continue
            parent = rows[heads[i]].upos if self.uses_parent and heads[i] >= 0 else "_"
            key = self.look_at_head(row), parent, below[i] if self.head_below else _NOTHING
            rule = self.rule_of.get(key)
            if rule is None:
                rule = self.rule_of[key] = self._rule(row, parent, below[i])
            rules[i] = rule
            own[i], bits = self.own[rule]
            flags[i] |= bits
        slots = [0] * n
        for i, head in enumerate(heads):
            if head < 0:
                continue
            row, rule, before = rows[i], rules[head], i < head
            child = rule, before, self.look_at_child(row), below[i] if self.child_below else _NOTHING
            slot = self.slot_of.get(child)
            if slot is None:
                slot = self.slot_of[child] = self._slot(rule, before, row, below[i])
            slots[i] = slot[0]
            flags[i] |= slot[1]
        return rules, slots, own

    def _below(self, rows: list[Row], heads: list[int]) -> list[frozenset[str]]:
        """The relations of the children of each word, of those that some rule asks for."""
        sets: list[set[str]] = [set() for _ in rows]
        for head, row in zip(heads, rows, strict=True):
            asked = self.is_asked.get(row.deprel)
            if asked is None:
                asked = self.is_asked[row.deprel] = any(covers(label, row.deprel) for label in self.asked)
            if asked and head >= 0:
                sets[head].add(row.deprel)
        return [frozenset(one) for one in sets]

    def _marks(self, rows: list[Row]) -> list[int]:
        """What the kernel must know of each word beside its slot."""
        phrase, keep = self.set.punctuation == "phrase", self.set.coordination == "keep"
        flags = [0] * len(rows)
        for i, row in enumerate(rows):
            relation = row.deprel
            if relation == "punct" or relation.startswith("punct:"):
                if phrase:
                    flags[i] = MARK | _BRACKETS.get(row.form, 0)
            elif keep and relation.startswith("c"):
                if relation == "conj" or relation.startswith("conj:"):
                    flags[i] = CONJUNCT
                elif relation == "cc" or relation.startswith("cc:"):
                    flags[i] = COORDINATOR
        return flags

    def _rule(self, row: Row, parent: str, below: frozenset[str]) -> int:
        word = Around(row, parent, None, below)
        return next((k for k, rule in enumerate(self.rules) if rule.head.meets(word)), len(self.rules) - 1)

    def _slot(self, rule: int, before: bool, row: Row, below: frozenset[str]) -> tuple[int, int]:
        """The slot of a child, the most special that it meets, and whether it is read from right to left."""
        slots = self.rules[rule].slots
        word = Around(row, "_", "before" if before else "after", below)
        fitting = [k for k, slot in enumerate(slots) if not slot.what and slot.child.meets(word)]
        if fitting:
            at = max(fitting, key=lambda k: (*slots[k].child.weight(row.deprel), -k))
        else:
            names = [slot.what for slot in slots]
            at = names.index(OTHER) if OTHER in names else names.index(BEFORE if before else AFTER)
        return at, REVERSED if slots[at].reverse else 0

    def reorder(self, sentences: Sequence[Sentence]) -> list[Permutation]:
        """The new order of each sentence."""
        return list(self.match(sentences).orders())


def _own_slot(rule: Rule) -> tuple[int, int]:
    """The slot of HEAD; where an order has only one slot, the head is in it with the others."""
    names = [slot.what for slot in rule.slots]
    at = names.index(HEAD) if HEAD in names else names.index(OTHER)
    return at, HEAD_REVERSED if rule.slots[at].reverse else 0


class Look:
    """What some conditions see of a word, as a number: words that look the same to them have the same.

    Of lemmas, forms, language-specific tags and features only those count that a condition names.
    """

    def __init__(self, conditions: Sequence[Condition], *, relation: bool = False) -> None:
        used = frozenset[str]().union(*(one.uses for one in conditions)) | (
            {"relation"} if relation else set()
        )
        self.columns = [name for name in _COLUMN if name in used]
        self.raw = itemgetter(*(_COLUMN[name] for name in self.columns)) if self.columns else None
        self.named = {
            name: {v for one in conditions if (values := getattr(one, name)) for v in values.known}
            for name in ("lemma", "form", "xpos")
        }
        self.features = sorted({name for one in conditions for name, _ in one.feats})
        self.number_of: dict[Any, int] = {}
        self.numbers: dict[tuple[str, ...], int] = {}
        self.next_number = (
            itertools.count()
        )  # not the size of the table: another thread may be about to add to it

    def __call__(self, row: Row) -> int:
        """The number of the word's look."""
        if self.raw is None:
            return 0
        raw = self.raw(row)
        number = self.number_of.get(raw)
        if number is None:
            seen = tuple(self._seen(name, row[_COLUMN[name]]) for name in self.columns)
            number = self.number_of[raw] = self.numbers.setdefault(seen, next(self.next_number))
        return number

    def _seen(self, name: str, value: str) -> str:
        if name == "feats":
            pairs = value.split("|")
            return "|".join(pair for pair in pairs if pair.partition("=")[0] in self.features)
        if name in self.named:
            plain = value if name == "xpos" else value.lower()
            return plain if plain in self.named[name] else ""
        return value


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int32)


def _heads(rows: list[Row]) -> list[int]:
    """Heads from 0; those that no sentence has are left to the kernel to refuse."""
    try:
        return [int(row.head) - 1 for row in rows]
    except ValueError:
        raise InvalidTree(f"{' '.join(row.form for row in rows)[:60]!r} has words without a head") from None


def _join(heads: list[int], flags: list[int], ranges: Sequence[tuple[int, int]]) -> None:
    """Make each multiword token one: its words hang on that of them which is nearest to the root."""
    depth = [_depth(heads, i) for i in range(len(heads))] if ranges else []
    for first, last in ranges:
        words = range(first - 1, last)
        top = min(words, key=lambda i: (depth[i], i))
        for i, head in enumerate(heads):
            if head in words and i not in words:
                heads[i] = top
        for i in words:
            heads[i] = heads[i] if i == top else top
            flags[i] = flags[i] & ~MARK | (JOINED if i > words[0] else 0)


def _depth(heads: Sequence[int], at: int) -> int:
    depth = 0
    while heads[at] >= 0 and depth <= len(heads):
        at, depth = heads[at], depth + 1
    return depth
