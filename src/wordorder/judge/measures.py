"""Agreement of segment scores with judgments. Every name tells what happens to ties.

A measure is a function of a few numbers that add up over segments, so that resampling of segments is a
matrix product. ``c``, ``d`` and ``m`` are untied judgments which a metric ranks alike, the other way, and
not at all; ``b`` and ``h`` are tied judgments which it ties and does not tie.

=========================  ==========================  ==================================================
tau:ties=dropped           (c - d) / (c + d)           the papers; WMT before 2014
tau:ties=counted           (c - d) / (c + d + m)       WMT from 2014 on
consistency:ties=wrong     100 c / (c + d + m)         Birch and Osborne (2010), per cent
accuracy:ties=exact        (c + b) / (c+d+m+b+h)       pairwise accuracy, a tie is equal scores
accuracy:ties=calibrated   the same                    a tie is a difference up to the best threshold
                                                       (Deutsch et al. 2023), over all pairs together
pearson                    Pearson's r                 of scores and ratings, over all items
spearman:ties=average      Pearson's r of ranks        ranks are those of the whole sample
kendall:ties=b             Kendall's tau b             over all items
=========================  ==========================  ==================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.errors import BadSetting, UnknownName
from wordorder.judge.judgments import Judgments

# Undefined values are NaN inside this package, and None or a dash wherever people look.


@dataclass(frozen=True)
class Measure:
    """A measure: what each segment adds, and what the sums are worth.

    ``needs`` is what must be there: ``pairs`` (preferences, or ratings of several systems) or
    ``ratings``. ``rows`` takes the judgments and a score for each item, oriented so that higher is better.
    """

    name: str
    needs: str
    rows: Callable[[Judgments, Doubles], Doubles]
    value: Callable[[Doubles], Doubles]

    def applies(self, judgments: Judgments) -> bool:
        """Whether the set has what the measure needs."""
        if self.needs == "ratings":
            return judgments.ratings is not None
        return judgments.compared.untied > 0


def pair_counts(judgments: Judgments, scores: Doubles, *, tie: float = 0.0) -> Doubles:
    """Judgments of each segment by how a metric ranks them: columns c, d, m, b, h.

    Scores that differ by at most ``tie`` are tied.
    """
    pairs = judgments.compared
    gap = scores[pairs.first] - scores[pairs.second]
    up, down, level = gap > tie, gap < -tie, np.abs(gap) <= tie
    columns = [
        pairs.wins * up + pairs.losses * down,
        pairs.wins * down + pairs.losses * up,
        (pairs.wins + pairs.losses) * level,
        pairs.ties * level,
        pairs.ties * (up | down),
    ]
    segment = judgments.item_segment[pairs.first]
    n = len(judgments.segments)
    return np.column_stack([np.bincount(segment, column, minlength=n) for column in columns])


def calibrated_tie(judgments: Judgments, scores: Doubles) -> float:
    """The threshold below which a difference is best called a tie; the smallest of equally good ones."""
    pairs = judgments.compared
    gap = scores[pairs.first] - scores[pairs.second]
    wins, losses, ties = pairs.wins, pairs.losses, pairs.ties
    order = np.argsort(np.abs(gap), kind="stable")
    size = np.abs(gap)[order]
    # Calling a pair a tie wins its tied judgments and loses those that agree with its sign.
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
    """Scores and ratings of items that have both, and their segments."""
    ratings = judgments.rated
    if ratings is None:
        raise BadSetting(f"{judgments.name} has no ratings; this measure needs them")
    return scores[ratings.item], ratings.score, judgments.item_segment[ratings.item]


def _moments(x: Doubles, y: Doubles, segment: Longs, n: int) -> Doubles:
    """What Pearson's r needs, by segment; both are centred first, against cancellation."""
    columns = moments(x, y).T
    return np.column_stack([np.bincount(segment, column, minlength=n) for column in columns])


def _pearson_rows(judgments: Judgments, scores: Doubles) -> Doubles:
    x, y, segment = _rated(judgments, scores)
    return _moments(x, y, segment, len(judgments.segments))


def _spearman_rows(judgments: Judgments, scores: Doubles) -> Doubles:
    x, y, segment = _rated(judgments, scores)
    return _moments(average_ranks(x), average_ranks(y), segment, len(judgments.segments))


