"""Bootstrap resampling of additive statistics.

Every function works on rows of additive statistics, one per sentence. Nothing here knows what is
scored: a ``scorer`` turns sums of rows, one per row of an array, into scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles

Scorer = Callable[[Doubles], Doubles]

CHUNK = 4_000_000  # weights held in memory at a time: 32 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval: percentiles of resampled scores."""

    low: float
    high: float
    level: float


def bootstrap_sums(stats: Doubles, *, samples: int, seed: int) -> Doubles:
    """Sum the statistics of resampled corpora, one row per sample (Efron 1979; Koehn 2004).

    Sentences are drawn with replacement. All columns share the same draws, so several metrics
    or systems placed side by side are resampled together.
    """
    return np.concatenate([stats[:0], *(weights @ stats for weights in drawn(len(stats), samples, seed))])


def drawn(n: int, samples: int, seed: int | Sequence[int]) -> Iterator[Doubles]:
    """Yield how often each sentence is drawn, some samples at a time."""
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // max(n, 1))
    for first in range(0, samples, step):
        rows = min(step, samples - first)
        weights = np.empty((rows, n))
        for row in range(rows):
            weights[row] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield weights


def swapped_sums(stats: Doubles, *, samples: int, seed: int) -> Doubles:
    """Sum the statistics of random halves of the corpus, one row per sample.

    Each sentence is in the half with probability 1/2; approximate randomisation swaps the two
    systems there.
    """
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // max(len(stats), 1))
    sizes = [min(step, samples - first) for first in range(0, samples, step)]
    halves = (rng.integers(2, size=(k, len(stats))).astype(np.float64) for k in sizes)
    return np.concatenate([stats[:0], *(half @ stats for half in halves)])


def bootstrap_scores(stats: Doubles, scorer: Scorer, *, samples: int, seed: int) -> Doubles:
    """Compute the scores of resampled corpora."""
    return scorer(bootstrap_sums(stats, samples=samples, seed=seed))


def interval(scores: Doubles, *, level: float = 0.95) -> Interval:
    """Return the interval that holds the middle share of some resampled scores."""
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


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
