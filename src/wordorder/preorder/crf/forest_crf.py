"""The base class of the forest CRFs: everything but the scores of edges.

A forest CRF is a distribution over all binary trees of a sentence (:mod:`wordorder.preorder.crf.forest`).
Subclasses learn an :class:`EdgeScorer`; training on soft forests, choosing ``min_gain``, cutting long
sentences, decoding and probabilities are the same for all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays
from wordorder.preorder.crf.carried_words import carry
from wordorder.preorder.crf.decoding import (
    Expectations,
    OrderProbabilities,
    ScoredPiece,
    ScoredWindows,
    SentenceScores,
    SentenceTables,
    apply_min_gain,
    best_tree,
    carried_in_parts,
    carried_orders,
    expectations_of,
    log_agreement,
    operator_probabilities,
    put_first,
    whole_expectations,
)
from wordorder.preorder.crf.min_gain import (
    MIN_SENTENCES,
    HeldOutResult,
    choose_min_gain,
    held_out_results,
    split_held_out,
)
from wordorder.preorder.long_sentences import (
    Ranked,
    candidates,
    check_length,
    precedence_table,
    section,
    window_starts,
)
from wordorder.preorder.parses import with_parses
from wordorder.preorder.phrases import with_phrases
from wordorder.preorder.probabilistic import Belief, NodeProbability, Pairs, Probabilistic
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree
from wordorder.preorder.word_labels import Column, labelled

Part = ScoredPiece | ScoredWindows
INFINITY = float("inf")
POOL = 100  # orders of least loss among which the most probable ones are looked for


class EdgeScorer(Protocol):
    """A learned function that scores the edges of sentences; called from several threads."""

    def scores(self, sources: Sequence[Source]) -> list[SentenceScores]:
        """Score the edges of each sentence and, if the model knows them, its linked words."""
        ...

    def arrays(self) -> Arrays:
        """Return the learned weights by name, for the model file."""
        ...


@dataclass(frozen=True, kw_only=True)
class ForestCRF(Probabilistic):
    """A conditional random field over all binary trees of a sentence, learned from word-aligned text.

    A chart grows with the cube of the length of a sentence. Sentences of more than ``piece`` words are
    therefore cut into independent pieces. A consensus order of more than ``window`` words loses less: it
    follows from tables of windows of that many words, each of which overlaps half of the one before it. Time
    grows linearly with the length in both cases. Probabilities always follow from the pieces.
    """

    learns = True
    decoding_settings: ClassVar[tuple[str, ...]] = (
        "decoding", "adjacency", "possible", "moves", "piece", "window", "temperature", "min_gain",
        "tune_min_gain",
    )  # fmt: skip

    # Model
    labels: Column = "none"
    canonical: bool = False
    # Training
    strength: float = 2.0
    stay: float = 0.03
    attach: bool = True
    phrases: int = 0
    automatic_strength: float = 0.3
    tune_min_gain: bool = True
    # Decoding
    decoding: Literal["consensus", "probable", "viterbi"] = "consensus"
    adjacency: float = 0.3
    possible: bool = True
    moves: bool = True
    piece: int = 100
    window: int = 100
    temperature: float = 1.0
    min_gain: float = 0.0

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        names = ("strength", "automatic_strength", "stay", "phrases", "piece", "window")
        amounts = dict.fromkeys(names, (0, INFINITY))
        self.check_bounds(
            {
                **amounts,
                "adjacency": (0, 1),
                "min_gain": (0, 1),
                "temperature": (0.01, 100),
            }
        )

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
        model = self._trained(data, run)
        if not self.tune_min_gain or len(data.sources) < MIN_SENTENCES:
            return model
        results = self._held_out_results(data, run)
        min_gain = choose_min_gain(results)
        facts = {**model.trained, "held_out": len(results), "min_gain": min_gain}
        return replace(self, min_gain=min_gain).fitted(model.state, facts)

    def _trained(self, data: TrainingData, run: RunOptions) -> Self:
        """Train a model on sentences and, if there are to be any, their phrases."""
        sources, alignments = with_phrases((data.sources, data.alignments), self.phrases)
        state, facts = self.train(replace(data, sources=sources, alignments=alignments), run)
        found = len(sources) - len(data.sources)
        more = {"sentences": len(data.sources), "phrases": found} if found else {}
        return self.fitted(state, {**facts, **more})

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
        model = replace(self, min_gain=0.0)._trained(part, run)
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

    def scores(self, sources: Sequence[Source]) -> list[SentenceScores]:
        """Return what the model knows of each sentence, before the temperature."""
        return self.scorer.scores(sources)

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the best order of each sentence."""
        return [self._candidates(parts, 1)[0].order for parts in self._parts(sources)]

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Return the k best different orders of each sentence with their probabilities."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        lists = []
        for pieces, parts in self._pieces_and_parts(sources):
            probabilities = OrderProbabilities(pieces, canonical=self.canonical)
            best = self._candidates(parts, k)
            lists.append([each._replace(log_prob=probabilities.of(each.order)) for each in best])
        return lists

    def _scored(self, sources: Sequence[Source]) -> list[list[ScoredPiece]]:
        """Return the scored pieces of each sentence."""
        return self._score(sources, self.pieces)

    def _parts(self, sources: Sequence[Source]) -> list[list[Part]]:
        """Return the scored parts of each sentence that are ordered separately: pieces, or its windows."""
        parts: list[list[Part]] = []
        for source, scored in zip(sources, self._score(sources, self._sections), strict=True):
            if self._reads_windows(source):
                starts = window_starts(len(source), self.window)
                parts.append([ScoredWindows(len(source), list(zip(starts, scored, strict=True)))])
            else:
                parts.append([*scored])
        return parts

    def _pieces_and_parts(self, sources: Sequence[Source]) -> list[tuple[list[ScoredPiece], list[Part]]]:
        """Return both; only sentences in windows are scored twice."""
        long = iter(self._scored([source for source in sources if self._reads_windows(source)]))
        return [
            ([part for part in parts if isinstance(part, ScoredPiece)] or next(long), parts)
            for parts in self._parts(sources)
        ]

    def _reads_windows(self, source: Source) -> bool:
        return self.decoding == "consensus" and 0 < self.window < len(source)

    def _sections(self, source: Source) -> list[Source]:
        if not self._reads_windows(source):
            return self.pieces(source)
        check_length(source)
        source = labelled(source, self.labels)
        return [
            section(source, start, start + self.window) for start in window_starts(len(source), self.window)
        ]

    def _score(
        self, sources: Sequence[Source], sections: Callable[[Source], list[Source]]
    ) -> list[list[ScoredPiece]]:
        """Return the scored sections of each sentence; a repeated object is scored once."""
        different = {id(source): source for source in sources}
        parsed = with_parses(list(different.values())) if "parse" in self.needs else different.values()
        unique = {key: sections(source) for key, source in zip(different, parsed, strict=True)}
        scores = iter(self.scores([piece for pieces in unique.values() for piece in pieces]))
        scored = {
            key: [self._scored_piece(piece, next(scores)) for piece in pieces]
            for key, pieces in unique.items()
        }
        return [scored[id(source)] for source in sources]

    def _scored_piece(self, piece: Source, scores: SentenceScores) -> ScoredPiece:
        edges = scores.edges / np.float32(self.temperature)
        return ScoredPiece(len(piece), edges, self.carried(piece, scores))

    def carried(self, piece: Source, scores: SentenceScores) -> dict[int, int]:
        """Return words that are carried along, each with the word that carries it; by default none."""
        return {}

    def pieces(self, source: Source) -> list[Source]:
        """Return the pieces of a long sentence that are ordered separately, with their labels."""
        return super().pieces(labelled(source, self.labels))

    def in_pieces(self) -> Self:
        """Return a preorderer that does without windows."""
        return self.with_settings(window=0) if self.window else self

    @property
    def longest_piece(self) -> int:
        """The setting ``piece``."""
        return self.piece

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders are sorted by expected loss: only if nothing but word pairs counts.

        With ``min_gain``, the source order may be first although others have a smaller loss.
        """
        return self.decoding == "consensus" and self.adjacency == 0 and self.min_gain == 0

    def _candidates(self, parts: Sequence[Part], k: int) -> list[Candidate]:
        tables, orders = zip(*(self._ranked(part, k) for part in parts), strict=True)
        return candidates(tables, orders, k)

    def _ranked(self, part: Part, k: int) -> tuple[Doubles, Ranked]:
        """Return the inversion table of a part, and up to k orders with their expected wrong pairs."""
        tables = self._tables(part)
        size = max(k, POOL) if self.decoding == "probable" else k
        moves = self.moves and not self.possible  # all orders of binary trees, and no others, are possible
        orders = carried_orders(tables, size, adjacency=self.adjacency, moves=moves)
        if isinstance(part, ScoredPiece) and self.decoding != "consensus":
            best = best_tree(part.scores, part.words, canonical=self.canonical).order()
            orders = put_first(carry(best.order.tolist(), part.carried), orders, tables.inverted, size)
        if isinstance(part, ScoredPiece) and self.decoding == "probable":
            probabilities = OrderProbabilities([part], canonical=self.canonical)
            known = [probabilities.of(Permutation.from_order(order)) or 0.0 for _, order in orders]
            orders = [orders[i] for i in sorted(range(len(orders)), key=lambda i: -known[i])[:k]]
        if self.min_gain:
            orders = apply_min_gain(orders, tables.final, adjacency=self.adjacency, min_gain=self.min_gain)
        return tables.inverted, orders

    def _tables(self, part: Part) -> SentenceTables:
        return SentenceTables(expectations_of(part, canonical=self.canonical), part.carried)

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """Return tables in which ``[i, j]`` is the probability that word i comes before word j."""
        return [self._precedence(parts) for parts in self._parts(sources)]

    def _precedence(self, parts: Sequence[Part]) -> Doubles:
        return precedence_table([self._tables(part).inverted for part in parts])

    def expectations(self, sources: Sequence[Source]) -> list[list[Expectations]]:
        """Return the expectation tables of the parts of each sentence, with words that are carried along."""
        return [[self._tables(part).final for part in parts] for parts in self._parts(sources)]

    def sentence_tables(self, sources: Sequence[Source]) -> list[SentenceTables]:
        """Return the tables of each whole sentence, and the words that are carried along."""
        found = []
        for parts in self._parts(sources):
            pieces = [expectations_of(part, canonical=self.canonical) for part in parts]
            *starts, words = np.cumsum([0, *(part.words for part in parts)]).tolist()
            carried = carried_in_parts(zip(starts, parts, strict=True), words)
            found.append(SentenceTables(whole_expectations(pieces), carried))
        return found

    def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
        """Return the most probable tree of each sentence's order.

        It is flat if no binary tree yields the order, and if the order follows from windows.
        """
        trees = []
        for parts in self._parts(sources):
            children: list[SourceTree | int] = []
            start = 0
            for part in parts:
                order = Permutation.from_order(self._ranked(part, 1)[1][0][1])
                if isinstance(part, ScoredPiece):
                    tree = best_tree(part.scores, part.words, canonical=self.canonical, order=order)
                else:
                    tree = SourceTree.of_order(order)
                children += tree.shifted(start).children
                start += part.words
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
            Belief(self._precedence(parts), OrderProbabilities(pieces, canonical=self.canonical).of(order))
            for (pieces, parts), order in zip(self._pieces_and_parts(sources), orders, strict=True)
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
