"""The orders of a sentence under a mixture of grammars: of least expected loss, or the most probable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.preorder.grammar.decoding import Decoder
from wordorder.preorder.long_sentences import Ranked, ranked

MOST = 10000  # limit on the orders of a sentence that are examined
TREES = 10  # fewest best trees whose orders complete a list
POOL = 100  # orders of least loss among which the most probable ones are looked for


class MixedPiece:
    """A sentence, or a piece of a long one, under a mixture of grammars.

    The table of a mixture is the mean of the tables. The probability of an order is the mean of those of the
    grammars that derive the sentence; it is computed once for each order.
    """

    def __init__(self, decoders: Sequence[Decoder], words: Sequence[str]) -> None:
        self.words = words
        beliefs = [decoder.precedence(words) for decoder in decoders]
        self.inverted: Doubles = np.mean([belief.inverted for belief in beliefs], axis=0)
        self._grammars = [
            (decoder, belief.log_probability)
            for decoder, belief in zip(decoders, beliefs, strict=True)
            if belief.log_probability is not None
        ]
        self._known: dict[tuple[int, ...], float] = {}

    @property
    def glued(self) -> bool:
        """Whether no grammar derives the words, so that their orders have no probability."""
        return not self._grammars

    def log_probabilities(self, orders: Sequence[Sequence[int]]) -> list[float | None]:
        """Return the log probability of each order given the words; None for all if :attr:`glued`."""
        if self.glued:
            return [None] * len(orders)
        if len(self.words) < 2:
            return [0.0] * len(orders)
        new = list({tuple(order): None for order in orders if tuple(order) not in self._known})
        if new:
            each = [
                np.minimum(0.0, decoder.log_order_probabilities(self.words, new) - whole)
                for decoder, whole in self._grammars
            ]
            mixed = np.logaddexp.reduce(each, axis=0) - np.log(len(each))
            self._known |= dict(zip(new, mixed.tolist(), strict=True))
        return [self._known[tuple(order)] for order in orders]

    def least_loss(self, k: int, *, moves: bool, possible: bool) -> Ranked:
        """Return up to k orders of least expected loss; with ``possible``, of those that are derived.

        The orders are those that binary operators build and, with ``moves``, what moves make of the best of
        them. If fewer than k of the first ``MOST`` orders (100 k if that is more) are derived, or none of all
        orders, the orders of the best trees complete the list.
        """
        most = max(MOST, 100 * k)
        wanted = k if k == 1 or not possible else k + k // 10 + 1  # one is enough in most sentences
        while True:
            orders = _native.orders_of_table(self.inverted, wanted, moves, 0)
            if not possible or self.glued:
                return orders[:k]
            found = self._derived(orders)
            complete = len(orders) < wanted  # these are all orders that binary operators build
            if len(found) >= k or (complete and found):
                return found[:k]
            if complete or wanted >= most:
                more = self._of_best_trees(found, max(k, TREES))
                more = [
                    one for one in more if not found or one[0] >= found[0][0]
                ]  # the first stays the first
                return sorted([*found, *more], key=lambda one: one[0])[:k]
            wanted = min(wanted * 4, most)

    def most_probable(self, k: int, *, moves: bool) -> Ranked:
        """Return up to k orders, the most probable first.

        They are chosen among the orders of the best trees and the orders of least expected loss, of which
        there are ``POOL``, or k if that is more. Finding the most probable of all orders is NP-hard.
        """
        size = max(k, POOL)
        pool = self.least_loss(size, moves=moves, possible=True)
        if self.glued:
            return pool[:k]
        pool = [*pool, *self._of_best_trees(pool, 1)]
        log_probs = self.log_probabilities([order for _, order in pool])
        by_probability = sorted(range(len(pool)), key=lambda i: -(log_probs[i] or 0.0))
        return [pool[i] for i in by_probability[:k]]

    def _derived(self, orders: Ranked) -> Ranked:
        log_probs = self.log_probabilities([order for _, order in orders])
        return [one for one, p in zip(orders, log_probs, strict=True) if p is not None and p > -np.inf]

    def _of_best_trees(self, orders: Ranked, k: int) -> Ranked:
        """Return further orders: those of k best trees of each grammar that derives the words."""
        known = {tuple(order) for _, order in orders}
        more = {
            tuple(tree.order().order.tolist()): None
            for decoder, _ in self._grammars
            for tree, _ in decoder.best_trees(self.words, k, orders=True)
        }
        return ranked([list(order) for order in more if order not in known], self.inverted)
