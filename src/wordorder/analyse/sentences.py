"""The sentences of scored systems side by side: words, partners in the reference, orders and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from wordorder import _native
from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.alignment import Alignment, Link
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutations
from wordorder.engine.score_texts import CorpusStatistics, TextBlock
from wordorder.metrics.base import Metric
from wordorder.metrics.flat import lengths
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.segments import Matched, Matching, References, Segments, given_policy
from wordorder.metrics.tree import PetSize, tree_counts
from wordorder.metrics.weighted_features import WeightedFeatures
from wordorder.text.segmentation import tokenizer_for

Lines = list[list[str]]  # the words of each segment


@dataclass(frozen=True)
class AlignedTexts:
    """Given alignments of source words with a text: its words, and links from the source."""

    words: Lines
    links: list[list[Link]]


@dataclass(frozen=True)
class SystemSentences:
    """The output of a system, segment by segment.

    ``partners`` are the positions in the reference of the words with which words are matched, or -1. Where
    alignments are given, ``words`` are the source words in the order of the output, and the reference has
    them in its own order.
    """

    name: str
    words: Lines
    partners: list[list[int]]
    rows: Sequence[Doubles]  # statistics by metric
    scores: Sequence[Doubles]  # by metric
    aligned: AlignedTexts | None = None
    features: Mapping[str, WeightedFeatures] = field(default_factory=dict)  # of linear models, by metric

    @cached_property
    def permutations(self) -> Permutations:
        """The orders of the matched words."""
        offsets = np.cumsum([0, *map(len, self.partners)])
        places = np.array([place for line in self.partners for place in line], dtype=np.int32)
        return Permutations._trusted(*_native.renumber(places, offsets))

    @cached_property
    def lengths(self) -> Longs:
        """The number of words of each segment."""
        return np.array([len(line) for line in self.words], dtype=np.int64)

    @cached_property
    def longest_operators(self) -> Doubles:
        """The length of the longest operator of each tree; 0 without one."""
        return tree_counts(self.permutations)[:, 1]

    @cached_property
    def tree_sizes(self) -> Doubles:
        """How far each order factorises, between 0 and 1 (``pet_size``)."""
        return PetSize().score_orders(self.permutations)

    @cached_property
    def movements(self) -> Doubles:
        """How far the word moved that moved farthest, in places among the matched words."""
        orders = self.permutations
        places = np.arange(len(orders.values)) - np.repeat(orders.offsets[:-1], orders.lengths)
        farthest = np.zeros(len(orders))
        sentence = np.repeat(np.arange(len(orders)), orders.lengths)
        np.maximum.at(farthest, sentence, np.abs(orders.values - places).astype(np.float64))
        return farthest


@dataclass(frozen=True)
class ComparedSentences:
    """The segments of all systems with one reference each."""

    numbers: list[int]  # of the segments in their files, from 1
    metrics: Mapping[str, Metric]  # by label
    reference: Lines
    chosen: list[int]  # number of the reference that is shown, from 0: that which shares most words
    systems: list[SystemSentences]
    matching: Matching | None  # None where alignments are given
    source: Lines | None = None  # with given alignments
    source_positions: list[list[int]] | None = None  # of the words of the reference, with given alignments
    aligned: AlignedTexts | None = None  # the reference, with given alignments

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def reference_lengths(self) -> Longs:
        """The number of words of each reference."""
        return np.array([len(line) for line in self.reference], dtype=np.int64)

    def matched_shares(self, system: int) -> Doubles:
        """Return the share of words matched, on both sides; 1 where there is none."""
        one = self.systems[system]
        matched = 2 * lengths(one.permutations)
        total = (one.lengths + self.reference_lengths).astype(np.float64)
        return np.where(total == 0, 1.0, matched / np.maximum(total, 1))

    def terms(self, system: int, label: str) -> dict[str, Doubles]:
        """Return the numbers that fill in the formula of a metric; NaN where they do not explain the score.

        A metric may choose another reference than the one that is shown.
        """
        number, metric = list(self.metrics).index(label), self.metrics[label]
        one = self.systems[system]
        if label in one.features:
            return one.features[label].terms
        if not isinstance(metric, OrderingMetric):
            return metric.terms(one.rows[number])
        explained = self._explained(metric, one, number)
        terms = metric.terms(one.rows[number], one.permutations)
        return {name: np.where(explained, values, np.nan) for name, values in terms.items()}

    def node_scores(self, system: int, label: str) -> list[list[float]]:
        """Return the scores of the nodes of each tree, in postorder, for a metric that is made of them.

        A sentence has none if they do not explain its score.
        """
        number, metric = list(self.metrics).index(label), self.metrics[label]
        one = self.systems[system]
        if not isinstance(metric, OrderingMetric) or not metric.has_node_scores:
            return []
        explained = self._explained(metric, one, number).tolist()
        nodes = metric.node_scores(one.permutations)
        return [own.tolist() if known else [] for own, known in zip(nodes, explained, strict=True)]

    def _explained(self, metric: OrderingMetric, system: SystemSentences, number: int) -> Bools:
        """Return of which sentences the score is that of the order that is shown."""
        if self.matching is not None and metric.matching != self.matching:
            return np.zeros(len(self), np.bool_)
        own = metric.score_orders(system.permutations)
        return np.isclose(own, system.scores[number], rtol=0, atol=1e-9)


def compared_sentences(
    blocks: Sequence[TextBlock],
    metrics: Mapping[str, Metric],
    scored: CorpusStatistics,
    *,
    sources: Mapping[int, Sequence[str]] | None = None,
) -> ComparedSentences:
    """Collect the sentences of all systems; ``sources`` are source words by number, for given alignments."""
    matching = None if blocks[0].given else _matching(metrics, blocks[0])
    parts = [
        _given(block, sources or {}) if matching is None else _matched(block, matching) for block in blocks
    ]
    systems = []
    for k, counts in enumerate(scored.systems):
        rows = scored.rows_of(k)
        systems.append(
            SystemSentences(
                counts.name,
                [line for part in parts for line in part.words[k]],
                [line for part in parts for line in part.partners[k]],
                rows,
                [metric.segment_scores(own) for metric, own in zip(metrics.values(), rows, strict=True)],
                _joined([part.aligned[k] for part in parts if part.aligned]),
                _features(blocks, k, metrics),
            )
        )
    return ComparedSentences(
        [number for block in blocks for number in block.numbers],
        metrics,
        [line for part in parts for line in part.reference],
        [number for part in parts for number in part.chosen],
        systems,
        matching,
        [line for part in parts for line in part.source] if matching is None else None,
        [line for part in parts for line in part.source_positions] if matching is None else None,
        _joined([part.aligned[-1] for part in parts if part.aligned]),
    )


@dataclass(frozen=True)
class _Part:
    """A block of segments, by system; ``aligned`` has the systems, then the reference."""

    words: list[Lines]
    partners: list[list[list[int]]]
    reference: Lines
    chosen: list[int]
    source: Lines
    source_positions: list[list[int]]
    aligned: list[AlignedTexts]


def _joined(parts: Sequence[AlignedTexts]) -> AlignedTexts | None:
    if not parts:
        return None
    return AlignedTexts(
        [line for part in parts for line in part.words], [line for part in parts for line in part.links]
    )


def _features(
    blocks: Sequence[TextBlock], system: int, metrics: Mapping[str, Metric]
) -> dict[str, WeightedFeatures]:
    """Return the features of a system's segments, for each metric that is a linear model."""
    found: dict[str, list[WeightedFeatures]] = {}
    for block in blocks:
        segments = Segments(block.systems[system], block.references)
        for label, metric in metrics.items():
            if (features := metric.weighted_features(segments)) is not None:
                found.setdefault(label, []).append(features)
    return {label: WeightedFeatures.joined(each) for label, each in found.items()}


