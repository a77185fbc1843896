"""Features of the matcher: links by stage, function words, and the order of linked words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wordorder import _native
from wordorder.align.matcher import Matcher
from wordorder.align.matches import Matches
from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting
from wordorder.metrics.beer.templates import OPERATORS
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Matching
from wordorder.text.pairs import Pairs
from wordorder.text.tokens import Tokens


@dataclass(frozen=True, eq=False)
class MatchedWords:
    """Linked words of many pairs of texts."""

    matches: Matches
    hypotheses: Tokens
    references: Tokens
    stages: tuple[str, ...]
    functions: tuple[Bools, Bools]  # of each word of the hypotheses, of the references

    @cached_property
    def permutations(self) -> Permutations:
        """The order of the linked words."""
        return self.matches.permutations()

    @property
    def recall(self) -> Doubles:
        """The share of reference words that are linked; 0 where there are none."""
        return np.asarray(self.permutations.lengths / np.maximum(self.references.lengths, 1))

    def counts(self, kinds: Sequence[str]) -> Longs:
        """Count linked words, hypothesis words and reference words: pairs x kinds x 3.

        A stage is counted against all words, function and content words against their own kind. A
        phrase linked with a shorter one counts its linked words.
        """
        linked = self.matches.positions >= 0
        counts = np.empty((len(self.hypotheses), len(kinds), 3), np.int64)
        for place, kind in enumerate(kinds):
            mine, theirs = np.ones(len(linked), np.bool_), np.ones(len(self.references.ids), np.bool_)
            hit = linked
            if kind in ("function", "content"):
                mine, theirs = (f if kind == "function" else ~f for f in self.functions)
                hit = linked & mine
            elif kind != "linked":
                number = self.stages.index(kind) if kind in self.stages else -2
                hit = linked & (self.matches.stages == number)
            counts[:, place, 0] = _per_line(hit, self.hypotheses)
            counts[:, place, 1] = _per_line(mine, self.hypotheses)
            counts[:, place, 2] = _per_line(theirs, self.references)
        return counts


def _per_line(mask: Bools, tokens: Tokens) -> Longs:
    total = np.concatenate([[0], np.cumsum(mask)])
    return np.asarray(total[tokens.offsets[1:]] - total[tokens.offsets[:-1]])


def link_counts(pairs: Pairs, matching: Matching, function_words: frozenset[str]) -> MatchedWords:
    """Match words, and mark the function words."""
    if not isinstance(matching.matcher, Matcher):
        raise BadSetting(f"match={matching.match} has no stages; expected some such as exact+stem")
    words = matching.table()
    texts = words.encode(pairs.texts)
    first, second = texts.take(pairs.first), texts.take(pairs.second)
    known = np.array([word.lower() in function_words for word in words.words], np.bool_)
    marks = (known[first.ids], known[second.ids]) if len(known) else (np.zeros(0, np.bool_),) * 2
    matches = matching.matcher.match(first, second, words)
    return MatchedWords(matches, first, second, matching.matcher.stages, (marks[0], marks[1]))


def order_values(permutations: Permutations, kind: str) -> Doubles:
    """Compute an ordering score, or the share of one kind of operators in a binary permutation tree.

    >>> order_values(Permutations([[1, 0, 2], [2, 0, 3, 1]]), "inverted").tolist()
    [0.5, 0.0]
    """
    if kind in OPERATORS:
        return np.asarray(operator_shares(permutations)[:, OPERATORS.index(kind)])
    ordering = metric(kind)
    assert isinstance(ordering, OrderingMetric)
    return ordering.score_orders(permutations)


def operator_shares(permutations: Permutations) -> Doubles:
    """Compute the shares of ⟨1,2⟩, ⟨2,1⟩, and operators of four and of more children.

    Below two words there is only ⟨1,2⟩. A chain of m children is m - 1 binary operators in any tree.
    """
    nodes, offsets = _native.trees(permutations.values, permutations.offsets)
    arity, kind = nodes[:, 2].astype(np.int64), nodes[:, 3]
    owner = np.repeat(np.arange(len(permutations)), np.diff(offsets))
    classes = (kind == 1, kind == -1, (kind == 0) & (arity == 4), (kind == 0) & (arity > 4))
    shares = np.zeros((len(permutations), len(OPERATORS)))
    for place, mine in enumerate(classes):
        weight = np.where(kind[mine] == 0, 1, arity[mine] - 1)
        shares[:, place] = np.bincount(owner[mine], weights=weight, minlength=len(permutations))
    total = shares.sum(axis=1)
    shares[total == 0, 0] = total[total == 0] = 1
    return np.asarray(shares / total[:, None])
