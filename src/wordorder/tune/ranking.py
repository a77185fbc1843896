"""Learning to rank: weights under which preferred outputs have the greater margin.

Logistic regression on differences of feature vectors (Herbrich et al. 1999; PRO, Hopkins and May 2011): the
chance that a judge prefers a to b is 1 / (1 + exp(-w · (f(a) - f(b)))). Every set weighs the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadSetting
from wordorder.judge.measures import ADDITIVE
from wordorder.judge.records import Judgments

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Examples:
    """A set of judgments with the features of its items."""

    judgments: Judgments
    features: Floats


def differences(examples: Sequence[Examples]) -> tuple[Floats, Floats]:
    """Preferred less other, a row for each pair and side that was preferred; and weights that sum to 1."""
    rows, weights = [], []
    for one in examples:
        pairs = one.judgments.compared
        apart = one.features[pairs.first] - one.features[pairs.second]
        untied = max(pairs.untied, 1)
        for side, times in ((apart, pairs.wins), (-apart, pairs.losses)):
            rows.append(side[times > 0])
            weights.append(times[times > 0] / (untied * len(examples)))
    return np.concatenate(rows), np.concatenate(weights).astype(np.float32)


def fit(rows: Floats, weights: Floats, signs: Sequence[int], *, penalty: float) -> Doubles:
    """Weights of features, each with its sign or 0, that make the preferences most likely.

    ``penalty`` is on the squares of the weights of features in units of their spread. The problem is
    convex; the result does not depend on a start.
    """
    try:
        from scipy.optimize import minimize  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise BadSetting("training needs scipy: pip install 'wordorder[train]'") from None

    spread = np.sqrt(weights @ (rows * rows)) + np.float32(1e-9)
    scaled = rows / spread

    def loss(w: Doubles) -> tuple[float, Doubles]:
        margin = scaled @ w.astype(np.float32)
        wrong = 1 / (1 + np.exp(np.clip(margin, -60, 60)))
        value = float(weights @ np.logaddexp(0, -margin)) + penalty * float(w @ w)
        return value, -(scaled.T @ (weights * wrong)).astype(np.float64) + 2 * penalty * w

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in signs]
    found = minimize(
        loss, np.zeros(len(signs)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500}
    )
    return np.asarray(found.x / spread, dtype=np.float64)


def taus(examples: Sequence[Examples], weights: Doubles) -> Doubles:
    """Tau with metric ties counted, of each set."""
    rule = ADDITIVE["tau:ties=counted"]
    values = []
    for one in examples:
        # Margins of equal features may differ in their last bits: those are ties.
        margins = np.round(one.features.astype(np.float64) @ weights, 9)
        values.append(rule.value(rule.rows(one.judgments, margins).sum(axis=0)[None, :])[0])
    return np.array(values)
