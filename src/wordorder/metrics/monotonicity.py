"""How monotone an order is, for simultaneous translation and reading effort.

All count effort, so lower is better. The words of the permutation are those of the output; their places are
positions in the source, or in the reference for text.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from wordorder import _native
from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.alignment import Alignments
from wordorder.core.orders import target_spans
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting
from wordorder.metrics.flat import ADJACENT, INVERSIONS, count, lengths, pairs
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Matched


@dataclass(frozen=True, kw_only=True)
class LinkMetric(OrderingMetric):
    """A count of effort that is also defined for the links of source and translation as they are.

    ``over=links`` counts links instead of the places of words in an order, so that a word may have several
    links or none. In a permutation every word has one link, and both are the same.
    """

    over: Literal["order", "links"] = "order"

    @abstractmethod
    def link_counts(self, links: Alignments) -> tuple[Doubles, Doubles]:
        """Return the numerator and the denominator of each sentence, from its links."""

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute the statistics and the scores of segments against the source."""
        if self.over == "order":
            return super().reference_statistics(matched)
        if matched.links is None:
            raise BadSetting(
                f"{self.name}: over=links counts links with the source, and here words are matched.",
                suggest={"over": "order"},
            )
        counted = self.link_counts(matched.links)
        nothing = (matched.matched == 0) & ~matched.both_empty
        scores = np.where(nothing, self.worst, self.score_counts(*counted))
        return self.weighted(scores, matched.reference_lengths, lambda: counted), scores

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the numerator and the denominator, which an order does not know if links are counted."""
        return {} if self.over == "links" else super().terms(rows, permutations)

    @property
    def equation(self) -> str:
        """What is divided by what."""
        return "" if self.over == "links" else super().equation


@register
@dataclass(frozen=True, kw_only=True)
class Anticipation(LinkMetric):
    """Share of words that a wait-k policy must guess: written t-th, but at source position t + k or later.

    This is the k-anticipation rate of Chen et al. (2021). At lag k the policy has read t + k source words
    when it writes word t (from 0). They define it by links (``over=links``): t is a position in the
    translation, and the word is guessed if any of its source words stands at t + k or later.

    >>> Anticipation()([2, 0, 1, 3]), Anticipation(k=3)([2, 0, 1, 3])
    (0.25, 0.0)
    """

    name = "anticipation"
    what = "words to be guessed / words"
    higher_is_better = False
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"k": (1, 2**31 - 1)}
    k: int = 1

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count words to be guessed, and all words."""
        guessed = _native.anticipated(permutations.values, permutations.offsets, self.k)
        return guessed.astype(np.float64), lengths(permutations)

    def link_counts(self, links: Alignments) -> tuple[Doubles, Doubles]:
        """Count words of the translation that must be guessed, and all words of the translation."""
        sizes = links.target_sizes
        _, last = target_spans(links.inverse())  # the last source word of each word; -1: no link
        sentence = np.repeat(np.arange(len(sizes)), sizes)
        place = np.arange(len(sentence)) - (np.cumsum(sizes) - sizes)[sentence]
        guessed = sentence[last >= place + self.k]
        return np.bincount(guessed, minlength=len(sizes)).astype(np.float64), sizes.astype(np.float64)


