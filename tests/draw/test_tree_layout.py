import time
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.tree import Tree, tree
from wordorder.draw.tree_layout import TreeLayout, tree_layout

orders = st.integers(0, 24).flatmap(lambda n: st.permutations(range(n)))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    order = draw(orders)
    text = st.text(st.characters(codec="utf-8", max_codepoint=0x58F), max_size=12)  # from left to right
    words = draw(st.none() | st.lists(text, min_size=len(order), max_size=len(order)))
    return draw(st.sampled_from([Tree.flat, Tree.left, Tree.right]))(tree(order, words))


def assert_well_placed(layout: TreeLayout, size: int) -> None:
    slack = 1e-6
    assert [word.begin for word in layout.words] == list(range(size))
    assert len({word.y for word in layout.words}) <= 1
    for one, next_one in pairwise(layout.words):
        assert one.x + one.width / 2 < next_one.x - next_one.width / 2
    everything = (*layout.nodes, *layout.words)
    for place in everything:
        assert place.x - place.width / 2 > 0
        assert place.x + place.width / 2 < layout.width
        assert place.y - place.height / 2 > 0
        assert place.y + place.height / 2 < layout.height
    children: dict[int, list[float]] = {}
    for place in everything:
        if place.parent < 0:
            assert (place.begin, place.end) == (0, size)
            continue
        above = layout.nodes[place.parent]
        assert above.begin <= place.begin < place.end <= above.end
        assert above.y + above.height / 2 < place.y - place.height / 2
        children.setdefault(place.parent, []).append(place.x)
    for index, node in enumerate(layout.nodes):
        assert node.x == pytest.approx((min(children[index]) + max(children[index])) / 2, abs=slack)


def columns_of(layout: TreeLayout) -> dict[tuple[int, int], tuple[float, float]]:
    """For every span its leftmost and rightmost ink, with all that is below it."""
    reach = {}
    for place in (*layout.nodes, *layout.words):
        inside = [p for p in (*layout.nodes, *layout.words) if place.begin <= p.begin and p.end <= place.end]
        reach[place.begin, place.end] = (
            min(p.x - p.width / 2 for p in inside),
            max(p.x + p.width / 2 for p in inside),
        )
    return reach


@given(trees())
def test_order_baseline_centres_and_bounds(drawn: Tree) -> None:
    assert_well_placed(tree_layout(drawn), len(drawn))


@given(trees())
def test_subtrees_side_by_side_do_not_overlap(drawn: Tree) -> None:
    reach = columns_of(tree_layout(drawn))
    for (_, end), (_, right) in reach.items():
        for (begin, _), (left, _) in reach.items():
            assert begin < end or right < left


def test_every_permutation_of_five_words() -> None:
    for order in permutations(range(5)):
        assert_well_placed(tree_layout(tree(order, list("abcde"))), 5)


def test_levels_count_from_the_words() -> None:
    layout = tree_layout(tree([0, 1, 2, 3]).right())
    heights = sorted(layout.words[0].y - node.y for node in layout.nodes)
    assert heights == [heights[0], 2 * heights[0], 3 * heights[0]]


def test_kinds_labels_and_numbers() -> None:
    layout = tree_layout(tree([1, 3, 4, 5, 0, 2], ["I", "will", "wait", "for", "you", "tomorrow"]))
    assert [(node.kind, node.label) for node in layout.nodes] == [
        ("prime", "⟨2,4,1,3⟩"),
        ("monotone", "⟨1,2⟩×2"),
    ]
    assert [(word.label, word.number) for word in layout.words[:2]] == [("I", "2"), ("will", "4")]
    assert [word.number for word in tree_layout(tree([1, 0])).words] == [None, None]


def test_wide_characters_take_more_room() -> None:
    narrow, wide = (tree_layout(tree([0, 1], [word, "x"])) for word in ("ab", "東京"))
    assert wide.words[0].width > 1.9 * narrow.words[0].width


def test_short_word_is_as_wide_as_its_number() -> None:
    layout = tree_layout(tree(list(range(1000)), ["i"] * 1000))
    assert_well_placed(layout, 1000)
    assert layout.words[999].width > layout.words[0].width


def test_no_words_and_one_word() -> None:
    assert tree_layout(tree([])).words == ()
    only = tree_layout(tree([0], ["word"]))
    assert only.nodes == ()
    assert_well_placed(only, 1)


