"""How much reordering a language pair needs, and how much of it a translation does.

What is needed is said by a standard: a table for each source sentence in which ``[i, j]`` is the probability
that word i comes before word j in the target language. A translation by people has probabilities of 0 and 1;
a preorderer has those that it learned from parallel text. Of the pairs of source words of a sentence, let

- *found* be the share that the translation inverts,
- *needed* the expected share that the standard inverts: the mean probability of an inversion,
- *shared* the expected share that both invert: the sum of those probabilities over the pairs that the
  translation inverts, divided by the number of pairs.

Then *excess* is found - needed, *precision* is shared / found and *recall* is shared / needed, each from the
means over sentences. Sentences with fewer than two words that count on both sides are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from wordorder.arrays import Bools, Doubles, Ints, Longs
from wordorder.core.alignment import Alignments
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.core.resample import Map
from wordorder.engine.compare import Result, compare_table
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting
from wordorder.preorder.base import Preorderer
from wordorder.preorder.source import Source, as_sources

COLUMNS = ("found", "needed", "excess", "precision", "recall")
BATCH = 64  # sentences that a preorderer is given at once


@dataclass(frozen=True, slots=True)
class SourcePlaces:
    """Where a translation puts the words of a source sentence, and which words count; none without a link."""

    places: Ints
    counts: Bools


@dataclass(frozen=True, slots=True)
class OrderStandard:
    """What a language pair needs, by one standard."""

    name: str
    tables: Sequence[Doubles]  # [i, j]: the probability that word i comes before word j
    counts: Sequence[Bools]  # which words of each sentence count


@dataclass(frozen=True, slots=True)
class NeededOrder:
    """The order of translations against one standard: the results of each by :data:`COLUMNS`.

    A result is None if there is nothing to divide by, such as the precision of a monotone translation.
    """

    standard: str
    systems: list[str]
    results: list[list[Result | None]]
    sentences: list[int]  # that were compared, by system


def places_by_links(links: Alignments, policy: str) -> list[SourcePlaces]:
    """Return the places of the words of each source sentence."""
    orders = orders_from_links(links, policy)
    ends = orders.permutations.offsets.tolist()
    found = []
    for begin, end in pairwise(ends):
        linked = orders.aligned[begin:end].any()
        counts = (orders.ranks.values[begin:end] >= 0) & linked
        found.append(SourcePlaces(orders.permutations.values[begin:end], counts))
    return found


def standard_of_translation(name: str, translation: Sequence[SourcePlaces]) -> OrderStandard:
    """Make a standard of a translation: its order is certain."""
    tables = [(one.places[:, None] < one.places[None, :]).astype(np.float64) for one in translation]
    return OrderStandard(name, tables, [one.counts for one in translation])


def predict(
    name: str, preorderer: Preorderer, sources: Sequence[str], run: Runner
) -> tuple[OrderStandard, list[Permutation]]:
    """Return what a preorderer expects for some sentences: precedence tables, and the best orders."""
    texts = as_sources(sources)
    batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]

    def both(batch: list[Source]) -> list[tuple[Doubles, Permutation]]:
        tables, orders = preorderer.precedence_batch(batch), preorderer.reorder_batch(batch)
        return list(zip(tables, orders, strict=True))

    preorderer.check_fitted()
    found = list(chain.from_iterable(run(both, batches)))
    counts = [np.ones(len(text), np.bool_) for text in texts]
    return OrderStandard(name, [table for table, _ in found], counts), [order for _, order in found]


def inversions(standard: OrderStandard, translation: Sequence[SourcePlaces]) -> Doubles:
    """Return a row for each sentence: the shares found, needed and shared, and 1; zeros if it is left out.

    >>> both = np.ones(2, np.bool_)
    >>> standard = OrderStandard("model", [np.array([[0.0, 0.25], [0.75, 0.0]])], [both])
    >>> inversions(standard, [SourcePlaces(np.array([1, 0], np.int32), both)]).tolist()
    [[1.0, 0.75, 0.75, 1.0]]
    """
    rows = np.zeros((len(translation), 4))
    for s, (table, counts, one) in enumerate(zip(standard.tables, standard.counts, translation, strict=True)):
        words = np.flatnonzero(counts & one.counts)
        if len(words) < 2:
            continue
        left, right = _pairs(len(words))
        inverted = one.places[words[left]] > one.places[words[right]]
        needed = table[words[right], words[left]]
        rows[s] = inverted.mean(), needed.mean(), (inverted * needed).mean(), 1.0
    return rows


@lru_cache(maxsize=256)
def _pairs(words: int) -> tuple[Longs, Longs]:
    """Return the first and the second words of all pairs of words, in their order."""
    first, second = np.triu_indices(words, 1)
    return first, second


def compare_needs(
    standard: OrderStandard,
    translations: Mapping[str, Sequence[SourcePlaces]],
    *,
    samples: int = 1000,
    seed: int = 12345,
    run: Map = map,
) -> NeededOrder:
    """Compare translations with a standard, with intervals."""
    if not translations:
        raise BadSetting("there are no translations to compare with what is needed")
    rows = [inversions(standard, places) for places in translations.values()]
    table = np.hstack([part for part in rows for _ in COLUMNS])
    widths = [[part.shape[1]] * len(COLUMNS) for part in rows]
    compared = compare_table(table, widths, SCORERS, samples=samples, seed=seed, run=run)
    return NeededOrder(
        standard.name,
        list(translations),
        [[one if np.isfinite(one.score) else None for one in results] for results in compared.results],
        [int(part[:, 3].sum()) for part in rows],
    )


def _quotient(above: Doubles, below: Doubles) -> Doubles:
    """Divide; NaN where there is nothing to divide by."""
    return np.asarray(np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0))


SCORERS = (
    lambda sums: _quotient(sums[:, 0], sums[:, 3]),
    lambda sums: _quotient(sums[:, 1], sums[:, 3]),
    lambda sums: _quotient(sums[:, 0] - sums[:, 1], sums[:, 3]),
    lambda sums: _quotient(sums[:, 2], sums[:, 0]),
    lambda sums: _quotient(sums[:, 2], sums[:, 1]),
)
