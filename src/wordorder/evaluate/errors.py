"""Error analysis of one system: words, rules, operators, worst sentences (Talbot et al. 2011, section 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Ints
from wordorder.core.word_errors import WordErrors, WordGroup, bucket, group_errors, word_errors
from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus
from wordorder.evaluate.operators import OperatorCount, operator_confusion
from wordorder.evaluate.references import Reference
from wordorder.evaluate.rule_effects import RuleEffect, rule_effects
from wordorder.evaluate.variants import OrderScore, RankedOrders, Variant
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.explain import explain
from wordorder.preorder.rules.preorderer import Rules


@dataclass(frozen=True, slots=True)
class BadSentence:
    """A sentence with a low score."""

    number: int  # from 1
    score: float
    source: str
    reference: str
    system: str
    rules: tuple[str, ...]  # the rules that moved words, for systems of rules


@dataclass(frozen=True, slots=True)
class ErrorAnalysis:
    """The errors of one system, grouped in several ways."""

    system: str
    metric: str
    groups: dict[str, list[WordGroup]]  # by word, tag, relation, length, depth
    worst: list[BadSentence]
    operators: list[OperatorCount]
    rules: list[RuleEffect] | None


def analyse_errors(
    corpus: EvaluationCorpus,
    system: EvaluatedSystem,
    variant: Variant,
    ranks: Sequence[Ints | None],
    score: OrderScore,
    *,
    min_count: int = 5,
    worst: int = 10,
    samples: int = 1000,
    seed: int = 12345,
) -> ErrorAnalysis:
    """Group the errors of a system by word, rule and operator, and list the worst sentences.

    ``ranks`` are the reference ranks of the variant, which also decides how repeated words are matched.
    Words are grouped by tag, relation and depth if there is a parse (that of the system, else the first).
    """
    used = [s for s, rank in enumerate(ranks) if rank is not None]
    words = [corpus.sources[s].words for s in used]
    by_words = variant.match == "words" and corpus.words is not None
    ranked = RankedOrders(
        [rank for rank in ranks if rank is not None],
        [system.orders[s] for s in used],
        words if by_words else None,
    )
    errors = [word_errors(rank, order) for rank, order in zip(ranked.matched, ranked.orders, strict=True)]
    parser = system.parser or next(iter(corpus.parses), None)
    trees = [corpus.parses[parser][s] for s in used] if parser else None
    rules: list[RuleEffect] | None = None
    if isinstance(system.preorderer, Rules) and trees is not None:
        rules = rule_effects(
            system.preorderer.rules,
            trees,
            ranked.ranks,
            score,
            words=ranked.words,
            samples=samples,
            seed=seed,
        )
    scores = score.scores(score.rows(ranked))
    order = np.argsort(scores if score.higher_is_better else -scores, kind="stable")
    return ErrorAnalysis(
        system.name,
        score.name,
        _groups(errors, words, trees, min_count) if corpus.words is not None else {},
        [
            _bad_sentence(
                corpus, system, used[k], ranked.ranks[k], float(scores[k]), trees[k] if trees else None
            )
            for k in order[:worst].tolist()
        ],
        operator_confusion(ranked.matched, ranked.orders),
        rules,
    )


def _groups(
    errors: Sequence[WordErrors],
    words: Sequence[Sequence[str]],
    trees: Sequence[Sentence] | None,
    min_count: int,
) -> dict[str, list[WordGroup]]:
    lower = [[word.lower() for word in line] for line in words]
    groups = {"word": group_errors(errors, lower, min_count=min_count)}
    if trees is not None:
        rows = [tree.words for tree in trees]
        groups["tag"] = group_errors(errors, [[row.upos for row in sentence] for sentence in rows])
        groups["relation"] = group_errors(errors, [[row.deprel for row in sentence] for sentence in rows])
        by_depth = group_errors(errors, [depths(tree) for tree in trees])
        groups["depth"] = sorted(by_depth, key=lambda group: int(group.name))
    lengths = group_errors(errors, [[bucket(len(line))] * len(line) for line in words])
    groups["length"] = sorted(lengths, key=lambda group: group.name)
    return groups


def _bad_sentence(
    corpus: EvaluationCorpus, system: EvaluatedSystem, s: int, rank: Ints, score: float, tree: Sentence | None
) -> BadSentence:
    words = corpus.sources[s].words or tuple(map(str, range(corpus.sizes[s])))
    moved: list[str] = []
    if tree is not None and isinstance(system.preorderer, Rules):
        for event in explain(system.preorderer.matcher, [tree])[0].fired:
            if event.moved:
                pieces = ", ".join(" ".join(words[i] for i in piece.words) for piece in event.moved_pieces)
                moved.append(f"{event.rule.name} at {words[event.head]}: {pieces}")
    text = " ".join(system.orders[s].apply(words))
    return BadSentence(
        s + 1, score, " ".join(words), Reference.from_ranks(words, rank).to_text(), text, tuple(moved)
    )


def depths(parse: Sentence) -> list[int]:
    """Count the heads above each word."""
    heads = [head - 1 for head in parse.heads]
    result: list[int] = []
    for i in range(len(heads)):
        depth, at = 0, heads[i]
        while at >= 0 and depth <= len(heads):
            depth, at = depth + 1, heads[at]
        result.append(depth)
    return result
