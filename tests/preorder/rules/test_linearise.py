"""The kernel against the slow twin, and what must hold for every tree."""

from __future__ import annotations

import itertools
import random
import time

import numpy as np
import pytest

from tests.oracle.rules import reorder
from tests.preorder.rules.trees import random_tree, tree
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidTree
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.rules import parse_rules, rule_set
from wordorder.preorder.rules.matching import RuleMatcher

MIXED = """
name = "mixed"
default = "{default}"
coordination = "{coordination}"
punctuation = "{punctuation}"
[[rule]]
name = "verb"
head = {{ upos = "VERB", has = "obj" }}
order = ["[before] reverse", "obj|mark", "HEAD", {{ relation = "obl", side = "after" }}, "obl:tmod reverse"]
[[rule]]
name = "noun"
head = "NOUN"
order = [{{ relation = "advmod", lemma = "w1" }}, "[other] reverse", "HEAD", "advmod"]
"""


@pytest.mark.parametrize("coordination", ["keep", "rules"])
@pytest.mark.parametrize("punctuation", ["phrase", "tree"])
@pytest.mark.parametrize("default", ["keep", "reverse", "head-final"])
def test_same_as_the_slow_twin(default: str, coordination: str, punctuation: str) -> None:
    text = MIXED.format(default=default, coordination=coordination, punctuation=punctuation)
    rules = parse_rules(text, "mixed.toml")
    sentences = [random_tree(seed, 1 + seed % 17) for seed in range(250)]
    found = RuleMatcher(rules).reorder(sentences)
    for sentence, order in zip(sentences, found, strict=True):
        assert order.order.tolist() == reorder(rules, sentence), sentence


def test_all_small_trees() -> None:
    rules = parse_rules(MIXED.format(default="head-final", coordination="keep", punctuation="phrase"), "m")
    matcher = RuleMatcher(rules)
    relations = ["obj", "conj", "punct", "obl"]
    count = 0
    for heads in itertools.product(range(5), repeat=4):
        rows = [
            Row(str(i + 1), "(" if i == 1 else f"w{i}", f"w{i}", ["NOUN", "VERB"][i % 2], "_", "_", str(h),
                relations[(i + h) % 4] if h else "root")
            for i, h in enumerate(heads)
        ]  # fmt: skip
        sentence = Sentence(rows)
        try:
            found = matcher.reorder([sentence])[0]
        except InvalidTree:
            assert not _is_tree(heads)
            continue
        assert _is_tree(heads)
        assert found.order.tolist() == reorder(rules, sentence)
        count += 1
    assert count == 64  # Cayley: 4^3 rooted trees of four words


def _is_tree(heads: tuple[int, ...]) -> bool:
    if heads.count(0) != 1:
        return False
    for start in range(len(heads)):
        at, steps = start, 0
        while heads[at] and steps <= len(heads):
            at, steps = heads[at] - 1, steps + 1
        if steps > len(heads):
            return False
    return True


def test_keeping_is_the_identity_and_reversing_the_reverse_of_any_tree() -> None:
    sentences = [random_tree(seed, 1 + seed % 60) for seed in range(400)]
    for sentence, order in zip(sentences, RuleMatcher(rule_set("none")).reorder(sentences), strict=True):
        assert order.is_identity(), sentence.forms
    for order in RuleMatcher(rule_set("reverse")).reorder(sentences):
        assert order.order.tolist() == list(range(len(order)))[::-1]


def test_every_order_is_a_permutation() -> None:
    sentences = [random_tree(seed, 1 + seed % 80) for seed in range(300)]
    for name in ("head-final", "en-ja", "en-hi", "head-final-reverse-before"):
        for order in RuleMatcher(rule_set(name)).reorder(sentences):
            assert Permutation.from_order(order.order) == order


def test_deep_chains_and_long_sentences() -> None:
    n = 20_000
    chain = Sentence([Row(str(i + 1), f"w{i}", upos="X", head=str(i), deprel="dep") for i in range(n)])
    begin = time.process_time()
    order = RuleMatcher(rule_set("head-final")).reorder([chain])[0]
    assert time.process_time() - begin < 5
    assert np.array_equal(order.order, np.arange(n)[::-1])


@pytest.mark.parametrize("heads", ["1 0", "2 1", "0 0", "5 0", "0 _"])
def test_what_is_no_tree_is_refused(heads: str) -> None:
    rows = [Row(str(i + 1), "w", head=head, deprel="dep") for i, head in enumerate(heads.split())]
    with pytest.raises(InvalidTree):
        RuleMatcher(rule_set("none")).reorder([Sentence(rows)])


def test_twin_can_fail() -> None:
    sentence = tree("a~NOUN~nsubj~2 b~VERB~root~0 c~NOUN~obj~2")
    assert reorder(rule_set("head-final"), sentence) != [0, 1, 2]


def test_multiword_tokens_stay_whole_in_any_tree() -> None:
    rng = random.Random(5)
    sentences, tokens = [], []
    for seed in range(200):
        plain = random_tree(seed, 2 + seed % 25)
        size = len(plain.forms)
        spans = [(first, first + rng.randint(1, 2)) for first in range(1, size, 4)]
        spans = [(first, last) for first, last in spans if last <= size]
        rows: list[Row] = []
        for row in plain.words:
            rows += [Row(f"{a}-{b}", "token") for a, b in spans if str(a) == row.id]
            rows.append(row)
        sentences.append(Sentence(rows))
        tokens.append(spans)
    for name in ("head-final", "head-final-reverse-before", "head-finalization"):
        for spans, order in zip(tokens, RuleMatcher(rule_set(name)).reorder(sentences), strict=True):
            assert Permutation.from_order(order.order) == order
            for first, last in spans:
                places = order.ranks[first - 1 : last]
                assert (np.diff(places) == 1).all(), (spans, order)
    kept = parse_rules('default = "keep"', "keep.toml")
    assert all(order.is_identity() for order in RuleMatcher(kept).reorder(sentences))
