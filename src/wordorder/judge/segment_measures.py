"""Measures of agreement between segment scores and judgments; a name tells the tie rule and the average.

A measure is a function of a few numbers that add up over segments, so that a bootstrap over segments is one
product of matrices. ``c``, ``d`` and ``m`` count the untied judgments that a metric ranks in the same order,
in the opposite order, and as a tie; ``b`` and ``h`` count the tied judgments that it ties and does not tie.

========================================= ====================== ============================================
tau:ties=dropped                          (c - d) / (c + d)      Stanojević and Sima'an; WMT before 2014
tau:ties=counted                          (c - d) / (c + d + m)  WMT since 2014
consistency:ties=wrong                    100 c / (c + d + m)    Birch and Osborne (2010), in percent
accuracy:ties=exact,average=pairs         (c + b) / (c+d+m+b+h)  all pairs of outputs of the same segment
accuracy:ties=exact,average=segments      mean of the same       computed for each segment
accuracy:ties=exact,average=none          the same formula       all pairs of outputs, also across segments
accuracy:ties=calibrated,average=pairs    the same formula       differences up to the best threshold tie
accuracy:ties=calibrated,average=segments mean of the same       Deutsch et al. (2023), WMT since 2023
pearson                                   Pearson's r            of scores and ratings over all items
spearman:ties=average                     Pearson's r of ranks   ranks are taken in the whole sample
kendall:ties=b                            Kendall's tau b        over all items
pearson:average=segments and so on        mean of the same       computed for each segment
========================================= ====================== ============================================

A mean over segments leaves out segments where the measure is undefined. In mt-metrics-eval,
``average=segments`` is ``average_by='item'``, and ``average=none``, or a name without ``average``, is
``average_by='none'``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.errors import BadSetting, UnknownName
from wordorder.judge.judgments import Judgments, pairs_of_ratings

ROUNDING = 1e-12  # sums of the same shares in another order may differ by less
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
    return _by_segment(judgments, judgments.item_segment[pairs.first], columns)


def calibrated_tie(judgments: Judgments, scores: Doubles, *, by_segment: bool = False) -> float:
    """Return the best threshold up to which a difference counts as a tie; the smallest of several.

    It is best for the accuracy over all pairs or, ``by_segment``, for the mean accuracy of the segments.
    """
    pairs = judgments.compared
    gap = scores[pairs.first] - scores[pairs.second]
    wins, losses, ties = pairs.wins, pairs.losses, pairs.ties
    # Calling a pair a tie gains its tied judgments and loses those that agree with its sign.
    gain = (ties - np.where(gap > 0, wins, np.where(gap < 0, losses, 0))).astype(np.float64)
    if by_segment:
        segment = judgments.item_segment[pairs.first]
        gain /= np.maximum(np.bincount(segment, wins + losses + ties), 1)[segment]
    order = np.argsort(np.abs(gap), kind="stable")
    size = np.abs(gap)[order]
    last = np.append(size[1:] != size[:-1], True) if len(size) else np.zeros(0, np.bool_)
    total, threshold = np.cumsum(gain[order])[last], size[last]
    if not len(threshold):
        return 0.0
    exact = total[0] if threshold[0] == 0 else 0
    best = int((total >= total.max() - ROUNDING).argmax())
    return float(threshold[best]) if total[best] > exact + ROUNDING else 0.0


def _calibrated_rows(judgments: Judgments, scores: Doubles, *, by_segment: bool = False) -> Doubles:
    return pair_counts(judgments, scores, tie=calibrated_tie(judgments, scores, by_segment=by_segment))


def _rated(judgments: Judgments, scores: Doubles) -> tuple[Doubles, Doubles, Longs, Longs]:
    """Return the scores and the ratings of the rated items, their segments, and the items."""
    ratings = judgments.rated
    if ratings is None:
        raise BadSetting(f"{judgments.name} has no ratings; this measure needs them")
    return scores[ratings.item], ratings.score, judgments.item_segment[ratings.item], ratings.item


def _pearson_rows(judgments: Judgments, scores: Doubles, *, ranked: bool = False) -> Doubles:
    """Compute the moments for Pearson's r by segment; both sides are centred first, to avoid cancellation."""
    x, y, segment, _ = _rated(judgments, scores)
    columns = moments(average_ranks(x), average_ranks(y)).T if ranked else moments(x, y).T
    return _by_segment(judgments, segment, columns)


