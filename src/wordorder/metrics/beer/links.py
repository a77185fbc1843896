"""What the matcher tells about two texts: links by stage, function words, and the order of linked words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder.align.matcher import Matcher
from wordorder.align.matches import Matches
from wordorder.arrays import Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting
from wordorder.metrics.beer.templates import OPERATORS
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Matching
from wordorder.text.tokens import Tokens, Words

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Links:
    """Linked words of many pairs of texts."""

    matches: Matches
    hypotheses: Tokens
    references: Tokens
    stages: tuple[str, ...]
    functions: tuple[Mask, Mask]  # of each word of the hypotheses, of the references

    @cached_property
    def permutations(self) -> Permutations:
        """The order of the linked words."""
        return self.matches.permutations()

    @property
    def recall(self) -> Doubles:
        """Share of the reference's words that are linked; 0 where there are none."""
        return np.asarray(self.permutations.lengths / np.maximum(self.references.lengths, 1))

    def counts(self, kinds: Sequence[str]) -> Longs:
        """Linked, of the hypothesis, of the reference: pairs x kinds x 3.

        A stage is counted beside all words, function and content words beside their like. A phrase
        linked with a shorter one counts its linked words.
        """
        linked = self.matches.positions >= 0
        found = np.empty((len(self.hypotheses), len(kinds), 3), np.int64)
        for place, kind in enumerate(kinds):
            mine, theirs = np.ones(len(linked), np.bool_), np.ones(len(self.references.ids), np.bool_)
            hit = linked
            if kind in ("function", "content"):
                mine, theirs = (f if kind == "function" else ~f for f in self.functions)
                hit = linked & mine
            elif kind != "linked":
                number = self.stages.index(kind) if kind in self.stages else -2
                hit = linked & (self.matches.stages == number)
            found[:, place, 0] = _per_line(hit, self.hypotheses)
            found[:, place, 1] = _per_line(mine, self.hypotheses)
            found[:, place, 2] = _per_line(theirs, self.references)
        return found


def _per_line(mask: Mask, tokens: Tokens) -> Longs:
    total = np.concatenate([[0], np.cumsum(mask)])
    return np.asarray(total[tokens.offsets[1:]] - total[tokens.offsets[:-1]])


def link_counts(
    hypotheses: Sequence[str],
    references: Sequence[str],
    matching: Matching,
    function_words: frozenset[str],
) -> Links:
    """Match words; function words are those of the list."""
    if not isinstance(matching.matcher, Matcher):
        raise BadSetting(f"match={matching.match} has no stages; expected some such as exact+stem")
    words = Words(matching.tokenize, lowercase=matching.lowercase)
    first, second = words.encode(hypotheses), words.encode(references)
    known = np.array([word.lower() in function_words for word in words.words], np.bool_)
    marks = (known[first.ids], known[second.ids]) if len(known) else (np.zeros(0, np.bool_),) * 2
    return Links(
        matching.matcher.match(first, second, words),
        first,
        second,
        matching.matcher.stages,
        (marks[0], marks[1]),
    )


def order_values(permutations: Permutations, kind: str) -> Doubles:
    """An ordering score, or the share of operators of one kind in a binary tree of the permutation.

    >>> order_values(Permutations([[1, 0, 2], [2, 0, 3, 1]]), "inverted").tolist()
    [0.5, 0.0]
    """
    if kind in OPERATORS:
        return np.asarray(operator_shares(permutations)[:, OPERATORS.index(kind)])
    made = metric(kind)
    assert isinstance(made, OrderingMetric)
    return made.score_orders(permutations)


def operator_shares(permutations: Permutations) -> Doubles:
    """Shares of ⟨1,2⟩, of ⟨2,1⟩, of operators of four and of more children; ⟨1,2⟩ alone below two words.

    A chain of m children is m - 1 binary operators, in whatever tree.
    """
    nodes, offsets = _native.trees(permutations.values, permutations.offsets)
    arity, kind = nodes[:, 2].astype(np.int64), nodes[:, 3]
    owner = np.repeat(np.arange(len(permutations)), np.diff(offsets))
    classes = (kind == 1, kind == -1, (kind == 0) & (arity == 4), (kind == 0) & (arity > 4))
    found = np.zeros((len(permutations), len(OPERATORS)))
    for place, mine in enumerate(classes):
        weight = np.where(kind[mine] == 0, 1, arity[mine] - 1)
        found[:, place] = np.bincount(owner[mine], weights=weight, minlength=len(permutations))
    total = found.sum(axis=1)
    found[total == 0, 0] = total[total == 0] = 1
    return np.asarray(found / total[:, None])
