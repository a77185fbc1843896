"""Human ratings of translations, and how far raters agree (Talbot et al. 2011, tables 1 and 3).

The rating of a sentence is the mean over its raters, the rating of a system the mean over its rated
sentences. Missing ratings are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import moments, pearson_of_moments
from wordorder.engine.compare import Result
from wordorder.errors import BadFile
from wordorder.evaluate.columns import (
    Column,
    ColumnMeasure,
    ComparisonSettings,
    compare_systems,
    mean_or_nan,
    measured,
)
from wordorder.io.files import open_binary
from wordorder.io.ratings import RatingTable

RATING = "rating"


@dataclass(frozen=True, slots=True)
class RatedSystems:
    """RatedSystems by system: an array of sentences by raters, NaN where there is no rating.

    ``others`` are systems of the file that are not evaluated.
    """

    raters: tuple[str, ...]
    by_system: dict[str, Doubles]
    others: tuple[str, ...] = ()

    def means(self) -> dict[str, Doubles]:
        """Return the mean over raters of each sentence, by system; NaN if there is none."""
        return {name: mean_or_nan(_sums(table)) for name, table in self.by_system.items()}


def _sums(table: Doubles) -> Doubles:
    """Return the sum and the number of the ratings of each sentence."""
    there = np.isfinite(table)
    return np.column_stack([np.where(there, table, 0.0).sum(axis=1), there.sum(axis=1)])


def read_ratings(path: str, systems: Sequence[str], sentences: int) -> RatedSystems:
    """Read the ratings of some systems; those of other systems are left out."""
    rows: list[tuple[str, int, str, float]] = []
    others: dict[str, None] = {}
    seen: set[tuple[str, int, str]] = set()
    with open_binary(path) as handle:
        for line, row in enumerate(RatingTable().read(handle, path), start=2):
            if row.sentence > sentences:
                what = f"a rating of sentence {row.sentence}; there are {sentences}"
                raise BadFile(what, file=path, line=line)
            if row[:3] in seen:
                what = f"a second rating of sentence {row.sentence} of {row.system} by {row.rater}"
                raise BadFile(what, file=path, line=line)
            seen.add(row[:3])
            if row.system not in systems:
                others[row.system] = None
            elif row.rating is not None:
                rows.append((row.system, row.sentence - 1, row.rater, row.rating))
    if not rows:
        what = f"has no ratings of {', '.join(systems)}"
        raise BadFile(what + (f"; its systems are {', '.join(others)}" if others else ""), file=path)
    raters = sorted({row[2] for row in rows})
    rated = {row[0] for row in rows}
    tables = {name: np.full((sentences, len(raters)), np.nan) for name in systems if name in rated}
    for system, s, rater, value in rows:
        tables[system][s, raters.index(rater)] = value
    return RatedSystems(tuple(raters), tables, tuple(others))


def rating_column(ratings: RatedSystems, settings: ComparisonSettings) -> Column:
    """Compare systems by their mean ratings."""
    means = ratings.means()
    rows = {
        name: [np.column_stack([np.nan_to_num(values), np.isfinite(values)])]
        for name, values in means.items()
    }
    signature = f"ratings|raters:{len(ratings.raters)}|agg:macro"
    measure = ColumnMeasure(RATING, True, signature, mean_or_nan)
    return compare_systems([measure], rows, {name: [values] for name, values in means.items()}, settings)[0]


# Agreement of raters


@dataclass(frozen=True, slots=True)
class Rater:
    """One rater: the number of ratings and their mean."""

    name: str
    ratings: int
    mean: float


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters on the items that both of them rated; values are NaN where they are undefined."""

    raters: tuple[str, str]
    items: int
    exact: Result  # share of items with equal ratings
    pearson: Result


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far raters agree. An item is a sentence of a system; ``items`` counts those rated twice or more."""

    raters: tuple[Rater, ...]
    items: int
    alpha: Result  # Krippendorff's, with the interval distance
    pairs: tuple[RaterPair, ...]


def rater_agreement(ratings: RatedSystems, settings: ComparisonSettings) -> RaterAgreement | None:
    """Compute the agreement of raters; None for a single rater.

    Resampling draws sentences, each together with all its systems.
    """
    if len(ratings.raters) < 2:
        return None
    table = np.stack(list(ratings.by_system.values()))  # systems, sentences, raters
    pairs = list(combinations(range(len(ratings.raters)), 2))
    values = {"alpha": (alpha_rows(table), alpha_of_sums)}
    items = {}
    for a, b in pairs:
        both = np.isfinite(table[..., a]) & np.isfinite(table[..., b])
        sentence = np.nonzero(both)[1]
        x, y = table[both, a], table[both, b]
        items[a, b] = len(x)
        values[f"exact {a} {b}"] = (
            _by_sentence(np.column_stack([x == y, np.ones(len(x))]), sentence, table.shape[1]),
            mean_or_nan,
        )
        values[f"pearson {a} {b}"] = (
            _by_sentence(moments(x, y), sentence, table.shape[1]),
            pearson_of_moments,
        )
    found = measured(values, settings)
    raters = []
    for k, name in enumerate(ratings.raters):
        own = table[..., k][np.isfinite(table[..., k])]
        raters.append(Rater(name, len(own), float(own.mean())))
    return RaterAgreement(
        tuple(raters),
        int((np.isfinite(table).sum(axis=2) > 1).sum()),
        found["alpha"],
        tuple(
            RaterPair(
                (ratings.raters[a], ratings.raters[b]),
                items[a, b],
                found[f"exact {a} {b}"],
                found[f"pearson {a} {b}"],
            )
            for a, b in pairs
        ),
    )


def alpha_rows(table: Doubles) -> Doubles:
    """Return what Krippendorff's alpha needs of each sentence, from ratings of systems, sentences, raters.

    Only items with two or more ratings count. The columns are the sum over items of the squared differences
    of all ordered pairs of their m ratings divided by m - 1; the number of ratings; their sum; and the sum of
    their squares. Ratings are taken relative to their mean.
    """
    there = np.isfinite(table)
    there &= there.sum(axis=2, keepdims=True) > 1
    middle = table[there].mean() if there.any() else 0.0  # alpha does not depend on it, rounding errors do
    x = np.where(there, table - middle, 0.0)
    m, total, squares = there.sum(axis=2), x.sum(axis=2), (x * x).sum(axis=2)
    within = 2 * (m * squares - total * total) / np.maximum(m - 1, 1)
    return np.column_stack([part.sum(axis=0) for part in (within, m, total, squares)])


def alpha_of_sums(sums: Doubles) -> Doubles:
    """Compute Krippendorff's alpha with the interval distance from sums of :func:`alpha_rows`.

    Alpha is 1 minus observed over expected disagreement: the mean squared difference of ratings of the same
    item, over that of all ratings (Krippendorff 2011). It is NaN if all ratings are the same.
    """
    within, n, total, squares = sums.T
    between = 2 * (n * squares - total * total)
    varies = between > 1e-12 * np.abs(n * squares)
    ratio = np.divide((n - 1) * within, between, out=np.zeros(len(sums)), where=varies)
    return np.where(varies, 1 - ratio, np.nan)


def _by_sentence(rows: Doubles, sentence: np.ndarray, sentences: int) -> Doubles:
    """Add up rows of items that belong to the same sentence."""
    sums = np.zeros((sentences, rows.shape[1]))
    np.add.at(sums, sentence, rows)
    return sums
