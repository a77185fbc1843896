"""Measures of agreement between segment scores and judgments; every name contains the tie rule.

A measure is a function of a few numbers that add up over segments, so that a bootstrap over segments is one
product of matrices. ``c``, ``d`` and ``m`` count the untied judgments that a metric ranks in the same order,
in the opposite order, and as a tie; ``b`` and ``h`` count the tied judgments that it ties and does not tie.

=========================  ==========================  ==================================================
tau:ties=dropped           (c - d) / (c + d)           Stanojević and Sima'an; WMT before 2014
tau:ties=counted           (c - d) / (c + d + m)       WMT since 2014
consistency:ties=wrong     100 c / (c + d + m)         Birch and Osborne (2010), in percent
accuracy:ties=exact        (c + b) / (c+d+m+b+h)       pairwise accuracy; equal scores are a tie
accuracy:ties=calibrated   the same                    a difference up to the best threshold is a tie
                                                       (Deutsch et al. 2023), over all pairs together
pearson                    Pearson's r                 of scores and ratings over all items
spearman:ties=average      Pearson's r of ranks        ranks are taken in the whole sample
kendall:ties=b             Kendall's tau b             over all items
=========================  ==========================  ==================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.errors import BadSetting, UnknownName
from wordorder.judge.judgments import Judgments

# Undefined values are NaN in the arrays of this package, and None or a dash in results.


@dataclass(frozen=True)
class Measure:
    """A measure: the statistics of each segment, and the value of their sums.

    ``needs`` is either ``pairs`` (preferences, or ratings of several systems) or ``ratings``. ``rows`` takes
    the judgments and a score for each item, of which higher is better.
    """

    name: str
    needs: str
    rows: Callable[[Judgments, Doubles], Doubles]
    value: Callable[[Doubles], Doubles]

    def applies(self, judgments: Judgments) -> bool:
        """Return whether the set has the judgments that the measure needs."""
        if self.needs == "ratings":
            return judgments.ratings is not None
        return judgments.compared.untied > 0

    def of(self, judgments: Judgments, scores: Doubles) -> float:
        """Return the value of the measure for the scores of a set."""
        return float(self.value(self.rows(judgments, scores).sum(axis=0)[None, :])[0])


def pair_counts(judgments: Judgments, scores: Doubles, *, tie: float = 0.0) -> Doubles:
    """Count the judgments of each segment by how a metric ranks them: columns c, d, m, b, h.

    Scores that differ by at most ``tie`` are tied.
    """
    pairs = judgments.compared
    gap = scores[pairs.first] - scores[pairs.second]
    up, down, tied = gap > tie, gap < -tie, np.abs(gap) <= tie
    columns = [
        pairs.wins * up + pairs.losses * down,
        pairs.wins * down + pairs.losses * up,
        (pairs.wins + pairs.losses) * tied,
        pairs.ties * tied,
        pairs.ties * (up | down),
    ]
    segment = judgments.item_segment[pairs.first]
    n = len(judgments.segments)
    return np.column_stack([np.bincount(segment, column, minlength=n) for column in columns])


def calibrated_tie(judgments: Judgments, scores: Doubles) -> float:
    """Return the best threshold up to which a difference counts as a tie; the smallest of several."""
    pairs = judgments.compared
    gap = scores[pairs.first] - scores[pairs.second]
    wins, losses, ties = pairs.wins, pairs.losses, pairs.ties
    order = np.argsort(np.abs(gap), kind="stable")
    size = np.abs(gap)[order]
    # Calling a pair a tie gains its tied judgments and loses those that agree with its sign.
    gain = (ties - np.where(gap > 0, wins, np.where(gap < 0, losses, 0)))[order]
    last = np.append(size[1:] != size[:-1], True) if len(size) else np.zeros(0, np.bool_)
    total, threshold = np.cumsum(gain)[last], size[last]
    if not len(threshold):
        return 0.0
    exact = total[0] if threshold[0] == 0 else 0
    best = int(total.argmax())
    return float(threshold[best]) if total[best] > exact else 0.0


def _calibrated_rows(judgments: Judgments, scores: Doubles) -> Doubles:
    return pair_counts(judgments, scores, tie=calibrated_tie(judgments, scores))


def _rated(judgments: Judgments, scores: Doubles) -> tuple[Doubles, Doubles, Longs]:
    """Return the scores and the ratings of the rated items, and their segments."""
    ratings = judgments.rated
    if ratings is None:
        raise BadSetting(f"{judgments.name} has no ratings; this measure needs them")
    return scores[ratings.item], ratings.score, judgments.item_segment[ratings.item]


def _pearson_rows(judgments: Judgments, scores: Doubles, *, ranked: bool = False) -> Doubles:
    """Compute the moments for Pearson's r by segment; both sides are centred first, to avoid cancellation."""
    x, y, segment = _rated(judgments, scores)
    columns = moments(average_ranks(x), average_ranks(y)).T if ranked else moments(x, y).T
    n = len(judgments.segments)
    return np.column_stack([np.bincount(segment, column, minlength=n) for column in columns])


