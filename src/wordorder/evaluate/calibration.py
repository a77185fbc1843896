"""Are probabilities right? Those of orders of pairs, and of whole orders, against how often they are right.

A pair is two words with links of which one belongs before the other: neither its first nor its last target
position is after the other's. What is asked is the probability of the order that the words were given.

A whole order is right if all its pairs are, in sentences whose links contradict no order (the variant
``nakagawa``) and that have a pair. Its probability should leave open what the links leave open: words without
links, and words that may stand either way. Methods that can sum over all such orders are asked to
(``is_open``); others tell the probability of the one order as it is, which is less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.resample import Interval
from wordorder.errors import BadSetting, WordOrderError
from wordorder.evaluate.gold import nakagawa_ranks
from wordorder.preorder.base import Preorderer
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.source import Source

Flags = NDArray[np.bool_]
Binning = Literal["width", "count"]
LEAST = 1e-6  # what a probability counts as at least, and 1 less this at most: one slip is not infinite
Z = 1.959963984540054  # of 95 %


@dataclass(frozen=True, slots=True)
class Bin:
    """Probabilities from ``low`` to ``high``: how many, their mean, and the share that was right."""

    low: float
    high: float
    count: int
    mean: float
    share: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Reliability:
    """Probabilities and how often they are right.

    ``error`` is the expected calibration error: the mean distance of share and mean probability of the
    bins, by their counts. ``brier`` is the mean square of what the probabilities miss, ``log_loss`` the mean
    of minus the logarithm of the probability of what is so.
    """

    count: int
    right: int
    mean: float
    error: float
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One model: the order of pairs, and whole orders where it tells their probabilities."""

    name: str
    sentences: int
    consistent: int  # sentences whose links have pairs and contradict no order
    pairs: Reliability
    orders: Reliability | None
    is_open: bool  # whether probabilities of orders leave open what the links do

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "model": self.name,
            "sentences": self.sentences,
            "consistent": self.consistent,
            "pairs": _as_dict(self.pairs),
            "orders": _as_dict(self.orders) if self.orders else None,
            "open": self.is_open,
        }


def calibrate(
    made: Preorderer,
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    *,
    name: str = "",
    bins: int = 10,
    binning: Binning = "width",
    run: Callable[[Callable[[int], Any], Sequence[int]], Any] = map,
) -> Calibration:
    """Compare a preorderer's probabilities with links; ``run`` is an ordered map, for threads."""
    if not isinstance(made, Probabilistic):
        raise BadSetting(f"{made.name} has no probabilities; models of grammar and of crf have")
    if not sources:
        raise WordOrderError("nothing to calibrate: no sentences")
    if bins < 1:
        raise BadSetting(f"{bins} bins; expected 1 or more")

    def one(s: int) -> tuple[Doubles, Flags, float | None, bool, bool]:
        return _sentence(made, sources[s], alignments[s])

    rows = list(run(one, range(len(sources))))
    chances = np.concatenate([row[0] for row in rows])
    right = np.concatenate([row[1] for row in rows])
    if not len(right):
        raise WordOrderError("nothing to calibrate: no two linked words have an order")
    whole = [(row[2], bool(row[1].all()), row[3]) for row in rows if row[4]]
    known = [(chance, good, is_open) for chance, good, is_open in whole if chance is not None]
    orders = None
    if known:
        orders = reliability(
            np.array([row[0] for row in known]), np.array([row[1] for row in known]), bins, binning
        )
    is_open = bool(known) and all(row[2] for row in known)
    pairs = reliability(chances, right, bins, binning)
    return Calibration(name or made.name, len(sources), len(whole), pairs, orders, is_open)