def _by_segment(judgments: Judgments, segment: Longs, columns: Iterable[Doubles | Longs]) -> Doubles:
    """Add up columns of numbers within each segment."""
    n = len(judgments.segments)
    return np.column_stack([np.bincount(segment, column, minlength=n) for column in columns])


def _centred_rows(judgments: Judgments, scores: Doubles, *, ranked: bool = False) -> Doubles:
    """Compute the moments for Pearson's r of each segment alone: both sides are centred there."""
    x, y, segment, _ = _rated(judgments, scores)
    if ranked:
        x, y = _ranked_within(x, segment), _ranked_within(y, segment)
    number = np.maximum(np.bincount(segment), 1)
    x, y = (side - (np.bincount(segment, side) / number)[segment] for side in (x, y))
    return _by_segment(judgments, segment, [np.ones(len(x)), x, y, x * x, y * y, x * y])


def _ranked_within(values: Doubles, segment: Longs) -> Doubles:
    """Rank values within their segments, up to a constant for each segment."""
    unique, place = np.unique(values, return_inverse=True)
    return average_ranks((segment * len(unique) + place).astype(np.float64))


def _kendall_rows(judgments: Judgments, scores: Doubles) -> Doubles:
    """Count the pairs within each segment: those in order minus those out of order, not tied by either."""
    pairs = pairs_of_ratings(judgments)
    by_metric = np.sign(scores[pairs.first] - scores[pairs.second])
    by_people = (pairs.wins - pairs.losses).astype(np.float64)
    columns = [by_metric * by_people, np.abs(by_metric), np.abs(by_people)]
    return _by_segment(judgments, judgments.item_segment[pairs.first], columns)


class PairTotals(NamedTuple):
    """Numbers of pairs of two lists, by how they are ordered; those tied in both count as tied in each."""

    pairs: int
    concordant: int
    discordant: int
    tied_x: int
    tied_y: int
    tied_both: int


def pair_totals(x: Doubles, y: Doubles) -> PairTotals:
    """Count the pairs of two lists in O(n log n)."""
    order = np.lexsort((y, x))
    _, first = np.unique(x[order], return_inverse=True)
    _, second = np.unique(y[order], return_inverse=True)
    n = len(x)
    # Where x is equal, items are sorted by y, so only discordant pairs are inversions.
    places = np.empty(n, dtype=np.int32)
    places[np.lexsort((np.arange(n), second))] = np.arange(n, dtype=np.int32)
    discordant = int(_native.counts(places, np.array([0, n], dtype=np.int64), 0)[0])
    pairs = n * (n - 1) // 2
    tied_x, tied_y = _equal_pairs(first), _equal_pairs(second)
    tied_both = _equal_pairs(first * (int(second.max(initial=0)) + 1) + second)
    concordant = pairs - tied_x - tied_y + tied_both - discordant
    return PairTotals(pairs, concordant, discordant, tied_x, tied_y, tied_both)


