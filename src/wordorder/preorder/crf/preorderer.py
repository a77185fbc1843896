"""The forest CRF as a preorderer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays, Candidate, Source, Training, expected_loss
from wordorder.preorder.crf.caution import LEAST, Trial, held_out, least_gain, trials
from wordorder.preorder.crf.decoding import Expectations, best_tree, cautious, expectations, ranked
from wordorder.preorder.crf.features import FeatureScorer, Recipe, learn_features
from wordorder.preorder.crf.probabilities import OrderProbabilities, Piece, node_shares, pairs_share
from wordorder.preorder.crf.scorer import Scorer
from wordorder.preorder.long_sentences import Ranked, candidates, precedence_table
from wordorder.preorder.probabilistic import Belief, Operator, Pairs, Probable
from wordorder.preorder.registry import register
from wordorder.preorder.trees import SourceTree
from wordorder.preorder.word_labels import Column, labelled

# What settings are that are given as 0.
OWN: dict[str, dict[str, Any]] = {
    "features": {"epochs": 6, "automatic_epochs": 1, "batch": 4, "rate": 0.03},
    "neural": {"epochs": 30, "automatic_epochs": 6, "batch": 16, "rate": 0.001},
}
# Settings that may change after training; all others are a part of what was learned.
DECODING = frozenset(
    ("language", "decoding", "adjacency", "moves", "piece", "temperature", "caution", "careful")
)


@register
@dataclass(frozen=True, kw_only=True)
class ForestCRF(Probable):
    """A conditional random field over all binary trees of a sentence, learned from word-aligned text.

    *The soft forest*: ``strength`` (lambda) is the price of a pair of words in the wrong order and ``stay``
    that of moving a word without links (for networks in units of ``strength``), with ``attach`` away from
    the next word that has some; ``canonical`` gives every order one tree instead of all.

    *Training*: ``epochs`` passes over batches of ``batch`` sentences; before that, over automatic links if
    there are some, ``automatic_epochs`` with ``automatic_strength``; the learning ``rate``, and the share of
    words to ``forget`` in a pass. A 0 is what suits the kind: for features 6 ``epochs``, 1 of automatic
    links, 4 sentences and 0.03, for networks 30, 6, 16 and 0.001.

    *Features*: 2^``bits`` of them, with ``l2``; words that occur ``rare`` times or less are unknown;
    ``coarse`` and ``fine`` numbers of word classes, learned from the text and from raw text if there is some.

    *Networks* (``kind=neural``; training one needs torch, applying it does not): ``units`` of each LSTM,
    ``dropout``, the size of vectors that score ``pairs`` of words that change places (0: none), passes of
    ``reading`` raw text with some words hidden, and other networks as ``teachers``, whose posteriors are
    averaged and learned from all text, linked or not. ``language`` is the target's, where a network knows
    several and a sentence does not say.

    *Labels*: with ``labels`` words have labels from parses, which must be given: parts of speech (upos, xpos)
    or relations to their heads (deprel).

    *Decoding*: the exact ``consensus``, for the order of pairs (``adjacency=0``), for neighbours (1) or for a
    mixture, or the best tree (``viterbi``); ``moves`` tries orders beyond binary trees (for pairs, and in
    n-best lists); sentences longer than ``piece`` words are cut at punctuation (0: never). Scores are divided
    by ``temperature``: above 1, probabilities are less sure of themselves. Words stay where they are unless
    an order is expected to gain ``caution`` in what is decoded for; if training is ``careful``, it finds that
    number itself, by a first training on four fifths of the sentences.
    """

    name = "crf"
    learns = True

    kind: Literal["features", "neural"] = "features"
    language: str = "any"
    labels: Column = "none"
    strength: float = 2.0
    stay: float = 0.03
    attach: bool = True
    canonical: bool = False
    epochs: int = 0
    automatic_strength: float = 0.3
    automatic_epochs: int = 0
    batch: int = 0
    rate: float = 0.0
    l2: float = 0.03
    forget: float = 0.1
    rare: int = 1
    bits: int = 20
    coarse: int = 32
    fine: int = 200
    units: int = 200
    dropout: float = 0.5
    pairs: int = 0
    reading: int = 8
    teachers: int = 0
    decoding: Literal["consensus", "viterbi"] = "consensus"
    adjacency: float = 0.3
    moves: bool = True
    piece: int = 100
    temperature: float = 1.0
    caution: float = 0.0
    careful: bool = True

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        counts = dict.fromkeys(
            ("epochs", "automatic_epochs", "batch", "rare", "piece", "pairs", "reading", "teachers"), 0
        )
        counts |= dict.fromkeys(("coarse", "fine", "units"), 1)
        amounts = dict.fromkeys(("strength", "automatic_strength", "stay", "rate", "l2"), 0)
        self.check_bounds({key: (low, float("inf")) for key, low in {**counts, **amounts}.items()})
        if self.labels != "none":
            object.__setattr__(self, "needs", ("parse",))
        shares = {"forget": (0, 1), "dropout": (0, 0.9), "adjacency": (0, 1), "caution": (0, 1)}
        self.check_bounds({**shares, "bits": (8, 24), "temperature": (0.01, 100)})

    # Learning

    def fit(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], *, training: Training | None = None
    ) -> Self:
        """Learn from aligned sentences; returns a fitted preorderer and leaves this one as it is."""
        training = training or Training()
        learned = self._learned(sources, alignments, training)
        if not self.careful or len(sources) < LEAST:
            return learned
        tried = self._trials(sources, alignments, training)
        caution = least_gain(tried)
        facts = {**learned.trained, "held_out": len(tried), "caution": caution}
        return replace(learned, caution=caution)._with(learned.scorer, facts)

    def _trials(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], training: Training
    ) -> list[Trial]:
        """What a model of four fifths of the sentences expects of its orders of the others, and gets."""
        inside, left = held_out(sources)
        tell, folder = training.log, training.checkpoint
        trial = replace(
            training,
            log=(lambda record: tell({**record, "trial": True})) if tell else None,
            checkpoint=f"{folder}/trial" if folder else None,
        )
        learned = replace(self, caution=0.0)._learned(
            [sources[s] for s in inside], [alignments[s] for s in inside], trial
        )
        some, links = [sources[s] for s in left], [alignments[s] for s in left]
        return trials(learned.reorder(some), learned.expectations(some), links, self.adjacency)

    def _learned(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], training: Training
    ) -> Self:
        if not any(len({i for i, _ in links.links}) > 1 for links in alignments):
            raise BadSetting("no sentence to learn from has two linked words")
        if self.kind == "features" and len({source.target for source in sources}) > 1:
            raise BadSetting("crf: features know one target language; kind=neural may know several")
        own = {key: value for key, value in OWN[self.kind].items() if not getattr(self, key)}
        settings = {**self.settings, **own}
        sources = [labelled(one, self.labels) for one in sources]
        if training.automatic:
            some, links = training.automatic
            training = replace(training, automatic=([labelled(one, self.labels) for one in some], links))
        if self.kind == "neural":
            try:
                from wordorder.preorder.crf.learning import learn_network
            except ModuleNotFoundError as error:
                if error.name != "torch":
                    raise
                raise BadSetting("training a network needs torch: pip install 'wordorder[neural]'") from None
            return self._with(*learn_network(settings, sources, alignments, training))
        recipe = Recipe(**{one.name: settings[one.name] for one in fields(Recipe)})
        scorer, facts = learn_features(recipe, sources, alignments, training)
        return self._with(scorer, facts)

    def _with(self, scorer: Scorer, facts: Mapping[str, Any]) -> Self:
        new = type(self)(**self.settings)
        object.__setattr__(new, "trained", dict(facts))
        object.__setattr__(new, "_scorer", scorer)
        return new

    @property
    def scorer(self) -> Scorer:
        """What scores the edges."""
        self.check_fitted()
        found: Scorer = self._scorer  # type: ignore[attr-defined]
        return found

    def resettled(self, **settings: Any) -> Self:
        """The same with other settings of decoding; what was learned stays."""
        changed = replace(self, **settings)
        for key, value in changed.settings.items():
            if key not in DECODING and value != getattr(self, key):
                raise BadSetting(
                    f"crf: {key} is {getattr(self, key)} since the training; it cannot be changed"
                )
        if "language" in settings:
            return changed.restored(self.arrays(), self.trained)
        return changed._with(self.scorer, self.trained)

    def arrays(self) -> Arrays:
        """What was learned, as arrays by name."""
        return self.scorer.arrays()

    def restored(self, arrays: Arrays, trained: Mapping[str, Any]) -> Self:
        """A preorderer with these settings that has learned this."""
        if self.kind == "neural":
            from wordorder.preorder.crf.neural import Network, NeuralScorer

            network = Network.restored(arrays, trained["network"])
            return self._with(NeuralScorer(network, self.language), trained)
        labels = self.labels != "none"
        return self._with(FeatureScorer.restored(arrays, canonical=self.canonical, labels=labels), trained)

    # Reordering

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The best order of each sentence."""
        return [self._candidates(pieces, 1)[0].order for pieces in self._scored(sources)]

    def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The k best different orders of each sentence, with their probabilities."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        lists = []
        for pieces in self._scored(sources):
            told = OrderProbabilities(pieces, canonical=self.canonical)
            found = self._candidates(pieces, k)
            lists.append([one._replace(log_prob=told.of(one.order)) for one in found])
        return lists

    def _scored(self, sources: Sequence[Source]) -> list[list[Piece]]:
        """The pieces of each sentence, all scored together; a sentence that comes again is scored once."""
        unique = {id(source): source for source in sources}
        parts = {key: self.pieces(source) for key, source in unique.items()}
        scores = iter(self.scorer.scores([piece for some in parts.values() for piece in some]))
        hot = np.float32(self.temperature)
        made = {key: [Piece(len(piece), next(scores) / hot) for piece in some] for key, some in parts.items()}
        return [made[id(source)] for source in sources]

    def pieces(self, source: Source) -> list[Source]:
        """The parts of a sentence that are ordered apart from each other, with their labels if there are."""
        return super().pieces(labelled(source, self.labels))

    @property
    def longest_piece(self) -> int:
        """The setting ``piece``."""
        return self.piece

    @property
    def ranks_by_loss(self) -> bool:
        """Only if nothing but the order of pairs counts."""
        return self.decoding == "consensus" and self.adjacency == 0

    def _candidates(self, pieces: Sequence[Piece], k: int) -> list[Candidate]:
        tables, orders = zip(*(self._ranked(piece, k) for piece in pieces), strict=True)
        return candidates(tables, orders, k)

    def _ranked(self, piece: Piece, k: int) -> tuple[Doubles, Ranked]:
        """The table of inversions of a piece, and up to k orders with their expected wrong pairs."""
        n, scores = piece
        found = expectations(scores, n, canonical=self.canonical)
        orders = ranked(found, k, adjacency=self.adjacency, moves=self.moves)
        if self.decoding == "viterbi":
            first = best_tree(scores, n, canonical=self.canonical).order()
            loss = expected_loss(first, precedence_table([found.inverted])) * n * (n - 1) / 2
            read = first.order.tolist()
            orders = [(loss, read), *(one for one in orders if one[1] != read)][:k]
        return found.inverted, cautious(orders, found, adjacency=self.adjacency, caution=self.caution)

    def precedence(self, sources: Sequence[Source]) -> list[Doubles]:
        """For each sentence, ``[i, j]``: the probability that word i comes before word j."""
        return [self._table(pieces) for pieces in self._scored(sources)]

    def _table(self, pieces: Sequence[Piece]) -> Doubles:
        return precedence_table([expectations(s, n, canonical=self.canonical).inverted for n, s in pieces])

    def expectations(self, sources: Sequence[Source]) -> list[list[Expectations]]:
        """What the trees of each sentence agree on, piece by piece: all that orders follow from."""
        return [
            [expectations(piece.scores, piece.words, canonical=self.canonical) for piece in pieces]
            for pieces in self._scored(sources)
        ]

    def trees(self, sources: Sequence[Source]) -> list[SourceTree]:
        """The most probable tree of the order that each sentence gets; flat where no binary tree has it."""
        made = []
        for pieces in self._scored(sources):
            tops: list[SourceTree | int] = []
            at = 0
            for piece in pieces:
                read = None if self.decoding == "viterbi" else self._ranked(piece, 1)[1][0][1]
                order = None if read is None else Permutation.from_order(read)
                tree = best_tree(piece.scores, piece.words, canonical=self.canonical, order=order)
                tops += tree.shifted(at).children
                at += piece.words
            made.append(SourceTree("ROOT", tuple(tops)))
        return made

    # Probabilities

    def log_probability(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[float | None]:
        """The logarithm of the probability of each order, the sum over its trees.

        Of a sentence in pieces the sum over these; None if the order mixes their words.
        """
        return [
            OrderProbabilities(pieces, canonical=self.canonical).of(order)
            for pieces, order in zip(self._scored(sources), orders, strict=True)
        ]

    def beliefs(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[Belief]:
        """The table of each sentence and the probability of an order, from the same scores."""
        return [
            Belief(self._table(pieces), OrderProbabilities(pieces, canonical=self.canonical).of(order))
            for pieces, order in zip(self._scored(sources), orders, strict=True)
        ]

    def agreement(self, sources: Sequence[Source], pairs: Sequence[Pairs]) -> list[float]:
        """The log probability that all these pairs stand like this: the sum over trees in which they do."""
        return [
            pairs_share(pieces, some, canonical=self.canonical)
            for pieces, some in zip(self._scored(sources), pairs, strict=True)
        ]

    def operators(
        self, sources: Sequence[Source], trees: Sequence[SourceTree]
    ) -> list[dict[tuple[int, int], Operator]]:
        """The probabilities of the binary nodes of trees."""
        return [
            node_shares(pieces, tree, canonical=self.canonical)
            for pieces, tree in zip(self._scored(sources), trees, strict=True)
        ]
