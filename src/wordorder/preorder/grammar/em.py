"""Training: expectation maximisation over the latent treebank (Stanojević 2017, 3.3.2).

The same seed gives the same model, bit for bit, for any number of threads, and whether or not the training
was interrupted: a checkpoint contains everything that the next iteration needs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import WordOrderError
from wordorder.preorder.base import Arrays
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint
from wordorder.preorder.grammar.operators import Layout
from wordorder.preorder.grammar.tables import ExpectedCounts, Tables, Tie, expect, initial, normalise
from wordorder.preorder.grammar.treebank import Treebank
from wordorder.preorder.training import Record, RunOptions

if TYPE_CHECKING:
    from wordorder.preorder.grammar.preorderer import ReorderingGrammar

PART = 4096  # sentences per part when the work is distributed
CHECKPOINT_ARRAYS = ("rules", "lexical", "rule_counts", "lexical_counts")
FLOOR = math.log(1e-6)  # log probability per word of a sentence without a derivation
Expect = Callable[[Tables, Treebank], ExpectedCounts]
Estimate = Callable[[Doubles, Doubles], Tables]  # makes a grammar from counts of rules and words


@dataclass
class EMState:
    """Everything that the next iteration needs."""

    tables: Tables
    rules: Doubles  # the counts behind the tables
    lexical: Doubles
    iteration: int = 0  # updates so far; in online training, passes over the text
    steps: int = 0  # updates of online training so far
    records: list[Record] = field(default_factory=list)
    best: tuple[Doubles, Doubles] | None = None  # counts of the best grammar on held-out text


def train(
    bank: Treebank,
    words: int,
    layout: Layout,
    settings: ReorderingGrammar,
    run: RunOptions,
    *,
    held_out: Treebank | None,
    key: str,
    start: int,
    tie: Tie | None,
    smooth: Estimate,
) -> EMState:
    """Train a grammar.

    ``key`` identifies text and settings: a checkpoint with another key is refused. ``start`` is the number
    of the grammar among several with the same seed. Held-out text is scored with the grammar that ``smooth``
    makes from the counts.
    """
    seed = [run.seed, start]
    count = partial(shared_out, run=run)
    estimate = partial(normalise, layout, smoothing=settings.state_smoothing, tie=tie)
    state = _resumed(run, layout, key) if run.resume else None
    if state is None:
        tables = initial(layout, bank, words, noise=settings.noise, seed=seed, threads=run.threads, tie=tie)
        state = EMState(tables, np.zeros(tables.rules.shape), np.zeros(tables.lexical.shape))
    while state.iteration < settings.iterations and not _out_of_patience(state, settings):
        began = time.monotonic()
        if settings.online:
            log_likelihood = _online_pass(state, bank, settings, count, estimate, seed)
        else:
            counts = count(state.tables, bank)
            log_likelihood = float(counts.log_likelihood.sum())
            state.rules, state.lexical = counts.rules, counts.lexical
            state.tables = estimate(counts.rules, counts.lexical)
        known = math.isfinite(log_likelihood)  # the log is JSON, which has no infinity
        record: Record = {
            "iteration": state.iteration,
            "perplexity": perplexity(log_likelihood, bank.words) if known else None,
            "log_likelihood": log_likelihood if known else None,
        }
        state.iteration += 1
        if held_out is not None:
            record |= measured(smooth(state.rules, state.lexical), held_out, threads=run.threads)
            if record["held_out"] <= min((r["held_out"] for r in state.records), default=math.inf):
                state.best = state.rules, state.lexical
        state.records.append(record)
        if run.log:
            run.log({**record, "of": settings.iterations, "seconds": round(time.monotonic() - began, 3)})
        if run.checkpoint:
            _save(state, run.checkpoint, key)
    return state


def measured(tables: Tables, held_out: Treebank, *, threads: int = 1) -> Record:
    """Score held-out text; each word of a sentence without a derivation costs ``FLOOR``."""
    scores = expect(tables, held_out, counts=False, threads=threads).log_likelihood
    possible = np.isfinite(scores)
    if not possible.any():
        raise WordOrderError(
            f"the grammar derives none of {len(held_out)} held-out sentences; use others, or smooth more"
        )
    charged = FLOOR * int(held_out.lengths[~possible].sum())
    return {
        "held_out": perplexity(float(scores[possible].sum()) + charged, held_out.words),
        "held_out_sentences": len(held_out),
        "held_out_impossible": int((~possible).sum()),
    }


def perplexity(log_likelihood: float, words: int) -> float:
    """Return the perplexity per source word."""
    return math.exp(min(700.0, -log_likelihood / max(words, 1)))


def shared_out(tables: Tables, bank: Treebank, *, run: RunOptions) -> ExpectedCounts:
    """Run the E-step in threads of this process, or part by part where ``run.runner`` runs it."""
    if run.runner is None:
        return expect(tables, bank, threads=run.threads)
    rules, lexical = np.zeros(tables.rules.shape), np.zeros(tables.lexical.shape)
    log_likelihoods = []
    for part in run.runner(partial(count_part, tables), parts(bank)):
        rules += part.rules
        lexical.reshape(-1)[part.where] += part.values
        log_likelihoods.append(part.log_likelihood)
    return ExpectedCounts(rules, lexical, np.concatenate(log_likelihoods))


class PartCounts(NamedTuple):
    """Counts of a part of a treebank; those of words are sparse, because they are sent between machines."""

    rules: Doubles
    where: Longs
    values: Doubles
    log_likelihood: Doubles


def count_part(tables: Tables, part: Treebank) -> PartCounts:
    """Run the E-step on one part."""
    counts = expect(tables, part)
    where = np.flatnonzero(counts.lexical)
    return PartCounts(counts.rules, where, counts.lexical.reshape(-1)[where], counts.log_likelihood)


def parts(bank: Treebank, size: int | None = None) -> Iterator[Treebank]:
    """Yield the treebank in parts."""
    size = size or PART
    for first in range(0, len(bank), size):
        yield bank.part(first, min(first + size, len(bank)))


def _online_pass(
    state: EMState,
    bank: Treebank,
    settings: ReorderingGrammar,
    count: Expect,
    estimate: Estimate,
    seed: list[int],
) -> float:
    """Run a pass of stepwise EM (Liang and Klein 2009): old counts decay; parts come in a random order.

    The first counts are those of all sentences under the initial grammar: if they were those of the first
    part, all words that do not occur in it would be lost. They count as one pass.
    """
    firsts = list(range(0, len(bank), settings.online))
    if state.steps == 0:
        counts = count(state.tables, bank)
        state.rules, state.lexical, state.steps = counts.rules, counts.lexical, len(firsts)
    np.random.default_rng([*seed, state.iteration]).shuffle(firsts)
    log_likelihood = 0.0
    for first in firsts:
        part = bank.part(first, min(first + settings.online, len(bank)))
        counts = count(state.tables, part)
        log_likelihood += float(counts.log_likelihood.sum())
        weight = (state.steps + 2) ** -settings.alpha
        scale = weight * len(bank) / len(part)
        state.rules = (1 - weight) * state.rules + scale * counts.rules
        state.lexical = (1 - weight) * state.lexical + scale * counts.lexical
        state.steps += 1
        state.tables = estimate(state.rules, state.lexical)
    return log_likelihood


def _out_of_patience(state: EMState, settings: ReorderingGrammar) -> bool:
    """Whether the score of held-out text has not improved for ``patience`` iterations."""
    scores = [r["held_out"] for r in state.records if "held_out" in r]
    return bool(
        settings.patience and scores and len(scores) - 1 - int(np.argmin(scores)) >= settings.patience
    )


def _save(state: EMState, folder: str, key: str) -> None:
    tables = state.tables.rules, state.tables.lexical, state.rules, state.lexical
    arrays: Arrays = dict(zip(CHECKPOINT_ARRAYS, tables, strict=True))
    if state.best is not None:
        arrays["best_rules"], arrays["best_lexical"] = state.best
    save_checkpoint(folder, key, arrays, [state.iteration, state.steps, state.records])


def _resumed(run: RunOptions, layout: Layout, key: str) -> EMState | None:
    """Return the state of a checkpoint; None if there is none."""
    kept = load_checkpoint(run.checkpoint, key, CHECKPOINT_ARRAYS)
    if kept is None:
        return None
    arrays, (iteration, steps, records) = kept
    best = (arrays["best_rules"], arrays["best_lexical"]) if "best_rules" in arrays else None
    rules, lexical, *counts = (arrays[name] for name in CHECKPOINT_ARRAYS)
    return EMState(Tables(layout, rules, lexical), counts[0], counts[1], iteration, steps, records, best)
