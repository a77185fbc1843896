"""Draw the tree of a permutation as SVG."""

from __future__ import annotations

from collections.abc import Iterator

from wordorder.core.tree import Tree
from wordorder.draw.labels import Notes, shortened
from wordorder.draw.layout import (
    NUMBER_DROP,
    NUMBER_SIZE,
    OPERATOR_SIZE,
    WORD_SIZE,
    Place,
    TreeLayout,
    tree_layout,
)
from wordorder.draw.markup import decimal, document, empty_document, escape, text_element

_BEND = 8.0  # radius of the corners of a bar
_FALL = 14.0  # from the bottom of a node to the bar above its children
_POINT = 9.0  # width of the pointed sides of a hexagon
_MOST_DESCRIBED = 60  # words


def tree_svg(tree: Tree, *, title: str | None = None, notes: Notes | None = None) -> str:
    """Draw a tree above its words as a self-contained SVG document.

    Operators differ by colour and shape: monotone ones are round, inverted ones pointed and prime ones
    square. The number of each word in the permutation is shown below it. The title is shown above the
    tree. ``notes`` maps spans (begin, end) to texts that are shown after their operators.

    >>> from wordorder.core.tree import tree
    >>> picture = tree_svg(tree([1, 0], ["a", "b"]))
    >>> picture.startswith("<svg"), "⟨2,1⟩" in picture
    (True, True)
    """
    if not len(tree):
        return empty_document(title)
    layout = tree_layout(tree, notes)
    return document(
        _body(layout),
        width=layout.width,
        height=layout.height,
        name=f"Permutation tree of {shortened(tree.permutation)}",
        description=_description(tree),
        heading=title,
    )


def _description(tree: Tree) -> str:
    if len(tree) <= _MOST_DESCRIBED:
        return tree.to_brackets()
    return f"Words: {len(tree)}. Nodes: {len(tree.table)}. Longest operator: {tree.max_arity}."


def _body(layout: TreeLayout) -> Iterator[str]:
    children: list[list[Place]] = [[] for _ in layout.nodes]
    for place in (*layout.nodes, *layout.words):
        if place.parent >= 0:
            children[place.parent].append(place)
    for node, below in zip(layout.nodes, children, strict=True):
        yield _node(node, sorted(below, key=lambda child: child.begin))
    for word in layout.words:
        yield _word(word)


def _node(place: Place, children: list[Place]) -> str:
    text = text_element(place.label, place.x, place.y, size=OPERATOR_SIZE, css="operator")
    return (
        f'<g class="wo-node wo-{place.kind}" data-begin="{place.begin}" data-end="{place.end}">'
        f"<title>{place.kind} {escape(place.label)}, words {place.begin + 1} to {place.end}</title>"
        f'<path class="wo-line" d="{_lines(place, children)}"/>{_shape(place)}{text}</g>'
    )


def _lines(place: Place, children: list[Place]) -> str:
    """Draw a line down to a bar above all children, and lines from the bar down to each child.

    A bar stays within the column of its subtree, so lines never cross each other or a label.
    """
    bar = place.y + place.height / 2 + _FALL
    first, *inner, last = children
    y, bent = decimal(bar), decimal(bar + _BEND)
    left, right = decimal(first.x), decimal(last.x)
    pieces = [
        f"M{decimal(place.x)} {decimal(place.y + place.height / 2)}V{y}",
        f"M{left} {_top(first)}V{bent}Q{left} {y} {decimal(first.x + _BEND)} {y}",
        f"H{decimal(last.x - _BEND)}Q{right} {y} {right} {bent}V{_top(last)}",
    ]
    pieces.extend(f"M{decimal(child.x)} {y}V{_top(child)}" for child in inner)
    return "".join(pieces)


def _top(place: Place) -> str:
    return decimal(place.y - place.height / 2)


def _shape(place: Place) -> str:
    left, right = place.x - place.width / 2, place.x + place.width / 2
    top, bottom = place.y - place.height / 2, place.y + place.height / 2
    if place.kind == "inverted":
        corners = [
            (left, place.y),
            (left + _POINT, top),
            (right - _POINT, top),
            (right, place.y),
            (right - _POINT, bottom),
            (left + _POINT, bottom),
        ]
        points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in corners)
        return f'<polygon class="wo-shape" stroke-linejoin="round" points="{points}"/>'
    radius = place.height / 2 if place.kind == "monotone" else 0
    return (
        f'<rect class="wo-shape" x="{decimal(left)}" y="{decimal(top)}" '
        f'width="{decimal(place.width)}" height="{decimal(place.height)}" rx="{decimal(radius)}"/>'
    )


def _word(place: Place) -> str:
    text = text_element(place.label, place.x, place.y, size=WORD_SIZE, css="word")
    if place.number is not None:
        below = place.y + NUMBER_DROP
        text += text_element(str(place.number), place.x, below, size=NUMBER_SIZE, css="number")
    return f'<g class="wo-leaf" data-begin="{place.begin}" data-end="{place.end}">{text}</g>'
