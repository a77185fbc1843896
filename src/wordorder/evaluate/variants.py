"""The ways in which preordering has been scored: what is compared, and how it is counted.

============  =======================================================================================
``thesis``    Stanojević (2017, 3.4.1): all words against one gold order; means over sentences
``nakagawa``  top-down BTG (Nakagawa 2015): words with links; sentences whose links contradict no order;
              ties are right either way; sentence boundaries count for the fuzzy score; means over sentences
``lader``     LADER (Neubig et al. 2012): blocks of words that rank equal; counts are summed over sentences
``talbot``    Talbot et al. (2011): reference orders with groups, repeated words matched by their form
              (:mod:`wordorder.evaluate.talbot`, which has settings)
============  =======================================================================================

Every score is a quotient of two sums, so a sentence is a row of numerators and denominators.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Doubles, Longs
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation, Permutations
from wordorder.evaluate.gold import Ranks, lader_ranks, nakagawa_ranks, thesis_ranks
from wordorder.metrics.flat import Kendall

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


class Variant(ABC):
    """A named way to score: what is made of the links once, and a row of statistics for each order."""

    name: str
    about: str
    scores: tuple[str, ...]

    @abstractmethod
    def prepare(self, alignment: Alignment, words: Sequence[str] | None) -> Any:
        """What orders of this sentence are compared with; None if the sentence is left out."""

    @abstractmethod
    def rows(self, prepared: Sequence[Any], orders: Sequence[Permutation]) -> list[tuple[Doubles, Doubles]]:
        """The numerators and denominators of each score, of sentences that are not left out."""

    @abstractmethod
    def signature_for(self, *, links: str, words: bool) -> str:
        """All that can move the numbers; ``words`` says whether those of the source are known."""

    def stats(self, prepared: Sequence[Any], orders: Sequence[Permutation]) -> Doubles:
        """A row a sentence: numerator and denominator of each score; zeros for a sentence left out."""
        rows = np.zeros((len(prepared), 2 * len(self.scores)))
        kept = [s for s, found in enumerate(prepared) if found is not None]
        pairs = self.rows([prepared[s] for s in kept], [orders[s] for s in kept])
        for column, (numerator, denominator) in enumerate(pairs):
            rows[kept, 2 * column] = numerator
            rows[kept, 2 * column + 1] = denominator
        return rows


@dataclass(frozen=True, slots=True)
class RankVariant(Variant):
    """Scores that follow from the ranks of words: pairs and neighbours are counted."""

    name: str
    about: str
    scores: tuple[str, ...]
    rank: RankWords
    fractions: Callable[[Counts], list[tuple[Doubles, Doubles]]]
    facts: str

    def prepare(self, alignment: Alignment, words: Sequence[str] | None) -> Ranks | None:
        """The rank of each word."""
        return self.rank(alignment, words)

    def rows(self, prepared: Sequence[Ranks], orders: Sequence[Permutation]) -> list[tuple[Doubles, Doubles]]:
        """Count, and divide."""
        return self.fractions(count(prepared, orders))

    def signature_for(self, *, links: str = "all", words: bool = True) -> str:
        """All that can move the numbers; without source words brackets are not seen."""
        facts = self.facts if words else self.facts.replace("brackets:yes", "brackets:no")
        return f"preordering|variant:{self.name}|links:{links}|{facts}|v:{__version__}"


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


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        RankVariant(
            "thesis",
            "all words, gold order by mean target position, means over sentences",
            ("kendall", "fuzzy", "exact"),
            thesis_ranks,
            _thesis,
            "link:mean|nulls:right|agg:macro|short:1.0",
        ),
        RankVariant(
            "nakagawa",
            "words with links, consistent sentences, means over sentences",
            ("tau", "frs", "exact"),
            nakagawa_ranks,
            _nakagawa,
            "nulls:drop|ties:right|bounds:yes|agg:macro|short:1.0",
        ),
        RankVariant(
            "lader",
            "blocks of equal rank, counts summed over sentences",
            ("chunk", "tau"),
            lader_ranks,
            _lader,
            "nulls:right|blocks:yes|brackets:yes|ties:out|bounds:yes|agg:micro",
        ),
    )
}