def _matching(metrics: Mapping[str, Metric], block: TextBlock) -> Matching:
    """Return how the first metric matches words, or the standard where none does."""
    for metric in metrics.values():
        if isinstance(metric, MatchedMetric) and given_policy(metric.match) is None:
            return metric.matching
    return Matching(tokenize=tokenizer_for(block.references[0]) or "13a")


def _matched(block: TextBlock, matching: Matching) -> _Part:
    references = References(block.references)
    matched = [Segments(texts, references).matched(matching) for texts in block.systems]
    shared = np.array([[stream.matched for stream in streams] for streams in matched]).sum(axis=0)
    chosen: list[int] = shared.argmax(axis=0).tolist()  # shares most words with all systems together
    reference_lines = [_as_written(stream, matching) for stream in block.references]
    partners = []
    for streams in matched:
        positions = [_partners(stream) for stream in streams]
        partners.append([positions[r][s] for s, r in enumerate(chosen)])
    return _Part(
        [_as_written(texts, matching) for texts in block.systems],
        partners,
        [reference_lines[r][s] for s, r in enumerate(chosen)],
        chosen,
        [],
        [],
        [],
    )


def _partners(matched: Matched) -> list[list[int]]:
    assert matched.texts is not None
    matches = matched.texts.matches
    places, offsets = matches.positions.tolist(), matches.offsets.tolist()
    return [places[begin:end] for begin, end in pairwise(offsets)]


def _as_written(texts: Sequence[str], matching: Matching) -> Lines:
    """Split texts as the matching does, but keep capitals unless lower case has other words."""
    table = replace(matching, lowercase=False).table()
    tokens = table.encode(texts)
    written = table.words
    lines = [[written[k] for k in line] for line in tokens]
    if matching.lowercase:
        lower = matching.table()
        small = lower.encode(texts)
        known = lower.words
        for s in np.flatnonzero(small.lengths != tokens.lengths).tolist():
            begin, end = small.offsets[s : s + 2]
            lines[s] = [known[k] for k in small.ids[begin:end].tolist()]
    return lines


def _given(block: TextBlock, sources: Mapping[int, Sequence[str]]) -> _Part:
    assert block.given is not None
    first = block.given[0]
    source = [
        list(sources.get(number, map(str, range(1, first.hypotheses[s].source_size + 1))))
        for s, number in enumerate(block.numbers)
    ]
    reference_orders = orders_from_links(first.references[0], first.policy)
    words, partners, aligned = [], [], []
    for texts, given in zip(block.systems, block.given, strict=True):
        orders = orders_from_links(given.hypotheses, given.policy)
        words.append([order.apply(line) for order, line in zip(orders.permutations, source, strict=True)])
        counted = np.split(orders.ranks.values[orders.read_words] >= 0, orders.permutations.offsets[1:-1])
        partners.append(
            [
                [place if counts else -1 for place, counts in zip(order, own.tolist(), strict=True)]
                for order, own in zip(orders.relative_to(reference_orders), counted, strict=True)
            ]
        )
        aligned.append(_aligned(texts, given.hypotheses))
    aligned.append(_aligned(block.references[0], first.references[0]))
    reference = [order.apply(line) for order, line in zip(reference_orders.permutations, source, strict=True)]
    positions: list[list[int]] = [order.order.tolist() for order in reference_orders.permutations]
    return _Part(words, partners, reference, [0] * len(source), source, positions, aligned)


def _aligned(texts: Sequence[str], alignments: Sequence[Alignment]) -> AlignedTexts:
    return AlignedTexts([text.split() for text in texts], [list(alignment.links) for alignment in alignments])
