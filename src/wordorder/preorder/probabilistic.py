"""The base class of preorderers with probabilities, which are explained and calibrated."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import OrderExplanation, Preorderer
from wordorder.preorder.long_sentences import check_length, cut, section
from wordorder.preorder.parses import with_parses
from wordorder.preorder.source import Source
from wordorder.preorder.trees import SourceTree

HIDDEN = " unknown"  # stands for a hidden word: no word contains a blank
Pairs = Sequence[tuple[int, int]]  # pairs of words of which the first comes before the second


class Belief(NamedTuple):
    """The precedence table of a sentence, and the log probability of one order."""

    precedence: Doubles
    log_prob: float | None


class NodeProbability(NamedTuple):
    """The probability that the span of a node is in the tree, and of its operator if it is."""

    span: float
    operator: float


@dataclass(frozen=True, kw_only=True)
class Probabilistic(Preorderer):
    """A preorderer with probabilities that accepts ``HIDDEN`` in place of a word."""

    @property
    @abstractmethod
    def longest_piece(self) -> int:
        """The length in words up to which a sentence is reordered in one piece (0: no limit)."""

    def pieces(self, source: Source) -> list[Source]:
        """Return the pieces of a sentence that are reordered separately, in source order."""
        check_length(source)
        parts = list(cut(source.words, self.longest_piece))
        if len(parts) == 1:
            return [source]
        pieces, at = [], 0
        for words in parts:
            pieces.append(section(source, at, at + len(words)))
            at += len(words)
        return pieces

    def in_pieces(self) -> Self:
        """Return a preorderer that always orders the pieces of a sentence separately."""
        return self

    def beliefs(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[Belief]:
        """Return the precedence table of each sentence and the log probability of an order."""
        tables = self.precedence_batch(sources)
        known = self.log_probability_batch(sources, orders)
        return [Belief(*both) for both in zip(tables, known, strict=True)]

    def agreement(self, sources: Sequence[Source], pairs: Sequence[Pairs]) -> Sequence[float | None]:
        """Return the log probability that all these pairs are in this order; None where it is not known."""
        return [None] * len(sources)

    def operators(
        self, sources: Sequence[Source], trees: Sequence[SourceTree]
    ) -> Sequence[Mapping[tuple[int, int], NodeProbability]]:
        """Return the probabilities of the nodes of trees, by begin and end, where they are known."""
        return [{} for _ in sources]

    def explain_batch(self, sources: Sequence[Source]) -> Sequence[OrderExplanation]:
        """Explain by occlusion which words made the difference."""
        from wordorder.preorder.occlusion import occlude

        # A hidden word keeps its place in the tree, so that sentences are parsed before.
        parsed = with_parses(sources) if "parse" in self.needs else sources
        return [occlude(self, source) for source in parsed]
