"""Targeted self-training: of several parses the one that reorders best (Katz-Brown et al. 2011)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.gold import Ranks
from wordorder.evaluate.relative import relative_orders
from wordorder.io.lines import counted
from wordorder.io.sentence import Sentence
from wordorder.metrics.ordering import OrderingMetric
from wordorder.preorder.base import Preorderer
from wordorder.preorder.source import Source


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for one sentence: which parse (from 0), and the scores of all."""

    chosen: int
    scores: tuple[float, ...]

    @property
    def gain(self) -> float:
        """How much better it reorders than the parser's own first choice."""
        return self.scores[self.chosen] - self.scores[0]


@dataclass(frozen=True, slots=True)
class SelfTraining:
    """The choices of a corpus, None for sentences without a reference order."""

    choices: tuple[Choice | None, ...]
    metric: str

    def as_dict(self) -> dict[str, Any]:
        """A summary as plain data."""
        made = [choice for choice in self.choices if choice is not None]
        first = [choice.scores[0] for choice in made]
        best = [choice.scores[choice.chosen] for choice in made]
        return {
            "sentences": len(self.choices),
            "with_reference": len(made),
            "changed": sum(choice.chosen > 0 for choice in made),
            "parses": sum(len(choice.scores) for choice in made),
            "metric": self.metric,
            "first": float(np.mean(first)) if first else None,
            "chosen": float(np.mean(best)) if best else None,
        }


def choose_parses(
    preorderer: Preorderer,
    parses: Sequence[Sequence[Sentence]],
    ranks: Sequence[Ranks | None],
    metric: OrderingMetric,
    *,
    by_words: bool = True,
) -> SelfTraining:
    """Choose, for every sentence, the parse whose order scores best; of equal ones the parser's first."""
    if "parse" not in preorderer.needs:
        raise BadSetting(f"{preorderer.name} does not look at parses: there is nothing to choose by")
    if not metric.higher_is_better:
        raise BadSetting(f"{metric.name} is better when lower; choose one that is better when higher")
    flat = [(s, tree) for s, some in enumerate(parses) for tree in some if ranks[s] is not None]
    words = [tuple(tree.forms) for _, tree in flat]
    orders = preorderer.reorder_batch(
        [Source(line, tree) for line, (_, tree) in zip(words, flat, strict=True)]
    )
    relative = relative_orders([ranks[s] for s, _ in flat], orders, words if by_words else None)
    scores: dict[int, list[float]] = {}
    for (s, _), score in zip(flat, metric.score_orders(relative).tolist(), strict=True):
        scores.setdefault(s, []).append(score)
    choices = [
        Choice(int(np.argmax(scores[s])), tuple(scores[s])) if s in scores else None
        for s in range(len(parses))
    ]
    return SelfTraining(tuple(choices), metric.name)


def group_parses(
    sentences: Iterable[Sentence], file: str, words: Sequence[Sequence[str]]
) -> Iterator[list[Sentence]]:
    """Parses of the same sentence, which follow each other in a file, the parser's first choice first.

    Each sentence of the text must have one at least; where the words change, the next one begins. Two
    sentences of the same words in a row are told apart by ``sent_id``.
    """
    trees = list(sentences)
    found: list[list[Sentence]] = []
    # Some parsers number the parses of a sentence, 7.1, 7.2: where whole ids give too many sentences.
    names = [tree.sent_id for tree in trees]
    if 1 + sum(not _same(*pair) for pair in pairwise(zip(trees, names, strict=True))) > len(words):
        names = [re.sub(r"[._-]\d+$", "", name) if name else name for name in names]
    told = "; two sentences in a row of the same words are told apart by their sent_id"
    for k, tree in enumerate(trees):
        again = k > 0 and _same((trees[k - 1], names[k - 1]), (tree, names[k]))
        if not again:
            found.append([])
            if len(found) > len(words):
                what = f"has parses of more sentences than the text ({len(words)}){told}"
                raise BadFile(what, file=file, line=tree.line or None)
            if tuple(tree.forms) != tuple(words[len(found) - 1]):
                text = " ".join(words[len(found) - 1])
                what = f"parse of {' '.join(tree.forms)[:40]!r} where sentence {len(found)} is {text[:40]!r}"
                raise BadFile(what, file=file, line=tree.line or None)
        found[-1].append(tree)
    if len(found) != len(words):
        what = f"has parses of {counted(len(found), 'sentence')}; the text has {len(words)}{told}"
        raise BadFile(what, file=file, line=trees[-1].line or None if trees else None)
    yield from found


def _same(one: tuple[Sentence, str | None], other: tuple[Sentence, str | None]) -> bool:
    return one[0].forms == other[0].forms and one[1] == other[1]
