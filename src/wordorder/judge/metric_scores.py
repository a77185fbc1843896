"""Scores of all items of sets of judgments, computed once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.engine.runners import runner
from wordorder.engine.score_texts import TextBlock, score_blocks
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.score_cache import ScoreCache, content_digest, load_statistics, save_statistics
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import labels

SEGMENTS = 128  # segments in a block, each with the outputs of all systems


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The scores of a metric for all items of a set, and statistics that add up to scores of systems.

    ``combine`` turns sums of statistics, one per row, into scores. Items without a text have zeros.
    """

    label: str
    signature: str
    segment_signature: str
    higher_is_better: bool
    segment: Doubles
    stats: Doubles
    combine: Callable[[Doubles], Doubles]
    metric: Metric | None = None  # None if the scores were computed elsewhere
    note: str = ""  # what a reader of the scores must know

    def signature_at(self, level: str) -> str:
        """Return the signature of the scores of segments or of systems."""
        return self.segment_signature if level == "segment" else self.signature

    @property
    def oriented(self) -> Doubles:
        """Segment scores, negated if lower is better."""
        return self.segment if self.higher_is_better else -self.segment

    def oriented_with(self, settings: Mapping[str, float]) -> Doubles:
        """Return the segment scores under other values of settings that do not affect the statistics."""
        if self.metric is None or not set(settings) <= set(self.metric.late):
            raise BadSetting(f"{self.label}: {', '.join(settings)} cannot be changed without scoring again")
        scores = replace(self.metric, **settings).segment_scores(self.stats)
        return scores if self.higher_is_better else -scores


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """Scores sets of judgments with metrics, reading from the cache what was scored before.

    ``progress`` is called with the number of segments done and their total. More than one process needs a
    program that may be imported again in each of them (``if __name__ == "__main__"``).
    """

    cache: ScoreCache = field(default_factory=ScoreCache)
    processes: int = 1
    progress: Callable[[int, int], None] | None = None

    def __call__(self, sets: Sequence[Judgments], metrics: Sequence[Metric]) -> list[list[MetricScores]]:
        """Return the scores of every metric for every set."""
        suited = suited_metrics(metrics, sets)
        jobs = [_SetJob(judgments, row, self.cache) for judgments, row in zip(sets, suited, strict=True)]
        total = sum(len(job.judgments.segments) for job in jobs if job.missing)
        done = 0
        with runner(processes=self.processes if total else 1) as run:
            for job in jobs:
                for finished in job.run(run):
                    done += finished
                    if self.progress:
                        self.progress(done, total)
        return [job.scores() for job in jobs]


class _SetJob:
    """The statistics of one set: those in the cache, and those still missing."""

    def __init__(self, judgments: Judgments, suited: Sequence[tuple[Metric, str]], cache: ScoreCache) -> None:
        self.judgments = judgments
        metrics = self.metrics = [metric for metric, _ in suited]
        self.notes = [note for _, note in suited]
        content = content_digest(judgments) if cache.folder else b""
        self.places = [cache.place(content, metric, len(judgments.references)) for metric in metrics]
        self.rows = [load_statistics(place, len(judgments)) if place else None for place in self.places]

    @property
    def missing(self) -> list[int]:
        """The numbers of the metrics that are not scored yet."""
        return [k for k, rows in enumerate(self.rows) if rows is None]

    def run(self, run: Runner) -> Iterator[int]:
        """Compute the missing statistics; yield the number of segments after each block."""
        missing = self.missing
        if not missing:
            return
        judgments = self.judgments
        item = np.full((len(judgments.segments), len(judgments.systems)), -1, dtype=np.int64)
        item[judgments.item_segment, judgments.item_system] = np.arange(len(judgments))
        stats: list[Doubles] = []
        blocks = score_blocks(_blocks(judgments, item), [self.metrics[k] for k in missing], run)
        for number, block in enumerate(blocks):
            items = item[number * SEGMENTS : (number + 1) * SEGMENTS].T  # by system
            stats = stats or [np.zeros((len(judgments), rows.shape[1])) for rows in block.rows[0]]
            for column, by_metric in zip(items, block.rows, strict=True):
                for k, rows in enumerate(by_metric):
                    stats[k][column[column >= 0]] = rows[column >= 0]
            yield items.shape[1]
        for k, number in enumerate(missing):
            stats[k][judgments.missing] = 0.0
            self.rows[number] = stats[k]
            if place := self.places[number]:
                save_statistics(place, stats[k])

    def scores(self) -> list[MetricScores]:
        """Return the scores of all metrics."""
        references = len(self.judgments.references)
        return [
            MetricScores(
                label,
                metric.signature_for(references),
                metric.signature_for(references, segment=True),
                metric.higher_is_better,
                np.where(self.judgments.missing, 0.0, metric.segment_scores(rows)),
                rows,
                metric.scores,
                metric,
                note,
            )
            for label, metric, note, rows in zip(
                labels(self.metrics), self.metrics, self.notes, self.rows, strict=True
            )
            if rows is not None
        ]


def _blocks(judgments: Judgments, item: Longs) -> Iterator[TextBlock]:
    """Yield some segments at a time with the outputs of all systems, so that references are prepared once."""
    for start in range(0, len(item), SEGMENTS):
        items = item[start : start + SEGMENTS]
        outputs = [[judgments.outputs[i] or "" if i >= 0 else "" for i in column] for column in items.T]
        references = [list(stream[start : start + SEGMENTS]) for stream in judgments.references]
        yield TextBlock(list(range(start + 1, start + len(items) + 1)), references, outputs)