def nested_primes(n: int) -> list[int]:
    """⟨2,4,1,3⟩ whose third child is such a permutation again, as deep as it goes."""
    front: list[int] = []
    back: list[int] = []
    low = 1
    while low + 3 <= n:
        front += [low + 2, low]
        back.append(low + 1)
        low += 3
    return [*reversed(front), 0, *back]


@pytest.mark.parametrize(
    "shape",
    [*(pytest.param(shape, marks=pytest.mark.slow) for shape in ("monotone", "random", "nested")), "right"],
)
def test_a_hundred_thousand_words(shape: str) -> None:
    n = 20_000 if shape == "right" else 100_000  # the one that is not slow
    if shape == "nested":
        drawn = tree(nested_primes(n))
        assert len(drawn.table) > n // 4
    elif shape == "random":
        drawn = tree(np.random.default_rng(5).permutation(n))
    else:
        drawn = tree(range(n)) if shape == "monotone" else tree(range(n)).right()
    start = time.process_time()
    layout = tree_layout(drawn)
    assert time.process_time() - start < 5
    assert_well_placed(layout, len(drawn))


def test_words_of_a_right_to_left_sentence_run_to_the_left() -> None:
    layout = tree_layout(tree([1, 2, 0, 3], ["שלום", "NATO", "עולם", "!"]))
    assert [word.begin for word in layout.words] == [0, 1, 2, 3]
    assert all(one.x - one.width / 2 > other.x + other.width / 2 for one, other in pairwise(layout.words))
    assert min(word.x - word.width / 2 for word in layout.words) > 0


def sentence(n: int, seed: int, spread: float) -> Tree:
    """A tree of an order in which words move, but not far; a small spread leaves many in order."""
    rng = np.random.default_rng(seed)
    places = np.argsort(np.argsort(np.arange(n) + rng.normal(0, spread, n)))
    return tree(places, [f"word{k}" for k in range(n)])


@pytest.mark.parametrize("unfold", [False, True])
@pytest.mark.parametrize(("n", "spread"), [(136, 0.5), (136, 3), (1000, 1), (1000, 1000)])
def test_wide_trees_are_folded_and_divided(n: int, spread: float, unfold: bool) -> None:
    layout = tree_layout(sentence(n, 3, spread), width=1200, unfold=unfold)
    assert layout.width <= 1200
    everything = (*layout.nodes, *layout.words)
    for place in everything:
        assert place.width / 2 <= place.x <= layout.width - place.width / 2
        assert place.height / 2 <= place.y <= layout.height - place.height / 2
    # Every word is shown once, in a box or alone, and every box for a panel has its panel.
    shown = sorted((place.begin, place.end) for place in layout.words if place.kind != "panel")
    assert [begin for begin, _ in shown] == [0, *(end for _, end in shown[:-1])] and shown[-1][1] == n
    assert unfold == all(place.kind != "folded" for place in layout.words)
    boxes = sorted((place.begin, place.end) for place in layout.words if place.kind == "panel")
    roots = sorted((place.begin, place.end) for place in layout.nodes if place.parent < 0)
    assert roots == sorted([*boxes, (0, n)])
    assert len(layout.headings) == len(roots)
    rows = sorted((place.y, place.x - place.width / 2, place.x + place.width / 2) for place in everything)
    for (y, _, right), (other_y, left, _) in pairwise(rows):
        assert y != other_y or right < left


def test_folded_words_stay_in_order() -> None:
    drawn = sentence(136, 3, 0.5)
    folded = [place for place in tree_layout(drawn, width=1200).words if place.kind == "folded"]
    assert folded
    for place in folded:
        places = drawn.permutation[place.begin : place.end]
        assert places == list(range(places[0], places[0] + len(places)))
        assert place.number == f"{places[0] + 1}–{places[-1] + 1}"
        assert place.title == " ".join(f"word{k}" for k in range(place.begin, place.end))
    assert not [place for place in tree_layout(drawn).words if place.kind == "folded"]  # without a limit


def test_a_long_word_is_shortened() -> None:
    layout = tree_layout(tree([1, 0], ["x" * 500, "y"]))
    assert layout.width < 500 and layout.words[0].title == "x" * 500
