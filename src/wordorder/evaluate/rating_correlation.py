"""Correlation of scores with human ratings (Talbot et al. 2011, tables 6 and 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.core.resample import Interval, bootstrap_sums, interval
from wordorder.evaluate.columns import Column, ComparisonSettings
from wordorder.evaluate.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Pearson's r and Spearman's rho of one score with ratings; None if one of them is constant.

    Reference and variant are empty for scores of translations.
    """

    reference: str
    variant: str
    metric: str
    level: str  # sentence or system
    items: int
    pearson: float | None
    spearman: float | None
    pearson_interval: Interval | None = None
    spearman_interval: Interval | None = None


def correlate(evaluation: Evaluation) -> list[RatingCorrelation]:
    """Correlate each score with the ratings, over sentences and, with three systems or more, over systems.

    Over sentences, an item is a sentence of a system that has both a score and a rating. Over systems, an
    item is a system with its score and its mean rating. Resampling draws sentences, each together with all
    its systems. Scores that are better when lower are negated.
    """
    ratings = evaluation.ratings
    if ratings is None:
        return []
    columns = [
        (scored.reference, scored.variant.spec, column)
        for scored in evaluation.variants
        for column in scored.columns
    ]
    columns += [("", "", column) for column in evaluation.translations]
    correlations = []
    for reference, variant, column in columns:
        systems = [name for name in column.cells if name in ratings.cells]
        if not systems:
            continue
        for level, over in (("sentence", _over_sentences), ("system", _over_systems)):
            if level == "sentence" or len(systems) > 2:
                items, (r, rho), around = over(column, ratings, systems, evaluation.settings)
                correlations.append(
                    RatingCorrelation(reference, variant, column.name, level, items, r, rho, *around)
                )
    return correlations


_Found = tuple[int, list[float | None], list[Interval | None]]


def _over_sentences(
    column: Column, ratings: Column, systems: Sequence[str], settings: ComparisonSettings
) -> _Found:
    values = np.column_stack([column.sentence_scores[name] for name in systems])
    rated = np.column_stack([ratings.sentence_scores[name] for name in systems])
    there = np.isfinite(values) & np.isfinite(rated)
    x, y = _sign(column) * values[there], rated[there]
    coefficients: list[float | None] = []
    intervals: list[Interval | None] = []
    for pair in ((x, y), (average_ranks(x), average_ranks(y))):
        rows = np.zeros((len(rated), 6))
        np.add.at(rows, np.nonzero(there)[0], moments(*pair))
        coefficients.append(_finite(pearson_of_moments(rows.sum(axis=0, keepdims=True))[0]))
        resampled = np.empty(0)
        if settings.samples > 1:  # ranks are those of all items, not of the drawn ones
            resampled = pearson_of_moments(bootstrap_sums(rows, samples=settings.samples, seed=settings.seed))
        intervals.append(_around(resampled) if coefficients[-1] is not None else None)
    return len(x), coefficients, intervals


def _over_systems(
    column: Column, ratings: Column, systems: Sequence[str], settings: ComparisonSettings
) -> _Found:
    rows = [[one.rows[name] for name in systems] for one in (column, ratings)]
    width = sum(part.shape[1] for part in rows[0])
    table = np.hstack([part for parts in rows for part in parts])

    def scores(sums: Doubles) -> tuple[Doubles, Doubles]:
        """Return the scores and the ratings of the systems, one row per sum."""
        halves = sums[:, :width], sums[:, width:]
        x, y = (
            np.column_stack([one.measure.scores(part) for part in np.split(half, len(systems), axis=1)])
            for one, half in zip((column, ratings), halves, strict=True)
        )
        return _sign(column) * x, y

    total = scores(table.sum(axis=0, keepdims=True))
    drawn = np.empty((0, len(systems))), np.empty((0, len(systems)))
    if settings.samples > 1:
        drawn = scores(bootstrap_sums(table, samples=settings.samples, seed=settings.seed))
        defined = np.isfinite(np.hstack(drawn)).all(axis=1)
        drawn = drawn[0][defined], drawn[1][defined]
    coefficients: list[float | None] = []
    intervals: list[Interval | None] = []
    for prepared in (np.positive, average_ranks):
        coefficients.append(_finite(_of_rows(*total, prepared)[0]))
        intervals.append(_around(_of_rows(*drawn, prepared)) if coefficients[-1] is not None else None)
    return len(systems), coefficients, intervals


def _of_rows(x: Doubles, y: Doubles, prepared: Callable[[Doubles], Doubles]) -> Doubles:
    """Correlate each row of x with the same row of y."""
    sums = [moments(prepared(a), prepared(b)).sum(axis=0) for a, b in zip(x, y, strict=True)]
    return pearson_of_moments(np.array(sums).reshape(-1, 6))


def _sign(column: Column) -> int:
    return 1 if column.measure.higher_is_better else -1


def _around(resampled: Doubles) -> Interval | None:
    """Return the interval of resampled correlations, of those that are defined."""
    defined = resampled[np.isfinite(resampled)]
    return interval(defined) if len(defined) > 1 else None


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
