"""What tests ask of scenes: texts, places, and that nothing overlaps or leaves the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from wordorder.draw.labels import text_width, visible
from wordorder.draw.scene import Box, Group, Item, Label, Path, Scene, placed

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
SLACK = 0.01


def texts(scene: Scene, css: str) -> list[Label]:
    """The texts of a class, in the order of the scene."""
    return [item for item in placed(scene.items) if isinstance(item, Label) and css in item.css.split()]


def words(scene: Scene, css: str = "word") -> list[str]:
    return [text.text for text in texts(scene, css)]


def groups(items: Sequence[Item], css: str) -> Iterator[Group]:
    for item in items:
        if isinstance(item, Group):
            if css in item.css.split():
                yield item
            yield from groups(item.items, css)


def area(item: Label | Path | Box) -> Rectangle:
    """The rectangle that an item fills."""
    if isinstance(item, Box):
        return item.x, item.y, item.x + item.width, item.y + item.height
    if isinstance(item, Path):
        numbers = [number for _, step in item.steps for number in step]
        return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])
    wide, tall = text_width(visible(item.text), item.size), item.size
    before = {"left": 0.0, "middle": wide / 2, "right": wide}[item.anchor]
    if item.turned:
        return item.x - tall / 2, item.y - wide + before, item.x + tall / 2, item.y + before
    return item.x - before, item.y - tall / 2, item.x - before + wide, item.y + tall / 2


def assert_inside(scene: Scene) -> None:
    for item in placed(scene.items):
        left, top, right, bottom = area(item)
        assert left >= -SLACK and top >= -SLACK, item
        assert right <= scene.width + SLACK and bottom <= scene.height + SLACK, item


def assert_apart(items: Sequence[Label | Box]) -> None:
    """Check that no two of some items overlap."""
    for one, other in combinations(items, 2):
        left, top, right, bottom = area(one)
        other_left, other_top, other_right, other_bottom = area(other)
        apart = (
            right <= other_left + SLACK
            or other_right <= left + SLACK
            or bottom <= other_top + SLACK
            or other_bottom <= top + SLACK
        )
        assert apart, (one, other)


def assert_well_drawn(scene: Scene) -> None:
    """Check that everything is inside the picture, and that no text is on another."""
    assert_inside(scene)
    assert_apart([item for item in placed(scene.items) if isinstance(item, Label)])
