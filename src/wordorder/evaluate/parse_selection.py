"""Targeted self-training: choose the parse that leads to the best order (Katz-Brown et al. 2011)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from wordorder.arrays import Ints
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.variants import OrderScore, RankedOrders
from wordorder.io.lines import counted
from wordorder.io.sentence import Sentence
from wordorder.preorder.base import Preorderer
from wordorder.preorder.source import Source


@dataclass(frozen=True, slots=True)
class ParseChoice:
    """The parse that was chosen for a sentence (from 0), and the scores of all its parses."""

    chosen: int
    scores: tuple[float, ...]

    @property
    def gain(self) -> float:
        """The improvement over the first choice of the parser."""
        return self.scores[self.chosen] - self.scores[0]


@dataclass(frozen=True, slots=True)
class ParseSelection:
    """The choices of a corpus; None for sentences without a reference order."""

    choices: tuple[ParseChoice | None, ...]

    @property
    def scored(self) -> list[ParseChoice]:
        """The choices for sentences that have a reference order."""
        return [choice for choice in self.choices if choice is not None]

    @property
    def changed(self) -> int:
        """The number of sentences for which another parse than the first was chosen."""
        return sum(choice.chosen > 0 for choice in self.scored)

    @property
    def first(self) -> float:
        """The mean score of the first parses."""
        return float(np.mean([choice.scores[0] for choice in self.scored]))

    @property
    def best(self) -> float:
        """The mean score of the chosen parses."""
        return float(np.mean([choice.scores[choice.chosen] for choice in self.scored]))


def choose_parses(
    preorderer: Preorderer,
    parses: Sequence[Sequence[Sentence]],
    ranks: Sequence[Ints | None],
    score: OrderScore,
    *,
    by_words: bool = True,
) -> ParseSelection:
    """Choose, for every sentence, the parse whose order scores best; the first one among equals."""
    if "parse" not in preorderer.needs:
        raise BadSetting(f"{preorderer.name} does not use parses, so they cannot be compared by its orders")
    if not score.higher_is_better:
        raise BadSetting(f"{score.name} is better when lower; choose a metric that is better when higher")
    flat = [(rank, s, tree) for s, rank in enumerate(ranks) if rank is not None for tree in parses[s]]
    words = [tuple(tree.forms) for _, _, tree in flat]
    orders = preorderer.reorder_batch(
        [Source(line, tree) for line, (_, _, tree) in zip(words, flat, strict=True)]
    )
    rows = score.rows(RankedOrders([rank for rank, _, _ in flat], orders, words if by_words else None))
    scores: dict[int, list[float]] = {}
    for (_, s, _), value in zip(flat, score.scores(rows).tolist(), strict=True):
        scores.setdefault(s, []).append(value)
    return ParseSelection(
        tuple(
            ParseChoice(int(np.argmax(scores[s])), tuple(scores[s])) if s in scores else None
            for s in range(len(parses))
        )
    )


def group_parses(
    sentences: Iterable[Sentence], file: str, words: Sequence[Sequence[str]]
) -> Iterator[list[Sentence]]:
    """Group the parses of each sentence, which follow one another in a file, the first choice first.

    Every sentence of the text must have a parse. A new sentence begins where the words change; two sentences
    in a row that have the same words are told apart by their ``sent_id``.
    """
    trees = list(sentences)
    groups: list[list[Sentence]] = []
    # Some parsers number the parses of a sentence, 7.1, 7.2: strip that if ids give too many sentences.
    ids = [tree.sent_id for tree in trees]
    if 1 + sum(not _same(*pair) for pair in pairwise(zip(trees, ids, strict=True))) > len(words):
        ids = [re.sub(r"[._-]\d+$", "", name) if name else name for name in ids]
    hint = "; two sentences in a row that have the same words need different sent_ids"
    for k, tree in enumerate(trees):
        again = k > 0 and _same((trees[k - 1], ids[k - 1]), (tree, ids[k]))
        if not again:
            groups.append([])
            if len(groups) > len(words):
                what = f"has parses of more sentences than the text ({len(words)}){hint}"
                raise BadFile(what, file=file, line=tree.line or None)
            if tuple(tree.forms) != tuple(words[len(groups) - 1]):
                text = " ".join(words[len(groups) - 1])
                what = f"parse of {' '.join(tree.forms)[:40]!r} where sentence {len(groups)} is {text[:40]!r}"
                raise BadFile(what, file=file, line=tree.line or None)
        groups[-1].append(tree)
    if len(groups) != len(words):
        what = f"has parses of {counted(len(groups), 'sentence')}; the text has {len(words)}{hint}"
        raise BadFile(what, file=file, line=trees[-1].line or None if trees else None)
    yield from groups


def _same(first: tuple[Sentence, str | None], second: tuple[Sentence, str | None]) -> bool:
    return first[0].forms == second[0].forms and first[1] == second[1]
