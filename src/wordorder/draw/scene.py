"""Pictures as values: a scene has a size and a list of shapes and texts with coordinates.

Every picture is computed as a scene first. ``svg``, ``tikz`` and ``png`` write scenes as files; they know
nothing about what a scene shows. Coordinates are pixels, from the upper left corner. Names of classes
(``css``) refer to :mod:`wordorder.draw.style`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from wordorder.draw.labels import text_width, visible

Anchor = Literal["left", "middle", "right"]  # the side of a text that is at its x coordinate
Step = tuple[str, tuple[float, ...]]  # M and L: x, y; C: two control points, then x, y; Z: closes the path

MARGIN = 28.0
HEADING_SIZE, HEADING_ROOM = 15.0, 28.0
LARGEST_WIDTH = 1200.0  # default width at which pictures of sentences are wrapped
_STACK_GAP = 12.0


@dataclass(frozen=True, slots=True)
class Label:
    """A text; x is the side that ``anchor`` names and y the middle of its height."""

    text: str
    x: float
    y: float
    css: str
    size: float
    anchor: Anchor = "middle"
    turned: bool = False  # by 90 degrees, so that it is read from bottom to top


@dataclass(frozen=True, slots=True)
class Path:
    """Lines and curves."""

    steps: tuple[Step, ...]
    css: str
    dash: tuple[float, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its upper left corner at x, y; ``opacity`` is that of its fill."""

    x: float
    y: float
    width: float
    height: float
    css: str
    radius: float = 0.0
    opacity: float | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together; ``data`` identifies them for scripts, ``title`` is shown on hover.

    ``offset`` moves all items; ``clip`` (x, y, width, height) hides what is outside.
    """

    items: tuple[Item, ...]
    css: str = ""
    title: str = ""
    data: tuple[tuple[str, str | int], ...] = ()
    offset: tuple[float, float] = (0.0, 0.0)
    clip: tuple[float, float, float, float] | None = None


Item = Label | Path | Box | Group


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: its size, its items from back to front, and name and description for screen readers."""

    width: float
    height: float
    items: tuple[Item, ...]
    name: str
    description: str

    def _repr_svg_(self) -> str:
        from wordorder.draw.svg import to_svg

        return to_svg(self)


def line(*points: tuple[float, float], css: str = "line") -> Path:
    """Make a path of straight lines.

    >>> line((0, 0), (5, 0)).steps
    (('M', (0, 0)), ('L', (5, 0)))
    """
    return Path(tuple(("L" if k else "M", point) for k, point in enumerate(points)), css)


def closed(points: Iterable[tuple[float, float]], css: str) -> Path:
    """Make a polygon."""
    return Path((*line(*points).steps, ("Z", ())), css)


def empty_scene(description: str = "A permutation of no words.") -> Scene:
    """Make the picture of an empty value."""
    return Scene(120, 60, (Label("empty", 60, 30, "number", 12),), "empty", description)


def headed(scene: Scene, heading: str | None) -> Scene:
    """Show a heading above a scene, which also becomes its name."""
    if heading is None:
        return scene
    width = max(scene.width, text_width(visible(heading), HEADING_SIZE) + 2 * MARGIN)
    text = Label(heading, width / 2, HEADING_ROOM - HEADING_SIZE / 4, "heading", HEADING_SIZE)
    body = Group(scene.items, offset=((width - scene.width) / 2, HEADING_ROOM))
    return Scene(width, scene.height + HEADING_ROOM, (text, body), heading, scene.description)


def stacked(scenes: Sequence[Scene]) -> Scene:
    """Put scenes below each other; one scene remains as it is."""
    if len(scenes) == 1:
        return scenes[0]
    items, y = [], 0.0
    for scene in scenes:
        items.append(Group(scene.items, offset=(0.0, y)))
        y += scene.height + _STACK_GAP
    width = max((scene.width for scene in scenes), default=0.0)
    names = ("; ".join(texts) for texts in zip(*((s.name, s.description) for s in scenes), strict=True))
    return Scene(width, max(y - _STACK_GAP, 0.0), tuple(items), *names)


def mirrored(items: Iterable[Item], width: float) -> tuple[Item, ...]:
    """Reverse left and right within a picture of this width, for sentences that run from right to left.

    >>> mirrored([Box(0, 0, 10, 5, "shape"), Label("a", 3, 0, "word", 16, anchor="left")], 50)[0].x
    40
    """
    return tuple(_mirrored(item, width) for item in items)


def _mirrored(item: Item, width: float) -> Item:
    if isinstance(item, Label):
        sides: dict[Anchor, Anchor] = {"left": "right", "right": "left", "middle": "middle"}
        return replace(item, x=width - item.x, anchor=item.anchor if item.turned else sides[item.anchor])
    if isinstance(item, Box):
        return replace(item, x=width - item.x - item.width)
    if isinstance(item, Path):
        return replace(item, steps=tuple(_mirrored_step(step, width) for step in item.steps))
    over, down = item.offset
    clip = item.clip and (width - item.clip[0] - item.clip[2], *item.clip[1:])
    return replace(item, items=mirrored(item.items, width), offset=(-over, down), clip=clip)


def _mirrored_step(step: Step, width: float) -> Step:
    name, numbers = step
    return name, tuple(width - number if k % 2 == 0 else number for k, number in enumerate(numbers))


def placed(items: Iterable[Item], offset: tuple[float, float] = (0.0, 0.0)) -> Iterator[Label | Path | Box]:
    """Yield all shapes and texts with their coordinates in the picture, without groups."""
    over, down = offset
    for item in items:
        if isinstance(item, Group):
            yield from placed(item.items, (over + item.offset[0], down + item.offset[1]))
        elif isinstance(item, Path):
            steps = tuple(
                (name, tuple(number + (down if k % 2 else over) for k, number in enumerate(numbers)))
                for name, numbers in item.steps
            )
            yield replace(item, steps=steps)
        else:
            yield replace(item, x=item.x + over, y=item.y + down)
