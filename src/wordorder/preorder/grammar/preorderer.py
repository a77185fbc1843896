"""The Reordering Grammar as a preorderer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Arrays, expected_loss
from wordorder.preorder.grammar.decoding import BestTree, Decoder
from wordorder.preorder.grammar.em import Schedule
from wordorder.preorder.grammar.fitting import best_treebank, learn
from wordorder.preorder.grammar.grammar_counts import COUNTS, GrammarCounts
from wordorder.preorder.grammar.treebank import ForestShape
from wordorder.preorder.long_sentences import Ranked, candidates, cut, divided, precedence_table
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.registry import register
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree


@register
@dataclass(frozen=True, kw_only=True)
class ReorderingGrammar(Probabilistic):
    """A latent grammar of permutation trees, learned from word-aligned text (Stanojević 2017, ch. 3).

    The treebank: ``unit``, ``bracketing``, ``arity``, ``attach``, ``level``, ``longest`` and ``break_rare``
    are explained at :class:`~wordorder.preorder.grammar.treebank.ForestShape`. The grammar: ``binary`` states of
    operators with two children, ``nary`` of others; words that occur ``rare`` times or less are unknown,
    and go by their look with ``back_off``; ``lowercase`` makes no difference of letters. Training:
    ``iterations``, ``noise`` of the start, ``patience`` with held-out text (0: all iterations), ``online``
    sentences an update with exponent ``alpha`` (0: all at once), the smoothings, and how many
    ``grammars`` with different starts to mix. Decoding: the exact ``consensus``, the best tree (``viterbi``),
    or ``samples`` as in the thesis (``sample``), the last two with one grammar only; ``moves`` tries
    orders beyond binary operators; sentences longer than ``piece`` words are cut at punctuation (0: never).
    """

    name = "grammar"
    learns = True
    decoding_settings = (
        "decoding",
        "samples",
        "moves",
        "piece",
        "state_smoothing",
        "word_smoothing",
        "class_smoothing",
    )

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
    decoding: Literal["consensus", "viterbi", "sample"] = "consensus"
    samples: int = 10000
    moves: bool = True
    piece: int = 200

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        least = {"longest": 2, "binary": 1, "nary": 1, "rare": 0, "iterations": 1, "patience": 0, "online": 0}
        least |= {"samples": 1, "grammars": 1, "piece": 0, "word_smoothing": 0, "class_smoothing": 0}
        self.check_bounds({key: (low, float("inf")) for key, low in least.items()})
        self.check_bounds({"state_smoothing": (0, 1), "noise": (0, 1), "alpha": (0.5, 1)})

        if self.grammars > 1 and self.decoding != "consensus":
            raise BadSetting(f"{self.name}: {self.decoding} decoding is for one grammar, not {self.grammars}")

    # Learning

    @property
    def shape(self) -> ForestShape:
        """How sentences become forests."""
        return ForestShape(
            self.unit,
            self.bracketing,
            self.arity,
            self.attach,
            self.level,
            self.longest,
            self.rare,
            self.break_rare,
        )

    @property
    def schedule(self) -> Schedule:
        """How long to train, and how."""
        return Schedule(
            self.iterations, self.state_smoothing, self.noise, self.patience, self.online, self.alpha
        )

    @property
    def smoothings(self) -> dict[str, float]:
        """How counts become probabilities."""
        return {
            "state_smoothing": self.state_smoothing,
            "word_smoothing": self.word_smoothing,
            "class_smoothing": self.class_smoothing,
        }

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
        """A grammar that the original program wrote, or :meth:`to_text`."""
        from wordorder.preorder.grammar.text_format import read_grammar

        tables, vocabulary, lowercase = read_grammar(path)
        rules, lexical = tables.rules.astype(np.float64), tables.lexical.astype(np.float64)
        learned = GrammarCounts.of_counts(tables.layout, vocabulary, rules, lexical)
        plain = cls(
            back_off=vocabulary.back_off,
            lowercase=lowercase,
            state_smoothing=0.0,  # what is written is smoothed already
            word_smoothing=0.0,
            class_smoothing=0.0,
        )
        return plain.fitted([learned], {"seed": 0, "read": path})

    def to_text(self, path: str, *, grammar: int | None = None) -> None:
        """Write a grammar in the form of the original program, smoothed as it is used.

        That form holds one grammar: of several, ``grammar`` is the number (from 0) of the one to write.
        """
        from wordorder.preorder.grammar.text_format import write_grammar

        count = len(self.decoders)
        if grammar is None and count > 1:
            raise BadSetting(
                f"the model mixes {count} grammars and the text form holds one: name it, 0 to {count - 1}"
            )
        if not 0 <= (grammar or 0) < count:
            raise BadSetting(f"grammar {grammar} of {count}; expected 0 to {count - 1}")
        one = self.decoders[grammar or 0]
        write_grammar(one.tables, one.vocabulary, path, lowercase=self.lowercase)

    def compact(self, least: float = 0.02) -> Self:
        """The same grammars with fewer digits and without the least counts, for a small file."""
        return self.fitted([grammar.compact(least) for grammar in self.learned], self.trained)

    def arrays(self) -> Arrays:
        """The counts as arrays by name; those of further grammars are numbered."""
        made = self.learned[0].arrays()
        for number, other in enumerate(self.learned[1:], start=1):
            made |= {f"{key}_{number}": a for key, a in other.arrays().items() if key != "words"}
        return made

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> list[GrammarCounts]:
        """Return the grammars from their counts."""
        learned = []
        for number in range(self.grammars):
            end = f"_{number}" if number else ""
            some = {key: arrays[f"{key}{end}"] for key in COUNTS} | {"words": arrays["words"]}
            learned.append(GrammarCounts.restored(some, facts, back_off=self.back_off))
        return learned

    def treebank(
        self,
        sources: Sequence[Source],
        alignments: Sequence[Alignment],
        *,
        threads: int = 1,
        states: bool = False,
    ) -> list[tuple[SourceTree, float] | None]:
        """The best tree of each sentence that agrees with its links: the treebank of hard EM."""
        return best_treebank(self, self.decoders[0], sources, alignments, threads=threads, states=states)

    # Reordering

    @cached_property
    def decoders(self) -> tuple[Decoder, ...]:
        """The grammars, ready to reorder."""
        return tuple(
            Decoder(grammar.tables(**self.smoothings), grammar.vocabulary, lowercase=self.lowercase)
            for grammar in self.learned
        )

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """The best order of each sentence: the least expected Kendall loss, or the best tree's."""
        if self.decoding != "viterbi":
            return [found[0].order for found in self.nbest_batch(sources, 1)]
        return [tree.order() for tree in self.trees_batch(sources)]  # no table of pairs is needed

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The k best different orders of each sentence, by loss; by probability if ``viterbi``."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        return [self._candidates(source.words, k) for source in sources]

    @property
    def longest_piece(self) -> int:
        """The setting ``piece``."""
        return self.piece

    @property
    def ranks_by_loss(self) -> bool:
        """Best trees come by the probability of their derivations."""
        return self.decoding != "viterbi"

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """For each sentence, ``[i, j]``: the probability that word i comes before word j."""
        return [
            precedence_table([self._ranked(piece, 1)[0] for piece in self._pieces(source.words)])
            for source in sources
        ]

    def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
        """The tree of the best order: the grammar's if ``viterbi``, else the flat tree of the order."""
        if self.decoding != "viterbi":
            return super().trees_batch(sources)
        made = []
        for source in sources:
            tops: list[SourceTree | int] = []
            at = 0
            for piece in self._pieces(source.words):
                tops += self.decoders[0].best_trees(piece, 1)[0].tree.shifted(at).children
                at += len(piece)
            made.append(SourceTree("ROOT", tuple(tops)))
        return made

    def best_trees(self, sources: Sequence[Source], k: int) -> list[list[BestTree]]:
        """The k most probable different trees of each sentence, of one grammar only.

        Each has the logarithm of the probability of its best derivation; sentences are not cut.
        """
        if len(self.decoders) > 1:
            raise BadSetting(f"{self.name}: best trees are those of one grammar, not of {len(self.decoders)}")
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        return [self.decoders[0].best_trees(source.words, k) for source in sources]

    def log_probability_batch(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> list[float | None]:
        """The logarithm of the probability of each order given its sentence; the mean of the grammars.

        Of a sentence in pieces the sum over these. None where no grammar derives the sentence, for glue has
        no probabilities, and where the order mixes words of different pieces.
        """
        known: dict[tuple[tuple[str, ...], Permutation], float | None] = {}  # n-best lists share pieces
        made: list[float | None] = []
        for source, order in zip(sources, orders, strict=True):
            pieces = [tuple(piece) for piece in self._pieces(source.words)]
            parts = divided(order, [len(piece) for piece in pieces])
            total: float | None = None if parts is None else 0.0
            for key in zip(pieces, parts or (), strict=False):
                if key not in known:
                    known[key] = self._log_probability(*key)
                found = known[key]
                total = None if total is None or found is None else total + found
            made.append(total)
        return made

    def _log_probability(self, words: Sequence[str], order: Permutation) -> float | None:
        every = [one.log_probability(words, order) for one in self.decoders]
        found = [p for p in every if p is not None]
        return float(np.logaddexp.reduce(found) - np.log(len(found))) if found else None

    @property
    def glued(self) -> set[tuple[str, ...]]:
        """Sentences so far that no grammar derives (if the best tree alone was asked for: not known)."""
        return set.intersection(*(one.glued for one in self.decoders))

    def _ranked(self, words: Sequence[str], k: int) -> tuple[Doubles, Ranked]:
        """The table of inversions of a piece, and up to k orders with their expected wrong pairs."""
        if self.decoding == "sample":
            table, orders = self.decoders[0].samples(words, self.samples, int(self.trained["seed"]))
            return table, orders[:k]
        if len(self.decoders) == 1:
            table, orders = self.decoders[0].consensus(words, k, moves=self.moves)
        else:  # a mixture of grammars: its table is the mean of theirs
            tables = [one.consensus(words, 0, moves=False)[0] for one in self.decoders]
            table = np.mean(tables, axis=0)
            orders = _native.orders_of_table(table, k, self.moves)
        if self.decoding == "viterbi":
            found = [one.tree.order() for one in self.decoders[0].best_trees(words, k, orders=True)]
            pairs = len(words) * (len(words) - 1) / 2
            whole = precedence_table([table])
            orders = [(expected_loss(order, whole) * pairs, order.order.tolist()) for order in found]
        return table, orders

    def _candidates(self, words: Sequence[str], k: int) -> list[Candidate]:
        tables, lists = zip(*(self._ranked(piece, k) for piece in self._pieces(words)), strict=True)
        return candidates(tables, lists, k)

    def _pieces(self, words: Sequence[str]) -> Iterator[Sequence[str]]:
        """The sentence, or pieces of at most ``piece`` words that end after punctuation if they can."""
        return cut(words, self.piece)
