"""Scores of systems that reorder, by reference, variant and metric, with intervals and paired tests.

The order of each sentence gives a row of additive statistics. All systems are resampled together, sentence
by sentence, including sentences that a variant leaves out (their rows are zero).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles, Ints
from wordorder.core.alignment import Alignment
from wordorder.core.displayed import Displayed
from wordorder.core.orders import Words
from wordorder.core.permutation import Permutation, Permutations
from wordorder.engine.compare import THRESHOLDS, PairTest, Result
from wordorder.errors import BadSetting, InvalidPermutation, UnknownName, WordOrderError
from wordorder.evaluate.columns import (
    IDENTITY,
    Column,
    ColumnMeasure,
    ComparisonSettings,
    columns_as_dict,
    compare_systems,
)
from wordorder.evaluate.variants import DEFAULT, OrderScore, Variant, variant
from wordorder.io.lines import counted
from wordorder.metrics.matched import labels
from wordorder.metrics.ordering import OrderingMetric


@dataclass(frozen=True, slots=True)
class ReferenceOrders:
    """Reference orders as ranks, by a variant; ``name`` tells several references apart."""

    variant: Variant
    ranks: list[Ints | None]
    name: str = ""


@dataclass(frozen=True, slots=True)
class VariantScores:
    """The scores of all systems by one variant, against one reference."""

    reference: str
    variant: Variant
    ranks: list[Ints | None]
    scores: tuple[OrderScore, ...]
    columns: tuple[Column, ...]  # one for each score

    @property
    def title(self) -> str:
        """The variant with its settings, and of the reference if there are several."""
        return f"{self.variant.spec}, reference {self.reference}" if self.reference else self.variant.spec

    @property
    def cells(self) -> dict[str, dict[str, Result]]:
        """The results by system, then score."""
        return {
            name: {column.name: column.cells[name] for column in self.columns}
            for name in self.columns[0].cells
        }

    @property
    def pairs(self) -> dict[str, dict[tuple[str, str], PairTest]]:
        """The tests by score, then pair of systems."""
        return {column.name: column.pairs for column in self.columns if column.pairs}

    @property
    def sentence_scores(self) -> dict[str, dict[str, Doubles]]:
        """The scores of the sentences used, by system, then score."""
        return {
            name: {column.name: column.sentence_scores[name][self.sentences] for column in self.columns}
            for name in self.columns[0].cells
        }

    @property
    def signatures(self) -> dict[str, str]:
        """The signatures by score."""
        return {column.name: column.measure.signature for column in self.columns}

    @property
    def sentences(self) -> list[int]:
        """The sentences that are scored, counted from 0."""
        return [s for s, rank in enumerate(self.ranks) if rank is not None]

    @property
    def used(self) -> int:
        """The number of sentences that are scored."""
        return len(self.sentences)

    @property
    def left_out(self) -> int:
        """The number of sentences without a reference order."""
        return len(self.ranks) - self.used

    @property
    def words(self) -> int:
        """The number of words that are compared."""
        return int(sum((rank >= 0).sum() for rank in self.ranks if rank is not None))

    def as_dict(self, *, sentences: bool = False) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "reference": self.reference,
            "variant": self.variant.spec,
            "about": self.variant.about,
            "use": self.variant.use,
            "used": self.used,
            "left_out": self.left_out,
            "words": self.words,
            **columns_as_dict(self.columns, self.sentences if sentences else None),
        }


@dataclass(frozen=True, slots=True)
class Evaluation(Displayed):
    """Systems side by side, no reordering first, by several variants and references.

    ``translations`` and ``ratings`` are scores of the systems that do not depend on reference orders.
    """

    systems: tuple[str, ...]
    sentences: int
    words: int
    settings: ComparisonSettings
    variants: tuple[VariantScores, ...]
    translations: tuple[Column, ...] = ()
    ratings: Column | None = None

    def __repr__(self) -> str:
        names = ", ".join(scores.variant.spec for scores in self.variants)
        return f"<Evaluation of {len(self.systems)} systems on {self.sentences} sentences: {names}>"

    @property
    def beside(self) -> tuple[Column, ...]:
        """The columns that stand beside those of every variant."""
        return self.translations if self.ratings is None else (*self.translations, self.ratings)

    def as_dict(self, *, sentences: bool = False) -> dict[str, Any]:
        """Return plain data for JSON; with ``sentences``, also the score of every sentence."""
        every = range(self.sentences) if sentences else None
        return {
            "sentences": self.sentences,
            "words": self.words,
            **asdict(self.settings),
            "thresholds": THRESHOLDS,
            "variants": [scores.as_dict(sentences=sentences) for scores in self.variants],
            "translations": columns_as_dict(self.translations, every) if self.translations else None,
            "ratings": columns_as_dict([self.ratings], every) if self.ratings else None,
        }


def evaluate_orders(
    alignments: Sequence[Alignment],
    systems: Mapping[str, Sequence[Permutation] | Sequence[Sequence[int]]],
    *,
    words: Words | None = None,
    variants: Sequence[str] = DEFAULT,
    metrics: Sequence[OrderingMetric] = (),
    links: str = "all",
    **settings: Any,
) -> Evaluation:
    """Score the orders of each system against the order that the links give.

    Each system has one permutation per sentence; plain numbers are the places of the words.
    ``words`` are the source words: they match repeated words, and find brackets and punctuation. ``metrics``
    replace the scores of the variants. ``links="sure"`` leaves out possible links. No reordering is always
    evaluated too. The other settings are those of :class:`ComparisonSettings`.

    >>> gold = [Alignment(3, 3, [(0, 2), (1, 0), (2, 1)])]
    >>> evaluation = evaluate_orders(gold, {"mine": [Permutation.from_order([1, 2, 0])]}, samples=0)
    >>> evaluation.variants[0].cells["mine"]["tau"].score
    1.0
    """
    return score_systems(
        [
            ReferenceOrders(chosen, chosen.ranks(alignments, words, links=links))
            for chosen in map(variant, variants)
        ],
        [alignment.source_size for alignment in alignments],
        {name: list(Permutations(orders)) for name, orders in systems.items()},
        ComparisonSettings(**settings),
        words=words,
        metrics=metrics,
        links=links,
    )


def score_systems(
    references: Sequence[ReferenceOrders],
    sizes: Sequence[int],
    systems: Mapping[str, Sequence[Permutation]],
    settings: ComparisonSettings,
    *,
    words: Words | None = None,
    metrics: Sequence[OrderingMetric] = (),
    links: str = "all",
    translations: Sequence[Column] = (),
    ratings: Column | None = None,
) -> Evaluation:
    """Score systems against reference orders; ``sizes`` are the numbers of words of the sentences."""
    _check(sizes, systems)
    everyone = {IDENTITY: [Permutation.identity(size) for size in sizes], **systems}
    if settings.baseline not in everyone:
        raise UnknownName("baseline", settings.baseline, everyone)
    for name in {reference.name: None for reference in references}:
        ranks = [rank for reference in references if reference.name == name for rank in reference.ranks]
        if all(rank is None for rank in ranks):
            where = f" in {name}" if name else ""
            raise WordOrderError(f"nothing to evaluate: no sentence has a reference order{where}")
    titles = [(reference.name, reference.variant.spec) for reference in references]
    for title in titles:
        if titles.count(title) > 1:
            raise BadSetting(f"the variant {title[1]} is given twice")
    own = order_scores(metrics)
    variants = []
    for reference in references:
        chosen, ranks = reference.variant, reference.ranks
        scores = own or chosen.scores
        measures = [
            ColumnMeasure(
                score.name,
                score.higher_is_better,
                chosen.signature(
                    links=links,
                    words=words is not None,
                    metric=score.by if own else None,  # type: ignore[arg-type]
                ),
                score.scores,
            )
            for score in scores
        ]
        rows = {name: chosen.rows(ranks, orders, scores, words) for name, orders in everyone.items()}
        used = np.array([rank is not None for rank in ranks])
        by_sentence = {
            name: [
                np.where(used, score.scores(part), np.nan) for score, part in zip(scores, parts, strict=True)
            ]
            for name, parts in rows.items()
        }
        columns = compare_systems(measures, rows, by_sentence, settings)
        variants.append(VariantScores(reference.name, chosen, ranks, tuple(scores), columns))
    return Evaluation(
        tuple(everyone), len(sizes), sum(sizes), settings, tuple(variants), tuple(translations), ratings
    )


def order_scores(metrics: Sequence[OrderingMetric]) -> tuple[OrderScore, ...]:
    """Return the scores that ordering metrics compute, with their labels as names."""
    return tuple(OrderScore(name, metric) for name, metric in zip(labels(metrics), metrics, strict=True))


def _check(sizes: Sequence[int], systems: Mapping[str, Sequence[Permutation]]) -> None:
    if not sizes:
        raise WordOrderError("nothing to evaluate: no sentences")
    if IDENTITY in systems:
        raise BadSetting(f"{IDENTITY!r} names the system that does not reorder, which is always evaluated")
    for name, orders in systems.items():
        if len(orders) != len(sizes):
            raise WordOrderError(
                f"{name} has {counted(len(orders), 'order')} for {counted(len(sizes), 'sentence')}"
            )
        for s, (order, size) in enumerate(zip(orders, sizes, strict=True), start=1):
            if len(order) != size:
                raise InvalidPermutation(
                    f"{name}, sentence {s}: the order has {len(order)} words, the sentence {size}"
                )
