"""What preorderers with probabilities have in common: explanations, and what calibration asks for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Explanation, Preorderer, Source
from wordorder.preorder.long_sentences import cut
from wordorder.preorder.trees import SourceTree

HIDDEN = " unknown"  # stands for a word that is not told: no word has a blank
Pairs = Sequence[tuple[int, int]]  # words of which the first comes before the second


class Belief(NamedTuple):
    """What is believed of a sentence: the table of precedence, and the log probability of an order."""

    precedence: Doubles
    log_prob: float | None


class Operator(NamedTuple):
    """How probable a node is: that its span is one of the tree's, and its operator if it is."""

    span: float
    operator: float


@dataclass(frozen=True, kw_only=True)
class Probable(Preorderer):
    """A preorderer with probabilities, that takes ``HIDDEN`` for a word of which nothing is known."""

    @property
    @abstractmethod
    def longest_piece(self) -> int:
        """The longest sentence, in words, that is ordered in one piece (0: all are)."""

    def pieces(self, source: Source) -> list[Source]:
        """The parts of a sentence that are ordered apart from each other, as they follow each other."""
        parts = list(cut(source.words, self.longest_piece))
        if len(parts) == 1:
            return [source]
        made, at = [], 0
        for one in parts:
            layers = tuple(row[at : at + len(one)] for row in source.layers)
            made.append(replace(source, words=tuple(one), parse=None, alignment=None, layers=layers))
            at += len(one)
        return made

    def beliefs(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[Belief]:
        """The table of each sentence and the probability of an order, at once where that is cheaper."""
        tables = self.precedence(sources)
        known = self.log_probability(sources, orders)
        return [Belief(*both) for both in zip(tables, known, strict=True)]

    def agreement(self, sources: Sequence[Source], pairs: Sequence[Pairs]) -> Sequence[float | None]:
        """The log probability that all these pairs stand like this; None where it is not known."""
        return [None] * len(sources)

    def operators(
        self, sources: Sequence[Source], trees: Sequence[SourceTree]
    ) -> Sequence[Mapping[tuple[int, int], Operator]]:
        """The probabilities of the nodes of trees, by begin and end, as far as they are known."""
        return [{} for _ in sources]

    def explain(self, sources: Sequence[Source]) -> Sequence[Explanation]:
        """Which words made the difference: each is hidden in turn."""
        from wordorder.preorder.occlusion import occlude

        return [occlude(self, source) for source in sources]
