"""Minimum Bayes risk: the candidate that is most like all others, by a metric (Kumar and Byrne 2004).

The expected score of a candidate is the mean of its sentence scores against all candidates of its sentence,
itself included, weighted by their probabilities. Candidates with the same text are scored once. References
are visited from the most to the least probable, a chunk at a time; for each candidate, scores are added in
this order, so that sums do not depend on chunks, blocks or threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.metrics.aggregate import AggregatesReferences
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import REGISTRY, metric_names
from wordorder.metrics.segments import TextPairs
from wordorder.text.pairs import Pairs
from wordorder.text.segmentation import tokenizer_for
from wordorder.text.weighted_lists import WeightedLists

PAIRS = 8_192  # that are scored at a time, at least
CHUNK, SMALL_CHUNK = 128, 16  # references that are visited at a time: without and with pruning
ROUNDING = 1e-9  # of the range of a metric: more than sums of scores can be off

Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class _Race:
    """The different texts of a list, from the most to the least probable, and their sums of scores."""

    texts: list[str]
    weights: Doubles
    place: Longs  # of each candidate, in the order of the list
    sums: Doubles
    alive: Bools  # may the text still be the best?

    @classmethod
    def of(cls, candidates: Sequence[str], probabilities: Doubles) -> _Race:
        known = {text: k for k, text in enumerate(dict.fromkeys(candidates))}
        place = np.array([known[text] for text in candidates], dtype=np.int64)
        weights = np.bincount(place, probabilities, minlength=len(known)).astype(np.float64)
        order = np.argsort(-weights, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        texts = list(known)
        return cls(
            [texts[k] for k in order.tolist()],
            weights[order],
            rank[place],
            np.zeros(len(order)),
            np.ones(len(order), np.bool_),
        )


@dataclass(frozen=True, eq=False)
class _Tile:
    """Some candidates (``rows``) of a list against some references (``columns``).

    With ``turned``, the references are candidates against the rows, too.
    """

    race: _Race
    rows: Longs
    columns: Longs
    turned: bool


def expected_scores(
    metric: Metric,
    lists: Sequence[Sequence[str]],
    probabilities: Sequence[Doubles],
    *,
    prune: bool = False,
    scored: Progress = lambda pairs: None,
) -> list[Doubles]:
    """Return the expected score of each candidate of each sentence, the others being possible references.

    With ``prune``, candidates are dropped as soon as they cannot be the best, whatever their remaining scores
    are within the range of the metric; their expected scores are NaN, the others are the same as without.
    ``scored`` is told the number of pairs after each block.
    """
    if prune and not np.isfinite(metric.range).all():
        raise BadSetting(f"{metric.name} has no worst score, so that no candidate can be dropped early")
    races = [_Race.of(texts, chances) for texts, chances in zip(lists, probabilities, strict=True)]
    metric = for_candidates(metric, lists)
    chunk = SMALL_CHUNK if prune else CHUNK
    for begin in count(0, chunk):
        running = [race for race in races if begin < len(race.texts)]
        if not running:
            break
        tiles = (tile for race in running for tile in _tiles(race, begin, begin + chunk, turned=not prune))
        for block in _blocks(tiles):
            scored(_add_scores(metric, block))
        if prune:
            for race in running:
                _drop(race, metric, begin + chunk)
    return [np.where(race.alive, race.sums, np.nan)[race.place] for race in races]


def aggregate_scores(
    metric: Metric, lists: Sequence[Sequence[str]], probabilities: Sequence[Doubles]
) -> list[Doubles]:
    """Return the score of each candidate against the expected n-gram counts of its list.

    The time is linear in the number of candidates.
    """
    if not isinstance(metric, AggregatesReferences):
        known = [name for name in metric_names() if issubclass(REGISTRY.get(name), AggregatesReferences)]
        raise BadSetting(
            f"{metric.name} is not computed from n-gram counts, so that references cannot be aggregated; "
            f"metrics that can: {', '.join(known)}"
        )
    metric = for_candidates(metric, lists)
    starts = np.cumsum([0, *map(len, lists)])
    texts = [text for candidates in lists for text in candidates]
    rows = metric.aggregate_statistics(WeightedLists(texts, starts, np.concatenate(probabilities)))  # type: ignore[attr-defined]
    return np.split(metric.segment_scores(rows), starts[1:-1].tolist())


def for_candidates(metric: Metric, lists: Iterable[Sequence[str]]) -> Metric:
    """Return the metric with the tokenizer that the script of the candidates needs."""
    if getattr(metric, "tokenize", "") != "auto":
        return metric
    return metric.with_tokenizer(tokenizer_for([text for candidates in lists for text in candidates]))


def _tiles(race: _Race, begin: int, end: int, *, turned: bool) -> Iterator[_Tile]:
    """Yield all pairs of a chunk of references that have not been scored yet."""
    columns = np.arange(begin, min(end, len(race.texts)))
    rows = np.arange(begin, len(race.texts)) if turned else np.flatnonzero(race.alive)
    for start in range(0, len(rows), CHUNK):
        yield _Tile(race, rows[start : start + CHUNK], columns, turned)


def _blocks(tiles: Iterator[_Tile]) -> Iterator[list[_Tile]]:
    block: list[_Tile] = []
    pairs = 0
    for tile in tiles:
        block.append(tile)
        pairs += len(tile.rows) * len(tile.columns)
        if pairs >= PAIRS:
            yield block
            block, pairs = [], 0
    if block:
        yield block


def _add_scores(metric: Metric, tiles: Sequence[_Tile]) -> int:
    """Score all pairs of some tiles, add the scores to the sums, and return the number of pairs."""
    texts: list[str] = []
    parts = []
    for tile in tiles:
        used = np.union1d(tile.rows, tile.columns)
        row, column = np.repeat(tile.rows, len(tile.columns)), np.tile(tile.columns, len(tile.rows))
        if tile.turned:  # pairs above the diagonal are the other half
            kept = row >= column
            row, column = row[kept], column[kept]
        shift = len(texts)
        parts.append((row, column, shift + np.searchsorted(used, row), shift + np.searchsorted(used, column)))
        texts += [tile.race.texts[k] for k in used.tolist()]
    first, second = (np.concatenate([part[side] for part in parts]) for side in (2, 3))
    turned = tiles[0].turned
    if turned:
        first, second = np.concatenate([first, second]), np.concatenate([second, first])
    segments = TextPairs(Pairs(texts, first, second, mirrored=turned))
    scores = metric.segment_scores(metric.statistics(segments))
    # A candidate first meets all references before it, then those behind it: additions are in their order.
    begin = 0
    for tile, (row, column, _, _) in zip(tiles, parts, strict=True):
        part = scores[begin : begin + len(row)]
        np.add.at(tile.race.sums, row, part * tile.race.weights[column])
        begin += len(row)
    if turned:
        for tile, (row, column, _, _) in zip(tiles, parts, strict=True):
            part = scores[begin : begin + len(row)]
            others = np.where(row == column, 0.0, tile.race.weights[row])
            np.add.at(tile.race.sums, column, part * others)
            begin += len(row)
    return len(scores)


def _drop(race: _Race, metric: Metric, seen: int) -> None:
    """Drop the candidates whose greatest possible sum is below the least possible sum of another."""
    rest = float(race.weights[seen:].sum())
    low, high = metric.range
    sums = race.sums if metric.higher_is_better else -race.sums
    worst, best = (low, high) if metric.higher_is_better else (-high, -low)
    least = (sums[race.alive] + rest * worst).max()
    race.alive[:] &= sums + rest * best >= least - ROUNDING * (high - low)