def _sentence(
    made: Probabilistic, source: Source, alignment: Alignment
) -> tuple[Doubles, Flags, float | None, bool, bool]:
    """Chances of pairs, which are right, that of the order, whether it is open, whether it can be right."""
    (order,) = made.reorder_batch([source])
    (table,) = made.precedence_batch([source])
    pairs = gold_pairs(alignment)
    rank = order.ranks
    right = rank[pairs[:, 0]] < rank[pairs[:, 1]]
    given = np.where(right[:, None], pairs, pairs[:, ::-1])
    chances = np.clip(table[given[:, 0], given[:, 1]], 0.0, 1.0)
    if nakagawa_ranks(alignment) is None or not len(pairs):
        return chances, right, None, False, False
    (log_chance,) = made.agreement([source], [[(int(a), int(b)) for a, b in given]])
    is_open = log_chance is not None
    if log_chance is None:
        (log_chance,) = made.log_probability_batch([source], [order])
    return chances, right, None if log_chance is None else math.exp(log_chance), is_open, True


def gold_pairs(alignment: Alignment) -> NDArray[np.int64]:
    """Pairs of words, the first of which belongs before the second.

    >>> gold_pairs(Alignment(4, 3, [(0, 2), (1, 0), (2, 0), (3, 0), (3, 2)])).tolist()
    [[1, 0], [1, 3], [2, 0], [2, 3], [3, 0]]
    """
    targets = alignment.targets()
    first = np.array([row[0] if row else -1 for row in targets], dtype=np.int64)
    last = np.array([row[-1] if row else -1 for row in targets], dtype=np.int64)
    not_after = (first[:, None] <= first) & (last[:, None] <= last)
    linked = (first >= 0)[:, None] & (first >= 0)
    return np.argwhere(not_after & ~not_after.T & linked)


def reliability(chances: Doubles, right: Flags, bins: int, binning: Binning = "width") -> Reliability:
    """Sort probabilities into bins of equal width, or of about equal counts; empty ones are left out.

    >>> found = reliability(np.array([0.9, 0.8, 0.2]), np.array([True, False, False]), 2)
    >>> [(one.low, one.count, one.share) for one in found.bins], round(found.brier, 3)
    ([(0.0, 1, 0.0), (0.5, 2, 0.5)], 0.23)
    """
    n = len(chances)
    if not n:
        return Reliability(0, 0, 0.0, 0.0, 0.0, 0.0, ())
    edges = np.linspace(0, 1, bins + 1)
    if binning == "count":
        inner = np.quantile(chances, edges[1:-1])
        edges = np.unique(np.concatenate([[0.0], inner, [1.0]]))
    which = np.clip(np.searchsorted(edges, chances, side="right") - 1, 0, len(edges) - 2)
    made = []
    for b in range(len(edges) - 1):
        here = which == b
        count = int(here.sum())
        if count:
            hits = int(right[here].sum())
            mean = float(chances[here].mean())
            around = wilson(hits, count)
            made.append(Bin(float(edges[b]), float(edges[b + 1]), count, mean, hits / count, around))
    safe = np.clip(chances, LEAST, 1 - LEAST)
    return Reliability(
        n,
        int(right.sum()),
        float(chances.mean()),
        sum(one.count * abs(one.share - one.mean) for one in made) / n,
        float(((chances - right) ** 2).mean()),
        float(-np.log(np.where(right, safe, 1 - safe)).mean()),
        tuple(made),
    )


def wilson(hits: int, count: int) -> Interval:
    """The 95 % interval of a share (Wilson 1927); it takes what is counted for independent.

    >>> round(wilson(8, 10).low, 4), round(wilson(8, 10).high, 4)
    (0.4902, 0.9433)
    """
    share = hits / count
    middle = share + Z * Z / (2 * count)
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    below = 1 + Z * Z / count
    return Interval(max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below), 0.95)


def _as_dict(found: Reliability) -> dict[str, Any]:
    return {
        "count": found.count,
        "right": found.right,
        "mean": found.mean,
        "expected_calibration_error": found.error,
        "brier": found.brier,
        "log_loss": found.log_loss,
        "bins": [
            {
                "low": one.low,
                "high": one.high,
                "count": one.count,
                "mean": one.mean,
                "share": one.share,
                "interval": [one.interval.low, one.interval.high],
            }
            for one in found.bins
        ],
    }
