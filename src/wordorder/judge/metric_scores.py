"""Scores of all items of sets of judgments, computed once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.score_cache import Arrays, ScoreCache, content_digest, load_scores, save_scores
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import labels
from wordorder.metrics.segments import References, Segments

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
        with _mapping(self.processes if total else 1) as mapped:
            for job in jobs:
                for finished in job.run(mapped):
                    done += finished
                    if self.progress:
                        self.progress(done, total)
        return [job.scores() for job in jobs]


# A block holds references, outputs by system, and metrics.
Block = tuple[list[list[str]], list[list[str]], tuple[Metric, ...]]
Mapped = Callable[[Iterable[Block]], Iterable[list[Arrays]]]


class _SetJob:
    """The scores of one set: those in the cache, and those still missing."""

    def __init__(self, judgments: Judgments, suited: Sequence[tuple[Metric, str]], cache: ScoreCache) -> None:
        self.judgments = judgments
        metrics = self.metrics = [metric for metric, _ in suited]
        self.notes = [note for _, note in suited]
        content = content_digest(judgments) if cache.folder else b""
        self.places = [cache.place(content, metric, len(judgments.references)) for metric in metrics]
        self.arrays = [load_scores(place, len(judgments)) if place else None for place in self.places]

    @property
    def missing(self) -> list[int]:
        """The numbers of the metrics that are not scored yet."""
        return [k for k, arrays in enumerate(self.arrays) if arrays is None]

    def run(self, mapped: Mapped) -> Iterator[int]:
        """Compute the missing scores; yield the number of segments after each block."""
        missing = self.missing
        if not missing:
            return
        judgments = self.judgments
        item = np.full((len(judgments.segments), len(judgments.systems)), -1, dtype=np.int64)
        item[judgments.item_segment, judgments.item_system] = np.arange(len(judgments))
        metrics = tuple(self.metrics[k] for k in missing)
        segment = [np.zeros(len(judgments)) for _ in metrics]
        stats: list[Doubles] = []
        for number, results in enumerate(mapped(_blocks(judgments, item, metrics))):
            rows = item[number * SEGMENTS : (number + 1) * SEGMENTS]
            exists = rows.T.ravel() >= 0
            where = rows.T.ravel()[exists]
            stats = stats or [np.zeros((len(judgments), new.shape[1])) for _, new in results]
            for k, (scores, new) in enumerate(results):
                segment[k][where] = scores[exists]
                stats[k][where] = new[exists]
            yield len(rows)
        for k, number in enumerate(missing):
            segment[k][judgments.missing] = 0.0
            stats[k][judgments.missing] = 0.0
            self.arrays[number] = segment[k], stats[k]
            if place := self.places[number]:
                save_scores(place, segment[k], stats[k])

    def scores(self) -> list[MetricScores]:
        """Return the scores of all metrics."""
        references = len(self.judgments.references)
        return [
            MetricScores(
                label,
                metric.signature_for(references),
                metric.segment_signature_for(references),
                metric.higher_is_better,
                *arrays,
                metric.scores,
                metric,
                note,
            )
            for label, metric, note, arrays in zip(
                labels(self.metrics), self.metrics, self.notes, self.arrays, strict=True
            )
            if arrays is not None
        ]


def _blocks(judgments: Judgments, item: np.ndarray, metrics: tuple[Metric, ...]) -> Iterator[Block]:
    """Yield some segments at a time with the outputs of all systems, so that references are prepared once."""
    for start in range(0, len(item), SEGMENTS):
        rows = item[start : start + SEGMENTS]
        outputs = [[judgments.outputs[i] or "" if i >= 0 else "" for i in column] for column in rows.T]
        references = [list(stream[start : start + SEGMENTS]) for stream in judgments.references]
        yield references, outputs, metrics


# Metrics that this process has seen, with the resources that they loaded: every block brings new copies.
_known: dict[tuple[Metric, ...], tuple[Metric, ...]] = {}


def score_block(block: Block) -> list[Arrays]:
    """Return segment scores and statistics of a block by metric, one system after the other."""
    streams, outputs, metrics = block
    metrics = _known.setdefault(metrics, metrics)
    references = References(streams)
    parts: list[list[Arrays]] = [[] for _ in metrics]
    for hypotheses in outputs:
        segments = Segments(hypotheses, references)
        for k, metric in enumerate(metrics):
            stats = metric.statistics(segments)
            parts[k].append((metric.segment_scores(stats), stats))
    return [(np.concatenate([a for a, _ in some]), np.concatenate([b for _, b in some])) for some in parts]


@contextmanager
def _mapping(processes: int) -> Iterator[Mapped]:
    """Provide a map over blocks; it uses processes, because the metrics of sacrebleu would block threads."""
    if processes <= 1:
        yield lambda blocks: map(score_block, blocks)
        return
    # Spawned processes share nothing with the threads of this one.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            yield lambda blocks: pool.map(score_block, blocks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
