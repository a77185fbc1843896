"""Learning grammars from aligned sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting, WordOrderError
from wordorder.preorder.grammar.decoding import tree_of
from wordorder.preorder.grammar.em import train
from wordorder.preorder.grammar.grammar_counts import GrammarCounts
from wordorder.preorder.grammar.operators import Layout, Operator
from wordorder.preorder.grammar.tables import Tables, Tie
from wordorder.preorder.grammar.treebank import (
    TokenisedSentence,
    Treebank,
    build_treebank,
    check_pairs,
    tokenise,
)
from wordorder.preorder.grammar.vocabulary import Vocabulary, folded
from wordorder.preorder.source import Source
from wordorder.preorder.training import AlignedText, Record, RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree

if TYPE_CHECKING:
    from wordorder.preorder.grammar.preorderer import ReorderingGrammar

MOST_SLOTS = 65535  # slot numbers are stored in 16 bits


def learn(
    settings: ReorderingGrammar, data: TrainingData, run: RunOptions
) -> tuple[list[GrammarCounts], dict[str, Any]]:
    """Learn grammars, each from its own random start; return them with facts about the training."""
    vocabulary, bank = latent_treebank(settings, data.sources, data.alignments)
    layout = Layout.split(bank.operators, binary=settings.binary, nary=settings.nary)
    if layout.slot_count > MOST_SLOTS:
        raise BadSetting(f"{layout.slot_count} slots are more than {MOST_SLOTS}: use fewer states")
    held_out = None
    if data.held_out is not None:
        others, held_out = _new_forests(settings, data.held_out, vocabulary, bank.operators)
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
            bank, len(vocabulary), layout, settings, own_run,
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
    settings: ReorderingGrammar, sources: Sequence[Source], alignments: Sequence[Alignment]
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
    grammar: ReorderingGrammar,
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
    tables, vocabulary = grammar.decoders[0].tables, grammar.decoders[0].vocabulary
    layout = tables.layout
    tokens, bank = _new_forests(grammar, (sources, alignments), vocabulary, layout.operators)
    best_trees = _native.best_in_forests(
        layout.native, tables.rules, tables.lexical,
        bank.tokens, bank.offsets, bank.nodes, bank.ends, threads,
    )  # fmt: skip
    out: list[tuple[SourceTree, float] | None] = [None] * len(sources)
    for s, (log_probability, nodes) in zip(bank.kept.tolist(), best_trees, strict=True):
        if nodes:
            starts = list(accumulate((w.count(" ") + 1 for w in tokens[s].words), initial=0))
            out[s] = tree_of(nodes, layout, starts, states=states), log_probability
    return out


def _new_forests(
    settings: ReorderingGrammar, text: AlignedText, vocabulary: Vocabulary, operators: Sequence[Operator]
) -> tuple[list[TokenisedSentence], Treebank]:
    """Return the tokens and the forests of other text than that of the vocabulary and the operators."""
    words = [folded(source.words, settings.lowercase) for source in text[0]]
    check_pairs(words, text[1])
    tokens = list(tokenise(words, text[1], settings.shape, vocabulary))
    return tokens, build_treebank(tokens, vocabulary, settings.shape, operators)


def _numbered(run: RunOptions, number: int) -> RunOptions:
    """Return the options for one of several grammars: its number in the log, its own checkpoint."""
    log = run.log

    def numbered_log(record: Record) -> None:
        if log:
            log({"grammar": number, **record})

    folder = f"{run.checkpoint}/{number}" if run.checkpoint else None
    return replace(run, log=numbered_log, checkpoint=folder)