@register
@dataclass(frozen=True, kw_only=True)
class Crossings(LinkMetric):
    """Pairs of links that cross: how many in a sentence, per word, or as a share of all pairs.

    With ``over=links``, a word with several links counts several times, as in ``word_cross`` of astred;
    ``word`` then divides by the number of links, and ``share`` by the number of pairs of links.

    >>> [Crossings(scale=s)([2, 0, 1, 3]) for s in ("count", "word", "share")]
    [2.0, 0.5, 0.3333333333333333]
    """

    name = "crossings"
    what = "crossing pairs / divisor"
    higher_is_better = False
    scale: Literal["count", "word", "share"] = "count"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count crossing pairs, and what they are divided by."""
        per = {
            "count": np.ones(len(permutations)),
            "word": lengths(permutations),
            "share": pairs(permutations),
        }
        return count(permutations, INVERSIONS), per[self.scale]

    def link_counts(self, links: Alignments) -> tuple[Doubles, Doubles]:
        """Count pairs of links that cross, and what they are divided by."""
        return self.counts(link_order(links))

    @property
    def range(self) -> tuple[float, float]:
        """0 and up; only the share is bounded."""
        return 0.0, 1.0 if self.scale == "share" else float("inf")


def link_order(links: Alignments) -> Permutations:
    """Order the links of each sentence by their target words, as a permutation of the links by source words.

    Links that share a word do not cross, so they keep the order of their other words.

    >>> [list(order) for order in link_order(Alignments.from_links([[(0, 1), (1, 0), (1, 1)]]))]
    [[1, 0, 2]]
    """
    sentence, (source, target) = links.sentence, links.pairs.T
    by_source = np.lexsort((target, source, sentence))
    by_target = np.lexsort((source, target, sentence))
    places = np.empty(len(sentence), dtype=np.int64)
    places[by_target] = np.arange(len(sentence)) - links.offsets[sentence]
    return Permutations._trusted(places[by_source].astype(np.int32), links.offsets)


@register
@dataclass(frozen=True, kw_only=True)
class Chunks(OrderingMetric):
    """Number of chunks: runs of words that stand side by side and in the same order on both sides.

    >>> Chunks()([2, 0, 1, 3]), Chunks()([0, 1, 2, 3])
    (3.0, 1.0)
    """

    name = "chunks"
    what = "chunks / 1"
    higher_is_better = False

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Count chunks, and sentences with words."""
        n = lengths(permutations)
        return n - count(permutations, ADJACENT), (n > 0).astype(np.float64)

    @property
    def range(self) -> tuple[float, float]:
        """1 and up."""
        return 1.0, float("inf")


@register
@dataclass(frozen=True, kw_only=True)
class Lag(OrderingMetric):
    """Source words to stay behind the speaker so that nothing must be guessed.

    ``needed`` is the smallest k at which a wait-k policy guesses nothing: 1 + max (ranks[t] - t). ``average``
    is the average lagging (Ma et al. 2019) of the fastest policy that never guesses: it writes a word as soon
    as its source word, and those of all words before it, have been read.

    >>> Lag()([2, 0, 1, 3]), Lag(scale="average")([2, 0, 1, 3])
    (3.0, 1.75)
    """

    name = "lag"
    what = "lag / divisor"
    higher_is_better = False
    scale: Literal["needed", "average"] = "needed"

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the lag and 1; or the sum of lags, and the number of words until the source is read."""
        values, offsets = permutations.values.astype(np.int64), permutations.offsets
        sentence = np.repeat(np.arange(len(permutations)), permutations.lengths)
        start = offsets[:-1][sentence]
        # Values of later sentences are larger, so that one running maximum serves all of them.
        read = np.maximum.accumulate(values + start) - start + 1
        lag = read - (np.arange(len(values)) - start)
        if self.scale == "needed":
            most = np.zeros(len(permutations), dtype=np.int64)
            np.maximum.at(most, sentence, lag)
            return most.astype(np.float64), (permutations.lengths > 0).astype(np.float64)
        counted = _until_all_is_read(read, permutations.lengths[sentence], sentence)
        total = np.bincount(sentence[counted], weights=lag[counted], minlength=len(permutations))
        words = np.bincount(sentence[counted], minlength=len(permutations))
        return total.astype(np.float64), words.astype(np.float64)

    @property
    def range(self) -> tuple[float, float]:
        """1 and up."""
        return 1.0, float("inf")


def _until_all_is_read(read: Longs, size: Longs, sentence: Longs) -> Bools:
    """Say which words are written up to the moment at which the whole source is read, that word included."""
    whole = read >= size
    first = np.r_[True, sentence[1:] != sentence[:-1]][: len(sentence)]
    before = np.r_[False, whole[:-1]][: len(whole)] & ~first  # the source was read before this word
    return np.asarray(~before)
