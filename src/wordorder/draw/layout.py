"""Layout of trees: the coordinates of all nodes and words.

Words are in sentence order on one line. A node is midway between its first and its last child, one
level above the highest of them. Every subtree has its own column, which is wide enough for all its
labels, so that labels and lines of neighbours do not overlap. The layout takes two passes over the
nodes, up and down, without recursion, and is linear in the number of words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wordorder.core.tree import Kind, Node, Tree
from wordorder.draw.labels import Notes, node_label, text_width, visible

WORD_SIZE = 16.0  # font sizes and distances, in pixels
OPERATOR_SIZE = 13.0
NUMBER_SIZE = 12.0
MARGIN = 28.0
GAP = 22.0  # between neighbouring columns
LEVEL = 68.0  # between the centres of two levels
NODE_HEIGHT = 28.0
NODE_PADDING = 15.0
WORD_HEIGHT = 24.0
NUMBER_DROP = 23.0  # from the centre of a word to the centre of its number


class Place(NamedTuple):
    """A node or a word with its label; x and y are the centre of the label.

    ``parent`` is an index into :attr:`TreeLayout.nodes`, or -1 for the root. ``number`` is the number
    of a word in the permutation, from 1, unless the label already shows it.
    """

    begin: int
    end: int
    kind: Kind
    label: str
    x: float
    y: float
    width: float
    height: float
    parent: int
    number: int | None


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """Size of a drawing, with its nodes from top to bottom and its words from left to right."""

    width: float
    height: float
    nodes: tuple[Place, ...]
    words: tuple[Place, ...]


class _Box:
    """A subtree during layout, with its extent on both sides of its centre."""

    __slots__ = ("index", "label", "left", "level", "node", "offset", "parent", "right", "width", "x")

    def __init__(self, node: Node, label: str, width: float) -> None:
        self.node = node
        self.label = label
        self.width = width
        self.left = self.right = width / 2
        self.level = 0
        self.offset = 0.0  # from the centre of the parent
        self.parent: _Box | None = None
        self.x = 0.0
        self.index = -1  # among the nodes, from top to bottom


def tree_layout(tree: Tree, notes: Notes | None = None) -> TreeLayout:
    """Place the nodes and words of a tree; ``notes`` are shown after the operators of their spans.

    >>> from wordorder.core.tree import tree
    >>> layout = tree_layout(tree([1, 0, 2]))
    >>> [place.label for place in layout.nodes], [place.label for place in layout.words]
    (['⟨1,2⟩', '⟨2,1⟩'], ['2', '1', '3'])
    """
    boxes = _measured(tree, notes or {})
    if not boxes:
        return TreeLayout(2 * MARGIN, 2 * MARGIN, (), ())
    root = boxes[-1]
    root.x = MARGIN + root.left
    highest = MARGIN + (NODE_HEIGHT if root.level else WORD_HEIGHT) / 2
    baseline = highest + root.level * LEVEL
    nodes: list[Place] = []
    words: list[Place] = []
    for box in reversed(boxes):  # parents first, and from right to left
        above = -1
        if box.parent is not None:
            box.x = box.parent.x + box.offset
            above = box.parent.index
        node, is_word = box.node, box.node.is_word
        if not is_word:
            box.index = len(nodes)
        place = Place(
            begin=node.begin,
            end=node.end,
            kind=node.kind,
            label=box.label,
            x=box.x,
            y=baseline - box.level * LEVEL,
            width=box.width,
            height=WORD_HEIGHT if is_word else NODE_HEIGHT,
            parent=above,
            number=tree.permutation[node.begin] + 1 if is_word and tree.words is not None else None,
        )
        (words if is_word else nodes).append(place)
    width = root.left + root.right + 2 * MARGIN
    below = WORD_HEIGHT / 2 if tree.words is None else NUMBER_DROP + NUMBER_SIZE / 2
    return TreeLayout(width, baseline + below + MARGIN, tuple(nodes), tuple(reversed(words)))


def _measured(tree: Tree, notes: Notes) -> list[_Box]:
    """Return the boxes in postorder, complete except for their absolute positions."""
    boxes: list[_Box] = []
    waiting: list[_Box] = []  # subtrees whose parent has not been reached
    for node in tree.nodes(order="post", leaves=True):
        if node.is_word:
            box = _word_box(tree, node)
        else:
            label = node_label(node, notes)
            box = _Box(node, label, text_width(label, OPERATOR_SIZE) + 2 * NODE_PADDING)
            children = waiting[-node.arity :]
            del waiting[-node.arity :]
            _place_over(box, children)
        waiting.append(box)
        boxes.append(box)
    return boxes


def _word_box(tree: Tree, node: Node) -> _Box:
    label = visible(tree.label(node.begin))
    width = text_width(label, WORD_SIZE)
    if tree.words is not None:  # a short word is as wide as the number below it
        width = max(width, text_width(str(tree.permutation[node.begin] + 1), NUMBER_SIZE))
    return _Box(node, label, width)


def _place_over(box: _Box, children: list[_Box]) -> None:
    """Place the children side by side, and the box midway between the first and the last of them."""
    at = 0.0
    for child in children:
        child.parent = box
        child.offset = at + child.left  # from the left end, for now
        at += child.left + child.right + GAP
    middle = (children[0].offset + children[-1].offset) / 2
    for child in children:
        child.offset -= middle
    box.left = max(box.width / 2, middle)
    box.right = max(box.width / 2, at - GAP - middle)
    box.level = 1 + max(child.level for child in children)
