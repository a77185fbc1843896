"""Scenes: headings, stacks, mirrors."""

from tests.draw.scenes import assert_inside, words
from wordorder.core.tree import tree
from wordorder.draw import stacked, to_svg, tree_picture
from wordorder.draw.scene import Box, Group, Label, Path, Scene, headed, mirrored, placed


def test_mirroring_twice_changes_nothing() -> None:
    items = (
        Label("a", 3, 4, "word", 16, "left"),
        Label("b", 3, 4, "word", 16, "right", turned=True),
        Group((Box(1, 2, 3, 4, "shape"), Path((("M", (1, 2)), ("C", (1, 2, 3, 4, 5, 6))), "line")),
              offset=(7, 8), clip=(1, 2, 3, 4)),
    )  # fmt: skip
    once = mirrored(items, 100)
    assert mirrored(once, 100) == items
    text, turned, box, path = placed(once)
    assert isinstance(text, Label) and (text.x, text.anchor) == (97, "right")
    assert isinstance(turned, Label) and turned.anchor == "right"  # it is read upwards on both sides
    assert isinstance(box, Box) and box.x == 100 - 7 - 1 - 3
    assert isinstance(path, Path) and path.steps[1] == ("C", (92, 10, 90, 12, 88, 14))


def test_stacked_scenes_are_below_each_other() -> None:
    one, other = tree_picture(tree([1, 0], ["a", "b"])), tree_picture(tree([0, 1, 2], ["c", "d", "e"]))
    both = stacked([one, other])
    assert both.height > one.height + other.height and both.width == max(one.width, other.width)
    assert words(both) == [*words(one), *words(other)]
    assert both.name == f"{one.name}; {other.name}"
    assert_inside(both)
    assert stacked([one]) is one


def test_a_heading_fits_and_names_the_scene() -> None:
    scene = headed(Scene(10, 10, (), "name", "about"), "a heading that is wider than the scene")
    assert (scene.name, scene.description) == ("a heading that is wider than the scene", "about")
    assert_inside(scene)
    assert headed(scene, None) is scene


def test_notebooks_show_scenes() -> None:
    scene = tree_picture(tree([1, 0]))
    assert scene._repr_svg_() == to_svg(scene)
