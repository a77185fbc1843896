"""Reordering a sentence with a learned grammar: exact consensus, best trees, samples.

Exact decoding sums over all derivations to get the probability that one word comes before another, and
finds the orders of least expected Kendall loss among those that the grammar derives. The thesis drew 10,000
trees and took the best of their orders. Other methods take the order of the single best tree (Viterbi), or
the most probable order.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.preorder.grammar.operators import Layout
from wordorder.preorder.grammar.tables import Tables
from wordorder.preorder.grammar.vocabulary import Vocabulary, folded
from wordorder.preorder.long_sentences import Ranked
from wordorder.preorder.trees import SourceTree

MOST = 100  # limit on the derivations that are examined per requested tree


class BestTree(NamedTuple):
    """A tree, and the joint log probability of its best derivation and the words."""

    tree: SourceTree
    log_probability: float


class DerivationSums(NamedTuple):
    """What a grammar says about the order of a sentence.

    ``inverted[a, b]`` for a < b is the probability that word b comes before word a. ``log_probability`` is
    that of the words; None if the grammar does not derive them.
    """

    inverted: Doubles
    log_probability: float | None


class Decoder:
    """A grammar ready to reorder."""

    def __init__(self, tables: Tables, vocabulary: Vocabulary, *, lowercase: bool = False) -> None:
        self.tables = tables
        self.lowercase = lowercase
        self.vocabulary = vocabulary
        self.glued: set[tuple[str, ...]] = set()  # sentences so far that the grammar cannot derive
        self._native = _native.GrammarDecoder(tables.layout.native, tables.rules, tables.lexical)

    def _encoded(self, words: Sequence[str]) -> tuple[list[int], list[tuple[int, int, int]]]:
        known = folded(words, self.lowercase)
        return [self.vocabulary.number(word) for word in known], list(self.vocabulary.phrases(known))

    def precedence(self, words: Sequence[str]) -> DerivationSums:
        """Sum over all derivations of a sentence."""
        table, _, log_probability, glued = self._native.consensus(*self._encoded(words), 0, False)
        if glued and len(words) > 1:
            self.glued.add(tuple(words))
            return DerivationSums(table, None)
        return DerivationSums(table, log_probability)

    def log_order_probabilities(self, words: Sequence[str], orders: Sequence[Sequence[int]]) -> Doubles:
        """Return the joint log probability of the words and each order; minus infinity: no derivation."""
        rows = np.array(orders, dtype=np.int32).reshape(len(orders), len(words))
        return self._native.log_order_probabilities(*self._encoded(words), rows)

    def samples(self, words: Sequence[str], count: int, seed: int) -> tuple[Doubles, Ranked]:
        """Return a table of inversions estimated from sampled derivations, and all their orders by loss."""
        n = len(words)
        if n < 2:
            return np.zeros((n, n)), [(0.0, list(range(n)))]
        mixed = zlib.crc32(" ".join(words).encode("utf-8", "surrogatepass")) + (seed << 32)
        self.precedence(words)  # records whether the sentence is glued
        drawn = self._native.sample(*self._encoded(words), count, mixed)
        orders, times = np.unique(drawn, axis=0, return_counts=True)
        ranks = np.argsort(orders, axis=1)
        first, second = np.triu_indices(n, 1)
        turned = ranks[:, first] > ranks[:, second]
        share = (times / count) @ turned
        # The expected loss of an order: the share of samples that disagree with it, summed over pairs.
        losses = np.where(turned, 1 - share, share).sum(axis=1)
        table = np.zeros((n, n))
        table[first, second] = share
        return table, [(float(losses[b]), orders[b].tolist()) for b in np.argsort(losses, kind="stable")]

    def best_trees(self, words: Sequence[str], k: int, *, orders: bool = False) -> list[BestTree]:
        """Return the k most probable different trees, each with the probability of its best derivation.

        With ``orders``, the trees also have different orders.
        """
        if len(words) < 2:
            return [BestTree(SourceTree("ROOT", tuple(range(len(words)))), 0.0)]
        trees: dict[SourceTree | Permutation, BestTree] = {}
        wanted = 1 if k == 1 else k * 4
        while True:
            derivations = self._native.best(*self._encoded(words), wanted)
            if not derivations:  # the grammar cannot even glue the words
                return [
                    BestTree(SourceTree("ROOT", (SourceTree("GLUE", tuple(range(len(words)))),)), -np.inf)
                ]
            for log_probability, nodes in derivations:
                tree = tree_of(nodes, self.tables.layout, range(len(words) + 1))
                trees.setdefault(tree.order() if orders else tree, BestTree(tree, log_probability))
            if len(trees) >= k or len(derivations) < wanted or wanted >= k * MOST:
                return list(trees.values())[:k]
            wanted = min(wanted * 5, k * MOST)


def tree_of(
    nodes: list[tuple[int, int, int, int]], layout: Layout, starts: Sequence[int], *, states: bool = False
) -> SourceTree:
    """Build a tree from its nodes in preorder; ``starts`` are the first positions of tokens, and the end."""
    rest = iter(nodes)

    def read() -> SourceTree | int:
        op, begin, end, state = next(rest)
        if op < 0:
            leaf = range(starts[begin], starts[end])
            return leaf[0] if len(leaf) == 1 else SourceTree("PHRASE", tuple(leaf))
        operator = layout.operators[op]
        label = f"{operator.name}_{state}" if states else operator.name
        return SourceTree(label, tuple(read() for _ in operator.places))

    return SourceTree("ROOT", (read(),))
