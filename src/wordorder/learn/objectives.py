"""Losses of margins, with their derivatives.

========== ===========================================================================================
sentences   the preferred output has the greater margin: logistic, or squared hinge with margin 1 (SVM)
corpora     the mean score of the better of two systems leads by the human margin (thesis 6.12)
ratings     margin plus bias equals the rating: squared error
========== ===========================================================================================

A loss takes the margins of all items and the bias, and returns its value and its derivatives by each margin
and by the bias. It does not depend on how margins are computed, by a weighted sum or a hidden layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.system_scores import system_scores
from wordorder.metrics.beer.output import logistic

Select = Literal["all", "net", "agreed"]
UNIT = 4.0  # standard deviations of ratings that make up the scale from 0 to 1


class Loss(Protocol):
    """A loss of margins."""

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Return the value, the derivative by each margin, and the derivative by the bias."""


@dataclass(frozen=True, eq=False)
class PreferenceLoss:
    """The loss of preferences between two items."""

    first: Longs
    second: Longs
    wins: Doubles  # weights; wins and losses sum to 1
    losses: Doubles
    hinge: bool = False

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Compute the logistic loss, or the squared hinge."""
        apart = margins[self.first] - margins[self.second]
        if self.hinge:
            short, long = np.maximum(1 - apart, 0), np.maximum(1 + apart, 0)
            value = self.wins @ short**2 + self.losses @ long**2
            slope = 2 * (self.losses * long - self.wins * short)
        else:
            value = self.wins @ np.logaddexp(0, -apart) + self.losses @ np.logaddexp(0, apart)
            chance = logistic(apart)
            slope = self.losses * chance - self.wins * (1 - chance)
        n = len(margins)
        by_item = np.bincount(self.first, slope, n) - np.bincount(self.second, slope, n)
        return float(value), np.asarray(by_item, np.float64), 0.0

    def compact(self) -> tuple[Longs, PreferenceLoss]:
        """Return the items that are compared, and the same loss of the margins of these items only."""
        used, numbers = np.unique(np.concatenate([self.first, self.second]), return_inverse=True)
        first, second = np.split(numbers.astype(np.int64), 2)
        return used, PreferenceLoss(first, second, self.wins, self.losses, self.hinge)

    def moments(self, features: NDArray[np.float32]) -> Doubles:
        """Return the mean products of the differences of compared items in each two features."""
        weight = (self.wins + self.losses).astype(np.float32)
        total = np.zeros((features.shape[1], features.shape[1]))
        for begin in range(0, len(weight), 1 << 16):
            part = slice(begin, begin + (1 << 16))
            apart = features[self.first[part]] - features[self.second[part]]
            total += (weight[part, None] * apart).T @ apart
        return total


@dataclass(frozen=True, eq=False)
class SystemMarginLoss:
    """The loss of pairs of systems, whose human margin is their difference in expected wins."""

    system: Longs  # of each item; -1 if it is not used
    better: Longs
    worse: Longs
    human: Doubles  # expected wins of the better system minus those of the worse

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Compute how much of the human margins is missing, averaged over pairs of systems."""
        scores = logistic(margins + bias)
        known = self.system >= 0
        size = int(self.system.max(initial=0)) + 1
        items = np.maximum(np.bincount(self.system[known], minlength=size), 1)
        corpus = np.bincount(self.system[known], scores[known], size) / items
        missing = self.human - (corpus[self.better] - corpus[self.worse])
        share = (missing > 0) / len(missing)
        slope = np.bincount(self.worse, share, size) - np.bincount(self.better, share, size)
        by_item = np.zeros(len(margins))
        by_item[known] = (slope / items)[self.system[known]] * (scores * (1 - scores))[known]
        return float(np.maximum(missing, 0).mean()), by_item, float(by_item.sum())


