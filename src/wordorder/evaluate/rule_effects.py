"""The effect of each rule: the score with all rules compared with the score without this one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Ints
from wordorder.core.orders import Words
from wordorder.core.permutation import Permutation
from wordorder.engine.compare import compare
from wordorder.evaluate.variants import OrderScore, RankedOrders
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.explain import explain
from wordorder.preorder.rules.language import RuleSet
from wordorder.preorder.rules.matching import RuleMatcher


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """One rule: where it fired, what it moved, and what would be lost without it."""

    name: str
    place: str  # file and line
    fired: int  # heads
    moved: int  # heads whose children changed places
    words: int  # words that were moved
    gain: float  # contribution to the corpus score
    better: int  # sentences that the rule improves
    worse: int
    gained: float  # sum over the improved sentences
    harmed: float  # sum over the others, as a positive number
    p_value: float | None
    relations: tuple[tuple[str, int], ...]  # of the moved children, the most frequent first


def rule_effects(
    rules: RuleSet,
    trees: Sequence[Sentence],
    ranks: Sequence[Ints],
    score: OrderScore,
    *,
    words: Words | None = None,
    samples: int = 1000,
    seed: int = 12345,
) -> list[RuleEffect]:
    """Measure the effect of every rule that fired, the greatest gain first."""

    def statistics(orders: Sequence[Permutation]) -> np.ndarray:
        return score.rows(RankedOrders(ranks, orders, words))

    explanations = explain(RuleMatcher(rules), trees)
    with_all = statistics([explanation.order for explanation in explanations])
    scores_with_all = score.scores(with_all)
    fired: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    moved_words: Counter[str] = Counter()
    relations: dict[str, Counter[str]] = {}
    for explanation in explanations:
        for event in explanation.fired:
            name = event.rule.name
            fired[name] += 1
            if event.moved:
                moved[name] += 1
                moved_words[name] += len(event.moved_words)
                tally = relations.setdefault(name, Counter())
                tally.update(piece.relation for piece in event.moved_pieces)
    effects = []
    sign = 1 if score.higher_is_better else -1
    for rule in rules:
        if not fired[rule.name]:
            continue
        without = statistics(RuleMatcher(rules.without(rule.name)).reorder(trees))
        change = sign * (scores_with_all - score.scores(without))
        comparison = compare(
            [[without], [with_all]],
            [score.scores],
            samples=samples,
            seed=seed,
            paired="bootstrap" if samples > 1 else None,
        )
        result = comparison.results[1][0]
        effects.append(
            RuleEffect(
                name=rule.name,
                place=rule.place,
                fired=fired[rule.name],
                moved=moved[rule.name],
                words=moved_words[rule.name],
                gain=sign * (result.difference or 0.0),
                better=int((change > 1e-12).sum()),
                worse=int((change < -1e-12).sum()),
                gained=float(change[change > 0].sum()),
                harmed=float(-change[change < 0].sum()) + 0.0,
                p_value=result.p_value,
                relations=tuple(relations.get(rule.name, Counter()).most_common(8)),
            )
        )
    return sorted(effects, key=lambda effect: (-effect.gain, effect.name))
