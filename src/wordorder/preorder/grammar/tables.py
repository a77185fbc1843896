"""The probabilities of the rules: their initial values, and their estimates from counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Floats, Longs
from wordorder.preorder.grammar.operators import Layout
from wordorder.preorder.grammar.treebank import Treebank

SMALLEST = 1e-30  # smaller probabilities are set to zero


@dataclass(frozen=True)
class Tables:
    """``rules[slot, state]`` and ``lexical[word, slot]``: a slot's probabilities sum to 1 over both."""

    layout: Layout
    rules: Floats
    lexical: Floats


@dataclass(frozen=True)
class ExpectedCounts:
    """Expected counts of the rules, in the layout of the probabilities; log-likelihoods of sentences."""

    rules: Doubles
    lexical: Doubles
    log_likelihood: Doubles


def expect(tables: Tables, bank: Treebank, *, counts: bool = True, threads: int = 1) -> ExpectedCounts:
    """Compute expected counts over the forests of a treebank (the E-step)."""
    log_likelihood, rules, lexical = _native.expected_counts(
        tables.layout.native, tables.rules, tables.lexical, bank.tokens, bank.offsets, bank.nodes, bank.ends,
        0, len(bank), counts, threads,
    )  # fmt: skip
    return ExpectedCounts(rules, lexical, log_likelihood)


@dataclass(frozen=True)
class Tie:
    """Classes of unknown words that are tied in training: each has a fixed share of the counts of a slot.

    If rare words were split into classes during EM, it would learn the classes rather than the syntax. Tied
    classes do not change what is learned, and their counts can still be separated at the end.
    """

    rows: Longs
    shares: Doubles

    @classmethod
    def of(cls, bank: Treebank, rows: list[int]) -> Tie:
        """Tie classes in proportion to their frequencies."""
        counts = np.bincount(bank.tokens, minlength=max(rows, default=0) + 1)[rows] + 1e-3
        return cls(np.array(rows, dtype=np.int64), counts / counts.sum())

    def apply(self, lexical: Doubles) -> Doubles:
        """Return the counts of words, with those of the tied classes redistributed."""
        tied = lexical.copy()
        tied[self.rows] = self.shares[:, None] * lexical[self.rows].sum(axis=0)
        return tied


def normalise(
    layout: Layout, rules: Doubles, lexical: Doubles, *, smoothing: float = 0.0, tie: Tie | None = None
) -> Tables:
    """Estimate probabilities from counts (the M-step).

    With ``smoothing`` a state's probabilities are mixed with the mean over all states of its operator and
    child, so that states stay similar (Petrov et al. 2006).
    """
    lexical = lexical if tie is None else tie.apply(lexical)
    totals = rules.sum(axis=1) + lexical.sum(axis=0)
    by = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
    if smoothing:
        groups = np.array(layout.slot_group)
        members = (groups[:, None] == np.arange(groups.max() + 1)).astype(float)
        mass = members.T @ totals
        share = np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0)
        pooled_rules = (members * share) @ (members.T @ rules)
        pooled_lexical = (lexical @ members) @ (members * share).T
        rules = (1 - smoothing) * rules * by[:, None] + smoothing * pooled_rules
        lexical = (1 - smoothing) * lexical * by + smoothing * pooled_lexical
    else:
        rules, lexical = rules * by[:, None], lexical * by
    return Tables(layout, _floats(rules), _floats(lexical))


def _floats(table: Doubles) -> Floats:
    return np.where(table < SMALLEST, 0, table).astype(np.float32)


def initial(
    layout: Layout,
    bank: Treebank,
    words: int,
    *,
    noise: float,
    seed: int | list[int],
    threads: int,
    tie: Tie | None = None,
) -> Tables:
    """Return the initial grammar: unsplit probabilities divided among states, with noise.

    The unsplit probabilities are relative counts when all trees of a forest are equally likely. ``noise``
    is the largest share by which a split probability is raised or lowered before slots are normalised.
    """
    unsplit = layout.unsplit
    even = Tables(
        unsplit,
        np.ones((unsplit.slot_count, unsplit.state_count), dtype=np.float32),
        np.ones((words, unsplit.slot_count), dtype=np.float32),
    )
    counts = expect(even, bank, threads=threads)
    start = normalise(unsplit, counts.rules, counts.lexical)
    rng = np.random.default_rng(seed)
    slots, states = np.array(layout.slot_group), np.array(layout.state_operator)
    sizes = np.array(layout.states)[states]
    rules = start.rules[np.ix_(slots, states)].astype(np.float64) / sizes
    lexical = start.lexical[:, slots].astype(np.float64)
    rules *= 1 + noise * rng.uniform(-1, 1, rules.shape)
    shaken = rng.uniform(-1, 1, lexical.shape)
    if tie is not None:
        shaken[tie.rows] = shaken[tie.rows[0]]
    lexical *= 1 + noise * shaken
    return normalise(layout, rules, lexical, tie=tie)
