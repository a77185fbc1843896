"""Explanations of rule-based orders: the rule of each head, and where its children went."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidTree
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.language import HEAD, Rule
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.preorder.trees import SourceTree

LARGEST = 10_000_000  # words of all subtrees of a sentence together: its words times their depths


@dataclass(frozen=True, slots=True)
class Subtree:
    """The head alone, or a child with everything below it: relation, slot and words."""

    word: int
    relation: str
    slot: str
    words: tuple[int, ...]  # in source order


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired for a head: the pieces in source order and in their new order."""

    rule: Rule
    head: int
    before: tuple[Subtree, ...]
    after: tuple[Subtree, ...]

    @property
    def moved(self) -> bool:
        """Whether the pieces changed places."""
        return self.before != self.after

    @property
    def moved_pieces(self) -> tuple[Subtree, ...]:
        """A smallest set of pieces whose removal leaves the others in source order."""
        place = {piece.word: k for k, piece in enumerate(self.after)}
        staying = longest_increasing([place[piece.word] for piece in self.before])
        return tuple(piece for k, piece in enumerate(self.before) if k not in staying)

    @property
    def moved_words(self) -> tuple[int, ...]:
        """The words of the moved pieces."""
        return tuple(sorted(word for piece in self.moved_pieces for word in piece.words))


def longest_increasing(numbers: Sequence[int]) -> set[int]:
    """Return the indices of a longest increasing subsequence.

    >>> sorted(longest_increasing([2, 0, 1, 3]))
    [1, 2, 3]
    """
    levels: list[list[int]] = []  # indices by the length of the longest that ends there; their numbers fall
    before: list[int] = []
    for k, number in enumerate(numbers):
        length = bisect_left(levels, number, key=lambda level: numbers[level[-1]])
        shorter = levels[length - 1] if length else []
        first = bisect_left(shorter, -number, key=lambda j: -numbers[j])
        before.append(shorter[first] if shorter else -1)
        if length == len(levels):
            levels.append([])
        levels[length].append(k)
    at, longest = levels[-1][0] if levels else -1, set()
    while at >= 0:
        longest.add(at)
        at = before[at]
    return longest


@dataclass(frozen=True, slots=True)
class RuleExplanation(Displayed):
    """A sentence, its new order, and the rules that fired, from the root down."""

    sentence: Sentence
    order: Permutation
    fired: tuple[Fired, ...]
    lifted: int  # words whose arcs crossed others

    @property
    def words(self) -> Sequence[str]:
        """The words of the sentence."""
        return self.sentence.forms

    @property
    def tree(self) -> SourceTree:
        """The flat tree of the order."""
        return SourceTree.of_order(self.order)

    @property
    def notes(self) -> dict[tuple[int, int], str]:
        """Empty: rules have no probabilities."""
        return {}

    def to_text(self) -> str:
        """Return the new order, then a line for each rule that moved something."""
        forms = self.sentence.forms
        lines = [" ".join(forms), " ".join(self.order.apply(forms))]
        for fired in self.fired:
            if fired.moved:
                texts = ((" ".join(forms[i] for i in piece.words), piece.relation) for piece in fired.after)
                pieces = " ".join(f"[{text}]{relation}" for text, relation in texts)
                place = f" ({fired.rule.place})" if fired.rule.line else ""
                lines.append(f"  {forms[fired.head]}: {fired.rule.name}{place}: {pieces}")
        if self.lifted:
            lines.append(f"  crossing arcs: {self.lifted} lifted")
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "words": self.sentence.forms,
            "order": self.order.order.tolist(),
            "lifted": self.lifted,
            "fired": [
                {
                    "rule": fired.rule.name,
                    "file": fired.rule.file,
                    "line": fired.rule.line,
                    "head": fired.head,
                    "moved": fired.moved,
                    "pieces": [asdict(piece) | {"words": list(piece.words)} for piece in fired.after],
                }
                for fired in self.fired
            ],
        }


def explain(matcher: RuleMatcher, sentences: Sequence[Sentence]) -> list[RuleExplanation]:
    """Reorder sentences, and record every rule that fired."""
    matched = matcher.match(sentences)
    explanations = []
    for s, (sentence, order) in enumerate(zip(sentences, matched.orders(), strict=True)):
        words = slice(matched.offsets[s], matched.offsets[s + 1])
        heads, rules, slots = (a[words].tolist() for a in (matched.heads, matched.rules, matched.slots))
        rows, below, place = sentence.words, words_below(heads), order.ranks
        fired = []
        for head, children in enumerate(children_of(heads)):
            if rules[head] < 0:
                continue
            rule = matcher.rules[rules[head]]
            pieces = [
                Subtree(i, rows[i].deprel, str(rule.slots[slots[i]]), tuple(below[i])) for i in children
            ]
            pieces.append(Subtree(head, HEAD, HEAD, (head,)))
            # The place of a piece is the median of its words: crossing arcs and coordination may split it.
            old = sorted(pieces, key=lambda piece: float(np.median(piece.words)))
            new = sorted(pieces, key=lambda piece: float(np.median(place[list(piece.words)])))
            fired.append(Fired(rule, head, tuple(old), tuple(new)))
        fired.sort(key=lambda rule: (-len(below[rule.head]), rule.head))
        explanations.append(RuleExplanation(sentence, order, tuple(fired), int(matched.lifted[s])))
    return explanations


def children_of(heads: Sequence[int]) -> list[list[int]]:
    """Return the children of each word, in source order.

    >>> children_of([1, -1, 1])
    [[], [0, 2], []]
    """
    children: list[list[int]] = [[] for _ in heads]
    for i, head in enumerate(heads):
        if head >= 0:
            children[head].append(i)
    return children


def words_below(heads: Sequence[int]) -> list[list[int]]:
    """Return the words of each subtree, including its head, in source order.

    >>> words_below([1, -1, 1])
    [[0], [0, 1, 2], [2]]
    """
    below: list[list[int]] = [[] for _ in heads]
    total = 0
    for i in range(len(heads)):
        at, steps = i, 0
        while at >= 0:
            if steps == len(heads):
                raise InvalidTree(f"the heads of word {i + 1} form a cycle")
            below[at].append(i)
            at, steps = heads[at], steps + 1
        total += steps
        if total > LARGEST:
            raise InvalidTree(
                f"the tree of {len(heads)} words is too deep: its subtrees have more than {LARGEST} words"
                " together; split the sentence"
            )
    return below
