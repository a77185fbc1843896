"""Packed forests: bars above words, points on bars."""

from __future__ import annotations

import math
import random
from functools import partial
from itertools import pairwise, permutations

import pytest

from tests.draw.scenes import assert_apart, assert_inside, assert_well_drawn, groups, texts, words
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.draw import forest_picture, forest_text
from wordorder.draw.forest import MOST_SPANS, counted_trees, forest_layout
from wordorder.draw.forest_panels import forest_over, forest_width, leaves_of, tree_counts
from wordorder.draw.scene import Box
from wordorder.errors import BadSetting


def all_spans(forest: Forest) -> dict[tuple[int, int], set[str]]:
    """The spans of all trees, each with its bracketings."""
    found: dict[tuple[int, int], set[str]] = {}
    for tree in forest.trees():
        for node in tree.nodes(leaves=True):
            below = [(n.begin, n.end) for n in tree.nodes() if node.begin <= n.begin and n.end <= node.end]
            found.setdefault((node.begin, node.end), set()).add(str(sorted(below)))
    return found


def test_bars_are_the_spans_of_all_trees_with_their_numbers() -> None:
    for order in permutations(range(5)):
        forest = Forest(order)
        slow = {span: len(ways) for span, ways in all_spans(forest).items()}
        assert tree_counts(forest) == slow
        bars = forest_layout(forest).bars
        shown = {(bar.entry.begin, bar.entry.end): bar.ways for bar in bars}
        assert shown == {span: ways for span, ways in slow.items() if span[1] - span[0] > 1}


def test_bars_cover_their_words_and_no_others() -> None:
    forest = Forest([5, 4, 3, 0, 1, 2, 6], ["a", "bb", "cat", "dog", "elephant", "f", "gg"])
    layout = forest_layout(forest)
    assert layout.width == pytest.approx(forest_width(leaves_of(forest)))
    for bar in layout.bars:
        covered = [k for k, word in enumerate(layout.words) if bar.left <= word.x <= bar.right]
        assert covered == list(range(bar.entry.begin, bar.entry.end))
        assert all(bar.left < x < bar.right for x in bar.points)
        splits = [k for inference in bar.entry.inferences for k in inference]
        for k, x in zip(splits, bar.points, strict=True):
            assert layout.words[k - 1].x < x < layout.words[k].x
    assert_apart([Box(bar.left, bar.y - 13, bar.right - bar.left, 26, "shape") for bar in layout.bars])
    for bar in layout.bars:  # what a bar is divided into is below it
        inside = [b for b in layout.bars if bar.left <= b.left and b.right <= bar.right and b is not bar]
        assert all(b.y > bar.y for b in inside if b.right - b.left < bar.right - bar.left)


def test_picture_says_how_many_trees_there_are() -> None:
    scene = forest_picture(Forest(range(5), list("abcde")))
    assert "14 trees" in scene.name and words(scene, "number")[0].startswith("14 trees.")
    assert words(scene) == list("abcde")
    assert_inside(scene)
    assert_well_drawn(forest_picture(Forest([1, 3, 0, 2])))
    assert words(forest_picture(Forest([])), "number") == ["empty"]
    assert forest_text(Forest([])) == "empty" and forest_text(Forest([0], ["a"])) == "1 tree"


def test_right_to_left_words_run_to_the_left() -> None:
    scene = forest_picture(Forest([1, 0, 2], ["שלום", "עולם", "טוב"]))
    places = [text.x for text in texts(scene, "word")]
    assert places == sorted(places, reverse=True)
    assert_inside(scene)


def test_wide_forests_are_folded_into_the_trees_that_keep_words_together() -> None:
    order, names = [5, 6, 7, 3, 4, 0, 1, 2], list("abcdefgh")
    forest = Forest(order, names)
    leaves = leaves_of(forest, fold=True)
    assert [leaf.text for leaf in leaves] == ["a b c", "d e", "f g h"]
    assert [leaf.number for leaf in leaves] == ["6–8", "4–5", "1–3"]
    assert forest_over(forest, leaves).permutation == Permutation([2, 1, 0])
    scene = forest_picture(forest, width=300)
    assert words(scene) == ["a b c", "d e", "f g h"] and "folded" in " ".join(words(scene, "number"))
    assert f"{forest.count} trees" in scene.name  # all of them, whatever is folded
    spans = {group.data for group in groups(scene.items, "node")}
    assert spans == {(("begin", b), ("end", e)) for b, e in ((0, 5), (3, 8), (0, 8))}
    assert sorted(words(forest_picture(forest, width=300, unfold=True))) == names
    assert words(forest_picture(forest, width=1200)) == names
    assert forest_picture(Forest(range(5000)), width=1200).width < 1200  # one leaf


