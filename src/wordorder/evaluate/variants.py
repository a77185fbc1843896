"""The ways in which preordering has been scored: what is compared, and how it is counted.

============  =======================================================================================
``thesis``    Stanojević (2017, 3.4.1): all words against one gold order; means over sentences
``nakagawa``  top-down BTG (Nakagawa 2015): words with links; sentences whose links contradict no order;
              ties are right either way; sentence boundaries count for the fuzzy score; means over sentences
``lader``     LADER (Neubig et al. 2012): blocks of words that rank equal; counts are summed over sentences
============  =======================================================================================

Every score is a quotient of two sums, so a sentence is a row of numerators and denominators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import InvalidPermutation
from wordorder.evaluate.gold import Ranks, lader_ranks, nakagawa_ranks, thesis_ranks
from wordorder.metrics.flat import Kendall

Doubles = NDArray[np.float64]
Longs = NDArray[np.int64]
RankWords = Callable[[Alignment, Sequence[str] | None], Ranks | None]


@dataclass(frozen=True, slots=True)
class Counts:
    """What all variants are made of, sentence by sentence, over the words that are looked at."""

    words: Longs
    pairs: Longs  # of words
    untied: Longs  # pairs of different rank
    discordant: Longs  # pairs that stand the wrong way round
    steps: Longs  # neighbours of equal rank, or of this rank and the next
    ends: Longs  # of the two boundaries, those with a word that belongs there


@dataclass(frozen=True, slots=True)
class Variant:
    """A named way to score: ranks from links, and numerators and denominators from counts."""

    name: str
    about: str
    scores: tuple[str, ...]
    rank: RankWords
    fractions: Callable[[Counts], list[tuple[Doubles, Doubles]]]
    facts: str

    def signature_for(self, *, links: str = "all", brackets: bool = True) -> str:
        """All that can move the numbers; without source words brackets are not seen."""
        facts = self.facts if brackets else self.facts.replace("brackets:yes", "brackets:no")
        return f"preordering|variant:{self.name}|links:{links}|{facts}|v:{__version__}"

    def stats(self, ranks: Sequence[Ranks | None], orders: Sequence[Permutation]) -> Doubles:
        """A row a sentence: numerator and denominator of each score; zeros for a sentence left out."""
        rows = np.zeros((len(ranks), 2 * len(self.scores)))
        kept = [s for s, found in enumerate(ranks) if found is not None]
        for s in kept:
            if len(orders[s]) != len(ranks[s]):  # type: ignore[arg-type]
                raise InvalidPermutation(
                    f"sentence {s + 1}: the order has {len(orders[s])} words, the reference {len(ranks[s])}"  # type: ignore[arg-type]
                )
        counts = count([ranks[s] for s in kept], [orders[s] for s in kept])  # type: ignore[misc]
        for column, (numerator, denominator) in enumerate(self.fractions(counts)):
            rows[kept, 2 * column] = numerator
            rows[kept, 2 * column + 1] = denominator
        return rows


def count(ranks: Sequence[Ranks], orders: Sequence[Permutation]) -> Counts:
    """Count pairs and neighbours of all sentences at once."""
    read = [found[order.order] for found, order in zip(ranks, orders, strict=True)]
    read = [row[row >= 0] for row in read]
    words = np.array([len(row) for row in read], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(words)]).astype(np.int64)
    values = np.concatenate([*read, np.empty(0, np.int32)])
    # Equal ranks become rising numbers from left to right, so that they count as in order.
    sentence = np.repeat(np.arange(len(read)), words)
    by_rank = np.lexsort((values, sentence))
    places = np.empty(len(values), dtype=np.int32)
    places[by_rank] = np.arange(len(values)) - np.repeat(offsets[:-1], words)
    concordant, pairs = Kendall().counts(Permutations._trusted(places, offsets))
    step = np.diff(values)
    inside = (np.diff(sentence) == 0) & (step >= 0) & (step <= 1)
    steps = np.bincount(sentence[1:][inside], minlength=len(read))
    some = words > 0
    first, last = offsets[:-1][some], offsets[1:][some] - 1
    ends = np.zeros(len(read), dtype=np.int64)
    tops = np.array([row.max() for row in read if len(row)], dtype=np.int64)
    ends[some] = (values[first] == 0).astype(np.int64) + (values[last] == tops)
    all_pairs = words * (words - 1) // 2
    tied = np.array([_tied(row) for row in read], dtype=np.int64)
    discordant = np.where(pairs > 0, pairs - concordant, 0).round().astype(np.int64)
    return Counts(words, all_pairs, all_pairs - tied, discordant, steps, ends)


def _tied(row: Ranks) -> int:
    groups = np.bincount(row)
    return int((groups * (groups - 1) // 2).sum())


def _means(*scores: Doubles) -> list[tuple[Doubles, Doubles]]:
    return [(score, np.ones(len(score))) for score in scores]


def _share(numerator: Longs, denominator: Longs) -> Doubles:
    """Quotients; 1 where there is nothing to put in order."""
    some = denominator > 0
    return np.where(some, numerator / np.where(some, denominator, 1), 1.0)


def _thesis(c: Counts) -> list[tuple[Doubles, Doubles]]:
    tau = _share(c.pairs - c.discordant, c.pairs)
    return _means(tau, _share(c.steps, np.maximum(c.words - 1, 0)), (c.discordant == 0).astype(np.float64))


def _nakagawa(c: Counts) -> list[tuple[Doubles, Doubles]]:
    fuzzy = np.where(c.words > 1, (c.steps + c.ends) / (c.words + 1), 1.0)
    return _means(_share(c.pairs - c.discordant, c.pairs), fuzzy, (c.discordant == 0).astype(np.float64))


def _lader(c: Counts) -> list[tuple[Doubles, Doubles]]:
    borders = np.where(c.words > 0, c.words + 1, 0)
    chunk, tau = c.steps + c.ends, c.untied - c.discordant
    return [
        (chunk.astype(np.float64), borders.astype(np.float64)),
        (tau.astype(np.float64), c.untied.astype(np.float64)),
    ]


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant(
            "thesis",
            "all words, gold order by mean target position, means over sentences",
            ("kendall", "fuzzy", "exact"),
            thesis_ranks,
            _thesis,
            "link:mean|nulls:right|agg:macro|short:1.0",
        ),
        Variant(
            "nakagawa",
            "words with links, consistent sentences, means over sentences",
            ("tau", "frs", "exact"),
            nakagawa_ranks,
            _nakagawa,
            "nulls:drop|ties:right|bounds:yes|agg:macro|short:1.0",
        ),
        Variant(
            "lader",
            "blocks of equal rank, counts summed over sentences",
            ("chunk", "tau"),
            lader_ranks,
            _lader,
            "nulls:right|blocks:yes|brackets:yes|ties:out|bounds:yes|agg:micro",
        ),
    )
}
