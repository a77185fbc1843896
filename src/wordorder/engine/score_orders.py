"""Score files of permutations block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.engine.threads import ordered_map
from wordorder.io.permutations import Block, found_base, parse_block
from wordorder.metrics.base import Score, counts_of, tally
from wordorder.metrics.ordering import OrderingMetric


@dataclass(frozen=True, slots=True)
class ScoredOrders:
    """The scores of the permutations of a block, one column per metric."""

    first: int  # number of the first sentence, from 1
    lengths: Longs
    columns: list[Doubles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How numbers are read: ``ranks`` are places of words; ``base`` None is read off the numbers."""

    base: int | None = None
    ranks: bool = True

    def settled(self, blocks: Iterable[Block]) -> tuple[Reading, Iterator[Block]]:
        """Settle the base by the first permutation: it holds a 0, or it starts at 1."""
        blocks = iter(blocks)
        if self.base is not None:
            return self, blocks
        seen = []
        for block in blocks:
            seen.append(block)
            if (base := found_base(block.text)) is not None:
                return Reading(base=base, ranks=self.ranks), chain(seen, blocks)
        return Reading(base=0, ranks=self.ranks), iter(seen)

    def parse(self, block: Block) -> Permutations:
        """Read the permutations of a block as places of words."""
        batch = parse_block(block, base=self.base or 0)
        return batch if self.ranks else Permutations.from_orders(batch.values, batch.offsets)


def score_sentences(
    blocks: Iterable[Block], metrics: Sequence[OrderingMetric], *, reading: Reading, threads: int = 1
) -> Iterator[ScoredOrders]:
    """Score every permutation, block by block, in order."""
    settled, blocks = reading.settled(blocks)

    def work(block: Block) -> ScoredOrders:
        batch = settled.parse(block)
        return ScoredOrders(block.first_line, batch.lengths, [m.score_orders(batch) for m in metrics])

    return ordered_map(work, blocks, threads=threads)


def score_corpus(
    blocks: Iterable[Block], metrics: Sequence[OrderingMetric], *, reading: Reading, threads: int = 1
) -> list[Score]:
    """Score all permutations together; memory does not grow with the file."""
    settled, blocks = reading.settled(blocks)

    def work(block: Block) -> tuple[list[Doubles], Longs]:
        batch = settled.parse(block)
        sums = [m.statistics(batch).sum(axis=0, keepdims=True) for m in metrics]
        return sums, tally(counts_of(batch.lengths))

    totals = [np.zeros((1, 3)) for _ in metrics]
    counts = np.zeros(6, dtype=np.int64)
    for parts, more in ordered_map(work, blocks, threads=threads):
        totals = [total + part for total, part in zip(totals, parts, strict=True)]
        counts += more
    return [m.make_score(total, counts, m.order_signature) for m, total in zip(metrics, totals, strict=True)]