def _equal_pairs(groups: Longs) -> int:
    """Count the pairs of equal numbers."""
    counts = np.unique(groups, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def kendall_b(x: Doubles, y: Doubles) -> float:
    """Compute Kendall's tau b of two lists in O(n log n); NaN if one of them is constant.

    >>> kendall_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    totals = pair_totals(x, y)
    if totals.pairs in (totals.tied_x, totals.tied_y):
        return float("nan")
    spread = float(totals.pairs - totals.tied_x) * float(totals.pairs - totals.tied_y)
    return float((totals.concordant - totals.discordant) / np.sqrt(spread))


def accuracy_of_all_pairs(x: Doubles, y: Doubles, item: Longs) -> float:
    """Compute the share of all pairs of ratings that scores order, or tie, alike; NaN without pairs.

    An item that was rated twice is not compared with itself.
    """
    totals = pair_totals(x, y)
    same = _equal_pairs(item)
    if totals.pairs == same:
        return float("nan")
    alike = _equal_pairs(item * (len(y) + 1) + np.unique(y, return_inverse=True)[1])
    return (totals.concordant + totals.tied_both - alike) / (totals.pairs - same)


def _quotient(above: Doubles, below: Doubles) -> Doubles:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _accuracy(s: Doubles) -> Doubles:
    return _quotient(s[:, 0] + s[:, 3], s.sum(axis=1))


def _tau_b(s: Doubles) -> Doubles:
    return _quotient(s[:, 0], np.sqrt(s[:, 1] * s[:, 2]))


def averaged(measure: Measure) -> Measure:
    """Return the mean of a measure over segments; those where it is undefined are left out."""

    def rows(judgments: Judgments, scores: Doubles) -> Doubles:
        values = measure.value(measure.rows(judgments, scores))
        known = np.isfinite(values)
        return np.column_stack([np.where(known, values, 0.0), known.astype(np.float64)])

    return replace(measure, rows=rows, value=lambda s: _quotient(s[:, 0], s[:, 1]))


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
        Measure("accuracy:ties=exact,average=pairs", "pairs", pair_counts, _accuracy),
        averaged(Measure("accuracy:ties=exact,average=segments", "pairs", pair_counts, _accuracy)),
        Measure("accuracy:ties=calibrated,average=pairs", "pairs", _calibrated_rows, _accuracy),
        averaged(Measure(
            "accuracy:ties=calibrated,average=segments", "pairs",
            partial(_calibrated_rows, by_segment=True), _accuracy,
        )),
        Measure("pearson", "ratings", _pearson_rows, pearson_of_moments),
        Measure("spearman:ties=average", "ratings", partial(_pearson_rows, ranked=True), pearson_of_moments),
        averaged(Measure("pearson:average=segments", "ratings", _centred_rows, pearson_of_moments)),
        averaged(Measure(
            "spearman:ties=average,average=segments", "ratings",
            partial(_centred_rows, ranked=True), pearson_of_moments,
        )),
        averaged(Measure("kendall:ties=b,average=segments", "ratings", _kendall_rows, _tau_b)),
    )
}  # fmt: skip
# Measures of whole lists of scores, ratings and items.
OF_LISTS: dict[str, Callable[[Doubles, Doubles, Longs], float]] = {
    "kendall:ties=b": lambda x, y, item: kendall_b(x, y),
    "accuracy:ties=exact,average=none": accuracy_of_all_pairs,
}
SEGMENT_MEASURES = (*ADDITIVE, *OF_LISTS)


def measure_named(name: str, known: Iterable[str]) -> str:
    """Return the full name of a measure, of which settings that leave no choice may be omitted.

    A name that fits several measures is that of the simplest, if there is one.

    >>> measure_named("kendall", SEGMENT_MEASURES)
    'kendall:ties=b'
    >>> measure_named("kendall:average=segments", SEGMENT_MEASURES)
    'kendall:ties=b,average=segments'
    """
    names = list(known)
    parts = {full: _name_and_settings(full) for full in names}
    base, given = _name_and_settings(name)
    matching = [full for full in names if parts[full][0] == base and given <= parts[full][1]]
    for full in matching:
        if all(parts[full][1] <= parts[other][1] for other in matching):
            return full
    if matching:
        raise BadSetting(f"measure {name!r} has several forms; choose {' or '.join(matching)}")
    raise UnknownName("measure", name, names)


def _name_and_settings(name: str) -> tuple[str, set[str]]:
    base, _, settings = name.partition(":")
    return base, set(settings.split(",")) - {""}


def values_and_samples(
    name: str, judgments: Judgments, scores: Doubles, weights: Doubles
) -> tuple[Doubles, Doubles]:
    """Return the values of a measure for several metrics, and those of resampled segments.

    ``scores`` has one row per metric, ``weights`` one row per sample: how often each segment was drawn.
    """
    if name in OF_LISTS:
        return _samples_of_lists(OF_LISTS[name], judgments, scores, weights)
    measure = ADDITIVE[name]
    rows = [measure.rows(judgments, by_metric) for by_metric in scores]
    width = rows[0].shape[1]
    stacked = np.hstack(rows)
    values = measure.value(stacked.sum(axis=0).reshape(len(scores), width))
    sums = (weights @ stacked).reshape(len(weights) * len(scores), width)
    return values, measure.value(sums).reshape(len(weights), len(scores))


def _samples_of_lists(
    function: Callable[[Doubles, Doubles, Longs], float],
    judgments: Judgments,
    scores: Doubles,
    weights: Doubles,
) -> tuple[Doubles, Doubles]:
    values = np.empty(len(scores))
    samples = np.empty((len(weights), len(scores)))
    for k, by_metric in enumerate(scores):
        x, y, segment, item = _rated(judgments, by_metric)
        values[k] = function(x, y, item)
        for b, weight in enumerate(weights):
            times = weight[segment].astype(np.int64)
            samples[b, k] = function(np.repeat(x, times), np.repeat(y, times), np.repeat(item, times))
    return values, samples
