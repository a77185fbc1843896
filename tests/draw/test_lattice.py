"""Lattices of orders: states in columns, arcs in lanes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from tests.draw.scenes import area, assert_well_drawn, texts, words
from wordorder.core.lattice import Lattice, lattice
from wordorder.core.permutation import Permutation
from wordorder.draw import lattice as drawn_lattices
from wordorder.draw import lattice_picture, lattice_text
from wordorder.draw.lattice import lattice_layout
from wordorder.draw.scene import Label, Path, placed
from wordorder.errors import BadSetting

WORDS = ["one", "two", "three", "four"]


def some_lattice(n: int = 4) -> Lattice:
    orders = [Permutation(order) for order in permutations(range(n))][::5]
    return lattice(orders, np.zeros((n, n)), [-2.0 - k for k in range(len(orders))])


@pytest.mark.parametrize("width", [300, 500, 5000])
def test_arcs_join_their_states(width: float) -> None:
    graph = some_lattice()
    layout = lattice_layout(graph, WORDS, width=width)
    assert sorted(arc.number for arc in layout.arcs) == list(range(len(graph.arcs)))
    for arc in layout.arcs:
        start, stop, position = graph.arcs[arc.number].tolist()
        assert arc.label == WORDS[position]
        for state, point in ((start, arc.start), (stop, arc.end)):
            assert point in [(place.x, place.y) for place in layout.states if place.state == state]
        assert arc.start[0] < arc.middle[0] < arc.end[0]
    first = {place.state for place in layout.states if not place.again}
    assert first == set(range(graph.states + 1))
    assert width > 300 or any(place.again for place in layout.states)
    assert layout.width <= max(width, 250)
    scene = lattice_picture(graph, WORDS, width=width)
    assert_well_drawn(scene)
    assert sorted(words(scene)) == sorted(WORDS[k] for k in graph.arcs[:, 2].tolist())


def points_of(path: Path) -> Iterator[tuple[float, float]]:
    """Points along the lines and curves of a path."""
    at = (0.0, 0.0)
    for name, numbers in path.steps:
        end = numbers[-2], numbers[-1]
        if name != "M":
            corners = [at, *zip(numbers[::2], numbers[1::2], strict=True)]
            if name == "L":
                corners = [at, at, end, end]
            for k in range(41):
                t = k / 40
                shares = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                x = sum(share * corner[0] for share, corner in zip(shares, corners, strict=True))
                yield x, sum(share * corner[1] for share, corner in zip(shares, corners, strict=True))
        at = end


def test_no_arc_runs_through_a_label() -> None:
    scene = lattice_picture(some_lattice(), ["a", "extraordinarily", "to", "long"])
    items = list(placed(scene.items))
    labels = [area(item) for item in items if isinstance(item, Label)]
    assert len(labels) > 20
    for path in (item for item in items if isinstance(item, Path)):
        for x, y in points_of(path):
            for left, top, right, bottom in labels:
                assert not (left < x < right and top < y < bottom), (x, y)


def test_rows_end_where_few_states_are_open() -> None:
    """Words 3 and 4 may change places; a row that could end between them ends before them."""
    swapped = [0, 1, 2, 4, 3, 5, 6, 7]
    graph = lattice([Permutation(range(8)), Permutation(swapped)], np.zeros((8, 8)))
    names = [f"word{k}" for k in range(8)]
    step = lattice_layout(graph, names, width=5000).arcs[0].end[0] - 36
    layout = lattice_layout(graph, names, width=4 * step + 80)  # room for four words
    assert [place.state for place in layout.states if place.again] == [3, 8]


def test_right_to_left_lattices_begin_at_the_right() -> None:
    graph = lattice([Permutation([0, 1])], np.zeros((2, 2)))
    first, second = texts(lattice_picture(graph, ["שלום", "עולם"]), "word")
    assert (first.text, first.x > second.x) == ("שלום", True)


def test_probabilities_are_shown_where_there_is_a_choice() -> None:
    orders = [Permutation([0, 1, 2]), Permutation([0, 2, 1])]
    graph = lattice(orders, np.zeros((3, 3)), np.log([0.75, 0.25]).tolist())
    assert words(lattice_picture(graph, ["a", "b", "c"]), "number") == ["0.75", "0.25"]
    unweighted = lattice(orders, np.zeros((3, 3)))
    assert words(lattice_picture(unweighted, ["a", "b", "c"]), "number") == []
    assert lattice_text(graph, ["a", "b", "\x1b"]).splitlines() == [
        "0 → 1  a",
        "1 → 2  b  0.75",
        "  → 3  \ufffd  0.25",
        "2 → 4  \ufffd",
        "3 → 4  b",
    ]


def test_no_words_and_too_many_arcs(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = lattice([Permutation([])], np.zeros((0, 0)))
    assert words(lattice_picture(nothing, []), "number") == ["empty"]
    assert lattice_text(nothing, []) == "empty"
    monkeypatch.setattr(drawn_lattices, "MOST_ARCS", 3)
    with pytest.raises(BadSetting, match="the lattice has 4 arcs; at most 3 can be drawn"):
        lattice_picture(lattice([Permutation(range(4))], np.zeros((4, 4))), WORDS)