def kendall_b(x: Doubles, y: Doubles) -> float:
    """Compute Kendall's tau b of two lists in O(n log n); NaN if one of them is constant.

    >>> kendall_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    order = np.lexsort((y, x))
    _, first = np.unique(x[order], return_inverse=True)
    _, second = np.unique(y[order], return_inverse=True)
    n = len(x)
    # Where x is equal, items are sorted by y, so only discordant pairs are inversions.
    places = np.empty(n, dtype=np.int32)
    places[np.lexsort((np.arange(n), second))] = np.arange(n, dtype=np.int32)
    discordant = int(_native.counts(places, np.array([0, n], dtype=np.int64), 0)[0])

    def tied(groups: Longs) -> int:
        counts = np.unique(groups, return_counts=True)[1]
        return int((counts * (counts - 1) // 2).sum())

    pairs = n * (n - 1) // 2
    tied_x, tied_y = tied(first), tied(second)
    tied_both = tied(first * (int(second.max(initial=0)) + 1) + second)
    if pairs in (tied_x, tied_y):
        return float("nan")
    concordant = pairs - tied_x - tied_y + tied_both - discordant
    return float((concordant - discordant) / np.sqrt(float(pairs - tied_x) * float(pairs - tied_y)))


def _quotient(above: Doubles, below: Doubles) -> Doubles:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _accuracy(s: Doubles) -> Doubles:
    return _quotient(s[:, 0] + s[:, 3], s.sum(axis=1))


ADDITIVE = {
    measure.name: measure
    for measure in (
        Measure(
            "tau:ties=dropped", "pairs", pair_counts,
            lambda s: _quotient(s[:, 0] - s[:, 1], s[:, 0] + s[:, 1]),
        ),
        Measure(
            "tau:ties=counted", "pairs", pair_counts,
            lambda s: _quotient(s[:, 0] - s[:, 1], s[:, :3].sum(axis=1)),
        ),
        Measure(
            "consistency:ties=wrong", "pairs", pair_counts,
            lambda s: 100 * _quotient(s[:, 0], s[:, :3].sum(axis=1)),
        ),
        Measure("accuracy:ties=exact", "pairs", pair_counts, _accuracy),
        Measure("accuracy:ties=calibrated", "pairs", _calibrated_rows, _accuracy),
        Measure("pearson", "ratings", _pearson_rows, pearson_of_moments),
        Measure("spearman:ties=average", "ratings", partial(_pearson_rows, ranked=True), pearson_of_moments),
    )
}  # fmt: skip
KENDALL_B = "kendall:ties=b"
SEGMENT_MEASURES = (*ADDITIVE, KENDALL_B)


def measure_named(name: str, known: Iterable[str]) -> str:
    """Return the full name of a measure; a name with several tie rules must include one of them."""
    names = list(known)
    matching = [full for full in names if full == name or full.startswith(f"{name}:")]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise BadSetting(f"measure {name!r} has several tie rules; choose {' or '.join(matching)}")
    raise UnknownName("measure", name, names)


def values_and_samples(
    name: str, judgments: Judgments, scores: Doubles, weights: Doubles
) -> tuple[Doubles, Doubles]:
    """Return the values of a measure for several metrics, and those of resampled segments.

    ``scores`` has one row per metric, ``weights`` one row per sample: how often each segment was drawn.
    """
    if name == KENDALL_B:
        return _kendall_samples(judgments, scores, weights)
    measure = ADDITIVE[name]
    rows = [measure.rows(judgments, by_metric) for by_metric in scores]
    width = rows[0].shape[1]
    stacked = np.hstack(rows)
    values = measure.value(stacked.sum(axis=0).reshape(len(scores), width))
    sums = (weights @ stacked).reshape(len(weights) * len(scores), width)
    return values, measure.value(sums).reshape(len(weights), len(scores))


def _kendall_samples(judgments: Judgments, scores: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
    values = np.empty(len(scores))
    samples = np.empty((len(weights), len(scores)))
    for k, by_metric in enumerate(scores):
        x, y, segment = _rated(judgments, by_metric)
        values[k] = kendall_b(x, y)
        for b, weight in enumerate(weights):
            times = weight[segment].astype(np.int64)
            samples[b, k] = kendall_b(np.repeat(x, times), np.repeat(y, times))
    return values, samples
