"""The Reordering Grammar as a preorderer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays
from wordorder.preorder.grammar.decoding import BestTree, Decoder
from wordorder.preorder.grammar.fitting import learn
from wordorder.preorder.grammar.grammar_counts import COUNTS, GrammarCounts
from wordorder.preorder.grammar.mixture import MixedPiece
from wordorder.preorder.grammar.text_format import read_grammar, write_grammar
from wordorder.preorder.grammar.treebank import ForestShape
from wordorder.preorder.long_sentences import Ranked, candidates, cut, divided, precedence_table, ranked
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.registry import register
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree

SMOOTHINGS = ("state_smoothing", "word_smoothing", "class_smoothing")


@register
@dataclass(frozen=True, kw_only=True)
class ReorderingGrammar(Probabilistic):
    """A latent grammar of permutation trees, learned from word-aligned text (Stanojević 2017, ch. 3).

    *Treebank*: ``unit``, ``bracketing``, ``arity``, ``attach``, ``level``, ``longest`` and ``break_rare``
    are explained at :class:`~wordorder.preorder.grammar.treebank.ForestShape`.

    *Grammar*: ``binary`` is the number of states of operators with two children, ``nary`` that of the
    others. Words that occur at most ``rare`` times are unknown; with ``back_off`` they are grouped by their
    form. ``lowercase`` ignores case.

    *Training*: ``iterations``; ``noise`` of the initial grammar; ``patience`` stops early on held-out text
    (0: never); ``online`` is the number of sentences per update (0: all), with exponent ``alpha``; the
    smoothing settings; ``grammars`` is how many grammars with different initial values are mixed.

    *Decoding*: the order of least expected loss (``consensus``), the most ``probable`` order that is found,
    the order of the best tree (``viterbi``), or the best of ``samples`` as in the thesis (``sample``); the
    last two work with one grammar only. Only orders that the grammars derive are ``possible``; false allows
    all. ``moves`` tries orders beyond binary operators. Sentences longer than ``piece`` words are cut at
    punctuation (0: never).
    """

    name = "grammar"
    learns = True
    decoding_settings = ("decoding", "samples", "possible", "moves", "piece", *SMOOTHINGS)

    unit: Literal["phrases", "words"] = "phrases"
    bracketing: Literal["forest", "left", "right"] = "forest"
    arity: Literal[2, 4, 5] = 5
    attach: Literal["right", "left"] = "right"
    level: Literal["low", "high"] = "low"
    longest: int = 100
    break_rare: bool = False
    binary: int = 30
    nary: int = 3
    rare: int = 3
    back_off: bool = True
    lowercase: bool = False
    iterations: int = 20
    noise: float = 0.5
    patience: int = 0
    online: int = 0
    alpha: float = 0.7
    state_smoothing: float = 0.05
    word_smoothing: float = 3.0
    class_smoothing: float = 10.0
    grammars: int = 1
    decoding: Literal["consensus", "probable", "viterbi", "sample"] = "consensus"
    samples: int = 10000
    possible: bool = True
    moves: bool = True
    piece: int = 200

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        least = {"longest": 2, "binary": 1, "nary": 1, "rare": 0, "iterations": 1, "patience": 0, "online": 0}
        least |= {"samples": 1, "grammars": 1, "piece": 0, "word_smoothing": 0, "class_smoothing": 0}
        self.check_bounds({key: (low, float("inf")) for key, low in least.items()})
        self.check_bounds({"state_smoothing": (0, 1), "noise": (0, 1), "alpha": (0.5, 1)})
        if self.grammars > 1 and self.decoding in ("viterbi", "sample"):
            raise BadSetting(f"{self.name}: {self.decoding} decoding is for one grammar, not {self.grammars}")

    # Learning

    @property
    def shape(self) -> ForestShape:
        """The settings of the treebank."""
        return ForestShape(**{setting.name: getattr(self, setting.name) for setting in fields(ForestShape)})

    @property
    def smoothings(self) -> dict[str, float]:
        """The settings of smoothing."""
        return {key: getattr(self, key) for key in SMOOTHINGS}

    def learn(self, data: TrainingData, run: RunOptions) -> Self:
        """Learn grammars from aligned sentences."""
        return self.fitted(*learn(self, data, run))

    def fitted(self, state: Sequence[GrammarCounts], facts: Mapping[str, Any]) -> Self:
        """Return a preorderer with these grammars, ready to decode."""
        new = super().fitted(tuple(state), {**facts, **state[0].facts()})
        new.decoders  # noqa: B018 (built now: threads share them)
        return new

    @property
    def learned(self) -> tuple[GrammarCounts, ...]:
        """The counts behind each of the grammars."""
        grammars: tuple[GrammarCounts, ...] = self.state
        return grammars

    @classmethod
    def from_text(cls, path: str) -> Self:
        """Read a grammar written by the original program, or by :meth:`to_text`."""
        tables, vocabulary, lowercase = read_grammar(path)
        rules, lexical = tables.rules.astype(np.float64), tables.lexical.astype(np.float64)
        learned = GrammarCounts.of_counts(tables.layout, vocabulary, rules, lexical)
        smoothed = dict.fromkeys(SMOOTHINGS, 0.0)  # the probabilities in the file are already smoothed
        plain = cls(back_off=vocabulary.back_off, lowercase=lowercase, **smoothed)  # type: ignore[arg-type]
        return plain.fitted([learned], {"seed": 0, "read": path})

    def to_text(self, path: str, *, grammar: int | None = None) -> None:
        """Write a grammar in the text format of the original program, after smoothing.

        The format holds one grammar; if there are several, ``grammar`` is the number (from 0) of the one
        to write.
        """
        count = len(self.decoders)
        if grammar is None and count > 1:
            raise BadSetting(
                f"the model mixes {count} grammars, but the text format holds one; choose 0 to {count - 1}.",
                suggest={"grammar": 0},
            )
        if not 0 <= (grammar or 0) < count:
            raise BadSetting(f"grammar {grammar} of {count}; expected 0 to {count - 1}")
        decoder = self.decoders[grammar or 0]
        write_grammar(decoder.tables, decoder.vocabulary, path, lowercase=self.lowercase)

    def compact(self, least: float = 0.02) -> Self:
        """Return the same grammars in half precision and without the smallest counts, for a small file."""
        return self.fitted([grammar.compact(least) for grammar in self.learned], self.trained)

    def arrays(self) -> Arrays:
        """Return the counts as arrays by name; the arrays of further grammars are numbered."""
        arrays = self.learned[0].arrays()
        for number, other in enumerate(self.learned[1:], start=1):
            arrays |= {f"{key}_{number}": a for key, a in other.arrays().items() if key != "words"}
        return arrays

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> list[GrammarCounts]:
        """Return the grammars from their counts."""
        learned = []
        for number in range(self.grammars):
            end = f"_{number}" if number else ""
            some = {key: arrays[f"{key}{end}"] for key in COUNTS} | {"words": arrays["words"]}
            learned.append(GrammarCounts.restored(some, facts, back_off=self.back_off))
        return learned

    # Reordering

    @cached_property
    def decoders(self) -> tuple[Decoder, ...]:
        """The grammars, ready to reorder."""
        return tuple(
            Decoder(grammar.tables(**self.smoothings), grammar.vocabulary, lowercase=self.lowercase)
            for grammar in self.learned
        )

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the first order of :meth:`nbest_batch` of each sentence."""
        if self.decoding != "viterbi":
            return [candidates[0].order for candidates in self.nbest_batch(sources, 1)]
        return [tree.order() for tree in self.trees_batch(sources)]  # no table of pairs is needed

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Return up to k orders of each sentence with their probabilities; ``decoding`` says which."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        return [self._candidates(source.words, k) for source in sources]

    @property
    def longest_piece(self) -> int:
        """The setting ``piece``."""
        return self.piece

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders are sorted by expected loss, not by probability."""
        return self.decoding in ("consensus", "sample")

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """Return the precedence table of each sentence."""
        pieces = [self._pieces(source.words) for source in sources]
        return [precedence_table([self._ranked(piece, 1)[0] for piece in parts]) for parts in pieces]

    def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
        """Return the tree of the grammar if ``viterbi``, else the flat tree of the order."""
        if self.decoding != "viterbi":
            return super().trees_batch(sources)
        trees = []
        for source in sources:
            tops: list[SourceTree | int] = []
            at = 0
            for piece in cut(source.words, self.piece):
                tops += self.decoders[0].best_trees(piece, 1)[0].tree.shifted(at).children
                at += len(piece)
            trees.append(SourceTree("ROOT", tuple(tops)))
        return trees

    def best_trees(self, sources: Sequence[Source], k: int) -> list[list[BestTree]]:
        """Return the k most probable different trees of each sentence, for one grammar only.

        Each tree has the log probability of its best derivation. Long sentences are not cut.
        """
        if len(self.decoders) > 1:
            raise BadSetting(f"{self.name}: best trees need a single grammar, not {len(self.decoders)}")
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        return [self.decoders[0].best_trees(source.words, k) for source in sources]

    def log_probability_batch(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> list[float | None]:
        """Return the log probability of each order given its sentence, averaged over the grammars.

        For a sentence in pieces it is the sum over the pieces. It is None if no grammar derives the
        sentence, because glue has no probability, or if the order mixes words of different pieces.
        """
        known: dict[tuple[str, ...], list[MixedPiece]] = {}  # several orders of one sentence share its pieces
        totals = []
        for source, order in zip(sources, orders, strict=True):
            if source.words not in known:
                known[source.words] = self._pieces(source.words)
            totals.append(_log_probability(order, known[source.words]))
        return totals

    @property
    def glued(self) -> set[tuple[str, ...]]:
        """Sentences so far that no grammar derives; not recorded if only best trees were computed."""
        return set.intersection(*(decoder.glued for decoder in self.decoders))

    def _pieces(self, words: Sequence[str]) -> list[MixedPiece]:
        return [MixedPiece(self.decoders, part) for part in cut(words, self.piece)]

    def _ranked(self, piece: MixedPiece, k: int) -> tuple[Doubles, Ranked]:
        """Return the table of inversions of a piece, and up to k orders with their expected wrong pairs."""
        if self.decoding == "sample":
            table, orders = self.decoders[0].samples(piece.words, self.samples, int(self.trained["seed"]))
            return table, orders[:k]
        if self.decoding == "viterbi":
            trees = self.decoders[0].best_trees(piece.words, k, orders=True)
            orders = ranked([tree.order().order.tolist() for tree, _ in trees], piece.inverted)
        elif self.decoding == "probable":
            orders = piece.most_probable(k, moves=self.moves)
        else:
            orders = piece.least_loss(k, moves=self.moves, possible=self.possible)
        return piece.inverted, orders

    def _candidates(self, words: Sequence[str], k: int) -> list[Candidate]:
        pieces = self._pieces(words)
        tables, lists = zip(*(self._ranked(piece, k) for piece in pieces), strict=True)
        for piece, orders in zip(pieces, lists, strict=True):
            piece.log_probabilities([order for _, order in orders])  # all at once is faster
        found = candidates(tables, lists, k)
        return [one._replace(log_prob=_log_probability(one.order, pieces)) for one in found]


def _log_probability(order: Permutation, pieces: Sequence[MixedPiece]) -> float | None:
    """Return the log probability of an order, the sum over the pieces; None where it is not known."""
    parts = divided(order, [len(piece.words) for piece in pieces])
    if parts is None:
        return None
    total = 0.0
    for piece, part in zip(pieces, parts, strict=True):
        (log_prob,) = piece.log_probabilities([part.order.tolist()])
        if log_prob is None:
            return None
        total += log_prob
    return total
