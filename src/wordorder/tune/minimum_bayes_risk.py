"""Minimum Bayes risk: the candidate that is most like all others, by a metric (Kumar and Byrne 2004)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.metrics.base import Metric
from wordorder.metrics.segments import TextPairs

PAIRS = 200_000  # that are scored at a time


def expected_scores(
    metric: Metric, lists: Sequence[Sequence[str]], probabilities: Sequence[Doubles]
) -> list[Doubles]:
    """Return the expected score of each candidate of each sentence, the others being possible references.

    The score of a candidate is the mean of its sentence scores against all candidates of its sentence, itself
    included, weighted by their probabilities. Candidates with the same text are scored once.
    """
    texts: list[str] = []
    first: list[Longs] = []
    second: list[Longs] = []
    places, weights = [], []
    for candidates, chances in zip(lists, probabilities, strict=True):
        known = {text: k for k, text in enumerate(dict.fromkeys(candidates))}
        place = np.array([known[text] for text in candidates], dtype=np.int64)
        places.append(place)
        weights.append(np.bincount(place, chances, minlength=len(known)))
        numbers = np.arange(len(known), dtype=np.int64) + len(texts)
        first.append(np.repeat(numbers, len(known)))
        second.append(np.tile(numbers, len(known)))
        texts += known
    utilities = _segment_scores(metric, texts, np.concatenate(first), np.concatenate(second))
    expected, start = [], 0
    for place, weight in zip(places, weights, strict=True):
        size = len(weight)
        table = utilities[start : start + size * size].reshape(size, size)
        expected.append((table @ weight)[place])
        start += size * size
    return expected


def _segment_scores(metric: Metric, texts: Sequence[str], first: Longs, second: Longs) -> Doubles:
    parts = []
    for start in range(0, len(first), PAIRS):
        pairs = TextPairs(texts, first[start : start + PAIRS], second[start : start + PAIRS])
        resolved = metric.for_segments(pairs)
        parts.append(resolved.segment_scores(resolved.statistics(pairs)))
    return np.concatenate(parts)