def nested(chance: random.Random, size: int) -> list[int]:
    """An order with many nodes: parts of parts change places."""
    if size < 2:
        return list(range(size))
    cut = chance.randrange(1, size)
    left, right = nested(chance, cut), nested(chance, size - cut)
    if chance.random() < 0.5:
        return [*left, *(k + cut for k in right)]
    return [*(k + size - cut for k in left), *right]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_too_wide_is_divided_without_losing_a_group(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(8, 40)
    forest = Forest(nested(chance, size), ["word" * chance.randint(1, 4) for _ in range(size)])
    for unfold in (False, True):
        leaves = leaves_of(forest, fold=not unfold)
        shown = forest_over(forest, leaves)
        if shown.size[0] - len(leaves) > MOST_SPANS:
            continue
        scene = forest_picture(forest, width=500, unfold=unfold)
        assert scene.width <= 500 or forest_width(leaves) <= 500  # a short picture is as wide as its hint
        assert_apart([label for label in texts(scene, "word") + texts(scene, "number")])
        slow = {  # by the trees of the whole forest, undivided
            (leaves[begin].begin, leaves[end - 1].end): ways
            for (begin, end), ways in tree_counts(shown).items()
            if end - begin > 1
        }
        bars = list(groups(scene.items, "node"))
        assert {tuple(dict(bar.data).values()) for bar in bars} == set(slow)
        for bar in bars:
            span = tuple(dict(bar.data).values())
            assert bar.title.endswith(f", {counted_trees(slow[span])}")
        boxes = {label.text for label in texts(scene, "operator")}
        assert boxes <= {label.text for label in texts(scene, "group")}  # every box has its panel
        alone = {tuple(dict(leaf.data).values()) for leaf in groups(scene.items, "leaf")}
        assert {(leaf.begin, leaf.end) for leaf in leaves} <= alone


def test_a_node_with_many_children_continues_in_the_next_row() -> None:
    names = [f"word{k}" for k in range(24)]
    scene = forest_picture(Forest(range(23, -1, -1), names), width=600)
    assert scene.width <= 600 and words(scene) == names
    assert words(scene, "group")[:2] == ["words 1 to 24", "words 1 to 24, continued"]
    whole = [bar for bar in groups(scene.items, "node") if bar.data == (("begin", 0), ("end", 24))]
    points = [item for bar in whole for item in bar.items if isinstance(item, Box) and item.css == "split"]
    assert len(whole) == len(words(scene, "group")) and len(points) == 23


@pytest.mark.parametrize("size", range(1, 7))
def test_folded_words_are_those_that_follow_each_other(size: int) -> None:
    for order in permutations(range(size)):
        leaves = leaves_of(Forest(order), fold=True)
        assert [k for leaf in leaves for k in range(leaf.begin, leaf.end)] == list(range(size))
        for leaf in leaves:
            assert all(order[k + 1] == order[k] + 1 for k in range(leaf.begin, leaf.end - 1))
        for before, after in pairwise(leaves):
            assert order[after.begin] != order[before.end - 1] + 1


def test_too_many_groups_are_refused() -> None:
    assert forest_picture(Forest(range(35)), width=math.inf).width > 1000
    for draw in (partial(forest_picture, unfold=True), forest_text):
        with pytest.raises(BadSetting, match=rf"630 groups of words; at most {MOST_SPANS} can be drawn"):
            draw(Forest(range(36)))


def test_text_lists_every_way() -> None:
    lines = forest_text(Forest([0, 1, 2], ["a", "b", "\x1b"])).splitlines()
    assert lines[0] == "2 trees"
    assert lines[-1] == "a b \ufffd  ⟨1,2⟩  a | b \ufffd  or  a b | \ufffd"
