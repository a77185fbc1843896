"""Resampling of summed statistics: intervals and paired tests without scoring anything twice.

Every function works on rows of additive statistics, one a sentence, and on a function from
a sum of rows to a score. Nothing here knows what is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles

ScoreOf = Callable[[Doubles], float]

CHUNK = 4_000_000  # weights made at a time: 32 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval by the percentiles of resampled scores."""

    low: float
    high: float
    level: float


def bootstrap_sums(stats: Doubles, *, samples: int, seed: int) -> Doubles:
    """Sums of the statistics of resampled corpora: a row a sample (Efron 1979; Koehn 2004).

    Sentences are drawn with replacement. All columns see the same draws, so several metrics
    or systems put side by side are resampled together.
    """
    return np.concatenate([w @ stats for w in drawn(len(stats), samples, seed)])


def drawn(n: int, samples: int, seed: int | Sequence[int]) -> Iterator[Doubles]:
    """How often each sentence is drawn, some samples at a time."""
    rng = np.random.default_rng(seed)
    step = max(1, CHUNK // max(n, 1))
    for first in range(0, samples, step):
        rows = min(step, samples - first)
        weights = np.empty((rows, n))
        for row in range(rows):
            weights[row] = np.bincount(rng.integers(n, size=n), minlength=n)
        yield weights


def interval(scores: Doubles, *, level: float = 0.95) -> Interval:
    """The middle share of some resampled scores."""
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def p_value(moved: Doubles, real: float) -> float:
    """How often differences of resampled corpora, centred, are at least as far from zero as the real one."""
    return _share_as_far(moved - moved.mean(), real)


def bootstrap_scores(stats: Doubles, score: ScoreOf, *, samples: int, seed: int) -> Doubles:
    """The scores of resampled corpora."""
    return np.array([score(row) for row in bootstrap_sums(stats, samples=samples, seed=seed)])


def paired_bootstrap(one: Doubles, other: Doubles, score: ScoreOf, *, samples: int, seed: int) -> float:
    """The p-value of a difference: how often resampling alone would move it as far.

    Differences of resampled corpora are centred, for under the null hypothesis they lie
    around zero (Riezler and Maxwell 2005); the same draws serve both systems.
    """
    width = one.shape[1]
    sums = bootstrap_sums(np.hstack([one, other]), samples=samples, seed=seed)
    moved = np.array([score(row[:width]) - score(row[width:]) for row in sums])
    real = score(one.sum(axis=0)) - score(other.sum(axis=0))
    return p_value(moved, real)


def paired_randomisation(one: Doubles, other: Doubles, score: ScoreOf, *, samples: int, seed: int) -> float:
    """The p-value of a difference by approximate randomisation (Noreen 1989).

    Under the null hypothesis it does not matter which system a sentence came from: each
    sample swaps the two systems' rows, sentence by sentence, at random.
    """
    n = len(one)
    rng = np.random.default_rng(seed)
    total = one.sum(axis=0) + other.sum(axis=0)
    moved = np.empty(samples)
    step = max(1, CHUNK // max(n, 1))
    for first in range(0, samples, step):
        rows = min(step, samples - first)
        swap = rng.integers(2, size=(rows, n)).astype(np.float64)
        kept = (1 - swap) @ one + swap @ other
        for k, row in enumerate(kept):
            moved[first + k] = score(row) - score(total - row)
    real = score(one.sum(axis=0)) - score(other.sum(axis=0))
    return _share_as_far(moved, real)


def _share_as_far(moved: Doubles, real: float) -> float:
    """How many samples move at least as far, counting the real one among them."""
    # The last bits of two sums of the same numbers in another order may differ.
    as_far = np.abs(moved) >= abs(real) - 1e-12
    return float((as_far.sum() + 1) / (len(moved) + 1))
