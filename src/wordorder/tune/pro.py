"""Pairwise ranking optimisation: rank sampled pairs as the metric does (Hopkins and May 2011)."""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.learn.fitting import minimum
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.method import Report, normalised, silent
from wordorder.tune.objective import Objective


def pro(
    lists: CandidateLists,
    objective: Objective,
    start: Doubles,
    *,
    sampled: int = 5000,
    kept: int = 50,
    threshold: float = 0.05,
    penalty: float = 1.0,
    seed: int = 12345,
    threads: int = 1,
    report: Report = silent,
) -> Doubles:
    """Return the weights of a logistic regression over pairs of candidates of the same sentence.

    For each sentence, ``sampled`` pairs are drawn, those whose sentence scores differ by less than
    ``threshold`` times the range of all scores are dropped, and the ``kept`` pairs with the largest
    differences train the weights.
    """
    values = objective.segment_values()
    better, worse = sampled_pairs(
        values, lists.starts, sampled=sampled, kept=kept, threshold=threshold, seed=seed
    )
    if not len(better):
        raise BadSetting(
            "no two candidates of a sentence differ enough in the metric.", suggest={"threshold": 0.0}
        )
    spread = lists.spread
    row_of = np.repeat(np.arange(lists.size), np.diff(lists.rows))
    scaled = lists.value / spread[lists.index]

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        scores = lists.model_scores(weights / spread, threads=threads)
        margins = scores[better] - scores[worse]
        slope = -1 / (1 + np.exp(np.clip(margins, -500, 500)))
        by_candidate = np.bincount(better, slope, minlength=len(scores))
        by_candidate -= np.bincount(worse, slope, minlength=len(scores))
        gradient = np.bincount(lists.index, scaled * by_candidate[row_of], minlength=len(weights))
        value = np.logaddexp(0, -margins).sum() + penalty / 2 * float(weights @ weights)
        return float(value), gradient + penalty * weights

    return normalised(minimum(loss, np.zeros(len(start))) / spread)


def sampled_pairs(
    values: Doubles, starts: Longs, *, sampled: int, kept: int, threshold: float, seed: int
) -> tuple[Longs, Longs]:
    """Return pairs of candidates, the better one first."""
    rng = np.random.default_rng(seed)
    scale = np.ptp(values) * threshold
    better, worse = [], []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        pairs = rng.integers(first, last, size=(sampled, 2))
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        difference = values[pairs[:, 0]] - values[pairs[:, 1]]
        wide = np.flatnonzero(np.abs(difference) > scale)
        top = wide[np.argsort(-np.abs(difference[wide]), kind="stable")[:kept]]
        ahead = difference[top] > 0
        better.append(np.where(ahead, pairs[top, 0], pairs[top, 1]))
        worse.append(np.where(ahead, pairs[top, 1], pairs[top, 0]))
    return np.concatenate(better), np.concatenate(worse)
