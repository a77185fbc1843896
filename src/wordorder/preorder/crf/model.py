"""The forest CRF as a preorderer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays, Candidate, Doubles, Preorderer, Source, Training, expected_loss
from wordorder.preorder.crf import forest
from wordorder.preorder.crf.decoding import best_tree, expectations, ranked
from wordorder.preorder.crf.features import FeatureScorer, Recipe, learn_features
from wordorder.preorder.crf.scorer import Scorer
from wordorder.preorder.pieces import Ranked, candidates, cut, precedence_table
from wordorder.preorder.registry import register
from wordorder.preorder.trees import SourceTree

Floats = NDArray[np.float32]
# What settings are that are given as 0.
OWN: dict[str, dict[str, Any]] = {
    "features": {"epochs": 6, "automatic_epochs": 1, "batch": 4, "rate": 0.03},
    "neural": {"epochs": 15, "automatic_epochs": 3, "batch": 16, "rate": 0.001},
}


@register
@dataclass(frozen=True, kw_only=True)
class ForestCRF(Preorderer):
    """A conditional random field over all binary trees of a sentence, learned from word-aligned text.

    The soft forest: ``strength`` (lambda) is the price of a pair of words in the wrong order and ``stay``
    that of moving a word without links, with ``attach`` away from the next word that has some;
    ``canonical`` gives every order one tree instead of all. Training: ``epochs`` passes over batches of
    ``batch`` sentences; before that, over automatic links if there are some, ``automatic_epochs`` with
    ``automatic_strength``; the learning ``rate``, and the share of words to ``forget`` in a pass; 0 passes,
    sentences or rate: as many as suit the kind. Features: 2^``bits`` of them, with ``l2``; words that
    occur ``rare`` times or less are unknown; ``coarse`` and ``fine`` numbers of word classes, learned from
    the text and from raw text if there is some. Networks: ``units`` of each LSTM, ``dropout``. Decoding:
    the exact ``consensus``, for the order of pairs (``adjacency=0``), for neighbours (1) or for a mixture,
    or the best tree (``viterbi``); ``moves`` tries orders beyond binary trees; sentences longer than
    ``piece`` words are cut at punctuation (0: never). ``kind=neural`` scores edges by a network instead of
    features: training it needs torch, applying it does not; ``language`` is the target's, where a network
    knows several and a sentence does not say.
    """

    name = "crf"
    learns = True

    kind: Literal["features", "neural"] = "features"
    language: str = "any"
    strength: float = 2.0
    stay: float = 0.1
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
    decoding: Literal["consensus", "viterbi"] = "consensus"
    adjacency: float = 0.3
    moves: bool = True
    piece: int = 100

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        counts = dict.fromkeys(("epochs", "automatic_epochs", "batch", "rare", "piece"), 0)
        counts |= dict.fromkeys(("coarse", "fine", "units"), 1)
        amounts = dict.fromkeys(("strength", "automatic_strength", "stay", "rate", "l2"), 0)
        self.check_bounds({key: (low, float("inf")) for key, low in {**counts, **amounts}.items()})
        self.check_bounds({"forget": (0, 1), "dropout": (0, 0.9), "adjacency": (0, 1), "bits": (8, 24)})

    # Learning

    def fit(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], *, training: Training | None = None
    ) -> Self:
        """Learn from aligned sentences; returns a fitted preorderer and leaves this one as it is."""
        own = {key: value for key, value in OWN[self.kind].items() if not getattr(self, key)}
        settings = {**self.settings, **own}
        if self.kind == "neural":
            from wordorder.preorder.crf.learning import learn_network

            return self._with(*learn_network(settings, sources, alignments, training or Training()))
        recipe = Recipe(**{one.name: settings[one.name] for one in fields(Recipe)})
        scorer, facts = learn_features(recipe, sources, alignments, training or Training())
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
        return self._with(FeatureScorer.restored(arrays, canonical=self.canonical), trained)

    # Reordering

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The best order of each sentence."""
        return [found[0].order for found in self.nbest(sources, 1)]

    def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The k best different orders of each sentence."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        lists = []
        for pieces in self._scored(sources):
            tables, orders = zip(*(self._ranked(n, scores, k) for n, scores in pieces), strict=True)
            lists.append(candidates(tables, orders, k))
        return lists

    def _scored(self, sources: Sequence[Source]) -> list[list[tuple[int, Floats]]]:
        """Lengths and scores of the pieces of each sentence, all scored together."""
        pieces = [list(cut(source.words, self.piece)) for source in sources]
        targets = [source.target for source, some in zip(sources, pieces, strict=True) for _ in some]
        scores = iter(self.scorer.scores([piece for some in pieces for piece in some], targets))
        return [[(len(piece), next(scores)) for piece in some] for some in pieces]

    @property
    def ranks_by_loss(self) -> bool:
        """Only if nothing but the order of pairs counts."""
        return self.decoding == "consensus" and self.adjacency == 0

    def _ranked(self, n: int, scores: Floats, k: int) -> tuple[Doubles, Ranked]:
        """The table of inversions of a piece, and up to k orders with their expected wrong pairs."""
        found = expectations(scores, n, canonical=self.canonical)
        orders = ranked(found, k, adjacency=self.adjacency, moves=self.moves)
        if self.decoding == "viterbi":
            first = best_tree(scores, n, canonical=self.canonical).order()
            loss = expected_loss(first, precedence_table([found.inverted])) * n * (n - 1) / 2
            orders = [(loss, list(first)), *(one for one in orders if one[1] != list(first))][:k]
        return found.inverted, orders

    def precedence(self, sources: Sequence[Source]) -> list[Doubles]:
        """For each sentence, ``[i, j]``: the probability that word i comes before word j."""
        return [
            precedence_table([expectations(s, n, canonical=self.canonical).inverted for n, s in pieces])
            for pieces in self._scored(sources)
        ]

    def trees(self, sources: Sequence[Source]) -> list[SourceTree]:
        """The most probable tree of the order that each sentence gets; flat where no binary tree has it."""
        made = []
        for source, order in zip(sources, self.reorder(sources), strict=True):
            n = len(source)
            if self.piece and n > self.piece:
                made.append(SourceTree.of_order(order))
                continue
            (scores,) = self.scorer.scores([source.words], [source.target])
            wanted = None if self.decoding == "viterbi" else order
            made.append(best_tree(scores, n, canonical=self.canonical, order=wanted))
        return made

    def log_probability(self, sources: Sequence[Source], orders: Sequence[Permutation]) -> list[float]:
        """The logarithm of the probability of each order: the sum over its trees."""
        scores = self.scorer.scores([one.words for one in sources], [one.target for one in sources])
        return [
            forest.log_probability(own, order, canonical=self.canonical)
            for own, order in zip(scores, orders, strict=True)
        ]
