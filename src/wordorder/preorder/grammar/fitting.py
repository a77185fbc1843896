"""Learning grammars from aligned sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, Protocol

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting, WordOrderError
from wordorder.preorder.grammar.decoding import Decoder, tree_of
from wordorder.preorder.grammar.em import Schedule, train
from wordorder.preorder.grammar.grammar_counts import GrammarCounts
from wordorder.preorder.grammar.operators import Layout
from wordorder.preorder.grammar.tables import Tables, Tie
from wordorder.preorder.grammar.treebank import ForestShape, Treebank, build_treebank, check_pairs, tokenise
from wordorder.preorder.grammar.vocabulary import Vocabulary, folded
from wordorder.preorder.source import Source
from wordorder.preorder.training import Record, RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree

MOST_SLOTS = 65535  # slot numbers are stored in 16 bits


class Settings(Protocol):  # noqa: D101 (the settings of the preorderer that learning uses)
    # fmt: off
    @property
    def binary(self) -> int: ...  # noqa: D102
    @property
    def nary(self) -> int: ...  # noqa: D102
    @property
    def rare(self) -> int: ...  # noqa: D102
    @property
    def back_off(self) -> bool: ...  # noqa: D102
    @property
    def lowercase(self) -> bool: ...  # noqa: D102
    @property
    def patience(self) -> int: ...  # noqa: D102
    @property
    def grammars(self) -> int: ...  # noqa: D102
    @property
    def smoothings(self) -> dict[str, float]: ...  # noqa: D102
    @property
    def shape(self) -> ForestShape: ...  # noqa: D102
    @property
    def schedule(self) -> Schedule: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102
    # fmt: on


def learn(
    settings: Settings, data: TrainingData, run: RunOptions
) -> tuple[list[GrammarCounts], dict[str, Any]]:
    """Learn grammars, each from its own random start; return them with facts about the training."""
    vocabulary, bank = latent_treebank(settings, data.sources, data.alignments)
    layout = Layout.split(bank.operators, binary=settings.binary, nary=settings.nary)
    if layout.slot_count > MOST_SLOTS:
        raise BadSetting(f"{layout.slot_count} slots are more than {MOST_SLOTS}: use fewer states")
    held_out = None
    if data.held_out is not None:
        others = [folded(source.words, settings.lowercase) for source in data.held_out[0]]
        check_pairs(others, data.held_out[1])
        apart = list(tokenise(others, data.held_out[1], settings.shape, vocabulary))
        held_out = build_treebank(apart, vocabulary, settings.shape, bank.operators)
        if not len(held_out):
            raise WordOrderError(
                f"no held-out sentence can be used, of {len(others)} ({_reasons(held_out.filtered)})"
            )
    elif settings.patience:
        raise BadSetting(f"patience={settings.patience} needs held-out text")
    digest = hashlib.sha256(f"{settings.signature}|{run.seed}".encode())
    for treebank in (bank, held_out) if held_out is not None else (bank,):
        for array in (treebank.tokens, treebank.offsets, treebank.nodes):
            digest.update(array.tobytes())
    facts: dict[str, Any] = {
        "seed": run.seed,
        "sentences": len(bank),
        "words": bank.words,
        "filtered": bank.filtered,
        "vocabulary": len(vocabulary),
        "data": digest.hexdigest()[:16],
    }
    classes = vocabulary.classes
    tie = Tie.of(bank, classes) if len(classes) > 1 else None

    def smooth(rules: Doubles, lexical: Doubles) -> Tables:
        return GrammarCounts.of_counts(layout, vocabulary, rules, lexical).tables(**settings.smoothings)

    learned = []
    for number in range(settings.grammars):
        own_run = run if settings.grammars == 1 else _numbered(run, number)
        state = train(
            bank, len(vocabulary), layout, settings.schedule, own_run,
            held_out=held_out, key=f"{digest.hexdigest()} {number}", start=number, tie=tie, smooth=smooth,
        )  # fmt: skip
        best = state.best if settings.patience else None
        learned.append(GrammarCounts.of_counts(layout, vocabulary, *(best or (state.rules, state.lexical))))
        for key in ("perplexity", "held_out"):
            curve = [round(record[key], 4) for record in state.records if record.get(key) is not None]
            if curve:
                facts.setdefault(key, []).append(curve)
    for key in ("perplexity", "held_out"):
        if settings.grammars == 1 and key in facts:
            (facts[key],) = facts[key]
    return learned, facts


def latent_treebank(
    settings: Settings, sources: Sequence[Source], alignments: Sequence[Alignment]
) -> tuple[Vocabulary, Treebank]:
    """Return the vocabulary and the forests of aligned sentences."""
    texts = [folded(source.words, settings.lowercase) for source in sources]
    check_pairs(texts, alignments)
    tokens = list(tokenise(texts, alignments, settings.shape))
    vocabulary = Vocabulary.learn(
        [sentence.words for sentence in tokens], rare=settings.rare, back_off=settings.back_off
    )
    bank = build_treebank(tokens, vocabulary, settings.shape)
    if not len(bank):
        raise WordOrderError(f"no sentence to learn from, of {len(sources)} ({_reasons(bank.filtered)})")
    return vocabulary, bank


def _reasons(filtered: Mapping[str, int]) -> str:
    """List the reasons why sentences were left out."""
    return ", ".join(f"{reason}: {count}" for reason, count in filtered.items()) or "no sentences at all"


def best_treebank(
    settings: Settings,
    decoder: Decoder,
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    *,
    threads: int = 1,
    states: bool = False,
) -> list[tuple[SourceTree, float] | None]:
    """Return the most probable tree of each sentence that agrees with its links, and its log probability.

    This is the treebank of hard EM. The result is None for sentences that the grammar cannot learn from.
    ``states`` adds states to the labels (``P12_7``).
    """
    texts = [folded(source.words, settings.lowercase) for source in sources]
    check_pairs(texts, alignments)
    layout, vocabulary = decoder.tables.layout, decoder.vocabulary
    tokens = list(tokenise(texts, alignments, settings.shape, vocabulary))
    bank = build_treebank(tokens, vocabulary, settings.shape, layout.operators)
    best_trees = _native.best_in_forests(
        layout.native, decoder.tables.rules, decoder.tables.lexical,
        bank.tokens, bank.offsets, bank.nodes, bank.ends, threads,
    )  # fmt: skip
    out: list[tuple[SourceTree, float] | None] = [None] * len(sources)
    for s, (log_probability, nodes) in zip(bank.kept.tolist(), best_trees, strict=True):
        if nodes:
            starts = list(accumulate((w.count(" ") + 1 for w in tokens[s].words), initial=0))
            tree = tree_of(nodes, layout, partial(_words_of, starts), states=states)
            out[s] = tree, log_probability
    return out


def _words_of(starts: list[int], begin: int, end: int) -> list[int]:
    """Return the word positions of some tokens."""
    return list(range(starts[begin], starts[end]))


def _numbered(run: RunOptions, number: int) -> RunOptions:
    """Return the options for one of several grammars: its number in the log, its own checkpoint."""
    log = run.log

    def numbered_log(record: Record) -> None:
        if log:
            log({"grammar": number, **record})

    folder = f"{run.checkpoint}/{number}" if run.checkpoint else None
    return replace(run, log=numbered_log, checkpoint=folder)
