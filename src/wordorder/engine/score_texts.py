"""Scoring translations of many systems with many metrics, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.resample import (
    Interval,
    bootstrap_sums,
    interval,
    paired_bootstrap,
    paired_randomisation,
)
from wordorder.engine.threads import ordered_map
from wordorder.metrics.given_alignments import Given
from wordorder.metrics.segments import References, Segments
from wordorder.metrics.text import TextMetric


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some segments of all files: reference streams, and one stream a system."""

    numbers: list[int]  # of the segments in their files, from 1; skipped ones are missing
    references: list[list[str]]
    systems: list[list[str]]
    given: list[Given] | None = None  # per system, where the user has alignments


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """Scores of a block: per system, per metric, one a segment."""

    numbers: list[int]
    scores: list[list[Doubles]]


@dataclass(frozen=True, slots=True)
class SystemStats:
    """All that is kept of a system: rows of statistics, per metric, and what was odd."""

    name: str
    stats: list[Doubles]
    empty: int  # segments without a word in the hypothesis


@dataclass(frozen=True, slots=True)
class Cell:
    """A metric's verdict on a system."""

    score: float
    interval: Interval | None
    p_value: float | None  # against the first system


def segments_of(block: TextBlock) -> Iterator[Segments]:
    """The block's segments for each system, on shared references."""
    references = References(block.references)
    for k, hypotheses in enumerate(block.systems):
        yield Segments(hypotheses, references, given=block.given[k] if block.given else None)


def score_segments(
    blocks: Iterable[TextBlock], metrics: Sequence[TextMetric], *, threads: int = 1
) -> Iterator[ScoredBlock]:
    """The score of every segment, block by block, in order."""

    def work(block: TextBlock) -> ScoredBlock:
        scores = [[m.segment_scores(segments) for m in metrics] for segments in segments_of(block)]
        return ScoredBlock(block.numbers, scores)

    return ordered_map(work, blocks, threads=threads)


def collect_stats(
    blocks: Iterable[TextBlock], metrics: Sequence[TextMetric], names: Sequence[str], *, threads: int = 1
) -> list[SystemStats]:
    """Statistics of all segments: a few numbers each, so that a million fit."""

    def work(block: TextBlock) -> tuple[list[list[Doubles]], list[int]]:
        stats = [[m.segment_stats(segments) for m in metrics] for segments in segments_of(block)]
        return stats, [sum(not line.strip() for line in hypotheses) for hypotheses in block.systems]

    kept: list[list[list[Doubles]]] = [[[] for _ in metrics] for _ in names]
    empty = np.zeros(len(names), dtype=np.int64)
    for stats, empties in ordered_map(work, blocks, threads=threads):
        empty += empties
        for mine, new in zip(kept, stats, strict=True):
            for rows, more in zip(mine, new, strict=True):
                rows.append(more)
    return [
        SystemStats(name, [np.concatenate(rows) for rows in mine], int(without))
        for name, mine, without in zip(names, kept, empty, strict=True)
    ]


def compare(
    systems: Sequence[SystemStats],
    metrics: Sequence[TextMetric],
    *,
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
) -> list[list[Cell]]:
    """Scores, intervals (``samples`` > 1) and p-values against the first system (``paired``)."""
    tests = {"bootstrap": paired_bootstrap, "randomisation": paired_randomisation}
    table: list[list[Cell]] = []
    for system in systems:
        row = []
        for k, metric in enumerate(metrics):
            stats = system.stats[k]
            score = metric.score_from_stats(stats.sum(axis=0))
            around = None
            if samples > 1:
                sums = bootstrap_sums(stats, samples=samples, seed=seed)
                around = interval(np.array([metric.score_from_stats(total) for total in sums]))
            p = None
            if paired and system is not systems[0]:
                first = systems[0].stats[k]
                p = tests[paired](first, stats, metric.score_from_stats, samples=samples, seed=seed)
            row.append(Cell(score, around, p))
        table.append(row)
    return table
