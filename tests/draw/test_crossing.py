import re
import time
from itertools import permutations
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.permutation import Permutation
from wordorder.draw import crossing_svg
from wordorder.draw.crossing import crossing_layout, is_crossed
from wordorder.draw.labels import text_width
from wordorder.errors import InvalidPermutation

SVG = "{http://www.w3.org/2000/svg}"


def words_of(picture: str, css: str = "word") -> list[str]:
    root = ElementTree.fromstring(picture)
    return [e.text or "" for e in root.iter(f"{SVG}text") if e.get("class") == f"wo-{css}"]


def test_upper_row_is_the_original_order_and_lower_row_is_read() -> None:
    picture = crossing_svg(Permutation.from_order([1, 2, 0]), ["a", "b", "c"])  # not its own inverse
    assert words_of(picture) == ["a", "b", "c", "b", "c", "a"]
    assert words_of(picture, "number") == ["1", "2", "3", "2", "3", "1"]
    assert words_of(crossing_svg([1, 2, 0], ["a", "b", "c"])) == ["a", "b", "c", "c", "a", "b"]


def test_curves_join_a_word_with_itself() -> None:
    layout = crossing_layout(Permutation([1, 3, 0, 2]), ["a", "bb", "ccc", "a"])
    picture = crossing_svg([1, 3, 0, 2], ["a", "bb", "ccc", "a"])
    curves = dict(re.findall(r'data-position="(\d)" d="(M[^"]*)"', picture))
    assert len(curves) == 4
    for word in layout.lower:
        above = layout.upper[word.position]
        assert above.label == word.label
        numbers = [float(x) for x in re.findall(r"[\d.]+", curves[str(word.position)])]
        assert numbers[0] == pytest.approx(above.x, abs=0.06)
        assert numbers[-2] == pytest.approx(word.x, abs=0.06)


def test_crossed_as_by_comparing_all_pairs() -> None:
    for n in range(7):
        for order in permutations(range(n)):
            slow = [any((j - k) * (order[j] - order[k]) < 0 for j in range(n)) for k in range(n)]
            assert is_crossed(Permutation(order)).tolist() == slow


def test_crossed_curves_look_different() -> None:
    picture = crossing_svg([0, 2, 1])
    assert picture.count('class="wo-curve wo-straight"') == 1
    assert picture.count('class="wo-curve wo-crossed"') == 2


@given(st.integers(0, 12).flatmap(lambda n: st.permutations(range(n))), st.data())
def test_labels_keep_apart(order: list[int], data: st.DataObject) -> None:
    words = data.draw(st.lists(st.text(max_size=9), min_size=len(order), max_size=len(order)))
    layout = crossing_layout(Permutation(order), words)
    for row in (layout.upper, layout.lower):
        ends = 0.0
        for word in row:
            half = text_width(word.label, 16) / 2
            assert word.x - half > ends
            ends = word.x + half
        assert ends < layout.width


@given(st.lists(st.text(), min_size=2, max_size=2), st.text())
def test_any_text_gives_well_formed_xml(words: list[str], title: str) -> None:
    assert len(words_of(crossing_svg([1, 0], words, title=title))) == 4


def test_escaping_and_direction() -> None:
    picture = crossing_svg([1, 0], ["<script>", "שלום"], title="</svg>")
    assert "<script" not in picture
    assert picture.count("</svg>") == 1
    assert picture.count('direction="rtl"') == 2


def test_description_counts_the_crossing_words() -> None:
    root = ElementTree.fromstring(crossing_svg([0, 2, 1], ["a", "b", "c"]))
    assert root[1].text == "2 of 3 words cross another. Read order: a c b"


def test_empty_and_wrong_number_of_words() -> None:
    assert words_of(crossing_svg([]), "number") == ["empty"]
    with pytest.raises(InvalidPermutation, match="permutation of 2 words applied to 3 words"):
        crossing_svg([1, 0], ["a", "b", "c"])


def test_a_hundred_thousand_words() -> None:
    start = time.process_time()
    layout = crossing_layout(Permutation(range(99_999, -1, -1)))
    assert time.process_time() - start < 5
    assert all(layout.crossed)
