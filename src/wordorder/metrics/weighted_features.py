"""Linear models behind scores: the features of segments, their weights, and the sums that are scaled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordorder.arrays import Bools, Doubles


@dataclass(frozen=True, eq=False)
class WeightedFeatures:
    """The features of segments, one row each, whose weighted sum is the margin that becomes a score.

    ``explained`` says whose score is the scaled margin: an empty side may be scored without it.
    """

    names: Sequence[str]
    weights: Doubles
    values: Doubles
    explained: Bools

    @property
    def parts(self) -> Doubles:
        """What each feature adds to the margin."""
        return self.values * self.weights + 0.0  # no negative zeros

    @property
    def margins(self) -> Doubles:
        """The weighted sums."""
        return np.asarray(self.parts.sum(axis=1))

    @property
    def terms(self) -> dict[str, Doubles]:
        """The numbers that stand in equations; NaN for scores that they do not explain."""
        margins = self.margins
        numbers = {"margin": margins, "loss": np.maximum(-margins, 0.0)}
        return {name: np.where(self.explained, values, np.nan) for name, values in numbers.items()}

    def largest(self, count: int) -> list[list[int]]:
        """Return which features add or take most, for each segment; those that add nothing are left out.

        >>> features = WeightedFeatures("ab", np.array([1.0, -3.0]), np.eye(2), np.ones(2, bool))
        >>> features.largest(1)
        [[0], [1]]
        """
        parts = np.abs(self.parts) * self.explained[:, None]
        order = np.argsort(-parts, axis=1, kind="stable")[:, :count]
        return [[k for k in row if own[k] > 0] for row, own in zip(order.tolist(), parts, strict=True)]

    @staticmethod
    def joined(blocks: Sequence[WeightedFeatures]) -> WeightedFeatures:
        """Put the segments of several blocks together."""
        values = np.concatenate([block.values for block in blocks])
        return replace(blocks[0], values=values, explained=np.concatenate([one.explained for one in blocks]))

    @staticmethod
    def chosen(candidates: Sequence[WeightedFeatures], numbers: Sequence[int]) -> WeightedFeatures:
        """Take segment s from the candidate with number ``numbers[s]``."""
        place = np.asarray(numbers, dtype=np.int64), np.arange(len(numbers))
        values = np.array([one.values for one in candidates])[place]
        return replace(
            candidates[0],
            values=values,
            explained=np.array([one.explained for one in candidates], np.bool_)[place],
        )
