"""Fits weights by L-BFGS-B on a loss of margins, for a linear model or one hidden layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles, Floats
from wordorder.errors import BadSetting
from wordorder.learn.objectives import Loss
from wordorder.metrics.beer.trained_model import Hidden

ITERATIONS = 500
SMALLEST = 1e-7  # keeps directions in which features do not differ apart from 0


@dataclass(frozen=True, eq=False)
class FittedWeights:
    """Weights of features (all 1 if there is a hidden layer), and the bias."""

    weights: Doubles
    bias: float
    hidden: Hidden | None = None

    def margins(self, features: Floats) -> Doubles:
        """Return the margin of each row of features."""
        if self.hidden:
            return self.hidden.margins(features.astype(np.float64))
        return np.asarray(features @ self.weights.astype(np.float32), np.float64)


def fit_linear(
    features: Floats, loss: Loss, moments: Doubles, *, penalty: float, signs: Sequence[int] | None = None
) -> FittedWeights:
    """Fit a weighted sum; where signs are given, each weight keeps its sign or is 0 (sign 0: unconstrained).

    ``moments`` are the mean products of features, or of their differences, whose roots on the diagonal are
    the units of weights; ``penalty`` multiplies the squared weights in these units. The losses of preferences
    and ratings are convex, so the result does not depend on the start. Features are strongly correlated,
    which makes the search slow; without signs, it therefore takes place in coordinates without correlation.
    """
    spread = units(moments)
    scaled = features / spread.astype(np.float32)
    basis = np.eye(len(spread))
    if signs is None:
        correlation, axes = np.linalg.eigh(moments / np.outer(spread, spread))
        basis = axes / np.sqrt(np.maximum(correlation, 0.0) + 8 * penalty + SMALLEST)

    def value(at: Doubles) -> tuple[float, Doubles]:
        w, bias = basis @ at[:-1], float(at[-1])
        lost, slope, bias_slope = loss(np.asarray(scaled @ w.astype(np.float32), np.float64), bias)
        gradient = np.asarray(slope.astype(np.float32) @ scaled, np.float64) + 2 * penalty * w
        return lost + penalty * float(w @ w), np.append(gradient @ basis, bias_slope)

    bounds = [{1: (0, None), -1: (None, 0)}.get(sign, (None, None)) for sign in signs or [0] * len(spread)]
    best = minimum(value, np.zeros(len(spread) + 1), [*bounds, (None, None)])
    return FittedWeights(basis @ best[:-1] / spread, float(best[-1]))


def units(moments: Doubles) -> Doubles:
    """Return the root mean square of each feature, or of its differences."""
    return np.sqrt(np.diag(moments)) + 1e-9


def fit_hidden(
    features: Floats, loss: Loss, moments: Doubles, *, penalty: float, size: int = 8, seed: int = 1
) -> FittedWeights:
    """Fit one layer of tanh units from a random start; another seed may find another optimum."""
    spread = units(moments)
    scaled = features / spread.astype(np.float32)
    width = features.shape[1]
    rng = np.random.default_rng(seed)
    begin = np.concatenate([rng.normal(size=size * width) / np.sqrt(width), rng.normal(size=2 * size), [0.0]])

    def split(at: Doubles) -> tuple[Doubles, Doubles, Doubles, float]:
        inner = at[: size * width].reshape(size, width)
        rest = at[size * width :]
        return inner, rest[:size], rest[size:-1], float(rest[-1])

    def value(at: Doubles) -> tuple[float, Doubles]:
        inner, shift, outer, bias = split(at)
        active = np.tanh(scaled @ inner.T.astype(np.float32) + shift.astype(np.float32))
        still = np.tanh(shift)
        margins = np.asarray(active @ outer.astype(np.float32), np.float64) - still @ outer
        lost, slope, bias_slope = loss(margins, bias)
        slopes = slope.astype(np.float32)
        back = slopes[:, None] * (1 - active * active) * outer.astype(np.float32)
        gradient = np.concatenate(
            [
                (back.T @ scaled).ravel(),
                back.sum(axis=0) - slope.sum() * (1 - still**2) * outer,
                slopes @ active - slope.sum() * still,
                [bias_slope],
            ]
        ).astype(np.float64)
        gradient[:-1] += 2 * penalty * at[:-1]
        return lost + penalty * float(at[:-1] @ at[:-1]), gradient

    inner, shift, outer, bias = split(minimum(value, begin, None))
    return FittedWeights(np.ones(width), bias, Hidden(spread, inner, shift, outer))


def minimum(value: Any, begin: Doubles, bounds: Any = None) -> Doubles:
    """Minimise a function that returns its value and its gradient."""
    try:
        from scipy.optimize import minimize  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise BadSetting("training needs scipy: pip install 'wordorder[train]'") from None
    options = {"maxiter": ITERATIONS}
    result = minimize(value, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(result.x, np.float64)
