"""Draw the tree of a permutation as text for a terminal."""

from __future__ import annotations

from typing import NamedTuple

from wordorder.core.tree import Kind, Tree
from wordorder.draw.labels import Notes, columns, is_right_to_left, node_label, visible
from wordorder.io.terminal import BLUE, DIM, GREEN, ORANGE, RESET

_COLORS: dict[Kind, str] = {"monotone": BLUE, "inverted": ORANGE, "prime": GREEN, "word": ""}
_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"


class _TreeLine(NamedTuple):
    rule: str  # lines of the tree before the label
    label: str
    kind: Kind
    number: str


def tree_text(tree: Tree, *, color: bool = False, notes: Notes | None = None) -> str:
    """Draw a tree from left to right, one node or word per line, optionally with ANSI colours.

    ``notes`` maps spans (begin, end) to texts that are shown after their operators. The size of the text
    is proportional to the number of words times the depth of the tree.

    >>> from wordorder.core.tree import tree
    >>> print(tree_text(tree([2, 0, 1], ["tomorrow", "I", "wait"])))
    ⟨2,1⟩
    ├─ tomorrow  3
    └─ ⟨1,2⟩
       ├─ I      1
       └─ wait   2
    """
    if not len(tree):
        return "empty"
    lines = _lines(tree, notes or {})
    if tree.words is None:
        return "\n".join(f"{_ruled(line.rule, color)}{_painted(line, color)}" for line in lines)
    digits = len(str(len(tree)))
    column = max(columns(line.rule + line.label) for line in lines if line.number)
    return "\n".join(
        f"{_ruled(line.rule, color)}{_painted(line, color)}{_numbered(line, column, digits, color)}"
        for line in lines
    )


def _lines(tree: Tree, notes: Notes) -> list[_TreeLine]:
    lines = []
    stack = [(tree.root, "", "")]  # a node, the tree lines before it, and those before its children
    while stack:
        node, rule, below = stack.pop()
        if node.is_word:
            number = "" if tree.words is None else str(tree.permutation[node.begin] + 1)
            lines.append(_TreeLine(rule, visible(tree.label(node.begin)), "word", number))
            continue
        lines.append(_TreeLine(rule, node_label(node, notes), node.kind, ""))
        last = True
        for child in reversed(node.children):
            corner, onward = ("└─ ", "   ") if last else ("├─ ", "│  ")
            stack.append((child, below + corner, below + onward))
            last = False
    return lines


def _ruled(rule: str, color: bool) -> str:
    return f"{DIM}{rule}{RESET}" if color and rule else rule


def _painted(line: _TreeLine, color: bool) -> str:
    paint = _COLORS[line.kind] if color else ""
    return f"{paint}{line.label}{RESET}" if paint else line.label


def _numbered(line: _TreeLine, column: int, digits: int, color: bool) -> str:
    if not line.number:
        return ""
    # Without the mark, a terminal that reorders Arabic or Hebrew treats the number as part of the word.
    mark = _LEFT_TO_RIGHT if is_right_to_left(line.label) else ""
    spaces = " " * (column - columns(line.rule + line.label) + 2)
    number = line.number.rjust(digits)
    return f"{mark}{spaces}{DIM}{number}{RESET}" if color else f"{mark}{spaces}{number}"
