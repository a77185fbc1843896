"""Scores of docs/make_crf.py: means over seeds with intervals and paired tests; what trees could reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.core.resample import Interval, bootstrap_sums, interval, p_value
from wordorder.core.tree import tree
from wordorder.evaluate.variants import VARIANTS, Variant
from wordorder.preorder.crf.decoding import Expectations, ranked

SAMPLES, SEED = 1000, 12345  # as in wordorder.evaluate.evaluation
COLUMNS = (
    ("nakagawa", "tau"),
    ("nakagawa", "frs"),
    ("lader", "tau"),
    ("lader", "chunk"),
    ("thesis", "kendall"),
    ("thesis", "fuzzy"),
)
FUZZY = ("frs", "chunk", "fuzzy")
RANKS = ("nakagawa", "lader", "thesis")
Column = tuple[str, str]
Orders = Sequence[Permutation]


class Cell(NamedTuple):
    """A score: the mean over the seeds, its interval over sentences, and the least and most of the seeds."""

    score: float
    interval: Interval
    low: float
    high: float


@dataclass(frozen=True)
class Board:
    """Systems by all columns."""

    cells: dict[str, dict[Column, Cell]]
    used: dict[str, int]  # sentences that count, by variant
    _drawn: dict[Column, dict[str, Any]]

    def p(self, one: str, other: str, column: Column) -> float:
        """How sure the difference of two systems is not: the paired bootstrap."""
        moved = self._drawn[column][other] - self._drawn[column][one]
        real = self.cells[other][column].score - self.cells[one][column].score
        return p_value(moved, real)


def score(
    alignments: Sequence[Alignment],
    words: Sequence[Sequence[str]],
    systems: Mapping[str, Mapping[Column, Sequence[Orders]]],
    *,
    columns: Sequence[Column] = COLUMNS,
    samples: int = SAMPLES,
) -> Board:
    """Score systems, each given by the orders of its seeds, which may differ from column to column.

    A sentence's statistics are averaged over the seeds before it is drawn: denominators do not depend on the
    order, so the score of the averages is the mean of the scores.
    """
    board = Board({name: {} for name in systems}, {}, {column: {} for column in columns})
    for name in dict.fromkeys(variant for variant, _ in columns):
        variant = VARIANTS[name]
        ranks = variant.ranks(alignments, words)
        board.used[name] = sum(rank is not None for rank in ranks)
        keys, rows = [], []
        for column in (one for one in columns if one[0] == name):
            for system, orders in systems.items():
                seeds = [_statistics(variant, ranks, some, column) for some in orders[column]]
                each = [_quotient(one.sum(axis=0)) for one in seeds]
                mean = np.mean(seeds, axis=0)
                keys.append((system, column, min(each), max(each), _quotient(mean.sum(axis=0))))
                rows.append(mean)
        sums = bootstrap_sums(np.hstack(rows), samples=samples, seed=SEED)
        for k, (system, column, low, high, real) in enumerate(keys):
            drawn = np.array([_quotient(row) for row in sums[:, 2 * k : 2 * k + 2]])
            board.cells[system][column] = Cell(float(real), interval(drawn), float(low), float(high))
            board._drawn[column][system] = drawn
    return board


def _statistics(variant: Variant, ranks: Sequence[Ints | None], orders: Orders, column: Column) -> Doubles:
    score = next(one for one in variant.scores if one.name == column[1])
    return variant.rows(ranks, orders, [score])[0]


def _quotient(sums: Any) -> float:
    return float(sums[0] / sums[1]) if sums[1] > 0 else 1.0


# What could be reached


class Ceiling(NamedTuple):
    """The best orders that binary trees can build, for each column, and how often none is right."""

    orders: dict[Column, list[Permutation]]
    impossible: dict[str, float]  # by variant: the share of sentences that no binary tree puts in order


def ceiling(alignments: Sequence[Alignment], words: Sequence[Sequence[str]]) -> Ceiling:
    """Orders by those who know the links, but must use binary trees: exact for each score."""
    orders: dict[Column, list[Permutation]] = {column: [] for column in COLUMNS}
    wrong: dict[str, list[bool]] = {name: [] for name in RANKS}
    for one, text in zip(alignments, words, strict=True):
        for name in RANKS:
            (ranks,) = VARIANTS[name].ranks([one], [text])
            for column in (c for c in COLUMNS if c[0] == name):
                orders[column].append(best_order(ranks, len(text), column))
            if ranks is not None:
                pairs = next(c for c in COLUMNS if c[0] == name and c[1] not in FUZZY)
                placed = ranks[orders[pairs][-1].order]
                placed = placed[placed >= 0]
                wrong[name].append(bool((np.diff(placed) < 0).any()))
    return Ceiling(orders, {name: float(np.mean(some)) for name, some in wrong.items()})


def best_order(ranks: Ints | None, n: int, column: Column) -> Permutation:
    """The order of a binary tree with the best score of a column; words without rank go to the end.

    They are not looked at, and binary trees build the same orders of the others with or without them.

    >>> best_order(np.array([1, 3, 0, 2], np.int32), 4, ("thesis", "kendall")).order.tolist()
    [2, 0, 1, 3]
    """
    if ranks is None:
        return Permutation.identity(n)
    looked = [i for i in range(n) if ranks[i] >= 0]
    own = ranks[looked].astype(np.int64)
    size = len(own)
    found = Expectations(0.0, np.zeros((size, size)), np.zeros((size + 1, size + 1)))
    ahead = np.sign(own[:, None] - own[None, :])  # equal ranks: either way
    found.inverted[:] = np.triu((ahead + 1) / 2, 1)
    step = own[None, :] - own[:, None]
    found.following[:size, :size] = (step >= 0) & (step <= 1)
    if column[0] != "thesis" and size:  # the thesis has no boundaries
        found.following[size, :size] = own == 0
        found.following[:size, size] = own == own.max()
    share = 1.0 if column[1] in FUZZY else 0.0
    if share and size > 1:
        best = _native.mixed_order(found.inverted, found.following, share)
    else:
        best = ranked(found, 1, adjacency=0.0, moves=False)[0][1] if size else []
    rest = [i for i in range(n) if ranks[i] < 0]
    return Permutation.from_order([looked[i] for i in best] + rest)


def widest_operators(alignments: Sequence[Alignment]) -> list[int]:
    """The children of the widest operator that each gold order of the thesis needs; 2 if binary ones will do.

    >>> widest_operators([Alignment(4, 4, [(0, 1), (1, 3), (2, 0), (3, 2)])])
    [4]
    """
    found = []
    for one in alignments:
        order = orders_from_links([one], "thesis").permutations[0]
        found.append(max([2, *(node.arity for node in tree(order).nodes() if node.kind == "prime")]))
    return found
