import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.tree import Tree, tree
from wordorder.draw import to_svg, tree_picture
from wordorder.draw.labels import shortened_text
from wordorder.draw.scene import Box, Group, Label, Scene, placed
from wordorder.draw.style import STYLE

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ["I", "will", "wait", "for", "you", "tomorrow"]
ORDER = [1, 3, 4, 5, 0, 2]


def tree_svg(drawn: Tree, **settings: object) -> str:
    return to_svg(tree_picture(drawn, **settings))  # type: ignore[arg-type]


def texts(picture: str, css: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return [e.text or "" for e in root.iter(f"{SVG}text") if e.get("class") == f"wo-{css}"]


def test_words_numbers_and_operators() -> None:
    picture = tree_svg(tree(ORDER, WORDS))
    new_order = ["you", "I", "tomorrow", "will", "wait", "for"]
    assert texts(picture, "word") == [*WORDS, *new_order]
    assert texts(picture, "number") == ["2", "4", "5", "6", "1", "3", "1", "2", "3", "4", "5", "6"]
    assert "new order" in picture
    assert texts(picture, "operator") == ["⟨2,4,1,3⟩", "⟨1,2⟩×2"]


def test_without_words_the_leaves_are_the_numbers() -> None:
    picture = tree_svg(tree(ORDER))
    assert texts(picture, "word") == ["2", "4", "5", "6", "1", "3"]
    assert texts(picture, "number") == []


def test_each_kind_has_its_own_class_and_shape() -> None:
    shapes = {}
    for order in ([0, 1], [1, 0], [1, 3, 0, 2]):
        root = ElementTree.fromstring(tree_svg(tree(order)))
        node = next(g for g in root.iter(f"{SVG}g") if "wo-node" in g.get("class", ""))
        shape = next(e for e in node if "wo-shape" in e.get("class", ""))
        shapes[node.get("class")] = (shape.tag.removeprefix(SVG), shape.get("rx"))
    assert shapes == {
        "wo-node wo-monotone": ("rect", "14"),
        "wo-node wo-inverted": ("path", None),
        "wo-node wo-prime": ("rect", None),
    }


def test_script_is_escaped_everywhere() -> None:
    bad = "<script>alert('1')</script>"
    picture = tree_svg(tree([1, 0], [bad, '"&\x00\x1b']), title=f"{bad}]]>")
    assert "<script" not in picture
    assert "\x1b" not in picture
    assert texts(picture, "word")[:2] == [bad, '"&\ufffd\ufffd']
    assert texts(picture, "heading") == [f"{bad}]]>"]


@given(st.lists(st.text(), min_size=3, max_size=3), st.none() | st.text())
def test_any_text_gives_well_formed_xml(words: list[str], title: str | None) -> None:
    picture = tree_svg(tree([1, 2, 0], words), title=title)
    picture.encode("utf-8")
    assert texts(picture, "word")[:3] == [shortened_text(word, 16, 300) for word in words]


def test_right_to_left_words_keep_their_direction() -> None:
    root = ElementTree.fromstring(tree_svg(tree([1, 0], ["שלום!", "word"])))
    hebrew, latin = [e for e in root.iter(f"{SVG}text") if e.get("class") == "wo-word"][:2]
    assert (hebrew.get("direction"), hebrew.get("unicode-bidi")) == ("rtl", "embed")
    assert latin.get("direction") is None


def test_name_and_description_for_screen_readers() -> None:
    root = ElementTree.fromstring(tree_svg(tree(ORDER, WORDS)))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "Permutation tree of ⟨2,4,5,6,1,3⟩"
    assert root[1].tag == f"{SVG}desc"
    assert root[1].text == "⟨2,4,1,3⟩(I ⟨1,2⟩(will wait for) you tomorrow)"
    named = ElementTree.fromstring(tree_svg(tree(range(100)), title="Sentence 7"))
    assert (named[0].text, named[1].text) == ("Sentence 7", "Words: 100. Nodes: 1. Longest operator: 2.")


def test_drawing_fits_its_heading() -> None:
    plain = ElementTree.fromstring(tree_svg(tree([0, 1])))
    headed = ElementTree.fromstring(tree_svg(tree([0, 1]), title="a heading much wider than two words"))
    assert float(headed.get("width", "0")) > float(plain.get("width", "0"))
    assert float(headed.get("height", "0")) > float(plain.get("height", "0"))


@pytest.mark.parametrize("order", [[], [0], [1, 0]])
def test_several_drawings_can_share_a_page(order: list[int]) -> None:
    picture = tree_svg(tree(order))
    assert not re.search(r"\sid=", picture)
    classes = set(" ".join(re.findall(r'class="([^"]*)"', picture)).split())
    assert all(name.startswith("wo-") for name in classes)


def test_style_has_a_dark_form_and_no_outside_source() -> None:
    picture = tree_svg(tree(ORDER, WORDS))
    assert "prefers-color-scheme:dark" in picture
    assert "url(" not in picture
    assert "@import" not in picture
    assert picture.count("http") == 1  # the name of the SVG namespace
    for rule in re.findall(r"^([^@\n]*)\{[a-z]", STYLE, re.MULTILINE):
        assert all(part.startswith(".wo-drawing") for part in rule.split(","))


def test_empty_says_so() -> None:
    picture = tree_svg(tree([]))
    assert texts(picture, "number") == ["empty"]


def test_one_word() -> None:
    picture = tree_svg(tree([0], ["word"]))
    assert texts(picture, "word") == ["word", "word"]  # as it is, and in its new order
    assert texts(picture, "operator") == []


def test_same_tree_same_picture() -> None:
    assert tree_svg(tree(ORDER, WORDS)) == tree_svg(tree(ORDER, WORDS))


def test_lines_end_at_their_children() -> None:
    root = ElementTree.fromstring(tree_svg(tree([2, 1, 0], ["a", "b", "c"])))
    (line,) = (e for e in root.iter(f"{SVG}path") if e.get("class") == "wo-line")
    path = line.get("d", "")
    words = [text for text in root.iter(f"{SVG}text") if text.get("class") == "wo-word"]
    for text in words[:3]:
        assert f"M{text.get('x')} " in path or f"L{text.get('x')} " in path


def test_large_and_deep_trees_are_drawn() -> None:
    picture = tree_svg(tree(range(5_000)).right(), width=math.inf)
    assert picture.count('class="wo-node') == 4_999
    assert picture.count('class="wo-leaf') == 5_000


def test_side_of_a_right_to_left_text_does_not_depend_on_its_direction() -> None:
    for word, marks in (("word", ""), ("שלום!", "\u200f")):
        scene = Scene(100, 50, (Label(word, 20, 20, "name", 13, "left"),), "name", "")
        (text,) = ElementTree.fromstring(to_svg(scene)).iter(f"{SVG}text")
        assert (text.get("class"), text.get("direction")) == ("wo-name wo-start", None)
        assert text.text == f"{marks}{word}{marks}"


def test_groups_move_and_clip() -> None:
    inner = Box(1, 2, 3, 4, "shape")
    scene = Scene(50, 50, (Group((inner,), offset=(5, 6), clip=(0, 0, 9, 9), data=(("a", '"'),)),), "n", "d")
    root = ElementTree.fromstring(to_svg(scene))
    (group,) = root.iter(f"{SVG}g")
    assert (group.get("transform"), group.get("data-a")) == ("translate(5 6)", '"')
    assert group[0].get("viewBox") == "0 0 9 9" and group[0][0].get("x") == "1"
    (moved,) = placed(scene.items)
    assert isinstance(moved, Box) and (moved.x, moved.y) == (6, 8)


def test_light_pictures_have_no_dark_form() -> None:
    assert "prefers-color-scheme" not in to_svg(tree_picture(tree([0])), dark=False)
