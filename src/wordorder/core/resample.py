"""Bootstrap resampling of additive statistics.

Every function works on rows of additive statistics, one per sentence, in one piece or in several. Nothing
here knows what is scored: a ``scorer`` turns sums of rows, one per row of an array, into scores.

A corpus of more than ``LARGE`` sentences is resampled piece by piece, anywhere: the weight of a sentence in
a sample then depends only on its number (Poisson bootstrap, Hanley and MacGibbon 2006), and sums are exact
(multiples of 2^-51, kept as integers). Results do not depend on how the rows are cut into pieces.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import Any, Protocol

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting, WordOrderError

Scorer = Callable[[Doubles], Doubles]

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]  # such as the built-in one

CHUNK = 4_000_000  # weights held in memory at a time: 32 MB
LARGE = 1 << 16  # sentences that are drawn from as a whole
ALL, POISSON, HALF = 0, 1, 2  # the weights of a large corpus, for the kernel


class Rows(Protocol):
    """Rows of statistics that may be kept elsewhere, such as in a file."""

    def __len__(self) -> int: ...

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Doubles: ...


Statistics = Doubles | Sequence[Doubles] | Sequence[Rows]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: percentiles of resampled scores."""

    low: float
    high: float
    level: float


def total(stats: Statistics, run: Map = map) -> Doubles:
    """Sum the rows."""
    if size_of(stats) <= LARGE:
        return np.asarray(whole(stats).sum(axis=0, keepdims=True))
    return _large_sums(stats, ALL, 1, 0, run)


def bootstrap_sums(stats: Statistics, *, samples: int, seed: int, run: Map = map) -> Doubles:
    """Sum the statistics of resampled corpora, one row per sample (Efron 1979; Koehn 2004).

    Sentences are drawn with replacement. All columns share the same draws, so several metrics
    or systems placed side by side are resampled together.
    """
    if size_of(stats) > LARGE:
        return _large_sums(stats, POISSON, samples, seed, run)
    rows = whole(stats)
    return np.concatenate([rows[:0], *(weights @ rows for weights in drawn(len(rows), samples, seed))])


def drawn(n: int, samples: int, seed: int | Sequence[int]) -> Iterator[Doubles]:
    """Yield how often each sentence is drawn, some samples at a time."""
    draws = _native.Draws(_words(seed))
    step = max(1, CHUNK // max(n, 1))
    for first in range(0, samples, step):
        yield draws.weights(min(step, samples - first), n)


def _words(seed: int | Sequence[int]) -> list[int]:
    """Return the words of 32 bits of a seed, as numpy divides it.

    >>> _words(12345), _words([1 << 32, 0])
    ([12345], [0, 1, 0])
    """
    words: list[int] = []
    for number in [seed] if isinstance(seed, int) else seed:
        if number < 0:
            raise BadSetting(f"the seed is {number}; expected 0 or more")
        words.append(number & 0xFFFFFFFF)
        while number := number >> 32:
            words.append(number & 0xFFFFFFFF)
    return words


def swapped_sums(stats: Statistics, *, samples: int, seed: int, run: Map = map) -> Doubles:
    """Sum the statistics of random halves of the corpus, one row per sample.

    Each sentence is in the half with probability 1/2; approximate randomisation swaps the two
    systems there.
    """
    if size_of(stats) > LARGE:
        return _large_sums(stats, HALF, samples, seed, run)
    rows = whole(stats)
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // max(len(rows), 1))
    sizes = [min(step, samples - first) for first in range(0, samples, step)]
    halves = (rng.integers(2, size=(k, len(rows))).astype(np.float64) for k in sizes)
    return np.concatenate([rows[:0], *(half @ rows for half in halves)])


def size_of(stats: Statistics) -> int:
    """Return the number of rows."""
    return len(stats) if isinstance(stats, np.ndarray) else sum(map(len, stats))


def whole(stats: Statistics) -> Doubles:
    """Return the rows in one array."""
    return stats if isinstance(stats, np.ndarray) else np.concatenate([np.asarray(rows) for rows in stats])


def _large_sums(stats: Statistics, draw: int, samples: int, seed: int, run: Map) -> Doubles:
    """Add up the sums of pieces, which are the same however the rows are cut."""
    if isinstance(stats, np.ndarray):
        stats = [stats[first : first + LARGE] for first in range(0, len(stats), LARGE)]
    firsts = np.cumsum([0, *map(len, stats)]).tolist()
    work = partial(piece_sums, draw=draw, samples=samples, seed=seed)
    exact = reduce(add, run(work, zip(firsts, stats, strict=False)))
    numbers = [_number(*parts) for parts in exact.reshape(-1, 3).tolist()]
    return np.array(numbers, dtype=np.float64).reshape(exact.shape[:2])


def _number(high: int, middle: int, low: int) -> float:
    """Return the number that consists of multiples of 2^26, 2^-12 and 2^-51, rounded correctly.

    >>> _number(0, 1 << 12, 1 << 50)
    1.5
    """
    return math.ldexp((high << 77) + (middle << 39) + low, -51)


def piece_sums(piece: tuple[int, Rows], *, draw: int, samples: int, seed: int) -> Longs:
    """Return the exact sums of a piece, as integers; it is given with the number of its first row."""
    first, rows = piece
    try:
        return _native.weighted_sums(draw, seed, first, np.ascontiguousarray(rows), samples)
    except ValueError as error:
        raise WordOrderError(f"statistics of segments: {error}") from None


def bootstrap_scores(stats: Doubles, scorer: Scorer, *, samples: int, seed: int) -> Doubles:
    """Compute the scores of resampled corpora."""
    return scorer(bootstrap_sums(stats, samples=samples, seed=seed))


def interval(scores: Doubles, *, level: float = 0.95) -> Interval:
    """Return the interval that holds the middle share of some resampled scores."""
    ordered = np.sort(scores)
    return Interval(quantile(ordered, (1 - level) / 2), quantile(ordered, (1 + level) / 2), level)


def quantile(ordered: Doubles, share: float) -> float:
    """Return what ``np.quantile`` does for numbers in ascending order; that would import masked arrays.

    >>> quantile(np.array([1.0, 2.0, 4.0]), 0.75)
    3.0
    """
    last = len(ordered) - 1
    if np.isnan(ordered[last]):
        return math.nan
    place = last * share
    below = int(place)
    part = place - below
    low, high = float(ordered[below]), float(ordered[min(below + 1, last)])
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def p_value(moved: Doubles, real: float, *, centred: bool = True) -> float:
    """Return how often resampled differences are at least as far from zero as the real one.

    Differences of bootstrap samples are ``centred`` first: under the null hypothesis they lie
    around zero (Riezler and Maxwell 2005). The real difference counts as one of the samples.
    """
    if centred:
        moved = moved - moved.mean()
    # The last bits of two sums of the same numbers in another order may differ.
    as_far = np.abs(moved) >= abs(real) - 1e-12
    return float((as_far.sum() + 1) / (len(moved) + 1))
