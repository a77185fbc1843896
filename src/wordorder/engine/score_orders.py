"""Scoring files of permutations block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.engine.threads import ordered_map
from wordorder.io.permutations import Block, parse_block
from wordorder.metrics.base import OrderingMetric, Score, sizes


@dataclass(frozen=True, slots=True)
class Scored:
    """The sentence scores of a block: a column a metric."""

    first: int  # number of the first sentence, from 1
    lengths: NDArray[np.int64]
    columns: list[Doubles]


def score_sentences(
    blocks: Iterable[Block], metrics: Sequence[OrderingMetric], *, base: int = 0, threads: int = 1
) -> Iterator[Scored]:
    """Score every sentence, block by block, in order."""

    def work(block: Block) -> Scored:
        batch = parse_block(block, base=base)
        return Scored(block.first_line, batch.lengths, [m.batch_scores(batch) for m in metrics])

    return ordered_map(work, blocks, threads=threads)


def score_corpus(
    blocks: Iterable[Block], metrics: Sequence[OrderingMetric], *, base: int = 0, threads: int = 1
) -> list[Score]:
    """Score all sentences together; the memory used does not grow with the file."""

    def work(block: Block) -> tuple[list[Doubles], NDArray[np.int64]]:
        batch = parse_block(block, base=base)
        return [m.stats(batch).sum(axis=0) for m in metrics], sizes(batch)

    totals: list[Doubles | float] = [0.0 for _ in metrics]
    counted = np.zeros(4, dtype=np.int64)
    for parts, more in ordered_map(work, blocks, threads=threads):
        totals = [total + part for total, part in zip(totals, parts, strict=True)]
        counted += more
    return [m.make_score(np.asarray(total), counted) for m, total in zip(metrics, totals, strict=True)]
