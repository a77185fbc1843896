"""Curves between sentences, and between a sentence and its new order."""

from __future__ import annotations

import random
import time
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.draw.scenes import assert_well_drawn, groups, words
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.draw import curves_picture, curves_text, order_curves_picture
from wordorder.draw.curves import crossed_links, curves_layout, order_links
from wordorder.draw.scene import Path, placed
from wordorder.errors import InvalidPermutation

HEBREW = ["שלום", "עולם", "טוב"]


def test_upper_row_is_the_original_order_and_lower_row_is_read() -> None:
    scene = order_curves_picture(Permutation.from_order([1, 2, 0]), ["a", "b", "c"])  # not its own inverse
    assert words(scene) == ["a", "b", "c", "b", "c", "a"]
    assert words(scene, "number") == ["1", "2", "3", "2", "3", "1"]
    assert words(order_curves_picture(Permutation([1, 2, 0]), ["a", "b", "c"])) == list("abccab")
    assert words(order_curves_picture(Permutation([1, 2, 0]))) == ["1", "2", "3", "3", "1", "2"]


@pytest.mark.parametrize("width", [10_000, 100])  # rows, and columns
def test_curves_join_linked_words(width: float) -> None:
    alignment = Alignment(3, 2, [(0, 1), (1, 0), (2, 0)])
    source, target = ["a", "bb", "a"], ["ccc", "d"]
    layout = curves_layout(source, target, width=width)
    scene = curves_picture(alignment, source, target, width=width)
    found = {}
    for group in groups(scene.items, "link"):
        (path,) = placed(group.items)
        assert isinstance(path, Path)
        (_, start), (_, bends) = path.steps
        data = dict(group.data)
        found[data["source"], data["target"]] = start, bends[-2:]
    assert found == {(i, j): (layout.source[i].end, layout.target[j].end) for i, j in alignment.links}


def test_crossed_as_by_comparing_all_pairs() -> None:
    rng = random.Random(5)
    cases = [order_links(Permutation(order)) for n in range(6) for order in permutations(range(n))]
    for _ in range(300):
        n, m = rng.randint(1, 5), rng.randint(1, 5)
        cases.append(
            Alignment(n, m, [(rng.randrange(n), rng.randrange(m)) for _ in range(rng.randint(0, 7))])
        )
    for alignment in cases:
        slow = {(i, j) for i, j in alignment.links if any((i - a) * (j - b) < 0 for a, b in alignment.links)}
        assert crossed_links(alignment) == slow


def test_crossed_and_possible_curves_look_different() -> None:
    scene = curves_picture(Alignment(3, 3, [(0, 0), (1, 2)], possible=[(2, 1)]), list("abc"), list("xyz"))
    curves = [item for item in placed(scene.items) if isinstance(item, Path)]
    assert [curve.css for curve in curves] == ["curve straight", "curve crossed", "curve crossed"]
    assert [bool(curve.dash) for curve in curves] == [False, False, True]


def test_each_row_has_its_own_direction() -> None:
    layout = curves_layout(HEBREW, ["hello", "good", "world"])
    assert [a.x > b.x for a, b in pairwise(layout.source)] == [True, True]
    assert [a.x < b.x for a, b in pairwise(layout.target)] == [True, True]


def test_long_columns_are_further_apart_as_far_as_there_is_room() -> None:
    gaps = []
    for count, width in ((50, 1200), (120, 1200), (1000, 1200), (1000, 400)):
        layout = curves_layout(["word"] * count, ["word"] * count, width=width)
        assert layout.upright and layout.width <= max(width, 500) + 1e-6
        gaps.append(layout.target[0].end[0] - layout.source[0].end[0])
    assert gaps[3] == pytest.approx(gaps[0]) and gaps[0] < gaps[1] < gaps[2]


def test_wide_sentences_become_columns() -> None:
    many = [f"word{k}" for k in range(136)]
    layout = curves_layout(many, HEBREW)
    assert layout.upright and layout.width < 1200
    for side in (layout.source, layout.target):
        assert all(one.y < other.y for one, other in pairwise(side))
    assert_well_drawn(curves_picture(Alignment(136, 3, [(135, 0)]), many, HEBREW))


@given(st.integers(0, 7).flatmap(lambda n: st.permutations(range(n))), st.data())
def test_nothing_overlaps(order: list[int], data: st.DataObject) -> None:
    some = data.draw(st.lists(st.text(max_size=9), min_size=len(order), max_size=len(order)))
    for width in (300, 2000):
        assert_well_drawn(order_curves_picture(Permutation(order), some, width=width))


def test_text_lists_links_and_words_without() -> None:
    alignment = Alignment(3, 3, [(0, 2), (1, 0)], possible=[(1, 2)])
    assert curves_text(alignment, ["日本", "b", "c"], ["x", "y", "\x1b"]).splitlines() == [
        "1 日本  × 3 \ufffd",
        "2 b     × 1 x   ?3 \ufffd",
        "3 c",
        "without a link: 2 y",
    ]
    assert curves_text(Alignment(0, 0), [], []) == "empty"


def test_empty_and_wrong_number_of_words() -> None:
    assert words(order_curves_picture(Permutation([])), "number") == ["empty"]
    with pytest.raises(InvalidPermutation, match="permutation of 2 words applied to 3 words"):
        order_curves_picture(Permutation([1, 0]), ["a", "b", "c"])


def test_a_hundred_thousand_words() -> None:
    start = time.process_time()
    assert len(crossed_links(order_links(Permutation(range(99_999, -1, -1))))) == 100_000
    assert time.process_time() - start < 5
