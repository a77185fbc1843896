"""The base class of the forest CRFs: everything but the scores of edges.

A forest CRF is a distribution over all binary trees of a sentence (:mod:`wordorder.preorder.crf.forest`).
Subclasses learn an :class:`EdgeScorer`; training on soft forests, choosing ``min_gain``, cutting long
sentences, decoding and probabilities are the same for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np

from wordorder.arrays import Doubles, Floats
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays
from wordorder.preorder.crf.decoding import (
    Expectations,
    OrderProbabilities,
    ScoredPiece,
    apply_min_gain,
    best_tree,
    expectations,
    log_agreement,
    operator_probabilities,
    put_first,
    ranked_orders,
)
from wordorder.preorder.crf.min_gain import (
    MIN_SENTENCES,
    HeldOutResult,
    choose_min_gain,
    held_out_results,
    split_held_out,
)
from wordorder.preorder.long_sentences import Ranked, candidates, precedence_table
from wordorder.preorder.parses import with_parses
from wordorder.preorder.probabilistic import Belief, NodeProbability, Pairs, Probabilistic
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree
from wordorder.preorder.word_labels import Column, labelled

INFINITY = float("inf")
POOL = 100  # orders of least loss among which the most probable ones are looked for


class EdgeScorer(Protocol):
    """A learned function that scores the edges of sentences; called from several threads."""

    def scores(self, sources: Sequence[Source]) -> list[Floats]:
        """Return ``2 * edge_count(len(words))`` scores for each sentence, in the order of ``forest``."""
        ...

    def arrays(self) -> Arrays:
        """Return the learned weights by name, for the model file."""
        ...


@dataclass(frozen=True, kw_only=True)
class ForestCRF(Probabilistic):
    """A conditional random field over all binary trees of a sentence, learned from word-aligned text."""

    learns = True
    decoding_settings: ClassVar[tuple[str, ...]] = (
        "decoding", "adjacency", "possible", "moves", "piece", "temperature", "min_gain", "tune_min_gain",
    )  # fmt: skip

    # Model
    labels: Column = "none"
    canonical: bool = False
    # Training
    strength: float = 2.0
    stay: float = 0.03
    attach: bool = True
    automatic_strength: float = 0.3
    tune_min_gain: bool = True
    # Decoding
    decoding: Literal["consensus", "probable", "viterbi"] = "consensus"
    adjacency: float = 0.3
    possible: bool = True
    moves: bool = True
    piece: int = 100
    temperature: float = 1.0
    min_gain: float = 0.0

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        amounts = dict.fromkeys(("strength", "automatic_strength", "stay", "piece"), (0, INFINITY))
        self.check_bounds({**amounts, "adjacency": (0, 1), "min_gain": (0, 1), "temperature": (0.01, 100)})

    @property
    def needs(self) -> tuple[str, ...]:
        """Parses, if words have labels."""
        return () if self.labels == "none" else ("parse",)

    # Training

    @property
    def training_settings(self) -> dict[str, Any]:
        """The settings that a trained model depends on."""
        return {key: value for key, value in self.settings.items() if key not in self.decoding_settings}

    @abstractmethod
    def train(self, data: TrainingData, run: RunOptions) -> tuple[EdgeScorer, dict[str, Any]]:
        """Learn a scorer from labelled sentences; also return facts about the training."""

    def learn(self, data: TrainingData, run: RunOptions) -> Self:
        """Train a model, and choose ``min_gain`` on held-out sentences if there are enough."""
        data = self._labelled(data)
        model = self.fitted(*self.train(data, run))
        if not self.tune_min_gain or len(data.sources) < MIN_SENTENCES:
            return model
        results = self._held_out_results(data, run)
        min_gain = choose_min_gain(results)
        facts = {**model.trained, "held_out": len(results), "min_gain": min_gain}
        return replace(self, min_gain=min_gain).fitted(model.state, facts)

    def _labelled(self, data: TrainingData) -> TrainingData:
        """Attach the labels, and check that there is something to learn from."""
        if not any(len({i for i, _ in alignment.links}) > 1 for alignment in data.alignments):
            raise BadSetting("no training sentence has two linked words")
        automatic = data.automatic
        if automatic:
            automatic = (self._with_labels(automatic[0]), automatic[1])
        sources = self._with_labels(data.sources)
        return replace(data, sources=sources, automatic=automatic)

    def _with_labels(self, sources: Sequence[Source]) -> list[Source]:
        parsed = with_parses(sources) if "parse" in self.needs else sources
        return [labelled(source, self.labels) for source in parsed]

    def _held_out_results(self, data: TrainingData, run: RunOptions) -> list[HeldOutResult]:
        """Train on four fifths of the sentences, and apply that model to the others."""
        kept, held_out = split_held_out(data.sources)
        log, folder = run.log, run.checkpoint
        run = replace(
            run,
            log=(lambda record: log({**record, "trial": True})) if log else None,
            checkpoint=f"{folder}/trial" if folder else None,
        )
        part = replace(
            data,
            sources=[data.sources[s] for s in kept],
            alignments=[data.alignments[s] for s in kept],
        )
        model = replace(self, min_gain=0.0).fitted(*self.train(part, run))
        sources = [data.sources[s] for s in held_out]
        alignments = [data.alignments[s] for s in held_out]
        orders, tables = model.reorder_batch(sources), model.expectations(sources)
        return held_out_results(orders, tables, alignments, self.adjacency)

    @property
    def scorer(self) -> EdgeScorer:
        """The learned scorer of edges."""
        scorer: EdgeScorer = self.state
        return scorer

    def arrays(self) -> Arrays:
        """Return the weights of the scorer by name."""
        return self.scorer.arrays()

    # Reordering

    def score_edges(self, sources: Sequence[Source]) -> list[Floats]:
        """Return the scores of the edges of each sentence, before the temperature."""
        return self.scorer.scores(sources)

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the best order of each sentence."""
        return [self._candidates(pieces, 1)[0].order for pieces in self._scored(sources)]

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Return the k best different orders of each sentence with their probabilities."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        lists = []
        for pieces in self._scored(sources):
            probabilities = OrderProbabilities(pieces, canonical=self.canonical)
            best = self._candidates(pieces, k)
            lists.append([each._replace(log_prob=probabilities.of(each.order)) for each in best])
        return lists

    def _scored(self, sources: Sequence[Source]) -> list[list[ScoredPiece]]:
        """Return the scored pieces of each sentence; a repeated object is scored once."""
        different = {id(source): source for source in sources}
        parsed = with_parses(list(different.values())) if "parse" in self.needs else different.values()
        unique = {key: self.pieces(source) for key, source in zip(different, parsed, strict=True)}
        scores = iter(self.score_edges([piece for pieces in unique.values() for piece in pieces]))
        temperature = np.float32(self.temperature)
        scored = {
            key: [ScoredPiece(len(piece), next(scores) / temperature) for piece in pieces]
            for key, pieces in unique.items()
        }
        return [scored[id(source)] for source in sources]

    def pieces(self, source: Source) -> list[Source]:
        """Return the pieces of a long sentence that are ordered separately, with their labels."""
        return super().pieces(labelled(source, self.labels))

    @property
    def longest_piece(self) -> int:
        """The setting ``piece``."""
        return self.piece

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders are sorted by expected loss: only if nothing but word pairs counts."""
        return self.decoding == "consensus" and self.adjacency == 0

    def _candidates(self, pieces: Sequence[ScoredPiece], k: int) -> list[Candidate]:
        tables, orders = zip(*(self._ranked(piece, k) for piece in pieces), strict=True)
        return candidates(tables, orders, k)

    def _ranked(self, piece: ScoredPiece, k: int) -> tuple[Doubles, Ranked]:
        """Return the inversion table of a piece, and up to k orders with their expected wrong pairs."""
        n, scores = piece
        tables = expectations(scores, n, canonical=self.canonical)
        size = max(k, POOL) if self.decoding == "probable" else k
        moves = self.moves and not self.possible  # all orders of binary trees, and no others, are possible
        orders = ranked_orders(tables, size, adjacency=self.adjacency, moves=moves)
        if self.decoding != "consensus":
            best = best_tree(scores, n, canonical=self.canonical).order()
            orders = put_first(best.order.tolist(), orders, tables, size)
        if self.decoding == "probable":
            probabilities = OrderProbabilities([piece], canonical=self.canonical)
            known = [probabilities.of(Permutation.from_order(order)) or 0.0 for _, order in orders]
            orders = [orders[i] for i in sorted(range(len(orders)), key=lambda i: -known[i])[:k]]
        orders = apply_min_gain(orders, tables, adjacency=self.adjacency, min_gain=self.min_gain)
        return tables.inverted, orders

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """Return tables in which ``[i, j]`` is the probability that word i comes before word j."""
        return [self._precedence(pieces) for pieces in self._scored(sources)]

    def _precedence(self, pieces: Sequence[ScoredPiece]) -> Doubles:
        return precedence_table([expectations(s, n, canonical=self.canonical).inverted for n, s in pieces])

    def expectations(self, sources: Sequence[Source]) -> list[list[Expectations]]:
        """Return the expectation tables of each sentence, piece by piece; orders follow from these alone."""
        return [
            [expectations(piece.scores, piece.words, canonical=self.canonical) for piece in pieces]
            for pieces in self._scored(sources)
        ]

    def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
        """Return the most probable tree of each sentence's order; flat if no binary tree yields it."""
        trees = []
        for pieces in self._scored(sources):
            children: list[SourceTree | int] = []
            start = 0
            for piece in pieces:
                order = None
                if self.decoding == "consensus":
                    order = Permutation.from_order(self._ranked(piece, 1)[1][0][1])
                tree = best_tree(piece.scores, piece.words, canonical=self.canonical, order=order)
                children += tree.shifted(start).children
                start += piece.words
            trees.append(SourceTree("ROOT", tuple(children)))
        return trees

    # Probabilities

    def log_probability_batch(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> list[float | None]:
        """Return the log probability of each order, summed over its trees.

        The pieces of a long sentence are independent; None if the order mixes words of different pieces.
        """
        return [
            OrderProbabilities(pieces, canonical=self.canonical).of(order)
            for pieces, order in zip(self._scored(sources), orders, strict=True)
        ]

    def beliefs(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[Belief]:
        """Return the precedence table of each sentence and the log probability of an order."""
        return [
            Belief(self._precedence(pieces), OrderProbabilities(pieces, canonical=self.canonical).of(order))
            for pieces, order in zip(self._scored(sources), orders, strict=True)
        ]

    def agreement(self, sources: Sequence[Source], pairs: Sequence[Pairs]) -> list[float]:
        """Return the log probability that all of these word pairs are in the given order."""
        return [
            log_agreement(pieces, own, canonical=self.canonical)
            for pieces, own in zip(self._scored(sources), pairs, strict=True)
        ]

    def operators(
        self, sources: Sequence[Source], trees: Sequence[SourceTree]
    ) -> list[dict[tuple[int, int], NodeProbability]]:
        """Return the probabilities of the binary nodes of each tree."""
        return [
            operator_probabilities(pieces, tree, canonical=self.canonical)
            for pieces, tree in zip(self._scored(sources), trees, strict=True)
        ]
