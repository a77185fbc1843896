"""Sentences side by side."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from tests.analyse.corpora import compared, random_texts, shuffled
from wordorder.core.alignment import Alignment
from wordorder.core.tree import tree
from wordorder.metrics.base import tally
from wordorder.metrics.given_alignments import GivenAlignments
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.recursive import RecursiveMetric
from wordorder.metrics.registry import metric, metric_names
from wordorder.metrics.segments import Segments


def test_words_keep_their_capitals_and_find_their_partners():
    sentences = compared([["The cat sat."]], [["Sat the CAT"], [""]], lowercase=True)
    first, second = sentences.systems
    assert sentences.reference == [["The", "cat", "sat", "."]]
    assert first.words == [["Sat", "the", "CAT"]] and first.partners == [[2, 0, 1]]
    assert second.words == [[]] and second.partners == [[]]
    assert list(first.permutations[0]) == [2, 0, 1]
    assert sentences.matched_shares(0).tolist() == [6 / 7] and sentences.matched_shares(1).tolist() == [0]


def test_shares_and_orders_are_those_of_the_metric():
    reference = random_texts(60, 1)
    texts = shuffled(reference, 2)
    sentences = compared([reference], [texts])
    segments = Segments(texts, [reference])
    made = metric("kendall").tokenized_for(segments)
    assert sentences.systems[0].permutations == made.matched(segments)[0].permutations
    matched = tally(made.word_counts(segments))[4:]
    words = sentences.systems[0].lengths + sentences.reference_lengths
    assert (sentences.matched_shares(0) * words).sum() == pytest.approx(matched[0])
    assert sentences.numbers == list(range(1, 61))
    assert np.array_equal(sentences.systems[0].scores[0], made.segment_scores(made.statistics(segments)))


def test_the_reference_shown_shares_most_words():
    sentences = compared([["a b", "a b"], ["c d e", "a"]], [["c d", "b a"], ["d x", "a b"]])
    assert sentences.chosen == [1, 0]
    assert sentences.reference == [["c", "d", "e"], ["a", "b"]]
    assert sentences.systems[1].partners == [[1, -1], [0, 1]]


def test_movements_and_operators():
    sentences = compared([["a b c d", "a b c d", "a", ""]], [["d a b c", "b d a c", "a", ""]])
    system = sentences.systems[0]
    assert system.movements.tolist() == [3, 2, 0, 0]
    assert system.longest_operators.tolist() == [2, 4, 0, 0]


def written(equation: str, terms: dict[str, float]) -> float:
    """Compute the last part of an equation, with its numbers filled in."""
    text = equation.rsplit(" = ", 1)[1].format(**terms)
    text = re.sub(r"√\((.*)\)", r"math.sqrt(\1)", text).replace("·", "*").replace("−", "-")
    return float(eval(text.replace("^", "**"), {"math": math}))


SPECS = [
    *(name for name in metric_names() if isinstance(metric(name), OrderingMetric)),
    "kendall:scale=tau", "kendall:scale=sqrt", "crossings:scale=share", "fuzzy:joints=boundary",
    "full", "lrscore", "ribes", "meteor:match=exact", "ter", "bleu", "bleu:smooth=none,order=2",
    "chrf", "chrf:words=2,beta=3",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_equations_give_the_scores(spec):
    reference = random_texts(40, 3)
    sentences = compared([reference], [shuffled(reference, 4)], spec)
    label, made = next(iter(sentences.metrics.items()))
    assert made.equation
    if "{" not in made.equation:  # the numbers of recursive scores are those of all nodes
        assert isinstance(made, RecursiveMetric)
        return
    terms = sentences.terms(0, label)
    checked = 0
    for s, score in enumerate(sentences.systems[0].scores[0]):
        own = {name: float(values[s]) for name, values in terms.items()}
        if own.get("denominator") == 0 or any(map(math.isnan, own.values())):
            continue
        assert written(made.equation, own) == pytest.approx(score, abs=1e-9)
        checked += 1
    assert checked > 20


RECURSIVE = [
    "recpef", "recpef:mean=trees,gamma=0.3", "recpef:op=kendall,beta=0.3", "recpet:tree=flat", "recpet",
    "recpet:tree=right", "recpet:tree=best",
]  # fmt: skip


@pytest.mark.parametrize("spec", RECURSIVE)
def test_scores_of_nodes_are_made_of_their_parts(spec):
    """Check every node whose operator is known and which can be divided in one way only."""
    reference = random_texts(40, 3)
    sentences = compared([reference], [shuffled(reference, 4)], spec)
    label, made = next(iter(sentences.metrics.items()))
    assert isinstance(made, RecursiveMetric)
    checked = 0
    for order, values, score in zip(
        sentences.systems[0].permutations,
        sentences.node_scores(0, label),
        sentences.systems[0].scores[0],
        strict=True,
    ):
        nodes = list(tree(order).nodes(order="post"))
        assert len(nodes) == len(values) and (not nodes or values[-1] == pytest.approx(score, abs=1e-12))
        known = {(node.begin, node.end): value for node, value in zip(nodes, values, strict=True)}
        for node in nodes:
            if node.kind == "prime" and made.op != "monotone":
                continue
            if node.kind != "prime" and node.arity > 2 and made.which_trees != "flat":
                continue
            operator = {"monotone": 1.0, "inverted": made.gamma, "prime": 0.0}[node.kind]
            parts = [known[child.begin, child.end] for child in node.children if not child.is_word]
            wanted = made.beta * operator + (1 - made.beta) * np.mean(parts) if parts else operator
            assert known[node.begin, node.end] == pytest.approx(wanted, abs=1e-12)
            checked += 1
    assert checked > 20


def test_scores_that_are_not_made_of_nodes():
    reference = ["a b c d"]
    for spec in ("recpef:variant=beer11", "recpef:weights=learned", "kendall", "bleu"):
        sentences = compared([reference], [["b a d c"]], spec)
        assert sentences.node_scores(0, next(iter(sentences.metrics))) == []
    # The second reference has the better order, but the first one is shown.
    sentences = compared([["a b c d"], ["d c b a x y z"]], [["d c b a"]], "recpef")
    assert sentences.node_scores(0, "recpef") == [[]]


def test_numbers_that_belong_to_another_reference_are_left_out():
    sentences = compared([["a b c d", "a b"], ["d c b a x y z", "a b"]], [["d c b a", "b a"]])
    numerators = sentences.terms(0, "kendall")["numerator"]
    # Both references share all words; the first one is shown, but the second one has the better order.
    assert math.isnan(numerators[0]) and numerators[1] == 0


def test_given_alignments_order_the_source():
    from wordorder.analyse.sentences import compared_sentences
    from wordorder.engine.score_texts import TextBlock, collect

    straight = Alignment(3, 3, [(0, 0), (1, 1), (2, 2)])
    turned = Alignment(3, 3, [(0, 1), (1, 2), (2, 0)])
    given = GivenAlignments(hypotheses=[turned], references=[[straight]])
    block = TextBlock([7], [["x y z"]], [["z x y"]], [given])
    made = metric("kendall").on_alignments("talbot")
    scored = collect([block], [made], ["one"])
    sentences = compared_sentences([block], {"kendall": made}, scored, sources={7: ["u", "v", "w"]})
    assert sentences.reference == [["u", "v", "w"]] and sentences.source == [["u", "v", "w"]]
    assert sentences.source_positions == [[0, 1, 2]]
    assert sentences.systems[0].words == [["w", "u", "v"]] and sentences.systems[0].partners == [[2, 0, 1]]
    assert sentences.systems[0].aligned is not None and sentences.systems[0].aligned.links == [
        [(0, 1), (1, 2), (2, 0)]
    ]
