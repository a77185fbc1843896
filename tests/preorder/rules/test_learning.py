"""Rules learned from aligned trees."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.preorder.rules.trees import tree
from wordorder.core.alignment import Alignment
from wordorder.errors import InvalidTree, WordOrderError
from wordorder.io.sentence import Sentence
from wordorder.preorder.rules import parse_rules, rule_set
from wordorder.preorder.rules.counting import THE_HEAD, Kind, count_precedence, linked_ranks
from wordorder.preorder.rules.learning import Learning, _most, _search, _value, learn_rules
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.preorder.rules.writing import to_toml

PATTERNS = [
    "he~PRON~nsubj~2 ate~VERB~root~0 the~DET~det~4 fish~NOUN~obj~2",
    "he~PRON~nsubj~3 has~AUX~aux~3 eaten~VERB~root~0 fish~NOUN~obj~3 at~ADP~case~6 home~NOUN~obl~3",
    "today~NOUN~obl:tmod~3 she~PRON~nsubj~3 sees~VERB~root~0 big~ADJ~amod~5 dogs~NOUN~obj~3 now~ADV~advmod~3",
    "men~NOUN~nsubj~4 of~ADP~case~3 Rome~PROPN~nmod~1 came~VERB~root~0 home~ADV~advmod~4 .~PUNCT~punct~4",
    "cats~NOUN~nsubj~4 and~CCONJ~cc~3 dogs~NOUN~conj~1 sleep~VERB~root~0",
]


def translated(rules: str, *, noise: float = 0.0, times: int = 30) -> tuple[list[Sentence], list[np.ndarray]]:
    """Trees, and ranks as a language with these rules would have them."""
    rng = random.Random(2)
    sentences = [tree(text) for text in PATTERNS] * times
    ranks = []
    for order in RuleMatcher(rule_set(rules)).reorder(sentences):
        rank = np.array(order.ranks)
        if rng.random() < noise:
            rank = rank[::-1]
        ranks.append(np.where([rng.random() < 0.1 for _ in rank], -1, rank).astype(np.int32))
    return sentences, ranks


@pytest.mark.parametrize("language", ["en-ja", "en-hi", "head-final", "none", "head-finalization"])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_order_of_a_language_is_found_again(language: str, noise: float) -> None:
    sentences, ranks = translated(language, noise=noise)
    learned = learn_rules(sentences, ranks, how=Learning(min_heads=10_000))
    expected = RuleMatcher(rule_set(language)).reorder(sentences[:5])
    if language == "head-final":  # its coordinations are turned, learned ones are kept
        expected, sentences = expected[:4], sentences[:4]
    found = RuleMatcher(learned.rules).reorder(sentences[: len(expected)])
    assert found == expected


def test_learned_rules_are_read_as_they_are_written() -> None:
    sentences, ranks = translated("en-ja", noise=0.3)
    learned = learn_rules(sentences, ranks, name="mine", about="Learned.", how=Learning(min_heads=5))
    text = to_toml(learned.rules, notes=learned.notes())
    again = parse_rules(text, "mine.toml")
    assert again == learned.rules
    notes = [line for line in text.splitlines() if line.startswith("# ")]
    assert len(notes) == len(again) and all(" heads, " in line for line in notes)
    assert text.index("[[rule]]") > text.index(notes[0])
    names = [rule.name for rule in again]
    assert names.index("VERB root") < names.index("VERB") < names.index("any")


def test_votes() -> None:
    sentence = tree(PATTERNS[0])
    # ate ranks last; "the" and "fish" go to one target word: their order does not matter
    counts = count_precedence([sentence, sentence], [np.array([0, 2, 1, 1]), None])[("VERB",)]
    nsubj, obj = Kind("nsubj", "before"), Kind("obj", "after")
    assert counts.heads == 1
    assert counts.before[nsubj, THE_HEAD] == 1 and counts.before[THE_HEAD, nsubj] == 0
    assert counts.before[obj, THE_HEAD] == 1 and counts.votes[obj, THE_HEAD] == 1
    half = count_precedence([sentence], [np.array([0, 1, 0, 2])])[("VERB",)]
    assert half.before[nsubj, obj] == 0.75  # before one of two, level with the other


def test_rare_kinds_have_no_slot_and_keep_their_side() -> None:
    sentences, ranks = translated("head-final", times=3)
    learned = learn_rules(sentences, ranks, how=Learning(min_count=10_000))
    assert all(order.is_identity() for order in RuleMatcher(learned.rules).reorder(sentences[:5]))


def test_search_finds_the_best_slots_of_small_tables() -> None:
    rng = np.random.default_rng(4)
    for _ in range(25):
        n = 4
        before = rng.normal(size=(n, n))
        before -= before.T
        kept = rng.normal(size=(n, n))
        kept += kept.T
        slots, reverse = _search(before, kept, 0, 20, [1, 0, 0, 2])
        assert sorted(k for slot in slots for k in slot) == list(range(n))
        assert [0] in slots
        best = max(_value(before, kept, *some) for some in _partitions(n, kept))
        found = _value(before, kept, slots, reverse)
        assert found >= best - 1e-9
        assert best <= _most(before, kept, 0) + 1e-9


def _partitions(n: int, kept: np.ndarray):  # type: ignore[no-untyped-def]
    """All ordered partitions with the head alone, each slot read the better way."""

    def all_of(left: list[int]):  # type: ignore[no-untyped-def]
        if not left:
            yield []
            return
        for mask in range(1, 2 ** len(left)):
            slot = [k for b, k in enumerate(left) if mask >> b & 1]
            for rest in all_of([k for k in left if k not in slot]):
                yield [slot, *rest]

    for slots in all_of(list(range(n))):
        if [0] in slots:
            inside = [kept[np.ix_(s, s)] for s in slots]
            yield slots, [bool((x.sum() + np.trace(x)) < 0) for x in inside]


def test_nothing_to_learn_from() -> None:
    with pytest.raises(WordOrderError, match="nothing to learn from"):
        learn_rules([tree(PATTERNS[0])], [None])


@pytest.mark.parametrize("noise", [0.0, 0.3, 0.6])
def test_no_order_wins_more_than_all(noise: float) -> None:
    sentences, ranks = translated("en-ja", noise=noise)
    learned = learn_rules(sentences, ranks, how=Learning(min_heads=5))
    shares = [share for _, _, share in learned.support.values()]
    assert max(shares) <= 1 and min(shares) > 0.2


def test_trees_without_links_are_nothing_to_learn_from() -> None:
    trees = [tree(PATTERNS[0])] * 3
    with pytest.raises(WordOrderError, match="none of 3 trees has links"):
        learn_rules(trees, [np.full(4, -1, dtype=np.int32)] * 3)
    with pytest.raises(WordOrderError, match="3 trees of 3 with links, but in no group"):
        learn_rules(trees, [np.array([0, -1, -1, -1], dtype=np.int32)] * 3)


def test_rules_of_other_treebanks_are_read_as_they_are_written() -> None:
    odd = [
        "he~PRP$~SB~2 ate~``~--~0 the~DT~a|b~4 fish~NN~HEAD~2",
        "he~PRP$~@x~2 ate~``~--~0 fish~NN~!y~2 now~,~[other]~2",
        "he~PRP$~SB~2 ate~''~--~0 fish~default~OA~2",
        "he~PRP$~SB~2 ate~default~--~0 fish~NN~OA~2",
    ]
    sentences = [tree(text) for text in odd] * 10
    ranks = [np.arange(len(one.forms), dtype=np.int32)[::-1] for one in sentences]
    learned = learn_rules(sentences, ranks, how=Learning(min_heads=5))
    again = parse_rules(to_toml(learned.rules), "odd.toml")
    assert again == learned.rules and again.labels and again.tags
    assert RuleMatcher(again).reorder(sentences[:4]) == RuleMatcher(learned.rules).reorder(sentences[:4])
    plain = learn_rules(*translated("en-ja"))
    assert not plain.rules.labels and "labels" not in to_toml(plain.rules)


def test_a_circle_of_heads_is_told() -> None:
    broken = tree("a~X~dep~2 b~X~dep~1")
    with pytest.raises(InvalidTree, match="cycle"):
        count_precedence([broken], [np.array([0, 1], dtype=np.int32)])


def test_ranks_of_links() -> None:
    assert linked_ranks(Alignment(4, 5, [(0, 3), (0, 1), (1, 1), (3, 0)])).tolist() == [1, 1, -1, 0]


def test_heads_without_links_stay_between_the_sides() -> None:
    sentences = [tree(PATTERNS[1])] * 10
    learned = learn_rules(sentences, [np.array([1, -1, -1, 0, -1, -1], dtype=np.int32)] * 10)
    order = RuleMatcher(learned.rules).reorder(sentences[:1])[0]
    assert order.apply(sentences[0].forms).index("fish") < order.apply(sentences[0].forms).index("he")
