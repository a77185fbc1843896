"""Draw how far a sentence must be read ahead: the share of words that a wait-k policy has to guess."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.draw.chart import Series, line_chart
from wordorder.draw.scene import Scene, empty_scene, headed

_BAR = 40  # characters of the longest bar


def anticipation_curve(permutation: Permutation) -> list[float]:
    """Return the share of words that must be guessed at lags 1, 2, ..., up to the first lag without any.

    This is the metric ``anticipation`` at all lags: word t (from 0) is guessed at lag k if its source
    position is t + k or later.

    >>> anticipation_curve(Permutation([2, 0, 1, 3]))
    [0.25, 0.25, 0.0]
    """
    if not len(permutation):
        return []
    ahead = permutation.ranks - np.arange(len(permutation))
    lags = np.arange(1, max(int(ahead.max()), 0) + 2)
    return [float((ahead >= lag).mean()) for lag in lags]


def anticipation_chart(permutation: Permutation, *, title: str | None = None) -> Scene:
    """Draw the share of guessed words by lag.

    >>> anticipation_chart(Permutation([1, 0])).description.partition(". ")[2]
    'guessed (none from lag 2): 2 points, 0.5 to 0.'
    """
    shares = anticipation_curve(permutation)
    if not shares:
        return headed(empty_scene(), title)
    lags = range(1, len(shares) + 1)
    return line_chart(
        [Series(f"guessed (none from lag {len(shares)})", lags, shares)],
        x_label="lag k (words read ahead)",
        y_label="share of words that must be guessed",
        title=title,
        y_range=(0, 1),
    )


def anticipation_text(permutation: Permutation) -> str:
    """Write the share of guessed words by lag, with bars.

    >>> print(anticipation_text(Permutation([1, 0])))
    lag 1  0.50  ████████████████████
    lag 2  0.00
    """
    return bars(anticipation_curve(permutation))


def bars(shares: Sequence[float]) -> str:
    """Write shares at lags 1, 2, ... with bars.

    >>> print(bars([0.5, 0.25]))
    lag 1  0.50  ████████████████████
    lag 2  0.25  ██████████
    """
    digits = len(str(len(shares)))
    lines = [
        f"lag {lag:>{digits}}  {share:.2f}  {'█' * round(_BAR * share)}".rstrip()
        for lag, share in enumerate(shares, start=1)
    ]
    return "\n".join(lines) or "empty"
