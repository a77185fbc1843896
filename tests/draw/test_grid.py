"""Alignments as matrices, and precedence as heat maps."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.draw.scenes import assert_inside, assert_well_drawn, groups, words
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.draw import matrix_picture, matrix_text, precedence_picture, precedence_text
from wordorder.draw.grid import alignment_blocks
from wordorder.draw.scene import Box, Label, placed
from wordorder.errors import BadSetting, InvalidAlignment

HEBREW = ["שלום", "עולם"]


def slow_blocks(alignment: Alignment) -> list[tuple[int, int, int, int]]:
    """Merge links that share a row or column, or whose rectangles overlap on a side, until none do."""
    blocks = [(i, i, j, j) for i, j in alignment.links]
    merged = True
    while merged:
        merged = False
        for one in blocks:
            for other in blocks:
                rows = one[0] <= other[1] and other[0] <= one[1]
                across = one[2] <= other[3] and other[2] <= one[3]
                if one != other and (rows or across):
                    both = zip(one, other, strict=True)
                    a, b, c, d = (f(pair) for f, pair in zip((min, max, min, max), both, strict=True))
                    blocks = [block for block in blocks if block not in (one, other)] + [(a, b, c, d)]
                    merged = True
                    break
            if merged:
                break
    return sorted(set(blocks))


def test_blocks_as_by_merging() -> None:
    rng = random.Random(2)
    for _ in range(200):
        n, m = rng.randint(1, 6), rng.randint(1, 6)
        links = [(rng.randrange(n), rng.randrange(m)) for _ in range(rng.randint(0, 8))]
        alignment = Alignment(n, m, links)
        assert sorted(alignment_blocks(alignment)) == slow_blocks(alignment)


def test_links_and_blocks_are_in_their_cells() -> None:
    alignment = Alignment(3, 3, [(0, 1), (0, 2)], possible=[(2, 0)])
    scene = matrix_picture(alignment, ["a", "b", "c"], ["x", "y", "z"])
    boxes = [item for item in placed(scene.items) if isinstance(item, Box)]
    sure = [box for box in boxes if box.css == "sure"]
    (possible,) = (box for box in boxes if box.css == "possible")
    assert [sure[1].x - sure[0].x, sure[1].y - sure[0].y] == pytest.approx([26, 0])
    assert [possible.x - sure[0].x, possible.y - sure[0].y] == pytest.approx([-26, 52])
    wide, narrow = sorted((box for box in boxes if box.css == "block"), key=lambda box: -box.width)
    assert (wide.width, wide.height, narrow.width, narrow.height) == (52, 26, 26, 26)
    assert wide.x < sure[0].x < wide.x + 26 and narrow.x < possible.x < narrow.x + 26
    assert words(scene) == ["a", "b", "c", "x", "y", "z"]
    assert_well_drawn(scene)


def test_columns_of_a_right_to_left_target_run_to_the_left() -> None:
    scene = matrix_picture(Alignment(2, 2, [(0, 0)]), ["a", "b"], HEBREW)
    labels = {item.text: item for item in placed(scene.items) if isinstance(item, Label)}
    assert labels[HEBREW[0]].x > labels[HEBREW[1]].x
    assert labels["a"].x > labels[HEBREW[0]].x and labels["a"].anchor == "left"
    (square,) = (item for item in placed(scene.items) if isinstance(item, Box) and item.css == "sure")
    assert square.x < labels[HEBREW[0]].x < square.x + square.width
    assert_well_drawn(scene)


@pytest.mark.parametrize("size", [1, 30, 136, 1000])
def test_large_matrices_are_not_too_wide(size: int) -> None:
    alignment = Alignment(size, size, [(k, size - 1 - k) for k in range(size)])
    some = [f"word{k}" for k in range(size)]
    scene = matrix_picture(alignment, some, some)
    assert scene.width <= 1200.01
    assert len(list(groups(scene.items, "link"))) == size
    assert_inside(scene)


def test_matrix_text() -> None:
    alignment = Alignment(3, 2, [(0, 1), (2, 0)], possible=[(1, 0)])
    text = matrix_text(alignment, ["日本", "a", "<b>"], ["x", "y"])
    assert text.splitlines()[1:4] == ["1 日本  · ■", "2 a     □ ·", "3 <b>   ■ ·"]
    assert text.splitlines()[-1] == "1 x  2 y"
    assert matrix_text(Alignment(1, 1, [(0, 0)])).splitlines() == ["   1", "1  ■"]
    with pytest.raises(InvalidAlignment, match="1 words for 3 positions"):
        matrix_text(alignment, ["a"])


def test_empty_matrices_say_so() -> None:
    assert words(matrix_picture(Alignment(0, 2)), "number") == ["empty"]
    assert words(precedence_picture(np.zeros((0, 0)), []), "number") == ["empty"]
    assert precedence_text(np.zeros((0, 0)), []) == "empty"


def test_precedence_is_in_the_new_order() -> None:
    table = np.array([[0, 0.9, 0.2], [0.1, 0, 0.4], [0.8, 0.6, 0]])
    order = Permutation.from_order([2, 0, 1])
    scene = precedence_picture(table, ["a", "b", "c"], order)
    assert words(scene) == ["c", "a", "b"] * 2
    assert words(scene, "cell") == ["80", "60", "20", "90", "40", "10"]
    cells = [item for item in placed(scene.items) if isinstance(item, Box) and item.css == "heat"]
    assert [cell.opacity for cell in cells[:2]] == [0.48, 0.36]
    assert scene.description.endswith("Least certain: c and b, 0.60.")
    assert_well_drawn(scene)
    assert precedence_text(table, ["a", "b", "c"], order).splitlines()[1] == "1 c   · 80 60"


def test_heat_maps_of_too_many_words_are_refused() -> None:
    with pytest.raises(BadSetting, match="401 words; at most 400 can be drawn"):
        precedence_picture(np.zeros((401, 401)), ["a"] * 401)


def test_numbers_can_be_read_on_the_darkest_cell() -> None:
    scene = precedence_picture(np.array([[0, 1], [0, 0]]), ["a", "b"])
    darkest = max(item.opacity or 0 for item in placed(scene.items) if isinstance(item, Box))

    def luminance(parts: list[float]) -> float:
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    blue, ink = [0, 0x72 / 255, 0xB2 / 255], [0x1F / 255, 0x23 / 255, 0x28 / 255]
    cell = luminance([darkest * part + 1 - darkest for part in blue])
    assert (cell + 0.05) / (luminance(ink) + 0.05) >= 4.5  # what WCAG 2.1 asks of text
