"""What margins should achieve: losses of margins, with their slopes.

========== ===========================================================================================
sentences   the preferred output has the greater margin: logistic, or squared hinge with margin 1 (SVM)
corpora     of two systems the better one's mean score is ahead by as much as people say (thesis 6.12)
ratings     margin plus bias is the rating: squared error
========== ===========================================================================================

A loss takes the margins of all items and the bias, and gives its value, its slope at each margin and at the
bias. Whatever makes margins, a weighted sum or a hidden layer, needs no more to learn.
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
UNIT = 4.0  # standard deviations of ratings from 0 to 1


class Loss(Protocol):
    """A loss of margins."""

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Value, slope at each margin, slope at the bias."""


@dataclass(frozen=True, eq=False)
class Sentences:
    """Preferences between two items."""

    first: Longs
    second: Longs
    wins: Doubles  # weights, which sum to 1 with losses
    losses: Doubles
    hinge: bool = False

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Logistic loss, or squared hinge."""
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
        found = np.bincount(self.first, slope, n) - np.bincount(self.second, slope, n)
        return float(value), np.asarray(found, np.float64), 0.0

    def spread(self, features: NDArray[np.float32]) -> Doubles:
        """How far apart compared items are in each feature: the unit of its weight."""
        weight = (self.wins + self.losses).astype(np.float32)
        total = np.zeros(features.shape[1])
        for begin in range(0, len(weight), 1 << 16):
            part = slice(begin, begin + (1 << 16))
            apart = features[self.first[part]] - features[self.second[part]]
            total += weight[part] @ (apart * apart)
        return np.sqrt(total) + 1e-9


@dataclass(frozen=True, eq=False)
class Corpora:
    """Pairs of systems, with by how much people think one better: margin of expected wins."""

    system: Longs  # of each item
    better: Longs
    worse: Longs
    human: Doubles  # expected wins of the better less those of the worse

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """How much of the human margins is missing, in the mean over pairs of systems."""
        scores = logistic(margins + bias)
        known = self.system >= 0
        size = int(self.system.max(initial=0)) + 1
        items = np.maximum(np.bincount(self.system[known], minlength=size), 1)
        corpus = np.bincount(self.system[known], scores[known], size) / items
        missing = self.human - (corpus[self.better] - corpus[self.worse])
        share = (missing > 0) / len(missing)
        slope = np.bincount(self.worse, share, size) - np.bincount(self.better, share, size)
        found = np.zeros(len(margins))
        found[known] = (slope / items)[self.system[known]] * (scores * (1 - scores))[known]
        return float(np.maximum(missing, 0).mean()), found, float(found.sum())


@dataclass(frozen=True, eq=False)
class Rated:
    """Items with ratings."""

    item: Longs
    rating: Doubles
    weight: Doubles  # sums to 1

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """Squared error."""
        off = margins[self.item] + bias - self.rating
        slope = 2 * self.weight * off
        found = np.asarray(np.bincount(self.item, slope, len(margins)), np.float64)
        return float(self.weight @ off**2), found, float(slope.sum())


@dataclass(frozen=True, eq=False)
class Sum:
    """A weighted sum of losses."""

    parts: Sequence[tuple[float, Loss]]

    def __call__(self, margins: Doubles, bias: float) -> tuple[float, Doubles, float]:
        """The sums of values and of slopes."""
        value, slope, at_bias = 0.0, np.zeros(len(margins)), 0.0
        for weight, loss in self.parts:
            one = loss(margins, bias)
            value, slope, at_bias = (
                value + weight * one[0],
                slope + weight * one[1],
                at_bias + weight * one[2],
            )
        return value, slope, at_bias


def selected(judgments: Judgments, how: Select) -> tuple[Longs, Longs, Doubles, Doubles]:
    """Pairs that are learned from: all votes, votes less those against, or what most agree on.

    ``agreed`` is BEER 2.0's: at least two judgments, more than 60 % of them of one mind; it counts once.
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


def sentences_of(sets: Sequence[Judgments], how: Select, *, hinge: bool) -> Sentences:
    """Preferences of all sets, numbered as their items stand one after the other; sets weigh the same."""
    columns: list[list[Doubles]] = [[], [], [], []]
    start, useful = 0, max(len(sets), 1)
    for one in sets:
        first, second, wins, losses = selected(one, how)
        weight = max(float(wins.sum() + losses.sum()), 1.0) * useful
        for column, part in zip(
            columns, (first + start, second + start, wins / weight, losses / weight), strict=True
        ):
            column.append(np.asarray(part)[wins + losses > 0])
        start += len(one.outputs)
    first_, second_, wins_, losses_ = (np.concatenate(column) for column in columns)
    if not len(first_):
        raise BadSetting(f"no preferences are left to learn from; select={how}")
    return Sentences(first_.astype(np.int64), second_.astype(np.int64), wins_, losses_, hinge)


def corpora_of(sets: Sequence[Judgments]) -> Corpora:
    """All pairs of systems of one set that expected wins tell apart."""
    systems, better, worse, human = [], [], [], []
    start = 0
    for one in sets:
        wins = system_scores(one, "expected_wins")[0]
        systems.append(np.where(one.usable, one.item_system + start, -1))
        for a in range(len(wins)):
            for b in range(len(wins)):
                if wins[a] > wins[b]:  # false for systems that nobody judged
                    better.append(start + a)
                    worse.append(start + b)
                    human.append(wins[a] - wins[b])
        start += len(one.systems)
    if not human:
        raise BadSetting("no two systems were compared; the corpus objective needs some")
    return Corpora(np.concatenate(systems), np.array(better), np.array(worse), np.array(human))


def ratings_of(sets: Sequence[Judgments]) -> Rated:
    """Ratings of all sets on a scale of 0 to 1: a half, and a quarter for each standard deviation."""
    item, rating, weight, start = [], [], [], 0
    for one in sets:
        if (said := one.rated) is not None:
            item.append(said.item + start)
            spread = float(said.score.std()) or 1.0
            rating.append(0.5 + (said.score - said.score.mean()) / spread / UNIT)
            weight.append(np.full(len(said), 1.0 / len(said)))
        start += len(one.outputs)
    if not item:
        raise BadSetting("no set of ratings; regression and scaling to ratings need one")
    return Rated(np.concatenate(item), np.concatenate(rating), np.concatenate(weight) / len(item))
