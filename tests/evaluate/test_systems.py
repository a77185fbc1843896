"""Systems side by side: the paper's score, significance, words, operators, rules, parsers, people."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from tests.oracle.evaluating import fuzzy, wrong_shares
from tests.preorder.rules.trees import random_tree, tree
from wordorder.arrays import Ints
from wordorder.core.permutation import Permutation
from wordorder.core.word_errors import group_errors, word_errors
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.evaluate.columns import ComparisonSettings
from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus
from wordorder.evaluate.errors import analyse_errors
from wordorder.evaluate.evaluation import Evaluation, ReferenceOrders, score_systems
from wordorder.evaluate.operators import OperatorCount, operator_confusion
from wordorder.evaluate.parse_selection import choose_parses, group_parses
from wordorder.evaluate.parsers import accuracy, compare_parsers, parser_agreement
from wordorder.evaluate.relative import matched_ranks, relative_orders
from wordorder.evaluate.rule_effects import rule_effects
from wordorder.evaluate.variants import OrderScore, variant
from wordorder.io.sentence import Sentence
from wordorder.metrics import metric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.preorder import Source, preorderer
from wordorder.preorder.rules import parse_rules, rule_set
from wordorder.preorder.rules.matching import RuleMatcher


def ordering(name: str) -> OrderingMetric:
    made = metric(name)
    assert isinstance(made, OrderingMetric)
    return made


FUZZY = ordering("fuzzy")
SCORE, KENDALL = OrderScore("fuzzy", FUZZY), OrderScore("kendall", ordering("kendall"))
BY_WORDS, BY_POSITIONS = variant("file"), variant("file:match=positions")


def evaluate(
    ranks: Sequence[Ints | None],
    systems: dict[str, list[Permutation]],
    metrics: Sequence[OrderingMetric] = (FUZZY,),
    *,
    words: Sequence[Sequence[str]] | None = None,
    match: str = "words",
    samples: int = 0,
) -> Evaluation:
    sizes = [len(order) for order in next(iter(systems.values()), [])] or [1] * len(ranks)
    chosen = BY_WORDS if match == "words" else BY_POSITIONS
    settings = ComparisonSettings(samples=samples, all_pairs=True)
    return score_systems(
        [ReferenceOrders(chosen, list(ranks))], sizes, systems, settings, words=words, metrics=metrics
    )


def confusion(rank: np.ndarray, order: Permutation) -> dict[tuple[str, str], int]:
    return {(row.reference, row.system): row.count for row in operator_confusion([rank], [order])}


def data(seed: int, size: int) -> tuple[list[np.ndarray], list[Permutation], list[list[str]]]:
    rng = random.Random(seed)
    ranks, orders, words = [], [], []
    for _ in range(size):
        n = rng.randrange(1, 12)
        ranks.append(np.array(rng.sample(range(n), n), dtype=np.int32))
        orders.append(Permutation.from_order(rng.sample(range(n), n)))
        words.append([rng.choice("abcd") for _ in range(n)])
    return ranks, orders, words


def test_the_score_of_the_paper_with_repeated_words() -> None:
    ranks, orders, words = data(5, 200)
    found = evaluate(ranks, {"one": orders}, words=words).variants[0]
    expected = []
    for rank, order, line in zip(ranks, orders, words, strict=True):
        reference = [line[i] for i in np.argsort(rank)]
        expected.append(fuzzy(order.apply(line), reference))
    assert found.sentence_scores["one"]["fuzzy"] == pytest.approx(expected)
    score = found.cells["one"]["fuzzy"].score
    assert score == pytest.approx(np.mean(expected))
    by_position = evaluate(ranks, {"one": orders}, match="positions").variants[0]
    assert by_position.cells["one"]["fuzzy"].score < score


def test_the_example_of_the_paper_scores_by_chunks() -> None:
    # Table 2: the system keeps the source order; chunks are counted against the reference
    source = ["How", "Can", "I", "Qualify", "For", "A", "Mortgage", "Tax", "Deduction", "?"]
    reference = ["I", "How", "A", "Mortgage", "Tax", "Deduction", "For", "Qualify", "Can", "?"]
    rank = np.array([reference.index(word) for word in source], dtype=np.int32)
    found = evaluate([rank], {"none": [Permutation.identity(10)]}, words=[source]).variants[0]
    # How | Can | I | Qualify | For | A Mortgage Tax Deduction | ?
    assert found.cells["none"]["fuzzy"].score == pytest.approx(1 - 6 / 9)


def test_significance_tells_large_differences_from_none() -> None:
    ranks, orders, words = data(6, 150)
    best = [Permutation.from_order(np.argsort(rank)) for rank in ranks]
    systems = {"a": orders, "again": orders, "best": best}
    found = evaluate(ranks, systems, [FUZZY, ordering("kendall")], words=words, samples=300).variants[0]
    tests = found.pairs["fuzzy"]
    assert tests["a", "again"].p_value == 1.0
    assert tests["a", "best"].corrected < 0.05 and tests["a", "best"].difference > 0
    turned = evaluate(ranks, {"best": best, "a": orders}, words=words, samples=300).variants[0]
    assert turned.pairs["fuzzy"]["best", "a"].difference < 0
    assert turned.pairs["fuzzy"]["best", "a"].p_value == tests["a", "best"].p_value
    cell = found.cells["a"]["fuzzy"]
    assert cell.interval is not None and cell.interval.low < cell.score < cell.interval.high
    assert [one.score for one in found.cells["best"].values()] == [1.0, 1.0]


def test_nothing_to_evaluate() -> None:
    with pytest.raises(WordOrderError, match="no sentences"):
        evaluate([], {"a": []})
    with pytest.raises(WordOrderError, match="no sentence has a reference"):
        evaluate([None], {"a": [Permutation.identity(1)]})
    there = ReferenceOrders(BY_WORDS, [np.array([0], dtype=np.int32)], "first")
    nothing = ReferenceOrders(BY_WORDS, [None], "second")
    with pytest.raises(WordOrderError, match="no sentence has a reference order in second"):
        score_systems([there, nothing], [1], {}, ComparisonSettings())
    with pytest.raises(WordOrderError, match="a has 0 orders for 1 sentence"):
        evaluate([None], {"a": []})


def test_words_that_stand_wrong() -> None:
    ranks, orders, words = data(7, 120)
    ranks = [np.where(np.arange(len(r)) % 4 == 3, -1, r // 2) for r in ranks]
    errors = [word_errors(rank, order) for rank, order in zip(ranks, orders, strict=True)]
    for rank, order, one in zip(ranks, orders, errors, strict=True):
        expected = wrong_shares(rank.tolist(), order.order.tolist())
        assert dict(zip(one.positions.tolist(), one.wrong.tolist(), strict=True)) == pytest.approx(expected)
    groups = group_errors(errors, words)
    assert sum(group.count for group in groups) == sum((rank >= 0).sum() for rank in ranks)
    assert sum(group.share for group in groups) == pytest.approx(1)
    assert [g.wrong for g in groups] == sorted((g.wrong for g in groups), reverse=True)
    # jumps are what the fuzzy score counts, but for the one at the beginning
    relative = evaluate(ranks, {"x": orders}, match="positions").variants[0]
    for one, order, score in zip(errors, orders, relative.sentence_scores["x"]["fuzzy"], strict=True):
        if len(one.positions) > 1:
            first = min(one.positions.tolist(), key=order.order.tolist().index)
            begin = one.jump[one.positions.tolist().index(first)]
            assert 1 - (one.jump.sum() - begin) / (len(one.positions) - 1) == pytest.approx(score)


def test_operators_of_reference_and_system() -> None:
    # reference: (b a) c d; system: source order but for c and d
    found = confusion(np.array([1, 0, 2, 3]), Permutation.from_order([0, 1, 3, 2]))
    assert found == {("⟨2,1⟩", "⟨1,2⟩"): 1, ("⟨1,2⟩", "⟨1,2⟩"): 1}
    # reference keeps b c together; the system puts a between them
    found = confusion(np.array([0, 2, 1]), Permutation.from_order([1, 0, 2]))
    assert found == {("⟨2,1⟩", "broken"): 1, ("⟨1,2⟩", "⟨1,2⟩"): 1}
    found = confusion(np.array([1, 3, 0, 2]), Permutation.from_order([2, 0, 3, 1]))
    assert found == {("⟨2,4,1,3⟩", "⟨2,4,1,3⟩"): 1}


def test_words_and_operators_are_matched_as_the_score_matches_them() -> None:
    # the system reads "the dog the" as the reference does, with the two "the" the other way round
    words = ["the", "dog", "the"]
    rank, order = np.array([2, 1, 0], dtype=np.int32), Permutation.from_order([0, 1, 2])
    (met,) = matched_ranks([rank], [order], [words])
    assert met.tolist() == [0, 1, 2]
    assert not word_errors(met, order).wrong.any()
    assert confusion(met, order) == {("⟨1,2⟩", "⟨1,2⟩"): 1}
    sources = [Source(tuple(words))]
    corpus = EvaluationCorpus(sources, [3], [tuple(words)], [], {})
    system = EvaluatedSystem("s", [order])
    found = analyse_errors(corpus, system, BY_WORDS, [rank], SCORE, min_count=1)
    assert [group.wrong for group in found.groups["word"]] == [0.0, 0.0]
    assert found.operators == [OperatorCount("⟨1,2⟩", "⟨1,2⟩", 1)]
    exact = analyse_errors(corpus, system, BY_POSITIONS, [rank], SCORE, min_count=1)
    assert exact.operators == [OperatorCount("⟨2,1⟩", "⟨1,2⟩", 1)]


def test_matched_ranks_give_the_relative_orders() -> None:
    ranks, orders, words = data(9, 150)
    ranks = [np.where(np.arange(len(r)) % 4 == 3, -1, r // 2).astype(np.int32) for r in ranks]
    met = matched_ranks(ranks, orders, words)
    assert list(relative_orders(met, orders)) == list(relative_orders(ranks, orders, words))
    assert matched_ranks([], [], []) == []


def test_a_swap_inside_a_group_is_no_error() -> None:
    # b and c are a group: {{ b c }} a d
    rank = np.array([1, 0, 0, 2])
    for order in ([1, 2, 0, 3], [2, 1, 0, 3]):
        found = confusion(rank, Permutation.from_order(order))
        assert all(one == other for one, other in found), order


RULES = """
[[rule]]
name = "verb last"
head = "VERB"
order = ["nsubj", "[other]", "HEAD"]
[[rule]]
name = "noun first"
head = "NOUN"
order = ["HEAD", "[other]"]
[[rule]]
name = "never"
head = "INTJ"
order = ["[other]", "HEAD"]
"""
GOOD = "he~PRON~nsubj~2 ate~VERB~root~0 big~ADJ~amod~4 fish~NOUN~obj~2"
VERB_LAST = np.array([0, 3, 1, 2], dtype=np.int32)  # he big fish ate


def test_gain_and_harm_of_rules() -> None:
    rules = parse_rules(RULES, "two.toml")
    sentences = [tree(GOOD)] * 5
    found = rule_effects(rules, sentences, [VERB_LAST] * 5, KENDALL, samples=50)
    assert [one.name for one in found] == ["verb last", "noun first"]
    good, bad = found
    # all rules: he fish big ate, 5 of 6 pairs; without the first: he ate fish big, 3; without the other: all
    assert good.gain == pytest.approx(2 / 6) and bad.gain == pytest.approx(-1 / 6)
    assert (good.better, good.worse, bad.better, bad.worse) == (5, 0, 0, 5)
    assert good.fired == good.moved == 5 and good.relations == (("obj", 5),)
    assert bad.harmed == pytest.approx(5 / 6) and bad.place == "two.toml:6"


BAD = GOOD.replace("fish~NOUN~obj~2", "fish~NOUN~root~0").replace("ate~VERB~root~0", "ate~VERB~acl~4")


def test_parsers_that_disagree() -> None:
    good = tree(GOOD)
    bad = tree(BAD)
    same = tree("go~VERB~root~0 home~ADV~advmod~1")
    scores = np.array([1.0, 0.5]), np.array([0.25, 0.5])
    found = compare_parsers(("p1", "p2"), ([good, same], [bad, same]), scores)
    assert (found.better, found.worse) == (0, 1)
    assert found.unlabelled == pytest.approx(4 / 6) and found.labelled == pytest.approx(4 / 6)
    assert [str(arc) for arc in found.disagreements[0].arcs] == [
        "ate: root(0) / acl(4)",
        "fish: obj(2) / root(0)",
    ]
    assert {kind.relations for kind in found.arcs} == {("root", "acl"), ("obj", "root")}
    assert all(kind.change == -0.75 for kind in found.arcs)
    lower = compare_parsers(("p1", "p2"), ([good, same], [bad, same]), scores, higher_is_better=False)
    assert (lower.better, lower.worse) == (1, 0)
    with pytest.raises(WordOrderError, match="sentence 1 has different words"):
        compare_parsers(("p1", "p2"), ([good], [same]), scores)


def test_accuracy_of_parsers_against_the_first() -> None:
    # of 4 + 2 words, one has another head and relation, one another relation only, one another tag
    first = tree(GOOD)
    other = tree(GOOD.replace("big~ADJ~amod~4", "big~NOUN~obj~2").replace("he~PRON~nsubj~2", "he~PRON~obj~2"))
    same = tree("go~VERB~root~0 home~ADV~advmod~1")
    settings = ComparisonSettings(samples=50)
    found = parser_agreement({"gold": [first, same], "p": [other, same], "q": [first, same]}, settings)
    assert [(one.parser, one.other, one.words) for one in found] == [("p", "gold", 6), ("q", "gold", 6)]
    assert found[0].heads.score == pytest.approx(5 / 6)
    assert found[0].labelled.score == pytest.approx(4 / 6)
    assert found[0].tags.score == pytest.approx(5 / 6)
    assert found[0].heads.interval is not None and found[0].heads.interval.low == 0.75
    assert math.isnan(found[0].fine_tags.score)  # the first trees have none
    tagged = Sentence([row._replace(xpos="NN" if row.upos == "NOUN" else "_") for row in first.rows])
    fine = accuracy([tagged], [first], settings).fine_tags, accuracy([tagged], [tagged], settings).fine_tags
    assert [each.score for each in fine] == [0.0, 1.0]
    assert [value.score for value in (found[1].heads, found[1].labelled, found[1].tags)] == [1.0, 1.0, 1.0]


def test_the_parse_that_reorders_best_is_chosen() -> None:
    good = tree(GOOD)
    bad = tree(BAD)
    rules = preorderer("rules:set=head-final")
    parses = [[bad, good], [good, bad, good], [bad], [good]]
    found = choose_parses(rules, parses, [*[VERB_LAST] * 3, None], SCORE)
    assert [one.chosen if one else None for one in found.choices] == [1, 0, 0, None]
    assert found.choices[0] is not None and found.choices[0].gain > 0
    assert (len(found.scored), found.changed, sum(len(one.scores) for one in found.scored)) == (3, 1, 6)
    assert found.best > found.first
    with pytest.raises(BadSetting, match="does not use parses"):
        choose_parses(preorderer("identity"), [], [], SCORE)


def test_parses_of_one_sentence_follow_each_other() -> None:
    one, two = tree(GOOD), tree("go~VERB~root~0 home~ADV~advmod~1")
    words = [one.forms, two.forms]
    assert [len(some) for some in group_parses([one, one, two], "n", words)] == [2, 1]
    named = [Sentence(two.rows, [f"# sent_id = {k}"]) for k in (1, 1, 2)]
    assert [len(some) for some in group_parses(named, "n", [two.forms] * 2)] == [2, 1]
    counted = [Sentence(two.rows, [f"# sent_id = {k}"]) for k in ("1.1", "1.2", "2.1")]
    assert [len(some) for some in group_parses(counted, "n", [two.forms] * 2)] == [2, 1]
    assert [len(some) for some in group_parses(counted, "n", [two.forms] * 3)] == [1, 1, 1]
    assert [len(some) for some in group_parses(counted[:2], "n", [two.forms])] == [2]
    with pytest.raises(
        BadFile, match="of 1 sentence; the text has 2; two sentences in a row that have the same"
    ):
        list(group_parses([one], "n", words))
    with pytest.raises(BadFile, match="where sentence 1 is 'he ate big fish'"):
        list(group_parses([two, one], "n", words))
    with pytest.raises(BadFile, match="more sentences than the text"):
        list(group_parses([one, two, one], "n", words))


def test_rule_sets_on_random_trees_are_scored() -> None:
    sentences = [random_tree(seed, 1 + seed % 20) for seed in range(50)]
    ranks = [np.arange(len(s.forms), dtype=np.int32) for s in sentences]
    systems = {name: RuleMatcher(rule_set(name)).reorder(sentences) for name in ("none", "reverse")}
    found = evaluate(ranks, systems, [ordering("kendall")], match="positions").variants[0]
    assert found.cells["none"]["kendall"].score == 1.0
    assert found.cells["reverse"]["kendall"].score < 0.2
