"""Correlation of reordering scores with human ratings (Talbot et al. 2011, tables 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Bools, Doubles
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.core.resample import Interval, bootstrap_sums, interval
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.evaluation import Evaluation, VariantScores
from wordorder.evaluate.variants import OrderScore
from wordorder.io.files import open_binary
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Pearson's r and Spearman's rho of one score with ratings; None if one of them is constant."""

    variant: str
    metric: str
    level: str  # sentence or system
    items: int
    pearson: float | None
    spearman: float | None
    pearson_interval: Interval | None = None
    spearman_interval: Interval | None = None


def read_ratings(path: str, sentences: int) -> Doubles:
    """Read ratings, one per line; an empty line or ``-`` is a sentence without a rating (NaN)."""
    ratings = []
    with open_binary(path) as handle:
        for number, line in enumerate(read_lines(handle, path), start=1):
            if isinstance(line, BadLine):
                raise line
            text = line.strip()
            try:
                value = float(text) if text not in ("", "-") else np.nan
            except ValueError:
                raise BadFile(f"{text[:40]!r} is not a number", file=path, line=number) from None
            if text not in ("", "-") and not np.isfinite(value):
                raise BadFile(f"{text[:40]!r} is not a rating", file=path, line=number)
            ratings.append(value)
    if len(ratings) != sentences:
        raise BadFile(f"has {len(ratings)} ratings for {sentences} sentences", file=path, line=len(ratings))
    return np.array(ratings)


def correlate(evaluation: Evaluation, ratings: Mapping[str, Doubles]) -> list[RatingCorrelation]:
    """Correlate each score with the ratings of systems, over sentences and over systems.

    ``ratings`` holds the ratings of all sentences for each rated system. Resampling draws sentences, each
    together with all its systems.
    """
    for name in ratings:
        if name not in evaluation.systems:
            known = ", ".join(evaluation.systems)
            raise BadSetting(f"ratings of {name!r}, which is not a system; systems: {known}")
    systems = [name for name in evaluation.systems if name in ratings]
    correlations = []
    for scored in evaluation.variants:
        rated = np.column_stack([ratings[name][scored.sentences] for name in systems])
        there = np.isfinite(rated)
        for score in scored.scores:
            correlations.append(_over_sentences(evaluation, scored, score, systems, rated, there))
            kept = [k for k in range(len(systems)) if there[:, k].any()]
            if len(kept) > 2:
                sign = 1 if score.higher_is_better else -1
                means = np.array([rated[there[:, k], k].mean() for k in kept])
                totals = sign * np.array([scored.cells[systems[k]][score.name].score for k in kept])
                pearson = _pearson(totals, means)
                spearman = _pearson(average_ranks(totals), average_ranks(means))
                correlations.append(
                    RatingCorrelation(scored.variant.name, score.name, "system", len(kept), pearson, spearman)
                )
    return correlations


def _over_sentences(
    evaluation: Evaluation,
    scored: VariantScores,
    score: OrderScore,
    systems: Sequence[str],
    rated: Doubles,
    there: Bools,
) -> RatingCorrelation:
    values = np.column_stack([scored.sentence_scores[name][score.name] for name in systems])
    x, y = (values if score.higher_is_better else -values)[there], rated[there]
    coefficients: list[float | None] = []
    intervals: list[Interval | None] = []
    for pair in ((x, y), (average_ranks(x), average_ranks(y))):
        rows = np.zeros((len(rated), 6))
        np.add.at(rows, np.nonzero(there)[0], moments(*pair))
        coefficients.append(_finite(pearson_of_moments(rows.sum(axis=0, keepdims=True))[0]))
        around = None
        if evaluation.settings.samples > 1 and coefficients[-1] is not None:
            sums = bootstrap_sums(rows, samples=evaluation.settings.samples, seed=evaluation.settings.seed)
            resampled = pearson_of_moments(sums)
            around = interval(resampled) if np.isfinite(resampled).all() else None
        intervals.append(around)
    (pearson, spearman), (around_pearson, around_spearman) = coefficients, intervals
    return RatingCorrelation(
        scored.variant.name,
        score.name,
        "sentence",
        len(x),
        pearson,
        spearman,
        around_pearson,
        around_spearman,
    )


def _pearson(x: Doubles, y: Doubles) -> float | None:
    return _finite(pearson_of_moments(moments(x, y).sum(axis=0, keepdims=True))[0])


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def rated_systems(texts: Sequence[str]) -> dict[str, str]:
    """Return the files of ratings by system, from ``SYSTEM=FILE``."""
    files = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name or not path:
            raise BadSetting(f"{text!r}: expected SYSTEM=FILE")
        files[name] = path
    return files
