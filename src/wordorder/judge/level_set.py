"""One set of judgments at one level: what metrics are worth on it, and on resampled segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.resample import drawn
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.judge.judgments import Judgments
from wordorder.judge.measures import ADDITIVE, segment_measure, values_and_samples
from wordorder.judge.scores import Scored
from wordorder.judge.system_scores import human_kind, system_scores
from wordorder.judge.systems import correlate, system_measure

Level = Literal["segment", "system"]


@dataclass(frozen=True, slots=True)
class Column:
    """One set of judgments, as a table shows it."""

    name: str
    collection: str
    pair: str
    testset: str
    year: int
    measure: str
    human: str  # what metrics are compared with
    judgments: int
    items: int
    systems: int
    odd: dict[str, int]


class Unusable(Exception):
    """Why a set cannot be used."""


class LevelSet:
    """One set at one level: values of all metrics, and of resampled segments."""

    def __init__(
        self,
        judgments: Judgments,
        metrics: Sequence[Scored],
        level: Level,
        measure: str | None,
        human: str,
        seed: int,
    ) -> None:
        self.judgments, self.metrics, self.level = judgments, metrics, level
        self.human = "judgments"
        if level == "segment":
            usual = "tau:ties=counted" if judgments.preferences is not None else "pearson"
            self.measure = segment_measure(measure or usual)
            self.rated = self.measure not in ADDITIVE or ADDITIVE[self.measure].needs == "ratings"
            if self.rated and not (judgments.rated and len(judgments.rated)):
                raise Unusable(f"{self.measure} needs ratings of machine translations, and it has none")
            if not self.rated and not judgments.compared.untied + judgments.compared.tied:
                raise Unusable(f"{self.measure} needs preferences, or several ratings of a segment")
            return
        self.measure = system_measure(measure or "pearson")
        try:
            self.human = human_kind(judgments, human)
            self.scores_by_people = system_scores(judgments, self.human, seed=seed)
        except BadSetting as error:
            raise Unusable(str(error)) from None
        self.rated = self.human == "mean" or judgments.preferences is None
        there = np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems)) > 0
        self.seen = np.flatnonzero(there & np.isfinite(self.scores_by_people[0]))
        if len(self.seen) < 3:
            raise Unusable(f"it has {len(self.seen)} systems with scores; a correlation needs three")

    def sampled(self, samples: int, seed: Sequence[int]) -> tuple[Doubles, Doubles]:
        """The value of each metric, and a row of values for each sample."""
        if self.level == "segment":
            scores = np.array([one.oriented for one in self.metrics])
            return values_and_samples(self.measure, self.judgments, scores, self._weights(samples, seed))
        values = self.of_systems(None)[0]
        if samples < 2:
            return values, np.zeros((0, len(values)))
        segments = len(self.judgments.segments)
        resampled = np.concatenate([self.of_systems(w) for w in drawn(segments, samples, seed)])
        return values, resampled if self.measure == "accuracy:ties=wrong" else recentred(values, resampled)

    def _weights(self, samples: int, seed: Sequence[int]) -> Doubles:
        """How often each segment is drawn; segments without a judgment are not."""
        judgments = self.judgments
        items = judgments.rated.item if self.rated and judgments.rated else judgments.compared.first
        judged = np.unique(judgments.item_segment[items])
        weights = np.zeros((samples if samples > 1 else 0, len(judgments.segments)))
        if samples > 1:
            weights[:, judged] = np.concatenate(list(drawn(len(judged), samples, seed)))
        return weights

    def metric_scores(self, metric: Scored, weights: Doubles | None) -> Doubles:
        """The scores of the systems that are compared; a row a sample, higher is better."""
        judgments = self.judgments
        segments, systems = len(judgments.segments), len(judgments.systems)
        item = np.flatnonzero(judgments.usable)
        width = metric.stats.shape[1] + 1
        table = np.zeros((segments, systems, width))
        table[judgments.item_segment[item], judgments.item_system[item], :-1] = metric.stats[item]
        table[judgments.item_segment[item], judgments.item_system[item], -1] = 1.0
        drawn_ = np.ones((1, segments)) if weights is None else weights
        sums = (drawn_ @ table[:, self.seen].reshape(segments, -1)).reshape(
            len(drawn_), len(self.seen), width
        )
        scores = metric.combine(sums[:, :, :-1].reshape(-1, width - 1)).reshape(sums.shape[:2])
        scores = np.where(sums[:, :, -1] > 0, scores, np.nan)  # none of the system's outputs was drawn
        return scores if metric.higher_is_better else -scores

    def human_scores(self, weights: Doubles | None) -> Doubles:
        """The same by people."""
        if weights is None or self.human in ("trueskill", "published"):
            return np.repeat(
                self.scores_by_people[:, self.seen], 1 if weights is None else len(weights), axis=0
            )
        return system_scores(self.judgments, self.human, weights)[:, self.seen]

    def of_systems(self, weights: Doubles | None) -> Doubles:
        """The correlation of every metric; a row a sample."""
        human = self.human_scores(weights)
        return np.column_stack(
            [correlate(self.measure, self.metric_scores(one, weights), human) for one in self.metrics]
        )

    def column(self) -> Column:
        """How a table names the set, and what of it was used."""
        judgments = self.judgments
        if self.rated and judgments.rated:
            said = len(judgments.rated)
        else:
            said = judgments.compared.untied
            said += (
                judgments.compared.tied
                if self.measure.startswith("accuracy:ties=") and self.level == "segment"
                else 0
            )
        return Column(
            judgments.name,
            judgments.collection,
            judgments.pair,
            judgments.testset,
            judgments.year,
            self.measure,
            self.human,
            said,
            len(judgments),
            len(self.seen) if self.level == "system" else len(judgments.systems),
            dict(judgments.odd),
        )

    def notes(self, values: Doubles) -> list[str]:
        """What a reader of the table must know."""
        judgments = self.judgments
        name = judgments.name
        told = []
        for metric, value in zip(self.metrics, values, strict=True):
            scores = metric.segment[judgments.usable]
            if len(scores) and scores.min() == scores.max():
                told.append(f"{metric.label} gives the same value to all outputs of {name}")
            elif not np.isfinite(value):
                told.append(f"{metric.label} is not defined on {name}: nothing that was compared differs")
        if lost := int(judgments.missing.sum()):
            told.append(f"{name}: {counted(lost, 'judged output')} missing")
        if judgments.unused:
            told.append(
                f"{name}: {counted(judgments.unused, 'judgment')} not used: of translations by people, or of "
                "outputs that are missing"
            )
        if self.level == "system":
            outputs = np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems))
            gone = [
                system
                for number, system in enumerate(judgments.systems)
                if number not in self.seen and system not in judgments.human
            ]
            if gone:
                told.append(f"{name}: without {', '.join(gone)}, which have no output or no human score")
            if outputs[self.seen].min() < outputs[self.seen].max():
                told.append(
                    f"{name}: systems have {outputs[self.seen].min():,} to {outputs[self.seen].max():,} "
                    "outputs; their scores are on differing segments"
                )
        return told


def recentred(values: Doubles, resampled: Doubles) -> Doubles:
    """Resampled correlations, turned about their mean and moved to the value, on Fisher's scale.

    Noise lowers a correlation by a lot sometimes and raises it by a little often: the true one lies on the
    other side.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        limit = 1 - 1e-12
        there = np.arctanh(np.clip(resampled, -limit, limit))
        means = np.nanmean(np.where(np.isfinite(there), there, np.nan), axis=0) if len(there) else 0.0
        moved = np.arctanh(np.clip(values, -limit, limit)) - (there - means)
    return np.asarray(np.tanh(moved))
