"""Scores of all items of sets of judgments, computed once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.alignment import Alignments
from wordorder.engine.runners import runner
from wordorder.engine.score_texts import TextBlock, score_blocks
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.score_cache import (
    ScoreCache,
    content_digest,
    links_digest,
    load_statistics,
    save_statistics,
)
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics.base import Metric
from wordorder.metrics.given_alignments import GivenAlignments
from wordorder.metrics.matched import MatchedMetric, labels
from wordorder.metrics.segments import given_policy, on_given
from wordorder.text.tokens import Tokenizer

SEGMENTS = 128  # segments in a block, each with the outputs of all systems


@dataclass(frozen=True, eq=False)
class MetricScores:
    """The scores of a metric for all items of a set, and statistics that add up to scores of systems.

    ``combine`` turns sums of statistics, one per row, into scores. Items without a text have zeros.
    ``systems`` are scores of systems that were computed elsewhere, NaN where there is none.
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
    systems: Doubles | None = None
    has_segments: bool = True  # false if only systems were scored elsewhere

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
        for judgments in sets:
            if metrics and not judgments.references:
                raise BadSetting(
                    f"{judgments.name} has no references to score with; name the files of its texts.",
                    suggest={"texts": "TextFiles(references=..., output=...)"},
                )
        suited = suited_metrics(metrics, sets)
        # Metrics that differ may be the same for a language that lacks some stages of matching.
        named = labels(metrics)
        jobs = [
            _SetJob(judgments, row, named, self.cache) for judgments, row in zip(sets, suited, strict=True)
        ]
        total = sum(len(job.judgments.segments) * len(job.missing) for job in jobs)
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

    def __init__(
        self,
        judgments: Judgments,
        suited: Sequence[tuple[Metric, str]],
        named: Sequence[str],
        cache: ScoreCache,
    ) -> None:
        self.judgments, self.named = judgments, named
        metrics = self.metrics = [metric for metric, _ in suited]
        self.notes = [note for _, note in suited]
        self.places: list[Path | None] = [None] * len(metrics)
        if cache.folder:
            content, number = content_digest(judgments), len(judgments.references)
            linked = content + (links_digest(judgments.links) if judgments.links else b"")
            self.places = [
                cache.place(linked if _policy(metric) else content, metric, number) for metric in metrics
            ]
        self.rows = [load_statistics(place, len(judgments)) if place else None for place in self.places]

    @property
    def missing(self) -> list[list[int]]:
        """The numbers of the metrics that are not scored yet; those that see the same blocks are together."""
        together: dict[tuple[str, Tokenizer] | None, list[int]] = {}
        for k, rows in enumerate(self.rows):
            if rows is None:
                together.setdefault(_policy(self.metrics[k]), []).append(k)
        return list(together.values())

    def run(self, run: Runner) -> Iterator[int]:
        """Compute the missing statistics; yield the number of segments after each block."""
        for missing in self.missing:
            yield from self._run(run, missing)

    def _run(self, run: Runner, missing: list[int]) -> Iterator[int]:
        judgments = self.judgments
        item = np.full((len(judgments.segments), len(judgments.systems)), -1, dtype=np.int64)
        item[judgments.item_segment, judgments.item_system] = np.arange(len(judgments))
        stats: list[Doubles] = []
        metrics = [self.metrics[k] for k in missing]
        blocks = score_blocks(_blocks(judgments, item, _policy(metrics[0])), metrics, run)
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
            for label, metric, note, rows in zip(self.named, self.metrics, self.notes, self.rows, strict=True)
            if rows is not None
        ]


def _policy(metric: Metric) -> tuple[str, Tokenizer] | None:
    """Return the policy of a metric of given alignments, and what it takes for a word."""
    if isinstance(metric, MatchedMetric) and (policy := given_policy(metric.match)) is not None:
        if metric.match != on_given(policy):
            raise BadSetting(
                f"{metric.name}: match={metric.match} compares with the source; people judged translations"
                f" with references. Use match={on_given(policy)}."
            )
        tokenizer = metric.with_tokenizer(None).tokenize
        return policy, tokenizer
    return None


def _blocks(
    judgments: Judgments, item: Longs, policy: tuple[str, Tokenizer] | None = None
) -> Iterator[TextBlock]:
    """Yield some segments at a time with the outputs of all systems, so that references are prepared once."""
    links = judgments.links
    if policy and links is None:
        raise BadSetting(
            f"{judgments.name} has no word alignments, which match={on_given(policy[0])} needs."
            " wordorder.judge.source_links computes or reads them.",
            suggest={"align": "FILE"},
        )
    for start in range(0, len(item), SEGMENTS):
        items = item[start : start + SEGMENTS]
        outputs = [[judgments.outputs[i] or "" if i >= 0 else "" for i in column] for column in items.T]
        segments = slice(start, start + len(items))
        references = [list(stream[segments]) for stream in judgments.references]
        given = None
        if policy and links:
            streams = [stream[segments] for stream in links.references]
            given = [
                GivenAlignments(
                    hypotheses=_aligned(links.items, column, streams[0].source_sizes),
                    references=streams,
                    policy=policy[0],
                    tokenize=policy[1],
                )
                for column in items.T
            ]
        yield TextBlock(list(range(start + 1, start + len(items) + 1)), references, outputs, given)


def _aligned(items: Alignments, column: Longs, source_sizes: Longs) -> Alignments:
    """Return the alignments of a system's outputs; where it has none, those of an empty text."""
    there = column >= 0
    taken = items.take(column[there])
    counts = np.zeros(len(column), dtype=np.int64)
    counts[there] = np.diff(taken.offsets)
    targets = np.zeros(len(column), dtype=np.int64)
    targets[there] = taken.target_sizes
    sources = source_sizes.copy()
    sources[there] = taken.source_sizes
    return Alignments(taken.pairs, np.concatenate([[0], np.cumsum(counts)]), sources, targets)
