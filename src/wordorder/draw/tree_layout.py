"""Layout of trees: the coordinates of all nodes and words.

Words are in sentence order on one line. A node is midway between its first and its last child, one
level above the highest of them. Every subtree has its own column, which is wide enough for all its
labels, so that labels and lines of neighbours do not overlap. The layout takes two passes over the
nodes, up and down, without recursion, and is linear in the number of words.

A tree that is too wide is made narrower in two steps. Words that stay in order are folded into one box;
then subtrees are cut off, which are drawn in panels of their own below. A box with the numbers of their
words takes their place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wordorder.core.tree import Kind, Node, Tree
from wordorder.draw.labels import Notes, node_label, runs_right_to_left, shortened_text, text_width, visible
from wordorder.draw.scene import MARGIN

WORD_SIZE = 16.0  # font sizes and distances, in pixels
OPERATOR_SIZE = 13.0
NUMBER_SIZE = 12.0
GAP = 22.0  # between neighbouring columns
LEVEL = 68.0  # between the centres of two levels
NODE_HEIGHT = 28.0
NODE_PADDING = 15.0
WORD_HEIGHT = 24.0
NUMBER_DROP = 23.0  # from the centre of a word to the centre of its number
LONGEST_WORD = 300.0  # longer words are shortened
LONGEST_FOLD = 220.0
PANEL_GAP = 34.0  # between panels, with room for a heading

PlaceKind = Kind | Literal["folded", "panel"]  # panel: a box that stands for a panel


class Place(NamedTuple):
    """A node, a word or a box with its label; x and y are the centre of the label.

    ``parent`` is an index into :attr:`TreeLayout.nodes`, or -1 for the root of a panel. ``number`` is the
    place of a word in the new order, from 1, unless the label already shows it; of a box, the first and
    last place.
    """

    begin: int
    end: int
    kind: PlaceKind
    label: str
    x: float
    y: float
    width: float
    height: float
    parent: int
    number: str | None
    title: str = ""


class Heading(NamedTuple):
    """The name of a panel, with its centre."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """Size of a drawing, with its nodes from top to bottom and its words in sentence order."""

    width: float
    height: float
    nodes: tuple[Place, ...]
    words: tuple[Place, ...]  # and boxes
    headings: tuple[Heading, ...] = ()
    right_to_left: bool = False


class _Box:
    """A subtree during layout, with its extent on both sides of its centre."""

    __slots__ = ("begin", "children", "end", "index", "kind", "label", "left", "level", "number", "offset",
                 "parent", "right", "title", "width", "x")  # fmt: skip

    def __init__(self, kind: PlaceKind, begin: int, end: int, label: str, width: float) -> None:
        self.kind, self.begin, self.end = kind, begin, end
        self.label, self.title = label, ""
        self.number: str | None = None
        self.width = width
        self.left = self.right = width / 2
        self.level = 0
        self.offset = 0.0  # from the centre of the parent
        self.children: list[_Box] = []
        self.parent: _Box | None = None
        self.x = 0.0
        self.index = -1  # among the nodes, from top to bottom

    @property
    def extent(self) -> float:
        return self.left + self.right

    @property
    def in_order(self) -> bool:
        """Whether the box shows words that stay as they are."""
        return self.kind in ("word", "folded")


def tree_layout(
    tree: Tree, notes: Notes | None = None, *, width: float = math.inf, unfold: bool = False
) -> TreeLayout:
    """Place the nodes and words of a tree; ``notes`` are shown after the operators of their spans.

    If the tree is wider than ``width``, words that stay in order are folded into one box, unless ``unfold``
    is set, and what is still too wide is divided into panels.

    >>> from wordorder.core.tree import tree
    >>> layout = tree_layout(tree([1, 0, 2]))
    >>> [place.label for place in layout.nodes], [place.label for place in layout.words]
    (['⟨1,2⟩', '⟨2,1⟩'], ['2', '1', '3'])
    >>> [place.label for place in tree_layout(tree([3, 0, 1, 2], ["a", "b", "c", "d"]), width=150).words]
    ['a', 'b c d']
    """
    room = width - 2 * MARGIN
    boxes, panels = _measured(tree, notes or {}, math.inf, fold=False)
    if boxes and boxes[-1].extent > room:
        boxes, panels = _measured(tree, notes or {}, room, fold=not unfold)
    if not boxes:
        return TreeLayout(2 * MARGIN, 2 * MARGIN, (), ())
    below = WORD_HEIGHT / 2 if tree.words is None else NUMBER_DROP + NUMBER_SIZE / 2
    nodes: list[Place] = []
    words: list[Place] = []
    headings: list[Heading] = []
    whole = max(panel.extent for panel in panels)
    y = MARGIN
    for panel in panels:
        panel.x = MARGIN + panel.left
        if len(panels) > 1:
            y += PANEL_GAP / 2
            text = span_name(panel.begin, panel.end)
            headings.append(Heading(text, MARGIN + text_width(text, OPERATOR_SIZE) / 2, y))
            y += PANEL_GAP / 2
        baseline = y + _height(panel) / 2 + panel.level * LEVEL
        _place_panel(panel, baseline, nodes, words)
        y = baseline + below + PANEL_GAP / 2
    words.sort(key=lambda place: (place.y, place.begin))
    layout = TreeLayout(
        whole + 2 * MARGIN, y - PANEL_GAP / 2 + MARGIN, tuple(nodes), tuple(words), tuple(headings)
    )
    return _mirrored(layout) if tree.words is not None and runs_right_to_left(tree.words) else layout


def _mirrored(layout: TreeLayout) -> TreeLayout:
    def flipped(places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple(place._replace(x=layout.width - place.x) for place in places)

    headings = tuple(one._replace(x=layout.width - one.x) for one in layout.headings)
    nodes, words = flipped(layout.nodes), flipped(layout.words)
    return TreeLayout(layout.width, layout.height, nodes, words, headings, right_to_left=True)


def _place_panel(panel: _Box, baseline: float, nodes: list[Place], words: list[Place]) -> None:
    """Place the boxes of a panel, parents first."""
    stack = [panel]
    while stack:
        box = stack.pop()
        above = -1
        if box.parent is not None:
            box.x = box.parent.x + box.offset
            above = box.parent.index
        target = words
        if box.children:
            box.index = len(nodes)
            target = nodes
        y = baseline - box.level * LEVEL
        target.append(
            Place(box.begin, box.end, box.kind, box.label, box.x, y, box.width, _height(box), above,
                  box.number, box.title)
        )  # fmt: skip
        stack.extend(box.children)


def _height(box: _Box) -> float:
    return WORD_HEIGHT if box.kind == "word" else NODE_HEIGHT


def _measured(tree: Tree, notes: Notes, room: float, *, fold: bool) -> tuple[list[_Box], list[_Box]]:
    """Return the boxes in postorder and the roots of panels, complete except for absolute positions."""
    boxes: list[_Box] = []
    waiting: list[_Box] = []  # subtrees whose parent has not been reached
    cut: list[_Box] = []
    for node in tree.nodes(order="post", leaves=True):
        if node.is_word:
            box = _word_box(tree, node)
        else:
            children = waiting[-node.arity :]
            del waiting[-node.arity :]
            if fold and node.kind == "monotone":
                children = _folded(tree, children)
            if len(children) == 1:
                box = children[0]
            else:
                label = node_label(node, notes)
                box = _Box(node.kind, node.begin, node.end, label, _node_width(label))
                _place_over(box, _cut_to(room, box, children, cut) if room < math.inf else children)
        waiting.append(box)
        boxes.append(box)
    panels = sorted(cut, key=lambda panel: (panel.begin, -panel.end))
    return boxes, [*boxes[-1:], *panels]


def _node_width(label: str) -> float:
    return text_width(label, OPERATOR_SIZE) + 2 * NODE_PADDING


def _word_box(tree: Tree, node: Node) -> _Box:
    whole = visible(tree.label(node.begin))
    label = shortened_text(whole, WORD_SIZE, LONGEST_WORD)
    box = _Box("word", node.begin, node.end, label, text_width(label, WORD_SIZE))
    box.title = whole if whole != label else ""
    if tree.words is not None:
        _number(box, tree, box.begin, box.end)
    return box


def _number(box: _Box, tree: Tree, begin: int, end: int) -> None:
    """Number a box, which is at least as wide as the number below it."""
    first, last = tree.permutation[begin] + 1, tree.permutation[end - 1] + 1
    box.number = str(first) if first == last else f"{first}–{last}"
    box.width = max(box.width, text_width(box.number, NUMBER_SIZE))
    box.left = box.right = box.width / 2


def _folded(tree: Tree, children: list[_Box]) -> list[_Box]:
    """Replace two or more neighbours that stay in order by one box with all their words."""
    result: list[_Box] = []
    run: list[_Box] = []
    for child in [*children, None]:
        if child is not None and child.in_order:
            run.append(child)
            continue
        if len(run) > 1:
            begin, end = run[0].begin, run[-1].end
            whole = " ".join(visible(tree.label(k)) for k in range(begin, end))
            label = shortened_text(whole, WORD_SIZE, LONGEST_FOLD)
            box = _Box("folded", begin, end, label, text_width(label, WORD_SIZE) + NODE_PADDING)
            box.title = whole
            if tree.words is not None:
                _number(box, tree, begin, end)
            result.append(box)
        else:
            result += run
        run = []
        if child is not None:
            result.append(child)
    return result


def _cut_to(room: float, parent: _Box, children: list[_Box], cut: list[_Box]) -> list[_Box]:
    """Make children fit: cut off the widest subtrees, or divide the children among panels, in order.

    What gives fewer panels is chosen. The roots of panels are added to ``cut``.
    """
    while (total := sum(child.extent + GAP for child in children) - GAP) > room:
        widest = _widest(total - room, children)
        groups = _grouped(room, children)
        if widest and len(widest) < len(groups):
            cut += (children[k] for k in widest)
            children = [_panel_box(child) if k in widest else child for k, child in enumerate(children)]
        elif len(groups) < len(children) or any(child.children for child in children):
            children = [_part(parent, group, cut) for group in groups]
        else:
            break  # not even two boxes fit
    return children


def _widest(excess: float, children: list[_Box]) -> set[int]:
    """Return which children to cut off, the widest first, to save this width; none if it is not enough."""
    chosen: set[int] = set()
    for k in sorted(range(len(children)), key=lambda k: -children[k].extent):
        saved = children[k].extent - _panel_box(children[k]).extent
        if excess <= 0 or not children[k].children or saved <= 0:
            break
        chosen.add(k)
        excess -= saved
    return chosen if excess <= 0 else set()


def _grouped(room: float, children: list[_Box]) -> list[list[_Box]]:
    """Divide children into groups that fit."""
    groups: list[list[_Box]] = [[]]
    at = 0.0
    for child in children:
        if groups[-1] and at + child.extent > room:
            groups.append([])
            at = 0.0
        groups[-1].append(child)
        at += child.extent + GAP
    return groups


def _part(parent: _Box, group: list[_Box], cut: list[_Box]) -> _Box:
    """Make a panel that repeats the parent above some of its children; a child alone needs no parent."""
    if len(group) == 1:
        cut += (child for child in group if child.children)
        return _panel_box(group[0]) if group[0].children else group[0]
    label = f"{parent.label} …"
    part = _Box(parent.kind, group[0].begin, group[-1].end, label, _node_width(label))
    _place_over(part, group)
    cut.append(part)
    return _panel_box(part)


def _panel_box(box: _Box) -> _Box:
    label = span_name(box.begin, box.end)
    return _Box("panel", box.begin, box.end, label, _node_width(label))


def span_name(begin: int, end: int) -> str:
    """Return the name of some words, counted from 1."""
    return f"words {begin + 1} to {end}"


def _place_over(box: _Box, children: list[_Box]) -> None:
    """Place the children side by side, and the box midway between the first and the last of them."""
    at = 0.0
    for child in children:
        child.parent = box
        child.offset = at + child.left  # from the left end, for now
        at += child.extent + GAP
    middle = (children[0].offset + children[-1].offset) / 2
    for child in children:
        child.offset -= middle
    box.children = children
    box.left = max(box.width / 2, middle)
    box.right = max(box.width / 2, at - GAP - middle)
    box.level = 1 + max(child.level for child in children)
