"""Matching rules against trees: which rule fires for each head, and which slot each child takes.

Rules test few properties of a word, and many words share them, so every result is cached: a rule is matched
once for each kind of head, and a slot once for each kind of child under it. A kernel (linearise) then
puts the words into order.
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

# Flags of the kernel.
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
    """The rules and slots of the words of some sentences; sentence s begins at ``offsets[s]``."""

    offsets: Longs
    heads: Ints  # from 0 in each sentence, -1: root; multiword tokens are contracted, no arcs cross
    rules: Ints  # number of the rule that fires for each word as a head; -1: it has no children
    slots: Ints  # slot of each word in the rule of its head
    own_slots: Ints  # slot of HEAD in the rule of each word
    flags: Ints
    lifted: Ints  # number of words per sentence that were lifted to remove crossing arcs

    def orders(self) -> Permutations:
        """Return the new order of each sentence."""
        order, bad = _native.linearise(self.heads, self.slots, self.own_slots, self.flags, self.offsets)
        assert bad < 0, "trees are projective here"
        return Permutations.from_orders(order, self.offsets)


class RuleMatcher:
    """A rule set, ready to be applied."""

    def __init__(self, rules: RuleSet) -> None:
        self.set = rules
        self.rules: list[Rule] = [*rules.rules, rules.fallback]
        heads = [rule.head for rule in self.rules]
        children = [slot.child for rule in self.rules for slot in rule.slots]
        self.look_at_head, self.look_at_child = Look(heads), Look(children, relation=True)
        self.uses_parent = any(condition.parent for condition in heads)
        self.asked = frozenset(
            label for condition in [*heads, *children] for label in (*condition.has, *condition.lacks)
        )
        self.marks = {"punct": MARK} if rules.punctuation == "phrase" else {}
        self.marks |= {"conj": CONJUNCT, "cc": COORDINATOR} if rules.coordination == "keep" else {}
        self.is_asked: dict[str, bool] = {}  # relations that `has` and `lacks` test
        self.head_below = any("below" in condition.uses for condition in heads)
        self.child_below = any("below" in condition.uses for condition in children)
        # Several threads may fill these caches at once: they write the same values.
        self.rule_of: dict[Any, int] = {}
        self.slot_of: dict[Any, tuple[int, int]] = {}
        self.own = [_own_slot(rule) for rule in self.rules]

    def match(self, sentences: Sequence[Sentence]) -> RuleMatches:
        """Find the rules and slots of all words."""
        rows = [[row for row in sentence.rows if row.is_word] for sentence in sentences]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(words) for words in rows], out=offsets[1:])
        given_heads: list[int] = []
        flags: list[int] = []
        for sentence, words in zip(sentences, rows, strict=True):
            heads = _heads(words)
            marks = self._marks(words)
            if self.set.multiword == "whole" and len(words) != len(sentence.rows):
                _join(heads, marks, sentence.ranges)
            for head in heads:  # punctuation with words below it is a word, even if these are lifted
                if 0 <= head < len(marks):
                    marks[head] &= ~MARK
            given_heads += heads
            flags += marks
        projected, lifted, bad = _native.project(_ints(given_heads), _ints(flags), offsets)
        if bad >= 0:
            text = " ".join(row.form for row in rows[bad])
            raise InvalidTree(
                f"sentence {bad + 1}, {text[:40]!r}: the heads do not form a tree (one root, no cycle)"
            )
        columns: tuple[list[int], ...] = ([], [], [])
        all_heads = projected.tolist()
        ends = offsets.tolist()
        for s, words in enumerate(rows):
            begin, end = ends[s], ends[s + 1]
            marks = flags[begin:end]
            matched = self._sentence(words, all_heads[begin:end], marks)
            flags[begin:end] = marks
            for column, values in zip(columns, matched, strict=True):
                column += values
        rules, slots, own = map(_ints, columns)
        return RuleMatches(offsets, projected, rules, slots, own, _ints(flags), lifted)

    def _sentence(self, rows: list[Row], heads: list[int], flags: list[int]) -> tuple[list[int], ...]:
        """Return the rule of each word, its slot, and the slot of HEAD in its rule; add to the flags."""
        n = len(rows)
        parents = set(heads)
        below = self._below(rows, heads) if self.asked else [_NOTHING] * n
        rules = [-1] * n
        own = [0] * n
        for i, row in enumerate(rows):
            if i not in parents:
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
        """Return the relations of the children of each word, as far as rules test them."""
        sets: list[set[str]] = [set() for _ in rows]
        for head, row in zip(heads, rows, strict=True):
            asked = self.is_asked.get(row.deprel)
            if asked is None:
                asked = self.is_asked[row.deprel] = any(covers(label, row.deprel) for label in self.asked)
            if asked and head >= 0:
                sets[head].add(row.deprel)
        return [frozenset(relations) for relations in sets]

    def _marks(self, rows: list[Row]) -> list[int]:
        """Return the flags of each word: punctuation, brackets, conjuncts and coordinators."""
        flags = [self.marks.get(row.deprel.partition(":")[0], 0) for row in rows]
        pairs = zip(flags, rows, strict=True)
        return [flag | _BRACKETS.get(row.form, 0) if flag == MARK else flag for flag, row in pairs]

    def _rule(self, row: Row, parent: str, below: frozenset[str]) -> int:
        word = Around(row, parent, None, below)
        return next((k for k, rule in enumerate(self.rules) if rule.head.meets(word)), len(self.rules) - 1)

    def _slot(self, rule: int, before: bool, row: Row, below: frozenset[str]) -> tuple[int, int]:
        """Return the most specific slot that a child matches, and the flag of a reversed slot."""
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
        """Return the new order of each sentence."""
        return list(self.match(sentences).orders())


def _own_slot(rule: Rule) -> tuple[int, int]:
    """Return the slot of HEAD; if an order has only one slot, the head is in it with the others."""
    names = [slot.what for slot in rule.slots]
    at = names.index(HEAD) if HEAD in names else names.index(OTHER)
    return at, HEAD_REVERSED if rule.slots[at].reverse else 0


class Look:
    """Numbers for words: words that some conditions cannot distinguish get the same number.

    Lemmas, forms, language-specific tags and features count only if a condition names them.
    """

    def __init__(self, conditions: Sequence[Condition], *, relation: bool = False) -> None:
        used = frozenset[str]().union(*(condition.uses for condition in conditions))
        used |= {"relation"} if relation else set()
        self.columns = [name for name in _COLUMN if name in used]
        self.raw = itemgetter(*(_COLUMN[name] for name in self.columns)) if self.columns else None
        self.named = {
            name: {
                v for condition in conditions if (values := getattr(condition, name)) for v in values.known
            }
            for name in ("lemma", "form", "xpos")
        }
        self.features = sorted({name for condition in conditions for name, _ in condition.feats})
        self.number_of: dict[Any, int] = {}
        self.numbers: dict[tuple[str, ...], int] = {}
        # A counter, not the size of the table, because another thread may be about to add to it.
        self.next_number = itertools.count()

    def __call__(self, row: Row) -> int:
        """Return the number of a word."""
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
    """Return heads from 0; the kernel refuses heads outside the sentence."""
    try:
        return [int(row.head) - 1 for row in rows]
    except ValueError:
        raise InvalidTree(f"{' '.join(row.form for row in rows)[:60]!r} has words without a head") from None


def _join(heads: list[int], flags: list[int], ranges: Sequence[tuple[int, int]]) -> None:
    """Contract multiword tokens: the words of each depend on the one that is nearest to the root."""
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
