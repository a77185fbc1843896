"""What each rule is worth: the score with all rules against the score without that one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.engine.compare import compare
from wordorder.evaluate.gold import Ranks
from wordorder.evaluate.relative import relative_orders
from wordorder.io.sentence import Sentence
from wordorder.metrics.ordering import OrderingMetric
from wordorder.preorder.rules.explain import explain
from wordorder.preorder.rules.language import RuleSet
from wordorder.preorder.rules.matching import RuleMatcher


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """One rule: where it fired, what it moved, and what would be lost without it."""

    name: str
    place: str  # file and line
    fired: int  # heads
    moved: int  # heads whose pieces changed places
    words: int  # words that were moved
    gain: float  # what it adds to the corpus score
    better: int  # sentences that it makes better
    worse: int
    gained: float  # sum over the better ones
    harmed: float  # and over the worse ones, as a positive number
    p_value: float | None
    relations: tuple[tuple[str, int], ...]  # of the children that it moved, the most frequent first

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"relations": dict(self.relations)}


def rule_effects(
    rules: RuleSet,
    sentences: Sequence[Sentence],
    ranks: Sequence[Ranks | None],
    metric: OrderingMetric,
    *,
    words: Sequence[Sequence[str]] | None = None,
    samples: int = 1000,
    seed: int = 12345,
) -> list[RuleEffect]:
    """The effect of every rule that fired, the greatest gain first; the default of the set is not dropped."""
    used = [s for s, rank in enumerate(ranks) if rank is not None]
    trees = [sentences[s] for s in used]
    mine = [ranks[s] for s in used]
    forms = [words[s] for s in used] if words is not None else None

    def stats(orders: Sequence[Permutation]) -> np.ndarray:
        return metric.statistics(relative_orders(mine, orders, forms))

    def scores(orders: Sequence[Permutation]) -> np.ndarray:
        return metric.score_orders(relative_orders(mine, orders, forms))

    whole = RuleMatcher(rules)
    told = explain(whole, trees)
    orders = [one.order for one in told]
    all_stats, all_scores = stats(orders), scores(orders)
    fired: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    moved_words: Counter[str] = Counter()
    relations: dict[str, Counter[str]] = {}
    for one in told:
        for event in one.fired:
            name = event.rule.name
            fired[name] += 1
            if event.moved:
                moved[name] += 1
                moved_words[name] += len(event.moved_words)
                tally = relations.setdefault(name, Counter())
                tally.update(piece.relation for piece in event.moved_pieces)
    found = []
    sign = 1 if metric.higher_is_better else -1
    for rule in rules:
        if not fired[rule.name]:
            continue
        others = RuleMatcher(rules.without(rule.name)).reorder(trees)
        less = stats(others)
        change = sign * (all_scores - scores(others))
        paired = "bootstrap" if samples > 1 else None
        compared = compare([[less], [all_stats]], [metric.scores], samples=samples, seed=seed, paired=paired)
        effect = compared.results[1][0]
        found.append(
            RuleEffect(
                name=rule.name,
                place=rule.place,
                fired=fired[rule.name],
                moved=moved[rule.name],
                words=moved_words[rule.name],
                gain=sign * (effect.difference or 0.0),
                better=int((change > 1e-12).sum()),
                worse=int((change < -1e-12).sum()),
                gained=float(change[change > 0].sum()),
                harmed=float(-change[change < 0].sum()) + 0.0,
                p_value=effect.p_value,
                relations=tuple(relations.get(rule.name, Counter()).most_common(8)),
            )
        )
    return sorted(found, key=lambda effect: (-effect.gain, effect.name))
