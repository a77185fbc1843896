"""Draw the tree of a permutation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordorder.core.tree import Tree
from wordorder.draw.labels import Notes, runs_right_to_left, shortened, shortened_text, text_width, visible
from wordorder.draw.scene import (
    LARGEST_WIDTH,
    MARGIN,
    Box,
    Group,
    Item,
    Label,
    Path,
    Scene,
    Step,
    closed,
    empty_scene,
    headed,
    mirrored,
)
from wordorder.draw.tree_layout import (
    GAP,
    LONGEST_WORD,
    NODE_HEIGHT,
    NUMBER_DROP,
    NUMBER_SIZE,
    OPERATOR_SIZE,
    WORD_SIZE,
    Place,
    TreeLayout,
    tree_layout,
)

_BEND = 8.0  # radius of the corners of a bar
_FALL = 14.0  # from the bottom of a node to the bar above its children
_POINT = 9.0  # width of the pointed sides of a hexagon
_MOST_DESCRIBED = 60  # words
_READING_GAP = 14.0  # between neighbouring words of the new order
_READING_LINE = 56.0


def tree_picture(
    tree: Tree,
    *,
    title: str | None = None,
    notes: Notes | None = None,
    width: float = LARGEST_WIDTH,
    unfold: bool = False,
) -> Scene:
    """Draw a tree above its words, and below it the words in their new order.

    Operators differ by colour and shape: monotone ones are round, inverted ones pointed and prime ones
    square. The place of each word in the new order is shown below it. The title is shown above the tree.
    ``notes`` maps spans (begin, end) to texts that are shown after their operators. In a tree wider than
    ``width``, words that stay in order are folded into one box, unless ``unfold`` is set, and large subtrees
    are drawn below.

    >>> from wordorder.core.tree import tree
    >>> tree_picture(tree([1, 0], ["a", "b"])).description
    '⟨2,1⟩(a b)'
    """
    if not len(tree):
        return headed(empty_scene(), title)
    layout = tree_layout(tree, notes, width=width, unfold=unfold)
    items = tuple(_items(layout))
    across, down = layout.width, layout.height
    if tree.words is not None:
        reading = reading_rows(tree.permutation.apply(tree.words), max(width, layout.width), down)
        across, items = _side_by_side(layout, items, reading)
        down = reading.height
    scene = Scene(
        across, down, items, f"Permutation tree of {shortened(tree.permutation)}", _description(tree)
    )
    return headed(scene, title)


def _side_by_side(
    layout: TreeLayout, items: tuple[Item, ...], below: Scene
) -> tuple[float, tuple[Item, ...]]:
    """Put what is below a tree on the side where the sentence begins; returns the width of both."""
    across = max(layout.width, below.width)
    if not layout.right_to_left:
        return across, (*items, *below.items)
    tree_items = Group(items, offset=(across - layout.width, 0.0))
    return across, (tree_items, Group(below.items, offset=(across - below.width, 0.0)))


def reading_rows(words: Sequence[str], width: float, top: float) -> Scene:
    """Write words in their new order with their numbers, in as many rows as needed.

    >>> scene = reading_rows(["a", "b"], 1000, 0)
    >>> [(text.items[0].text, text.items[1].text) for text in scene.items[1:]]
    [('a', '1'), ('b', '2')]
    """
    head = "new order"
    x, y = MARGIN, top - MARGIN + _READING_LINE / 2 + 6
    items: list[Item] = [
        Label(head, x, y, "number", NUMBER_SIZE, anchor="left"),
    ]
    start = x + text_width(head, NUMBER_SIZE) + GAP
    x, reach = start, start
    for k, word in enumerate(words):
        whole, number = visible(word), str(k + 1)
        label = shortened_text(whole, WORD_SIZE, LONGEST_WORD)
        wide = max(text_width(label, WORD_SIZE), text_width(number, NUMBER_SIZE))
        if x > start and x + wide + MARGIN > width:
            x, y = start, y + _READING_LINE
        texts = (
            Label(label, x + wide / 2, y, "word", WORD_SIZE),
            Label(number, x + wide / 2, y + NUMBER_DROP, "number", NUMBER_SIZE),
        )
        items.append(Group(texts, css="read", data=(("place", k),), title=whole if whole != label else ""))
        x += wide + _READING_GAP
        reach = max(reach, x - _READING_GAP)
    across, down = reach + MARGIN, y + NUMBER_DROP + NUMBER_SIZE / 2 + MARGIN
    shown = mirrored(items, across) if runs_right_to_left(words) else tuple(items)
    return Scene(across, down, shown, head, " ".join(words))


def _description(tree: Tree) -> str:
    if len(tree) <= _MOST_DESCRIBED:
        return tree.to_brackets()
    return f"Words: {len(tree)}. Nodes: {len(tree.table)}. Longest operator: {tree.max_arity}."


def _items(layout: TreeLayout) -> Iterator[Item]:
    children: list[list[Place]] = [[] for _ in layout.nodes]
    for place in (*layout.nodes, *layout.words):
        if place.parent >= 0:
            children[place.parent].append(place)
    for heading in layout.headings:
        yield Label(heading.text, heading.x, heading.y, "group", OPERATOR_SIZE)
    for node, below in zip(layout.nodes, children, strict=True):
        yield _node(node, sorted(below, key=lambda child: child.x))
    for word in layout.words:
        yield _leaf(word)


def _node(place: Place, children: list[Place]) -> Group:
    return Group(
        (
            Path(tuple(_lines(place, children)), "line"),
            node_shape(place.kind, place.x, place.y, place.width, place.height),
            Label(place.label, place.x, place.y, "operator", OPERATOR_SIZE),
        ),
        css=f"node {place.kind}",
        title=f"{place.kind} {place.label}, words {place.begin + 1} to {place.end}",
        data=(("begin", place.begin), ("end", place.end)),
    )


def _lines(place: Place, children: list[Place]) -> Iterator[Step]:
    """Draw a line down to a bar above all children, and lines from the bar down to each child.

    A bar stays within the column of its subtree, so lines never cross each other or a label.
    """
    bottom = place.y + place.height / 2
    bar = bottom + _FALL
    first, *inner, last = children
    yield from [("M", (place.x, bottom)), ("L", (place.x, bar))]
    yield from [("M", (first.x, _top(first))), ("L", (first.x, bar + _BEND))]
    yield _bend((first.x, bar + _BEND), (first.x, bar), (first.x + _BEND, bar))
    yield "L", (last.x - _BEND, bar)
    yield _bend((last.x - _BEND, bar), (last.x, bar), (last.x, bar + _BEND))
    yield "L", (last.x, _top(last))
    for child in inner:
        yield from [("M", (child.x, bar)), ("L", (child.x, _top(child)))]


def _bend(start: tuple[float, float], corner: tuple[float, float], end: tuple[float, float]) -> Step:
    """Round a corner."""
    near = [point + 2 / 3 * (c - point) for point, c in zip(start, corner, strict=True)]
    far = [point + 2 / 3 * (c - point) for point, c in zip(end, corner, strict=True)]
    return "C", (*near, *far, *end)


def _top(place: Place) -> float:
    return place.y - place.height / 2


def node_shape(kind: str, x: float, y: float, width: float, height: float) -> Path | Box:
    """Draw the shape of a kind of operator around a point: round, pointed or square."""
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    if kind == "inverted":
        inner = [left + _POINT, right - _POINT]
        corners = [
            (left, y),
            (inner[0], top),
            (inner[1], top),
            (right, y),
            (inner[1], bottom),
            (inner[0], bottom),
        ]
        return closed(corners, "shape inverted")
    radius = {"monotone": height / 2, "folded": 4.0, "panel": 4.0}.get(kind, 0.0)
    css = "folded" if kind == "panel" else kind
    return Box(left, top, width, height, f"shape {css}", radius=radius)


def _leaf(place: Place) -> Group:
    items: list[Item] = []
    if place.kind in ("folded", "panel"):
        items.append(node_shape(place.kind, place.x, place.y, place.width, NODE_HEIGHT))
    css, size = ("operator", OPERATOR_SIZE) if place.kind == "panel" else ("word", WORD_SIZE)
    items.append(Label(place.label, place.x, place.y, css, size))
    if place.number is not None:
        items.append(Label(place.number, place.x, place.y + NUMBER_DROP, "number", NUMBER_SIZE))
    data = (("begin", place.begin), ("end", place.end))
    return Group(tuple(items), css=f"leaf {place.kind}", data=data, title=place.title)
