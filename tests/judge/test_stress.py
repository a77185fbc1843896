"""Stress tests of all metrics on the sample judgments: the orderings that must hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wordorder.data import sample_judgments
from wordorder.errors import BadSetting
from wordorder.judge.read import read_sets
from wordorder.judge.stress import Stress, set_of_texts, stress
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import REGISTRY, metric, parse_metrics

# Scores of the order of matched words, and scores that contain one.
ORDER = [
    "kendall",
    "spearman",
    "footrule",
    "ulam",
    "recpet",
    "recpef",
    "crossings",
    "full",
    "lrscore",
    "ribes",
]
# Scores that count words that are missing or in excess.
LEXICAL = ["full", "lrscore", "meteor", "beer", "bleu", "chrf", "ter"]
ALL = sorted(name for name in REGISTRY.names() if REGISTRY.get(name).__module__.startswith("wordorder."))


@pytest.fixture(scope="module")
def result() -> Stress:
    return stress(read_sets([str(sample_judgments())]), parse_metrics(ALL), items=0, samples=50)


def test_every_shipped_metric_is_tested(result: Stress) -> None:
    assert result.labels == ALL and len(result.labels) >= 23
    assert result.items == 60 and result.segments == 20 and result.sets == ["judgments xx-en sample"]


@pytest.mark.parametrize("name", ALL)
def test_what_every_metric_must_do(result: Stress, name: str) -> None:
    outcome = {(o.kind, o.manipulation): o for o in result.outcomes if o.metric == name}
    assert outcome["forgery", "reference"].share == 1.0
    # Words that are not there cannot cross: scores of order without a bound have no worst score.
    score = metric(name)
    unbounded = isinstance(score, OrderingMetric) and not np.isfinite(score.range).all()
    for forgery in ("shuffled",) if unbounded else ("shuffled", "source"):
        assert outcome["forgery", forgery].share < 1.0
        assert outcome["forgery", forgery].change < 0 < outcome["forgery", "reference"].change
    blanks = outcome["change", "blanks"]
    assert blanks.share == 1.0 and abs(blanks.change) < 1e-9
    assert outcome["change", "digits"].share is None and outcome["change", "digits"].items == 0
    assert outcome["change", "shuffled"].change < 0 and outcome["change", "shuffled"].share < 0.5


@pytest.mark.parametrize("name", ORDER)
def test_the_more_words_are_moved_the_lower_the_score(result: Stress, name: str) -> None:
    reference, neighbours, shuffled, halves = (
        result.outcome(name, "forgery", key).change
        for key in ("reference", "neighbours", "shuffled", "halves")
    )
    assert reference > neighbours > shuffled and reference > halves


@pytest.mark.parametrize("key", ["shuffled", "neighbours", "halves"])
def test_scrambled_references_do_not_fool_beer(result: Stress, key: str) -> None:
    outcome = result.outcome("beer", "forgery", key)
    assert outcome.change < 0 and outcome.share is not None and outcome.share < 0.2


@pytest.mark.parametrize("name", LEXICAL)
def test_words_in_excess_and_missing_words_cost(result: Stress, name: str) -> None:
    for key in ("lengthened", "truncated", "repeated", "negation"):
        outcome = result.outcome(name, "change", key)
        assert outcome.change < 0 and outcome.share < 0.5, key


def test_order_alone_does_not_see_what_is_added(result: Stress) -> None:
    for name in ("kendall", "recpef"):
        assert result.outcome(name, "change", "lengthened").share == 1.0


def test_case_counts_where_the_signature_says_so(result: Stress) -> None:
    for name in ("kendall", "full", "ribes", "meteor", "ter"):
        assert result.outcome(name, "change", "case").change == pytest.approx(0)
    for name in ("bleu", "chrf"):
        assert result.outcome(name, "change", "case").change < 0


def test_shares_and_changes_are_those_of_the_definition() -> None:
    reference, real = "a b c d e f", "b a c d e f"
    one = set_of_texts([[reference]], {"s": [real]})
    found = stress([one], parse_metrics(["kendall", "ter"]), samples=0)
    order = metric("kendall")
    swapped = order.sentence_score("b a d c f e", [reference]).score
    outcome = found.outcome("kendall", "forgery", "neighbours")
    assert (outcome.share, outcome.items, outcome.low) == (0.0, 1, None)
    assert swapped < order.sentence_score(real, [reference]).score
    assert found.outcome("ter", "forgery", "reference").share == 1.0  # lower is better
    assert found.outcome("kendall", "forgery", "source").share is None
    assert found.outcome("kendall", "change", "lengthened").share == 1.0
    assert found.outcome("kendall", "change", "lengthened").change is None  # one score has no spread

    texts = ["a b c d e f", "b a c d e f", "f e d c b a", "c a b d f e"]
    many = set_of_texts([[reference] * 4], {"s": texts})
    found = stress([many], [order], items=0, samples=200)
    scores = np.array([order.sentence_score(text, [reference]).score for text in texts])
    outcome = found.outcome("kendall", "forgery", "neighbours")
    assert outcome.share == np.mean(swapped >= scores) == 0.5
    assert outcome.low < outcome.share < outcome.high
    assert outcome.change == pytest.approx(np.mean(swapped - scores) / scores.std())


def test_the_seed_and_the_number_of_items_decide() -> None:
    sets = read_sets([str(sample_judgments())])
    metrics = parse_metrics(["chrf"])
    first, again, other = (stress(sets, metrics, items=20, samples=10, seed=seed) for seed in (1, 1, 2))
    assert first == again and first.items == 20
    assert first.outcomes != other.outcomes


def test_sets_that_cannot_be_used() -> None:
    (sample,) = read_sets([str(sample_judgments())])
    with pytest.raises(BadSetting, match="no references"):
        stress([replace(sample, references=[])], parse_metrics(["chrf"]))
    nothing = replace(sample, human=frozenset(sample.systems), testset="other")
    both = stress([nothing, sample], parse_metrics(["chrf"]), samples=0)
    assert both.outcomes == stress([sample], parse_metrics(["chrf"]), samples=0).outcomes
    with pytest.raises(BadSetting, match="no outputs"):
        stress([replace(sample, human=frozenset(sample.systems))], parse_metrics(["chrf"]))
