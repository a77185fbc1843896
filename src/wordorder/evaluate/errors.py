"""Error analysis of one system: words, rules, operators, worst sentences (Talbot et al. 2011, section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.evaluate.corpus import Corpus, System
from wordorder.evaluate.operators import operator_confusion
from wordorder.evaluate.relative import matched_ranks, relative_orders
from wordorder.evaluate.rule_effects import RuleEffect, rule_effects
from wordorder.evaluate.words import Group, WordErrors, bucket, depths, group_errors, word_errors
from wordorder.io.sentence import Sentence
from wordorder.metrics.ordering import OrderingMetric
from wordorder.preorder.rules.explain import explain
from wordorder.preorder.rules.preorderer import Rules


@dataclass(frozen=True, slots=True)
class BadSentence:
    """A sentence that is ordered badly."""

    number: int  # from 1
    score: float
    source: str
    reference: str
    system: str
    rules: tuple[str, ...]  # what moved its words, for systems of rules

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"rules": list(self.rules)}


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """What goes wrong, and where."""

    system: str
    metric: str
    groups: dict[str, list[Group]]  # by word, tag, relation, length, depth
    worst: list[BadSentence]
    operators: dict[tuple[str, str], int]
    rules: list[RuleEffect] | None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "system": self.system,
            "metric": self.metric,
            "groups": {name: [group.as_dict() for group in some] for name, some in self.groups.items()},
            "worst": [one.as_dict() for one in self.worst],
            "operators": [
                {"reference": one, "system": other, "count": count}
                for (one, other), count in sorted(self.operators.items(), key=lambda item: -item[1])
            ],
            "rules": [one.as_dict() for one in self.rules] if self.rules is not None else None,
        }


def analyse_errors(
    corpus: Corpus,
    system: System,
    metric: OrderingMetric,
    *,
    by_words: bool = True,
    min_count: int = 5,
    worst: int = 10,
    samples: int = 1000,
    seed: int = 12345,
) -> ErrorAnalysis:
    """Look into the errors of a system.

    Words are grouped by tag, relation and depth where there is a parse (that of the system, else the
    first). ``by_words`` takes a word for any other of the same form, as the score of the paper does.
    """
    used = [s for s, rank in enumerate(corpus.ranks) if rank is not None]
    ranks = [rank for rank in corpus.ranks if rank is not None]
    orders = [system.orders[s] for s in used]
    words = [corpus.sources[s].words for s in used]
    # Which word of the reference each word of the system is taken for, as the score has it.
    met = matched_ranks(ranks, orders, words) if by_words else ranks
    errors = [word_errors(rank, order) for rank, order in zip(met, orders, strict=True)]
    name = system.parser or next(iter(corpus.parses), None)
    trees = [corpus.parses[name][s] for s in used] if name else None
    scores = metric.score_orders(relative_orders(ranks, orders, words if by_words else None))
    by_rule = isinstance(system.preorderer, Rules) and trees is not None
    rules: list[RuleEffect] | None = None
    if by_rule and isinstance(system.preorderer, Rules) and trees is not None:
        rules = rule_effects(
            system.preorderer.rules,
            trees,
            ranks,
            metric,
            words=words if by_words else None,
            samples=samples,
            seed=seed,
        )
    at = np.argsort(scores if metric.higher_is_better else -scores, kind="stable")[:worst]
    bad = [
        _bad(corpus, system, used[k], float(scores[k]), trees[k] if trees and by_rule else None)
        for k in at.tolist()
    ]
    return ErrorAnalysis(
        system.name,
        metric.name,
        _groups(errors, words, trees, min_count),
        bad,
        operator_confusion(met, orders),
        rules,
    )


def _groups(
    errors: Sequence[WordErrors],
    words: Sequence[Sequence[str]],
    trees: Sequence[Sentence] | None,
    min_count: int,
) -> dict[str, list[Group]]:
    lower = [[word.lower() for word in line] for line in words]
    found = {"word": group_errors(errors, lower, min_count=min_count)}
    if trees is not None:
        rows = [tree.words for tree in trees]
        found["tag"] = group_errors(errors, [[row.upos for row in some] for some in rows])
        found["relation"] = group_errors(errors, [[row.deprel for row in some] for some in rows])
        found["depth"] = sorted(
            group_errors(errors, [depths(tree) for tree in trees]), key=lambda g: int(g.name)
        )
    lengths = group_errors(errors, [[bucket(len(line))] * len(line) for line in words])
    found["length"] = sorted(lengths, key=lambda group: group.name)
    return found


def _bad(corpus: Corpus, system: System, s: int, score: float, tree: Sentence | None) -> BadSentence:
    words = corpus.sources[s].words
    moved: list[str] = []
    if tree is not None and isinstance(system.preorderer, Rules):
        told = explain(system.preorderer.matcher, [tree])[0]
        for event in told.fired:
            if event.moved:
                pieces = ", ".join(" ".join(words[i] for i in piece.words) for piece in event.moved_pieces)
                moved.append(f"{event.rule.name} at {words[event.head]}: {pieces}")
    system_text = " ".join(system.orders[s].apply(words))
    return BadSentence(
        s + 1, score, " ".join(words), corpus.reference(s).to_text(), system_text, tuple(moved)
    )
