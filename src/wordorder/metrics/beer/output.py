"""Scale margins to scores between 0 and 1, as in chapter 6 of the thesis.

=========== ================================================ =============================
``quasi``    2 / (1 + exp(-m / a)), m cut off at 0            6.4; BEER 1.1 and best
``sigmoid``  1 / (1 + exp(-(m + b)))                          6.2 and 6.8; BEER 0.1 and 3.0
``linear``   a m + b, cut off at 0 and 1                      6.6; BEER 2.0, fitted to ratings
``platt``    1 / (1 + exp(-(a m + b)))                        6.5
=========== ================================================ =============================

``quasi`` takes margins over the reference itself: with a = 1 the score is twice the chance that a judge
prefers the output to the reference. The others take plain weighted sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from wordorder.arrays import Doubles

Kind = Literal["quasi", "sigmoid", "linear", "platt"]

LARGEST = 1e300  # of a margin: times a, or divided by it, it is still a number


@dataclass(frozen=True)
class ScoreScaling:
    """A scaling of margins to scores.

    >>> ScoreScaling("quasi", a=5.0)(np.array([0.0, -50.0, 3.0])).round(4).tolist()
    [1.0, 0.0001, 1.0]
    >>> ScoreScaling("linear", a=0.5, b=0.25)(np.array([0.0, -1.0, 3.0])).tolist()
    [0.25, 0.0, 1.0]
    """

    kind: Kind = "quasi"
    a: float = 1.0
    b: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"output is {self.kind!r}; expected one of {', '.join(get_args(Kind))}")
        if not (1e-6 < self.a < 1e6 and abs(self.b) < 1e6):
            raise ValueError(
                f"output has a {self.a!r} and b {self.b!r}; expected a above 1e-6, both below 1e6"
            )

    @property
    def relative(self) -> bool:
        """Whether margins are taken relative to the reference itself."""
        return self.kind == "quasi"

    @property
    def equation(self) -> str:
        """The scaling, with names for the margin or loss, and again with {margin} or {loss} to fill in."""
        return scaling_equation(self.kind, self.a, self.b)

    def __call__(self, margins: Doubles) -> Doubles:
        """Turn margins into scores."""
        margins = np.clip(margins, -LARGEST, LARGEST)
        if self.kind == "linear":
            return np.clip(self.a * margins + self.b, 0.0, 1.0)
        if self.kind == "quasi":
            odds = np.exp(np.minimum(margins, 0.0) / self.a)
            return np.asarray(2 * odds / (1 + odds))
        return logistic((self.a if self.kind == "platt" else 1.0) * margins + self.b)


def scaling_equation(kind: Kind, a: float, b: float) -> str:
    """Write a scaling as the equation of a metric; the loss of ``quasi`` is the margin below 0, without sign.

    >>> scaling_equation("quasi", 5.0, 0.0)
    '2 / (1 + exp(loss / 5)) = 2 / (1 + exp({loss} / 5))'
    >>> scaling_equation("linear", 0.5, -0.25).partition(" = ")[0]
    'min(max(0.5 · margin − 0.25, 0), 1)'
    """
    shift = f" {'−' if b < 0 else '+'} {abs(b):.4g}" if b else ""
    form = {
        "quasi": f"2 / (1 + exp({{}} / {a:.4g}))",
        "sigmoid": f"1 / (1 + exp(−({{}}{shift})))",
        "linear": f"min(max({a:.4g} · {{}}{shift}, 0), 1)",
        "platt": f"1 / (1 + exp(−({a:.4g} · {{}}{shift})))",
    }[kind]
    name = "loss" if kind == "quasi" else "margin"
    return f"{form.format(name)} = {form.format(f'{{{name}}}')}"


def logistic(x: Doubles) -> Doubles:
    """Compute 1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1 + small))
