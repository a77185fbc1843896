"""Scores of systems that reorder, by variant and metric, with intervals and paired tests.

The order of each sentence gives a row of additive statistics. All systems are resampled together, sentence
by sentence, including sentences that a variant leaves out (their rows are zero).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from wordorder.arrays import Doubles, Ints
from wordorder.core.alignment import Alignment
from wordorder.core.orders import Words
from wordorder.core.permutation import Permutation, Permutations
from wordorder.engine.compare import THRESHOLDS, PairTest, Result, compare
from wordorder.errors import BadSetting, InvalidPermutation, UnknownName, WordOrderError
from wordorder.evaluate.variants import DEFAULT, OrderScore, Variant, variant
from wordorder.io.lines import counted
from wordorder.metrics.matched import labels
from wordorder.metrics.ordering import OrderingMetric

IDENTITY = "identity"  # no reordering: always the first system


@dataclass(frozen=True, slots=True)
class VariantScores:
    """The scores of all systems by one variant."""

    variant: Variant
    ranks: list[Ints | None]
    scores: tuple[OrderScore, ...]
    signatures: dict[str, str]  # by score
    cells: dict[str, dict[str, Result]]  # by system, then score
    pairs: dict[str, dict[tuple[str, str], PairTest]]  # by score, then pair of systems
    sentence_scores: dict[str, dict[str, Doubles]]  # by system, then score, of the sentences used

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
        data: dict[str, Any] = {
            "variant": self.variant.name,
            "about": self.variant.about,
            "use": self.variant.use,
            "used": self.used,
            "left_out": self.left_out,
            "words": self.words,
            "scores": [
                {"name": s.name, "higher_is_better": s.higher_is_better, "signature": self.signatures[s.name]}
                for s in self.scores
            ],
            "systems": {
                name: {score: cell.as_dict() for score, cell in cells.items()}
                for name, cells in self.cells.items()
            },
            "pairs": [
                {
                    "score": score,
                    "systems": list(pair),
                    "difference": test.difference,
                    "p_value": test.p_value,
                    "corrected": test.corrected,
                }
                for score, tests in self.pairs.items()
                for pair, test in tests.items()
            ],
        }
        if sentences:
            data["sentences"] = [s + 1 for s in self.sentences]
            data["sentence_scores"] = {
                name: {score: values.tolist() for score, values in columns.items()}
                for name, columns in self.sentence_scores.items()
            }
        return data


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Systems side by side, no reordering first, by several variants."""

    systems: tuple[str, ...]
    sentences: int
    words: int
    settings: ComparisonSettings
    variants: tuple[VariantScores, ...]

    def as_dict(self, *, sentences: bool = False) -> dict[str, Any]:
        """Return plain data for JSON; with ``sentences``, also the score of every sentence."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            **asdict(self.settings),
            "thresholds": THRESHOLDS,
            "variants": [scores.as_dict(sentences=sentences) for scores in self.variants],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSettings:
    """How systems are compared: each with ``baseline``, or all pairs too; not at all without samples."""

    paired: str | None = "bootstrap"
    baseline: str = IDENTITY
    all_pairs: bool = False
    samples: int = 1000
    seed: int = 12345


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
        [(chosen, chosen.ranks(alignments, words, links=links)) for chosen in map(variant, variants)],
        [alignment.source_size for alignment in alignments],
        {name: list(Permutations(orders)) for name, orders in systems.items()},
        ComparisonSettings(**settings),
        words=words,
        metrics=metrics,
        links=links,
    )


def score_systems(
    references: Sequence[tuple[Variant, list[Ints | None]]],
    sizes: Sequence[int],
    systems: Mapping[str, Sequence[Permutation]],
    settings: ComparisonSettings,
    *,
    words: Words | None = None,
    metrics: Sequence[OrderingMetric] = (),
    links: str = "all",
) -> Evaluation:
    """Score systems against ranks; ``sizes`` are the numbers of words of the sentences."""
    _check(sizes, systems)
    everyone = {IDENTITY: [Permutation.identity(size) for size in sizes], **systems}
    if settings.baseline not in everyone:
        raise UnknownName("baseline", settings.baseline, everyone)
    if not any(rank is not None for _, ranks in references for rank in ranks):
        raise WordOrderError("nothing to evaluate: no sentence has a reference order")
    own = tuple(OrderScore(name, metric) for name, metric in zip(labels(metrics), metrics, strict=True))
    variants = []
    for chosen, ranks in references:
        scores = own or chosen.scores
        rows = [chosen.rows(ranks, orders, scores, words) for orders in everyone.values()]
        signatures = {
            score.name: chosen.signature(
                links=links,
                words=words is not None,
                metric=score.by if own else None,  # type: ignore[arg-type]
            )
            for score in scores
        }
        variants.append(_compared(chosen, ranks, scores, signatures, list(everyone), rows, settings))
    return Evaluation(tuple(everyone), len(sizes), sum(sizes), settings, tuple(variants))


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


def _compared(
    chosen: Variant,
    ranks: list[Ints | None],
    scores: tuple[OrderScore, ...],
    signatures: dict[str, str],
    names: Sequence[str],
    rows: Sequence[Sequence[Doubles]],
    settings: ComparisonSettings,
) -> VariantScores:
    """Compare the systems by the scores of a variant."""
    tested = settings.samples > 1
    comparison = compare(
        rows,
        [score.scores for score in scores],
        samples=settings.samples,
        seed=settings.seed,
        paired=settings.paired if tested else None,
        baseline=names.index(settings.baseline),
        all_pairs=settings.all_pairs and tested,
    )
    columns = [score.name for score in scores]
    used = [s for s, rank in enumerate(ranks) if rank is not None]
    return VariantScores(
        chosen,
        ranks,
        scores,
        signatures,
        {
            name: dict(zip(columns, results, strict=True))
            for name, results in zip(names, comparison.results, strict=True)
        },
        {
            column: {(names[test.first], names[test.second]): test for test in tests}
            for column, tests in zip(columns, comparison.pairs, strict=False)
        },
        {
            name: {score.name: score.scores(part[used]) for score, part in zip(scores, parts, strict=True)}
            for name, parts in zip(names, rows, strict=True)
        },
    )