def kendall_b(x: Doubles, y: Doubles) -> float:
    """Kendall's tau b of two lists; NaN where one of them is constant. O(n log n).

    >>> kendall_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    order = np.lexsort((y, x))
    _, first = np.unique(x[order], return_inverse=True)
    _, second = np.unique(y[order], return_inverse=True)
    n = len(x)
    # Equal pairs stand in rising order of y, so only discordant pairs are inversions.
    places = np.empty(n, dtype=np.int32)
    places[np.lexsort((np.arange(n), second))] = np.arange(n, dtype=np.int32)
    discordant = int(_native.counts(places, np.array([0, n], dtype=np.int64), 0)[0])

    def tied(groups: Longs) -> int:
        counts = np.unique(groups, return_counts=True)[1]
        return int((counts * (counts - 1) // 2).sum())

    whole = n * (n - 1) // 2
    one, other = tied(first), tied(second)
    both = tied(first * (int(second.max(initial=0)) + 1) + second)
    if whole in (one, other):
        return float("nan")
    concordant = whole - one - other + both - discordant
    return float((concordant - discordant) / np.sqrt(float(whole - one) * float(whole - other)))


def _quotient(above: Doubles, below: Doubles) -> Doubles:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)


def _tau_dropped(s: Doubles) -> Doubles:
    return _quotient(s[:, 0] - s[:, 1], s[:, 0] + s[:, 1])


def _tau_counted(s: Doubles) -> Doubles:
    return _quotient(s[:, 0] - s[:, 1], s[:, :3].sum(axis=1))


def _consistency(s: Doubles) -> Doubles:
    return 100 * _quotient(s[:, 0], s[:, :3].sum(axis=1))


def _accuracy(s: Doubles) -> Doubles:
    return _quotient(s[:, 0] + s[:, 3], s.sum(axis=1))


ADDITIVE = {
    measure.name: measure
    for measure in (
        Measure("tau:ties=dropped", "pairs", pair_counts, _tau_dropped),
        Measure("tau:ties=counted", "pairs", pair_counts, _tau_counted),
        Measure("consistency:ties=wrong", "pairs", pair_counts, _consistency),
        Measure("accuracy:ties=exact", "pairs", pair_counts, _accuracy),
        Measure("accuracy:ties=calibrated", "pairs", _calibrated_rows, _accuracy),
        Measure("pearson", "ratings", _pearson_rows, pearson_of_moments),
        Measure("spearman:ties=average", "ratings", _spearman_rows, pearson_of_moments),
    )
}
KENDALL_B = "kendall:ties=b"
SEGMENT_MEASURES = (*ADDITIVE, KENDALL_B)


def measure_named(name: str, known: Iterable[str]) -> str:
    """The full name of a measure; one without its tie rule is refused where there are several."""
    names = list(known)
    fitting = [one for one in names if one == name or one.startswith(f"{name}:")]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise BadSetting(f"measure {name!r} does not say what happens to ties: {' or '.join(fitting)}")
    raise UnknownName("measure", name, names)


def segment_measure(name: str) -> str:
    """The full name of a segment measure."""
    return measure_named(name, SEGMENT_MEASURES)


def values_and_samples(
    name: str, judgments: Judgments, scores: Doubles, weights: Doubles
) -> tuple[Doubles, Doubles]:
    """A measure of several metrics: their values, and those of resampled segments.

    ``scores`` has a row a metric, ``weights`` a row a sample: how often each segment was drawn.
    """
    if name == KENDALL_B:
        return _kendall_samples(judgments, scores, weights)
    measure = ADDITIVE[name]
    rows = [measure.rows(judgments, one) for one in scores]
    width = rows[0].shape[1]
    stacked = np.hstack(rows)
    values = measure.value(stacked.sum(axis=0).reshape(len(scores), width))
    sums = (weights @ stacked).reshape(len(weights) * len(scores), width)
    return values, measure.value(sums).reshape(len(weights), len(scores))


def _kendall_samples(judgments: Judgments, scores: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
    values = np.empty(len(scores))
    samples = np.empty((len(weights), len(scores)))
    for k, one in enumerate(scores):
        x, y, segment = _rated(judgments, one)
        values[k] = kendall_b(x, y)
        for b, weight in enumerate(weights):
            times = weight[segment].astype(np.int64)
            samples[b, k] = kendall_b(np.repeat(x, times), np.repeat(y, times))
    return values, samples
