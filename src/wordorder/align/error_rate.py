"""The alignment error rate against manual links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Longs
from wordorder.core.alignment import Alignments


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Counts of links, and the scores of Och and Ney (2003).

    With the links A, the sure manual links S and the sure or possible ones P:
    precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S|, and
    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).
    Without any links AER is 0, and precision and recall are 1.

    >>> rate = ErrorRate(links=4, sure=3, found_sure=2, found=3)
    >>> rate.precision, round(rate.recall, 3), round(rate.aer, 3)
    (0.75, 0.667, 0.286)
    """

    links: int
    sure: int
    found_sure: int
    found: int

    @property
    def precision(self) -> float:
        """The share of the links that are sure or possible manual links."""
        return self.found / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of the sure manual links that were found."""
        return self.found_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """The alignment error rate; lower is better."""
        both = self.links + self.sure
        return 1 - (self.found_sure + self.found) / both if both else 0.0


def error_rate(links: Alignments, gold: Alignments) -> ErrorRate:
    """Compare links with manual ones, summed over sentences; repeated links count once.

    >>> error_rate(Alignments.from_links([[(0, 0), (1, 1)]]), Alignments.from_links([[(0, 0), (0, 1)]])).aer
    0.5
    """
    links.check_same_length(gold, what="the links and the manual links")
    span = 1 + max(int(side.pairs.max(initial=0)) for side in (links, gold))
    keys, sure = np.unique(_keys(links, span)), np.unique(_keys(gold.sure(), span))
    return ErrorRate(
        links=len(keys),
        sure=len(sure),
        found_sure=int(np.isin(keys, sure, assume_unique=True).sum()),
        found=int(np.isin(keys, _keys(gold, span)).sum()),
    )


def _keys(links: Alignments, span: int) -> Longs:
    """Return a number for each link, equal for equal links of the same sentence."""
    pairs = links.pairs.astype(np.int64)
    keys: Longs = (links.sentence * span + pairs[:, 0]) * span + pairs[:, 1]
    return keys
