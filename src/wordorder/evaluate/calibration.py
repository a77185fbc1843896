"""Calibration: whether the probabilities of pairs and of whole orders agree with how often these are right.

A pair consists of two words with links, one of which belongs before the other: neither its first nor its
last target position is after the other's. The probability is that of the order in which the model put them.

A whole order is right if all its pairs are. It is considered in sentences that have a pair and whose links
agree on an order (the variant ``nakagawa``). Its probability should leave open what the links leave open:
words without links, and words that may stand in either order. Methods that can sum over all such orders do so
(``is_open``); others report the probability of the single order, which is lower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import orders_from_links, target_spans
from wordorder.core.resample import Interval
from wordorder.errors import BadSetting, WordOrderError
from wordorder.preorder.base import Preorderer
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.source import Source

Binning = Literal["width", "count"]
LEAST = 1e-6  # probabilities are clipped to LEAST .. 1 - LEAST for the log loss
Z = 1.959963984540054  # normal quantile of a 95 % interval


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Probabilities from ``low`` to ``high``: their number and mean, and the share that was right."""

    low: float
    high: float
    count: int
    mean: float
    share: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Reliability:
    """Probabilities and how often they are right.

    ``error`` is the expected calibration error: the mean distance between the share that is right and the
    mean probability of each bin, weighted by counts. ``brier`` is the Brier score, the mean squared error of
    the probabilities; ``log_loss`` is the mean negative log probability of the outcome.
    """

    count: int
    right: int
    mean: float
    error: float
    brier: float
    log_loss: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """One model: the order of pairs, and whole orders if it knows their probabilities."""

    name: str
    sentences: int
    consistent: int  # sentences with a pair and with links that agree on an order
    pairs: Reliability
    orders: Reliability | None
    is_open: bool  # whether probabilities of orders leave open what the links leave open

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "model": self.name,
            "sentences": self.sentences,
            "consistent": self.consistent,
            "pairs": _as_dict(self.pairs),
            "orders": _as_dict(self.orders) if self.orders else None,
            "open": self.is_open,
        }


def calibrate(
    preorderer: Preorderer,
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    *,
    name: str = "",
    bins: int = 10,
    binning: Binning = "width",
    run: Callable[[Callable[[int], Any], Sequence[int]], Any] = map,
) -> Calibration:
    """Compare the probabilities of a preorderer with links; ``run`` is an ordered map, for threads."""
    if not isinstance(preorderer, Probabilistic):
        raise BadSetting(f"{preorderer.name} has no probabilities; grammar and CRF models have")
    if not sources:
        raise WordOrderError("nothing to calibrate: no sentences")
    if bins < 1:
        raise BadSetting(f"{bins} bins; expected 1 or more")

    def work(s: int) -> tuple[Doubles, Bools, float | None, bool, bool]:
        return _sentence(preorderer, sources[s], alignments[s])

    rows = list(run(work, range(len(sources))))
    chances = np.concatenate([row[0] for row in rows])
    right = np.concatenate([row[1] for row in rows])
    if not len(right):
        raise WordOrderError("nothing to calibrate: the links order no pair of words")
    whole = [(row[2], bool(row[1].all()), row[3]) for row in rows if row[4]]
    known = [(chance, good, is_open) for chance, good, is_open in whole if chance is not None]
    orders = None
    if known:
        orders = reliability(
            np.array([row[0] for row in known]), np.array([row[1] for row in known]), bins, binning
        )
    is_open = bool(known) and all(row[2] for row in known)
    pairs = reliability(chances, right, bins, binning)
    return Calibration(name or preorderer.name, len(sources), len(whole), pairs, orders, is_open)


def _sentence(
    preorderer: Probabilistic, source: Source, alignment: Alignment
) -> tuple[Doubles, Bools, float | None, bool, bool]:
    """Return probabilities of pairs, which are right, that of the order, if it is open and can be right."""
    (order,) = preorderer.reorder_batch([source])
    (table,) = preorderer.precedence_batch([source])
    pairs = gold_pairs(alignment)
    rank = order.ranks
    right = rank[pairs[:, 0]] < rank[pairs[:, 1]]
    chosen = np.where(right[:, None], pairs, pairs[:, ::-1])
    chances = np.clip(table[chosen[:, 0], chosen[:, 1]], 0.0, 1.0)
    if not orders_from_links([alignment], "nakagawa").counts[0] or not len(pairs):
        return chances, right, None, False, False
    (log_chance,) = preorderer.agreement([source], [[(int(a), int(b)) for a, b in chosen]])
    is_open = log_chance is not None
    if log_chance is None:
        (log_chance,) = preorderer.log_probability_batch([source], [order])
    return chances, right, None if log_chance is None else math.exp(log_chance), is_open, True


def gold_pairs(alignment: Alignment) -> Longs:
    """Return pairs of words of which the first belongs before the second.

    >>> gold_pairs(Alignment(4, 3, [(0, 2), (1, 0), (2, 0), (3, 0), (3, 2)])).tolist()
    [[1, 0], [1, 3], [2, 0], [2, 3], [3, 0]]
    """
    first, last = target_spans(Alignments.from_alignments([alignment]))
    not_after = (first[:, None] <= first) & (last[:, None] <= last)
    linked = (first >= 0)[:, None] & (first >= 0)
    return np.argwhere(not_after & ~not_after.T & linked)


def reliability(chances: Doubles, right: Bools, bins: int, binning: Binning = "width") -> Reliability:
    """Sort probabilities into bins of equal width or of about equal counts; empty bins are left out.

    >>> result = reliability(np.array([0.9, 0.8, 0.2]), np.array([True, False, False]), 2)
    >>> [(bin.low, bin.count, bin.share) for bin in result.bins], round(result.brier, 3)
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
    filled = []
    for b in range(len(edges) - 1):
        here = which == b
        count = int(here.sum())
        if count:
            hits = int(right[here].sum())
            mean = float(chances[here].mean())
            around = wilson(hits, count)
            filled.append(
                ReliabilityBin(float(edges[b]), float(edges[b + 1]), count, mean, hits / count, around)
            )
    safe = np.clip(chances, LEAST, 1 - LEAST)
    return Reliability(
        n,
        int(right.sum()),
        float(chances.mean()),
        sum(bin.count * abs(bin.share - bin.mean) for bin in filled) / n,
        float(((chances - right) ** 2).mean()),
        float(-np.log(np.where(right, safe, 1 - safe)).mean()),
        tuple(filled),
    )


def wilson(hits: int, count: int) -> Interval:
    """Return the 95 % interval of a share (Wilson 1927), which assumes independent observations.

    >>> round(wilson(8, 10).low, 4), round(wilson(8, 10).high, 4)
    (0.4902, 0.9433)
    """
    share = hits / count
    middle = share + Z * Z / (2 * count)
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    below = 1 + Z * Z / count
    return Interval(max(0.0, (middle - reach) / below), min(1.0, (middle + reach) / below), 0.95)


def _as_dict(reliability: Reliability) -> dict[str, Any]:
    data = asdict(reliability)
    for bin in data["bins"]:
        bin["interval"] = [bin["interval"]["low"], bin["interval"]["high"]]
    return {"expected_calibration_error": data.pop("error"), **data}
