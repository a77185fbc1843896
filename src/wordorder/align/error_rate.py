"""How far links are from those of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignments


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Counts of links, and what Och and Ney (2003) make of them.

    With the links A, the sure ones S and the sure or possible ones P:
    precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S|, and
    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|).
    Where there is nothing to find and nothing was found, nothing is wrong: AER 0, the others 1.

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
        """The share of the links that people have too, surely or possibly."""
        return self.found / self.links if self.links else 1.0

    @property
    def recall(self) -> float:
        """The share of the sure links of people that were found."""
        return self.found_sure / self.sure if self.sure else 1.0

    @property
    def aer(self) -> float:
        """The alignment error rate; lower is better."""
        both = self.links + self.sure
        return 1 - (self.found_sure + self.found) / both if both else 0.0


def error_rate(links: Alignments, gold: Alignments) -> ErrorRate:
    """Compare links with those of people, summed over sentences; a link given twice counts once.

    >>> error_rate(Alignments.from_links([[(0, 0), (1, 1)]]), Alignments.from_links([[(0, 0), (0, 1)]])).aer
    0.5
    """
    links.check_same_length(gold, what="the links and those of people")
    found, all_gold = _keys(links, links, gold), _keys(gold, links, gold)
    sure = all_gold if gold.possible is None else all_gold[~gold.possible]
    found, sure = np.unique(found), np.unique(sure)
    return ErrorRate(
        links=len(found),
        sure=len(sure),
        found_sure=int(np.isin(found, sure, assume_unique=True).sum()),
        found=int(np.isin(found, all_gold).sum()),
    )


def _keys(links: Alignments, one: Alignments, other: Alignments) -> NDArray[np.int64]:
    """A number for each link: equal for equal links of the same sentence."""
    span = 1 + max(int(side.pairs.max(initial=0)) for side in (one, other))
    pairs = links.pairs.astype(np.int64)
    keys: NDArray[np.int64] = (links.sentence * span + pairs[:, 0]) * span + pairs[:, 1]
    return keys
