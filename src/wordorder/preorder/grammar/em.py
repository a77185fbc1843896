"""Training: expectation maximisation over the latent treebank (Stanojević 2017, 3.3.2).

The same seed gives the same model, bit for bit, for any number of threads, and whether or not training was
interrupted: a checkpoint holds all that the next iteration needs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.errors import WordOrderError
from wordorder.preorder.base import Arrays
from wordorder.preorder.checkpoints import load_checkpoint, save_checkpoint
from wordorder.preorder.grammar.operators import Layout
from wordorder.preorder.grammar.tables import ExpectedCounts, Tables, Tie, expect, initial, normalise
from wordorder.preorder.grammar.treebank import Treebank
from wordorder.preorder.training import Record, RunOptions

PART = 4096  # sentences that are counted at once when the work is shared out
FLOOR = math.log(1e-6)  # what a word of a sentence without a derivation is charged
Expect = Callable[[Tables, Treebank], ExpectedCounts]
Smooth = Callable[[Doubles, Doubles], Tables]  # the grammar as it is used, from counts of rules and words


@dataclass(frozen=True)
class Schedule:
    """How long to train, and how. ``online``: sentences between two updates, 0 for all of them."""

    iterations: int = 10
    smoothing: float = 0.0
    noise: float = 0.5
    patience: int = 0
    online: int = 0
    alpha: float = 0.7


@dataclass
class EMState:
    """All that the next iteration needs."""

    tables: Tables
    rules: Doubles  # the counts behind the tables
    lexical: Doubles
    iteration: int = 0  # updates done; in online training, passes over the text
    steps: int = 0  # updates of online training
    records: list[Record] = field(default_factory=list)
    best: tuple[Doubles, Doubles] | None = None  # counts of the grammar that was best on held-out text


def train(
    bank: Treebank,
    words: int,
    layout: Layout,
    schedule: Schedule,
    run: RunOptions,
    *,
    held_out: Treebank | None = None,
    key: str = "",
    start: int = 0,
    tie: Tie | None = None,
    smooth: Smooth | None = None,
) -> EMState:
    """Train a grammar. ``key`` names text and settings: a checkpoint of others is refused.

    ``start`` is the number of the grammar among several of the same seed. Held-out text is measured with
    the grammar that ``smooth`` makes of the counts; without, with the one that training goes on with.
    """
    seed = [run.seed, start]
    count = partial(shared_out, run=run)
    state = _resumed(run, layout, key) if run.resume else None
    if state is None:
        tables = initial(layout, bank, words, noise=schedule.noise, seed=seed, threads=run.threads, tie=tie)
        state = EMState(tables, np.zeros(tables.rules.shape), np.zeros(tables.lexical.shape))
    while state.iteration < schedule.iterations and not _worn_out(state, schedule):
        began = time.monotonic()
        if schedule.online:
            log_likelihood = _online_pass(state, bank, schedule, count, seed, tie)
        else:
            counts = count(state.tables, bank)
            log_likelihood = float(counts.log_likelihood.sum())
            state.rules, state.lexical = counts.rules, counts.lexical
            state.tables = normalise(
                layout, counts.rules, counts.lexical, smoothing=schedule.smoothing, tie=tie
            )
        known = math.isfinite(log_likelihood)  # a log is JSON, which has no infinity
        record: Record = {
            "iteration": state.iteration,
            "perplexity": perplexity(log_likelihood, bank.words) if known else None,
            "log_likelihood": log_likelihood if known else None,
        }
        state.iteration += 1
        if held_out is not None:
            used = smooth(state.rules, state.lexical) if smooth else state.tables
            record |= measured(used, held_out, threads=run.threads)
            if record["held_out"] <= min((r["held_out"] for r in state.records), default=math.inf):
                state.best = state.rules, state.lexical
        state.records.append(record)
        if run.log:
            run.log({**record, "of": schedule.iterations, "seconds": round(time.monotonic() - began, 3)})
        if run.checkpoint:
            _save(state, run.checkpoint, key)
    return state


def measured(tables: Tables, held_out: Treebank, *, threads: int = 1) -> Record:
    """How well a grammar foresees held-out text; words of sentences that it cannot build cost ``FLOOR``."""
    found = expect(tables, held_out, counts=False, threads=threads).log_likelihood
    possible = np.isfinite(found)
    if not possible.any():
        raise WordOrderError(
            f"the grammar can build none of {len(held_out)} held-out sentences; take others, or smooth more"
        )
    charged = FLOOR * int(held_out.lengths[~possible].sum())
    return {
        "held_out": perplexity(float(found[possible].sum()) + charged, held_out.words),
        "held_out_sentences": len(held_out),
        "held_out_impossible": int((~possible).sum()),
    }


def perplexity(log_likelihood: float, words: int) -> float:
    """Per word of the source."""
    return math.exp(min(700.0, -log_likelihood / max(words, 1)))


def shared_out(tables: Tables, bank: Treebank, *, run: RunOptions) -> ExpectedCounts:
    """The E-step, on threads here, or part by part wherever ``run.runner`` does it."""
    if run.runner is None:
        return expect(tables, bank, threads=run.threads)
    rules, lexical = np.zeros(tables.rules.shape), np.zeros(tables.lexical.shape)
    found = []
    for part in run.runner(partial(count_part, tables), parts(bank)):
        rules += part.rules
        lexical.reshape(-1)[part.where] += part.values
        found.append(part.log_likelihood)
    return ExpectedCounts(rules, lexical, np.concatenate(found))


class PartCounts(NamedTuple):
    """ExpectedCounts of a part of a treebank, those of words where they are not zero: they travel."""

    rules: Doubles
    where: NDArray[np.int64]
    values: Doubles
    log_likelihood: Doubles


def count_part(tables: Tables, part: Treebank) -> PartCounts:
    """The E-step for one part."""
    counts = expect(tables, part)
    where = np.flatnonzero(counts.lexical)
    return PartCounts(counts.rules, where, counts.lexical.reshape(-1)[where], counts.log_likelihood)


def parts(bank: Treebank, size: int | None = None) -> Iterator[Treebank]:
    """The treebank cut into parts."""
    size = size or PART
    for first in range(0, len(bank), size):
        yield bank.part(first, min(first + size, len(bank)))


def _online_pass(
    state: EMState, bank: Treebank, schedule: Schedule, count: Expect, seed: list[int], tie: Tie | None
) -> float:
    """Stepwise EM (Liang and Klein 2009): counts fade as new ones come; parts in a random order.

    The counts that fade first are those of all sentences under the grammar of the start: were they those
    of the first part, all words that it does not hold would be gone. They count as one pass.
    """
    firsts = list(range(0, len(bank), schedule.online))
    if state.steps == 0:
        counts = count(state.tables, bank)
        state.rules, state.lexical, state.steps = counts.rules, counts.lexical, len(firsts)
    np.random.default_rng([*seed, state.iteration]).shuffle(firsts)
    log_likelihood = 0.0
    for first in firsts:
        part = bank.part(first, min(first + schedule.online, len(bank)))
        counts = count(state.tables, part)
        log_likelihood += float(counts.log_likelihood.sum())
        weight = (state.steps + 2) ** -schedule.alpha
        scale = weight * len(bank) / len(part)
        state.rules = (1 - weight) * state.rules + scale * counts.rules
        state.lexical = (1 - weight) * state.lexical + scale * counts.lexical
        state.steps += 1
        state.tables = normalise(
            state.tables.layout, state.rules, state.lexical, smoothing=schedule.smoothing, tie=tie
        )
    return log_likelihood


def _worn_out(state: EMState, schedule: Schedule) -> bool:
    """Whether held-out text has not got better for as long as we are patient."""
    found = [r["held_out"] for r in state.records if "held_out" in r]
    return bool(schedule.patience and found and len(found) - 1 - int(np.argmin(found)) >= schedule.patience)


def _save(state: EMState, folder: str, key: str) -> None:
    arrays: Arrays = {
        "rules": state.tables.rules,
        "lexical": state.tables.lexical,
        "rule_counts": state.rules,
        "lexical_counts": state.lexical,
    }
    if state.best is not None:
        arrays["best_rules"], arrays["best_lexical"] = state.best
    save_checkpoint(folder, key, arrays, [state.iteration, state.steps, state.records])


def _resumed(run: RunOptions, layout: Layout, key: str) -> EMState | None:
    """The state of a checkpoint; None if there is none yet."""
    names = ("rules", "lexical", "rule_counts", "lexical_counts")
    kept = load_checkpoint(run.checkpoint, key, names)
    if kept is None:
        return None
    arrays, (iteration, steps, records) = kept
    best = (arrays["best_rules"], arrays["best_lexical"]) if "best_rules" in arrays else None
    tables = Tables(layout, arrays["rules"], arrays["lexical"])
    counts = arrays["rule_counts"], arrays["lexical_counts"]
    return EMState(tables, *counts, iteration, steps, records, best)