@dataclass(frozen=True, eq=False)
class RatingLoss:
    """The loss of ratings of items."""

    item: Longs
    rating: Doubles
    weight: Doubles  # sums to 1

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Compute the weighted squared error."""
        off = margins[self.item] + bias - self.rating
        slope = 2 * self.weight * off
        by_item = np.asarray(np.bincount(self.item, slope, len(margins)), np.float64)
        return float(self.weight @ off**2), by_item, float(slope.sum())


@dataclass(frozen=True, eq=False)
class WeightedLoss:
    """A weighted sum of losses."""

    parts: Sequence[tuple[float, Loss]]

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Sum the values and the derivatives."""
        value, slope, bias_slope = 0.0, np.zeros(len(margins)), 0.0
        for weight, loss in self.parts:
            part = loss(margins, bias)
            value = value + weight * part[0]
            slope = slope + weight * part[1]
            bias_slope = bias_slope + weight * part[2]
        return value, slope, bias_slope


def selected(judgments: Judgments, how: Select) -> tuple[Longs, Longs, Doubles, Doubles]:
    """Return the pairs to learn from: all votes, votes minus opposite votes, or pairs that judges agree on.

    ``agreed`` is the rule of BEER 2.0: a pair with at least two judgments, more than 60 % of which agree,
    counts once.
    """
    pairs = judgments.compared
    wins, losses = pairs.wins.astype(np.float64), pairs.losses.astype(np.float64)
    if how == "net":
        wins, losses = np.maximum(wins - losses, 0), np.maximum(losses - wins, 0)
    elif how == "agreed":
        total = np.maximum(wins + losses, 1)
        many = wins + losses >= 2
        sides = [(many & (side / total > 0.6)).astype(np.float64) for side in (wins, losses)]
        wins, losses = sides
    return pairs.first, pairs.second, wins, losses


def sentences_of(sets: Sequence[Judgments], how: Select, *, hinge: bool) -> PreferenceLoss:
    """Return the loss of the preferences of all sets, which have equal weights."""
    columns: list[list[Doubles]] = [[], [], [], []]
    start, useful = 0, max(len(sets), 1)
    for judgments in sets:
        first, second, wins, losses = selected(judgments, how)
        weight = max(float(wins.sum() + losses.sum()), 1.0) * useful
        for column, part in zip(
            columns, (first + start, second + start, wins / weight, losses / weight), strict=True
        ):
            column.append(np.asarray(part)[wins + losses > 0])
        start += len(judgments.outputs)
    first_, second_, wins_, losses_ = (np.concatenate(column) for column in columns)
    if not len(first_):
        raise BadSetting(f"no preferences are left to learn from; select={how}")
    return PreferenceLoss(first_.astype(np.int64), second_.astype(np.int64), wins_, losses_, hinge)


def corpora_of(sets: Sequence[Judgments]) -> SystemMarginLoss:
    """Return the loss of all pairs of systems of the same set with different expected wins."""
    systems, better, worse, human = [], [], [], []
    start = 0
    for judgments in sets:
        wins = system_scores(judgments, "expected_wins")[0]
        systems.append(np.where(judgments.usable, judgments.item_system + start, -1))
        for a in range(len(wins)):
            for b in range(len(wins)):
                if wins[a] > wins[b]:  # false for systems without judgments
                    better.append(start + a)
                    worse.append(start + b)
                    human.append(wins[a] - wins[b])
        start += len(judgments.systems)
    if not human:
        raise BadSetting("no two systems were compared, as the corpus objective needs")
    return SystemMarginLoss(np.concatenate(systems), np.array(better), np.array(worse), np.array(human))


def ratings_of(sets: Sequence[Judgments]) -> RatingLoss:
    """Return the loss of the ratings of all sets, scaled to mean 0.5 and standard deviation 0.25."""
    item, rating, weight, start = [], [], [], 0
    for judgments in sets:
        if (rated := judgments.rated) is not None:
            item.append(rated.item + start)
            spread = float(rated.score.std()) or 1.0
            rating.append(0.5 + (rated.score - rated.score.mean()) / spread / UNIT)
            weight.append(np.full(len(rated), 1.0 / len(rated)))
        start += len(judgments.outputs)
    if not item:
        raise BadSetting("there are no ratings, as regression and scaling need")
    return RatingLoss(np.concatenate(item), np.concatenate(rating), np.concatenate(weight) / len(item))
