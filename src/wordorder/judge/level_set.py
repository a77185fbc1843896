"""One set of judgments at one level: the agreement of metrics with people, also on resampled segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wordorder.arrays import Bools, Doubles
from wordorder.core.resample import drawn, swapped_sums
from wordorder.engine.compare import Entries
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.segment_measures import ADDITIVE, SEGMENT_MEASURES, measure_named, values_and_samples
from wordorder.judge.soft_accuracy import SegmentTables, exchanges
from wordorder.judge.system_measures import SHARES, SOFT_ACCURACY, SYSTEM_MEASURE_NAMES, correlate
from wordorder.judge.system_scores import human_kind, system_scores
from wordorder.judge.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSummary:
    """What a report says about one set of judgments."""

    name: str
    collection: str
    pair: str
    testset: str
    year: int
    measure: str
    human: str  # the human scores that metrics are compared with
    judgments: int
    items: int
    systems: int
    odd: dict[str, int]

    @classmethod
    def of(cls, judgments: Judgments, *, measure: str, human: str, judged: int, systems: int) -> SetSummary:
        """Summarise a set of which ``judged`` judgments and some systems were used."""
        return cls(
            name=judgments.name,
            collection=judgments.collection,
            pair=judgments.pair,
            testset=judgments.testset,
            year=judgments.year,
            measure=measure,
            human=human,
            judgments=judged,
            items=len(judgments),
            systems=systems,
            odd=dict(judgments.odd),
        )


class Unusable(Exception):
    """The reason why a set cannot be used."""


class LevelSet:
    """A set of judgments with the scores of metrics, for one task."""

    def __init__(self, judgments: Judgments, metrics: Sequence[MetricScores], task: Task) -> None:
        self.judgments, self.metrics, self.level = judgments, metrics, task.level
        self.human = "judgments"
        if task.level == "segment":
            default = "tau:ties=counted" if judgments.preferences is not None else "pearson"
            self.measure = measure_named(task.measure or default, SEGMENT_MEASURES)
            self.rated = self.measure not in ADDITIVE or ADDITIVE[self.measure].needs == "ratings"
            if self.rated and not (judgments.rated and len(judgments.rated)):
                raise Unusable(f"{self.measure} needs ratings of machine translations, and it has none")
            if not self.rated and not judgments.compared.untied + judgments.compared.tied:
                raise Unusable(f"{self.measure} needs preferences, or several ratings of a segment")
            return
        self.measure = measure_named(task.measure or "pearson", SYSTEM_MEASURE_NAMES)
        if self.measure == SOFT_ACCURACY:
            self._compare_segments_of_systems(task)
            return
        try:
            self.human = human_kind(judgments, task.human)
            self.published = system_scores(judgments, self.human, seed=task.seed)
        except BadSetting as error:
            raise Unusable(str(error)) from None
        self.rated = self.human == "mean" or judgments.preferences is None
        has_output = (
            np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems)) > 0
        )
        comparable = has_output & np.isfinite(self.published[0])
        for metric in metrics:
            if metric.systems is not None:  # what one metric did not score is left out for all
                comparable &= np.isfinite(metric.systems)
        self.seen = np.flatnonzero(comparable)
        if len(self.seen) < 3:
            raise Unusable(f"it has {len(self.seen)} systems with scores; a correlation needs three")

    def _compare_segments_of_systems(self, task: Task) -> None:
        """Prepare soft accuracy, which compares systems by the scores of their segments."""
        try:
            self.tables = SegmentTables.of(self.judgments, self.metrics)
        except BadSetting as error:
            raise Unusable(str(error)) from None
        self.human, self.rated, self.seen = "ratings", True, self.tables.systems
        self.signs = exchanges(len(self.tables.human), task.seed)

    def entries(self, samples: int, seed: Sequence[int], exchange_seed: int) -> Entries:
        """Return the value of each metric, also on resampled segments and with exchanged scores."""
        exchanged: Callable[[int, int], Doubles] | None = None
        if len(self.judgments.segments) < 2:  # one segment says nothing about others
            samples = 0
        if self.level == "segment":
            if self.measure in ADDITIVE:
                exchanged = partial(self._exchanged_segments, samples, exchange_seed)
            return Entries(*self._segment_values(samples, seed), exchanged)
        if self.measure == SOFT_ACCURACY:
            drawn_samples = samples if samples > 1 else 0
            resampled = self.tables.resampled(self.signs, drawn_samples, seed)
            return Entries(self.tables.values(self.signs), resampled)
        values, resampled = self.correlations(None)[0], np.zeros((0, len(self.metrics)))
        if samples > 1:
            segments = len(self.judgments.segments)
            parts = [self.correlations(weights) for weights in drawn(segments, samples, seed)]
            resampled = np.concatenate(parts)
            if self.measure not in SHARES:
                resampled = recentred(values, resampled)
        return Entries(values, resampled, partial(self._exchanged_systems, samples, exchange_seed))

    def _segment_values(self, samples: int, seed: Sequence[int]) -> tuple[Doubles, Doubles]:
        """Return the values of the metrics and of resampled segments; NaN without scores of segments."""
        scored = [k for k, metric in enumerate(self.metrics) if metric.has_segments]
        weights = self._weights(samples, seed)
        values = np.full(len(self.metrics), np.nan)
        resampled = np.full((len(weights), len(self.metrics)), np.nan)
        if scored:
            scores = np.array([self.metrics[k].oriented for k in scored])
            values[scored], resampled[:, scored] = values_and_samples(
                self.measure, self.judgments, scores, weights
            )
        return values, resampled

    def _exchanged_segments(self, samples: int, seed: int, first: int, second: int) -> Doubles:
        """Exchange the standardised scores of two metrics on random segments (Deutsch et al. 2021)."""
        measure = ADDITIVE[self.measure]
        a, b = (
            measure.rows(self.judgments, _standardised(self.metrics[k].oriented, self.judgments.usable))
            for k in (first, second)
        )
        moved = swapped_sums(b - a, samples=samples, seed=seed)
        return measure.value(a.sum(axis=0) + moved) - measure.value(b.sum(axis=0) - moved)

    def _exchanged_systems(self, samples: int, seed: int, first: int, second: int) -> Doubles:
        """Exchange the standardised scores of two metrics on random systems."""
        human = np.tile(self.human_scores(None)[0], (samples, 1))
        every = np.ones(len(self.seen), dtype=np.bool_)
        a, b = (_standardised(self.metric_scores(self.metrics[k], None)[0], every) for k in (first, second))
        swap = swapped_sums(np.eye(len(every)), samples=samples, seed=seed)
        mine, other = np.where(swap, b, a), np.where(swap, a, b)
        return correlate(self.measure, mine, human) - correlate(self.measure, other, human)

    def _weights(self, samples: int, seed: Sequence[int]) -> Doubles:
        """Return how often each segment is drawn in each sample; segments without a judgment never are."""
        judgments = self.judgments
        items = judgments.rated.item if self.rated and judgments.rated else judgments.compared.first
        judged = np.unique(judgments.item_segment[items])
        weights = np.zeros((samples if samples > 1 else 0, len(judgments.segments)))
        if samples > 1:
            weights[:, judged] = np.concatenate(list(drawn(len(judged), samples, seed)))
        return weights

    def compared_scores(self) -> Doubles:
        """Return the scores that are correlated with people, one row per metric; higher is better.

        Columns are systems or, at segment level, ratings.
        """
        if self.level == "system":
            return np.array([self.metric_scores(metric, None)[0] for metric in self.metrics])
        rated = self.judgments.rated
        if rated is None or not self.rated:
            return np.zeros((len(self.metrics), 0))
        return np.array([metric.oriented[rated.item] for metric in self.metrics])

    def metric_scores(self, metric: MetricScores, weights: Doubles | None) -> Doubles:
        """Return the scores of the compared systems, one row per sample; higher is better."""
        judgments = self.judgments
        if weights is None and metric.systems is not None:
            given = metric.systems[None, self.seen]
            return given if metric.higher_is_better else -given
        segments, systems = len(judgments.segments), len(judgments.systems)
        item = np.flatnonzero(judgments.usable)
        width = metric.stats.shape[1] + 1
        table = np.zeros((segments, systems, width))
        table[judgments.item_segment[item], judgments.item_system[item], :-1] = metric.stats[item]
        table[judgments.item_segment[item], judgments.item_system[item], -1] = 1.0
        weights = np.ones((1, segments)) if weights is None else weights
        sums = (weights @ table[:, self.seen].reshape(segments, -1)).reshape(
            len(weights), len(self.seen), width
        )
        scores = metric.combine(sums[:, :, :-1].reshape(-1, width - 1)).reshape(sums.shape[:2])
        scores = np.where(sums[:, :, -1] > 0, scores, np.nan)  # none of the system's outputs was drawn
        return scores if metric.higher_is_better else -scores

    def human_scores(self, weights: Doubles | None) -> Doubles:
        """Return the human scores of the compared systems, one row per sample."""
        if weights is None or self.human in ("trueskill", "published"):
            return np.repeat(self.published[:, self.seen], 1 if weights is None else len(weights), axis=0)
        return system_scores(self.judgments, self.human, weights)[:, self.seen]

    def correlations(self, weights: Doubles | None) -> Doubles:
        """Return the correlation of every metric with people over systems, one row per sample."""
        human = self.human_scores(weights)
        return np.column_stack(
            [correlate(self.measure, self.metric_scores(metric, weights), human) for metric in self.metrics]
        )

    def summary(self) -> SetSummary:
        """Describe the set, and how much of it was used."""
        judgments = self.judgments
        if self.rated and judgments.rated:
            judged = len(judgments.rated)
        else:
            judged = judgments.compared.untied
            if self.measure.startswith("accuracy:ties=") and self.level == "segment":
                judged += judgments.compared.tied
        systems = len(self.seen) if self.level == "system" else len(judgments.systems)
        return SetSummary.of(
            judgments, measure=self.measure, human=self.human, judged=judged, systems=systems
        )

    def notes(self, values: Doubles) -> list[str]:
        """Return remarks that a reader of the table needs."""
        judgments = self.judgments
        name = judgments.name
        notes = list(dict.fromkeys(f"{name}: {metric.note}" for metric in self.metrics if metric.note))
        for metric, value in zip(self.metrics, values, strict=True):
            scores = metric.segment[judgments.usable]
            if not metric.has_segments:
                if self.level == "segment" or self.measure == SOFT_ACCURACY:
                    notes.append(f"{metric.label} has scores of systems of {name}, but not of segments")
            elif len(scores) and scores.min() == scores.max():
                notes.append(f"{metric.label} gives the same value to all outputs of {name}")
            elif not np.isfinite(value):
                notes.append(f"{metric.label} is undefined on {name}: no compared values differ")
        if missing := int(judgments.missing.sum()):
            notes.append(f"{name}: {counted(missing, 'judged output')} missing")
        if judgments.unused:
            notes.append(
                f"{name}: {counted(judgments.unused, 'judgment')} not used: of human translations, or of "
                "missing outputs"
            )
        if self.level == "system":
            notes += self._system_notes()
        return notes

    def _system_notes(self) -> list[str]:
        judgments, notes = self.judgments, []
        name = judgments.name
        machines = [
            (number, system)
            for number, system in enumerate(judgments.systems)
            if system not in judgments.human
        ]
        if excluded := [system for number, system in machines if number not in self.seen]:
            notes.append(f"{name}: without {', '.join(excluded)}, which lack an output or a score")
        outputs = np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems))[
            self.seen
        ]
        if outputs.min() < outputs.max():
            notes.append(
                f"{name}: systems have {outputs.min():,} to {outputs.max():,} outputs; their scores are "
                "on differing segments"
            )
        return notes


def _standardised(scores: Doubles, usable: Bools) -> Doubles:
    spread = scores[usable].std()
    centred = scores - scores[usable].mean()
    return np.asarray(centred / spread if spread > 0 else centred)


def recentred(values: Doubles, resampled: Doubles) -> Doubles:
    """Reflect resampled correlations about their mean and move them to the value, on Fisher's scale.

    Noise sometimes lowers a correlation by a lot, and often raises it by a little; the true one lies on the
    other side.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        limit = 1 - 1e-12
        scaled = np.arctanh(np.clip(resampled, -limit, limit))
        finite = np.isfinite(scaled)
        means = np.where(finite, scaled, 0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1)
        moved = np.arctanh(np.clip(values, -limit, limit)) - (scaled - means)
    return np.asarray(np.tanh(moved))
