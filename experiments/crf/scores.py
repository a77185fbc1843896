"""Scores of systems: means over seeds with intervals and paired tests, and the ceiling of binary trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.core.resample import Interval, bootstrap_sums, interval, p_value
from wordorder.core.tree import tree
from wordorder.evaluate.variants import VARIANTS, Variant
from wordorder.preorder.crf.decoding import Expectations, ranked_orders

SAMPLES, SEED = 1000, 12345  # the defaults of the evaluator
COLUMNS = (
    ("nakagawa", "tau"),
    ("nakagawa", "frs"),
    ("lader", "tau"),
    ("lader", "chunk"),
    ("thesis", "kendall"),
    ("thesis", "fuzzy"),
)
FUZZY = ("frs", "chunk", "fuzzy")
RANKED = ("nakagawa", "lader", "thesis")  # variants of the columns
Column = tuple[str, str]
Orders = Sequence[Permutation]


class MeanScore(NamedTuple):
    """The mean score over seeds, its interval over sentences, and the lowest and highest of the seeds."""

    score: float
    interval: Interval
    low: float
    high: float


@dataclass(frozen=True)
class ScoreTable:
    """The scores of systems by column."""

    cells: dict[str, dict[Column, MeanScore]]
    used: dict[str, int]  # the number of scored sentences, by variant
    _samples: dict[Column, dict[str, Doubles]]

    def p_value(self, baseline: str, system: str, column: Column) -> float:
        """Test the difference of two systems by paired bootstrap."""
        samples = self._samples[column][system] - self._samples[column][baseline]
        difference = self.cells[system][column].score - self.cells[baseline][column].score
        return p_value(samples, difference)


def score(
    alignments: Sequence[Alignment],
    words: Sequence[Sequence[str]],
    systems: Mapping[str, Mapping[Column, Sequence[Orders]]],
    *,
    columns: Sequence[Column] = COLUMNS,
    samples: int = SAMPLES,
) -> ScoreTable:
    """Score systems, given the orders of each seed, which may differ between columns.

    The statistics of a sentence are averaged over seeds before resampling: denominators do not depend on the
    order, so the score of the averages is the mean of the scores.
    """
    table = ScoreTable({name: {} for name in systems}, {}, {column: {} for column in columns})
    for name in dict.fromkeys(variant for variant, _ in columns):
        variant = VARIANTS[name]
        ranks = variant.ranks(alignments, words)
        table.used[name] = sum(rank is not None for rank in ranks)
        keys, rows = [], []
        for column in (c for c in columns if c[0] == name):
            for system, orders in systems.items():
                seeds = [_statistics(variant, ranks, run, column) for run in orders[column]]
                each = [_quotient(stats.sum(axis=0)) for stats in seeds]
                mean = np.mean(seeds, axis=0)
                keys.append((system, column, min(each), max(each), _quotient(mean.sum(axis=0))))
                rows.append(mean)
        sums = bootstrap_sums(np.hstack(rows), samples=samples, seed=SEED)
        for k, (system, column, low, high, mean_score) in enumerate(keys):
            scores = np.array([_quotient(row) for row in sums[:, 2 * k : 2 * k + 2]])
            table.cells[system][column] = MeanScore(mean_score, interval(scores), low, high)
            table._samples[column][system] = scores
    return table


def _statistics(variant: Variant, ranks: Sequence[Ints | None], orders: Orders, column: Column) -> Doubles:
    score = next(score for score in variant.scores if score.name == column[1])
    return variant.rows(ranks, orders, [score])[0]


def _quotient(sums: Doubles) -> float:
    return float(sums[0] / sums[1]) if sums[1] > 0 else 1.0


# ----- what binary trees can reach


class Ceiling(NamedTuple):
    """The best orders of binary trees for each column, and how often none of them is right."""

    orders: dict[Column, list[Permutation]]
    impossible: dict[str, float]  # by variant: the share of sentences whose gold order has no binary tree


def ceiling(alignments: Sequence[Alignment], words: Sequence[Sequence[str]]) -> Ceiling:
    """Compute the best orders that binary trees can build, given the links: exact for each score."""
    orders: dict[Column, list[Permutation]] = {column: [] for column in COLUMNS}
    wrong: dict[str, list[bool]] = {name: [] for name in RANKED}
    for links, text in zip(alignments, words, strict=True):
        for name in RANKED:
            (ranks,) = VARIANTS[name].ranks([links], [text])
            for column in (c for c in COLUMNS if c[0] == name):
                orders[column].append(best_order(ranks, len(text), column))
            if ranks is not None:
                pairs = next(c for c in COLUMNS if c[0] == name and c[1] not in FUZZY)
                placed = ranks[orders[pairs][-1].order]
                placed = placed[placed >= 0]
                wrong[name].append(bool((np.diff(placed) < 0).any()))
    return Ceiling(orders, {name: float(np.mean(flags)) for name, flags in wrong.items()})


def best_order(ranks: Ints | None, n: int, column: Column) -> Permutation:
    """Find the order of a binary tree with the best score of a column; words without a rank go to the end.

    These are not scored, and binary trees build the same orders of the other words with or without them.

    >>> best_order(np.array([1, -1, 2, 0], np.int32), 4, ("thesis", "kendall")).order.tolist()
    [3, 0, 2, 1]
    """
    if ranks is None:
        return Permutation.identity(n)
    scored = [i for i in range(n) if ranks[i] >= 0]
    own = ranks[scored].astype(np.int64)
    size = len(own)
    gold = Expectations(0.0, np.zeros((size, size)), np.zeros((size + 1, size + 1)))
    ahead = np.sign(own[:, None] - own[None, :])  # equal ranks may stand either way
    gold.inverted[:] = np.triu((ahead + 1) / 2, 1)
    step = own[None, :] - own[:, None]
    gold.following[:size, :size] = (step >= 0) & (step <= 1)
    if column[0] != "thesis" and size:  # the thesis has no boundaries
        gold.following[size, :size] = own == 0
        gold.following[:size, size] = own == own.max()
    share = 1.0 if column[1] in FUZZY else 0.0
    if share and size > 1:
        best = _native.mixed_order(gold.inverted, gold.following, share, 0)
    else:
        best = ranked_orders(gold, 1, adjacency=0.0, moves=False)[0][1] if size else []
    rest = [i for i in range(n) if ranks[i] < 0]
    return Permutation.from_order([scored[i] for i in best] + rest)


def largest_operators(alignments: Sequence[Alignment]) -> list[int]:
    """Return the size of the largest operator of each gold order of the thesis; at least 2.

    >>> largest_operators([Alignment(4, 4, [(0, 1), (1, 3), (2, 0), (3, 2)])])
    [4]
    """
    sizes = []
    for links in alignments:
        order = orders_from_links([links], "thesis").permutations[0]
        sizes.append(max([2, *(node.arity for node in tree(order).nodes() if node.kind == "prime")]))
    return sizes
