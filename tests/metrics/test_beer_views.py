"""Features of the matcher's links, of word order, and of trees, against slow twins and by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from wordorder.core.permutation import Permutations
from wordorder.core.tree import tree
from wordorder.errors import BadSetting
from wordorder.metrics.beer.links import link_counts, operator_shares, order_values
from wordorder.metrics.beer.templates import Template
from wordorder.metrics.beer.views import Sources, feature_names, views_of
from wordorder.metrics.segments import Matching
from wordorder.text.pairs import Pairs
from wordorder.text.parses import Parse, ParseTable


def test_operator_shares_of_all_short_permutations() -> None:
    """A twin that walks the tree of each permutation."""
    some = [list(p) for n in range(7) for p in itertools.permutations(range(n))]
    found = operator_shares(Permutations(some))
    for p, shares in zip(some, found, strict=True):
        counts = np.zeros(4)
        for node in tree(p).left().nodes() if len(p) > 1 else ():
            if node.arity > 2:
                counts[2 if node.arity == 4 else 3] += 1
            else:
                counts[0 if list(node.operator) == [0, 1] else 1] += 1
        if counts.sum() == 0:
            counts[0] = 1
        assert shares == pytest.approx(counts / counts.sum())
    assert found.sum(axis=1) == pytest.approx(np.ones(len(some)))


def test_links_by_hand() -> None:
    matching = Matching(match="exact+stem")
    links = link_counts(Pairs.of(["the dogs runs home"], ["the dog runs"]), matching, frozenset({"the"}))
    kinds = ["linked", "exact", "stem", "synonym", "function", "content"]
    assert links.counts(kinds)[0].tolist() == [
        [3, 4, 3],
        [2, 4, 3],
        [1, 4, 3],
        [0, 4, 3],
        [1, 1, 1],
        [2, 3, 2],
    ]
    assert links.recall.tolist() == [1.0]
    nothing = link_counts(Pairs.of(["", "a"], ["", "b"]), matching, frozenset())
    assert nothing.counts(["linked"]).tolist() == [[[0, 0, 0]], [[0, 1, 1]]]
    with pytest.raises(BadSetting, match="has no stages"):
        link_counts(Pairs.of(["a"], ["a"]), Matching(match="ribes"), frozenset())


def test_match_view_by_hand() -> None:
    names = ["match:linked.p", "match:kendall.v", "match:exact.r", "match:kendall.s0.5", "match:inverted.v"]
    (view,) = views_of(names, Sources())
    # b c a against a b c d: order 1 2 0, Kendall 1/3, recall 3/4; the tree has one inverted operator of two.
    expected = [1.0, 1 / 3, 3 / 4, (1 / 3 * 3 / 4) ** 0.5, 0.5]
    assert view.raw(Pairs.of(["b c a"], ["a b c d"]))[0] == pytest.approx(expected)
    assert view.below(Pairs.of(["a b c d"], ["a b c d"]))[0].tolist() == [0.0] * 5
    assert view.signs == [1, 1, 1, 1, -1]
    assert order_values(Permutations([[], [0]]), "recpef").tolist() == [1.0, 1.0]


def test_parse_view_by_hand() -> None:
    table = ParseTable()
    table.add(Parse(("it", "rains"), (2, 0), ("nsubj", "root")))
    table.add(Parse(("he", "rains"), (2, 0), ("nsubj", "root")))
    names = ["parse:arc.f1", "parse:chain2.p", "parse:arc_root.r"]
    (view,) = views_of(names, Sources(parses=table))
    assert view.raw(Pairs.of(["it rains", "he rains"], ["it rains"] * 2)).tolist() == [
        [1.0, 1.0, 1.0],
        [0.5, 0.0, 1.0],
    ]
    (bare,) = views_of(names, Sources())
    with pytest.raises(BadSetting, match="parses=FILE"):
        bare.raw(Pairs.of(["it rains"], ["it rains"]))


def test_names_of_features() -> None:
    assert feature_names("lower:char1.p stem.f1 chain2.f1 pet_count.v") == [
        "lower:char1.p",
        "match:stem.f1",
        "match:pet_count.v",
        "parse:chain2.f1",
    ]
    for text, message in (
        ("kendall.p", "kendall has v, s"),
        ("stem.v", "stem has p, r"),
        ("kendall3.v", "unknown pieces 'kendall3'"),
        ("chain9.p", "unknown pieces 'chain9'"),
        ("arc_nothing.p", "unknown pieces 'arc_nothing'"),
        ("kendall.v2", "v takes no number"),
    ):
        with pytest.raises(BadSetting, match=message):
            Template.parse(text)
    for name in ("arc_subject.f1", "chain3.p", "kendall.s0.25", "function.sf1"):
        assert Template.parse(name).name == name
