"""Trees over source words: the order that they stand for, and Penn brackets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidTree
from wordorder.preorder.trees import SourceTree


def test_operators_send_children_to_places() -> None:
    # P2413: child 1 to place 2, child 2 to place 4, child 3 to place 1, child 4 to place 3
    node = SourceTree("P2413", (0, 1, 2, 3))
    assert node.order().apply("abcd") == ["c", "a", "d", "b"]
    assert SourceTree("P2413_7", (0, 1, 2, 3)).order() == node.order()
    assert SourceTree("P21", (0, 1, 2)).order().apply("abc") == ["c", "b", "a"]  # a flat chain
    assert SourceTree("GLUE", (SourceTree("P21", (0, 1)), 2)).order().apply("abc") == ["b", "a", "c"]


def test_unaligned_words_are_the_zeros() -> None:
    node = SourceTree("P21", (SourceTree("P01", (0, 1)), SourceTree("P10", (SourceTree("P01", (2, 3)), 4))))
    assert node.unaligned() == (0, 2, 4)
    assert node.order() == Permutation.from_order([2, 3, 4, 0, 1])


def test_every_order_has_its_tree() -> None:
    for n in range(7):
        for order in itertools.permutations(range(n)):
            made = SourceTree.of_order(Permutation.from_order(order))
            assert tuple(made.order().order) == order
            again, words = SourceTree.parse(made.to_penn("abcdefg"[:n])) if n else (made, [])
            assert again == made and words == list("abcdefg"[:n])


def test_long_primes_and_deep_chains() -> None:
    rng = np.random.default_rng(1)
    order = Permutation.from_order(rng.permutation(60))
    made = SourceTree.of_order(order)
    assert made.order() == order
    words = [f"w{i}" for i in range(60)]
    assert SourceTree.parse(made.to_penn(words))[0].order() == order
    deep: SourceTree | int = 0
    for i in range(1, 5000):
        deep = SourceTree("P21", (deep, i))
    assert isinstance(deep, SourceTree)
    assert deep.order().order.tolist() == list(range(5000))[::-1]
    assert deep.to_penn(["x"] * 5000).endswith(")" * 2) and deep.unaligned() == ()


@given(st.text(alphabet="() ab1P2_.x", max_size=40))
def test_broken_brackets_are_told(text: str) -> None:
    try:
        found, words = SourceTree.parse(text)
    except InvalidTree:
        return
    assert SourceTree.parse(found.to_penn(words))[0] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no tree"),
        ("(a b)", "no tree"),
        ("(P12 (t a) (t b)", "not closed"),
        ("(P12 (t a) (t b)) x", "after the end"),
        ("(P2413 (t a) (t b))", "over 2 children"),
        ("(P12 a b)", "stands alone in its brackets"),
        ("x", "outside of brackets"),
        ("()", "without a label"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidTree, match=said):
        SourceTree.parse(text)


def test_brackets_in_words_are_escaped() -> None:
    assert SourceTree("P21", (0, 1)).to_penn(["(", "a)"]) == "(P21 (tag_-LRB- -LRB-) (tag_a-RRB- a-RRB-))"


def test_trees_are_drawn_as_they_are() -> None:
    """Spans and places survive, whatever the labels; ROOT over one child adds nothing."""
    last = "(P3142 (tag_c c) (P21 (tag_d d) (tag_e e)) (tag_f f) (tag_g g))"
    text = f"(ROOT (P12 (P10 (tag_a a) (tag_b b)) {last}))"
    made, words = SourceTree.parse(text)
    drawn = made.to_tree(words)
    assert drawn.permutation == made.order() and drawn.words == tuple(words)
    assert {(n.begin, n.end, n.kind) for n in drawn.nodes()} == {
        (0, 7, "monotone"), (0, 2, "monotone"), (2, 7, "prime"), (3, 5, "inverted"),
    }  # fmt: skip
    assert [(b, e) for b, e, _ in made.spans()] == [(0, 7), (0, 7), (0, 2), (2, 7), (3, 5)]
    moved = made.shifted(3)
    assert [(b, e) for b, e, _ in moved.spans()] == [(b + 3, e + 3) for b, e, _ in made.spans()]
    assert list(moved.positions()) == [i + 3 for i in made.positions()]
    assert SourceTree("ROOT", ()).to_tree([]).words == () and SourceTree("ROOT", (0,)).to_tree("a").words == (
        "a",
    )
    deep: SourceTree | int = 0
    for i in range(1, 3000):
        deep = SourceTree("P12" if i % 2 else "P21", (deep, i))
    assert isinstance(deep, SourceTree) and len(deep.shifted(1).to_penn(["x"] * 3001)) > 3000
