"""Training BEER on preferences, with each year reported by what the other years teach."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.errors import BadSetting
from wordorder.judge.measures import ADDITIVE
from wordorder.judge.records import Judgments
from wordorder.metrics.beer.ranker import Ranker, View, scaled, views
from wordorder.tune.ranking import Examples, differences, fit, taus

Doubles = NDArray[np.float64]
# Symmetric forms: a longer and a shorter copy of the same content are equally far from it.
TEMPLATES = (
    "char1-6.a char1-6.b char1-6.sf1 char1-6.sg ngram1-4.a ngram1-4.b ngram1-4.sf1 ngram1-4.sg "
    "skip1-4.sf1 skip.a skip.b skip.sf1 len_disbalance_char.d len_disbalance_word.d"
)
PENALTIES = (1e-5, 1e-4, 1e-3)
SCALES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True)
class YearReport:
    """A year that was not learned from: tau of each of its sets."""

    year: int
    sets: tuple[str, ...]
    taus: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Over its sets."""
        return float(np.mean(self.taus))


@dataclass(frozen=True)
class Trained:
    """A model with what it is worth on years that it was not learned from."""

    ranker: Ranker
    penalty: float
    years: tuple[YearReport, ...]


def prepared(
    sets: Sequence[Judgments], made: Sequence[View], *, progress: Callable[[int, int], None] | None = None
) -> list[Examples]:
    """Features of all items, once for all folds."""
    found = []
    for number, one in enumerate(sets, start=1):
        if len(one.references) != 1:
            raise BadSetting(f"{one.name} has {len(one.references)} references; training takes one")
        hypotheses = [text or "" for text in one.outputs]
        references = [one.references[0][k] for k in one.item_segment]
        columns = [view.below(hypotheses, references).astype(np.float32) for view in made]
        found.append(Examples(one, np.hstack(columns)))
        if progress:
            progress(number, len(sets))
    return found


def train(
    sets: Sequence[Judgments],
    *,
    templates: str = TEMPLATES,
    penalties: Sequence[float] = PENALTIES,
    progress: Callable[[int, int], None] | None = None,
) -> Trained:
    """Learn weights from preferences, and how to scale scores from ratings where there are some.

    The penalty is the one that is best on years left out in turn.
    """
    rated = [one for one in sets if one.preferences is None]
    sets = [one for one in sets if one.preferences is not None]
    years = sorted({one.year for one in sets})
    if len(years) < 2:
        raise BadSetting("training needs judgments of two years or more, to choose the penalty on others")
    made = views(templates)
    signs = [sign for view in made for sign in view.signs]
    examples = prepared(sets, made, progress=progress)
    reports: dict[float, list[YearReport]] = {penalty: [] for penalty in penalties}
    for year in years:
        others = [one for one in examples if one.judgments.year != year]
        held = [one for one in examples if one.judgments.year == year]
        rows, weights = differences(others)
        for penalty in penalties:
            values = taus(held, fit(rows, weights, signs, penalty=penalty))
            names = tuple(one.judgments.name for one in held)
            reports[penalty].append(YearReport(year, names, tuple(values.tolist())))
    best = max(penalties, key=lambda penalty: np.mean([report.mean for report in reports[penalty]]))
    weights_ = fit(*differences(examples), signs, penalty=best)
    weights_[np.abs(weights_) < 1e-6] = 0.0
    scale = _scale(prepared(rated, made), weights_) if rated else 1.0
    card = {
        "learned_from": [one.name for one in sets],
        "scaled_to": [one.name for one in rated],
        "judgments": sum(one.compared.untied for one in sets),
        "penalty": best,
        "held_out_tau": {str(report.year): round(report.mean, 4) for report in reports[best]},
        "version": __version__,
    }
    cut = np.cumsum([len(view.templates) for view in made])[:-1]
    ranker = Ranker(made, tuple(np.split(weights_, cut)), card, scale)
    return Trained(ranker, best, tuple(reports[best]))


def _scale(examples: Sequence[Examples], weights: Doubles) -> float:
    """The scale under which scores correlate best with ratings, in the mean over sets."""
    rule = ADDITIVE["pearson"]

    def worth(scale: float) -> float:
        values = []
        for one in examples:
            scores = scaled(np.minimum(one.features @ weights, 0.0), scale)
            values.append(rule.value(rule.rows(one.judgments, scores).sum(axis=0)[None, :])[0])
        return float(np.nanmean(values))

    return max(SCALES, key=worth)
