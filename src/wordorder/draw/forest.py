"""Draw the packed forest: all trees of a permutation in one picture.

The forest is an AND/OR graph. Every group of words that is a node of some tree is a bar above its words
(OR); every point on a bar is one way to divide the group (AND). To read off a tree, choose one point on the
topmost bar, go on with the two bars below it that meet at the point, and so on. The bar of a prime operator
can be divided in one way only, at several points, which are joined by a line. In a picture that would be too
wide, words that follow each other in both orders are folded into one; if that is not enough, the picture is
divided (:mod:`wordorder.draw.forest_panels`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from wordorder.core.forest import Entry, Forest
from wordorder.draw.forest_panels import (
    WORD_GAP,
    Leaf,
    forest_over,
    forest_width,
    leaves_of,
    panels_of,
    strips_of,
    tree_counts,
)
from wordorder.draw.labels import (
    columns,
    readable_count,
    runs_right_to_left,
    shortened,
    text_width,
    visible,
    wrapped,
)
from wordorder.draw.scene import (
    LARGEST_WIDTH,
    MARGIN,
    Box,
    Group,
    Item,
    Label,
    Scene,
    empty_scene,
    headed,
    line,
    mirrored,
)
from wordorder.draw.tree import node_shape
from wordorder.draw.tree_layout import (
    NODE_HEIGHT,
    NUMBER_DROP,
    NUMBER_SIZE,
    OPERATOR_SIZE,
    PANEL_GAP,
    WORD_HEIGHT,
    WORD_SIZE,
    span_name,
)
from wordorder.errors import BadSetting

MOST_SPANS = 600  # more cannot be told apart
_BAR, _BAR_GAP = 26.0, 8.0
_POINT = 3.5  # radius of a point
_HINT_LINE = NUMBER_SIZE + 4
_KINDS = {"⟨1,2⟩": "monotone", "⟨2,1⟩": "inverted"}
_FOLDED = "Words that stay in order are folded."
_HINT = "Each bar is a group of words; each point on it is one way to divide the group."


class Bar(NamedTuple):
    """A span of the forest: its number of trees (``ways``), the sides of its bar and its division points."""

    entry: Entry
    kind: str
    label: str
    ways: int
    left: float
    right: float
    y: float
    points: tuple[float, ...]


class ForestWord(NamedTuple):
    """A leaf with its sides, and the middle of its label."""

    leaf: Leaf
    left: float
    right: float
    y: float

    @property
    def x(self) -> float:
        """The centre of the label."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class ForestLayout:
    """Size of a drawing, with its bars and words."""

    width: float
    height: float
    bars: tuple[Bar, ...]
    words: tuple[ForestWord, ...]


class ForestBlock(NamedTuple):
    """A strip of a panel: its name, its items, and the part of the layout that they are in."""

    heading: str
    items: tuple[Item, ...]
    left: float
    right: float
    height: float


def counted_trees(count: int) -> str:
    """Write a number of trees.

    >>> counted_trees(1), counted_trees(16796)
    ('1 tree', '16,796 trees')
    """
    return "1 tree" if count == 1 else f"{readable_count(count)} trees"


def check_drawable(forest: Forest) -> None:
    """Raise an error if there are too many spans to draw."""
    spans = forest.size[0] - len(forest.flat)
    if spans > MOST_SPANS:
        raise BadSetting(
            f"the packed forest has {spans:,} groups of words; at most {MOST_SPANS} can be drawn."
            " The tree shows the same forest: its chains can be divided in any way.",
            suggest={"as": "tree"},
        )


def forest_layout(forest: Forest, leaves: Sequence[Leaf] | None = None) -> ForestLayout:
    """Place words in a row, and above them the bars, the shortest lowest; no two bars overlap.

    Spans are those of ``forest``, whose words are the leaves.
    """
    leaves = leaves_of(forest) if leaves is None else leaves
    lefts, rights = [], []
    x = MARGIN
    for leaf in leaves:
        lefts.append(x)
        x += leaf.width
        rights.append(x)
        x += WORD_GAP
    counts = tree_counts(forest, leaves)
    entries = sorted(
        (entry for entry in forest.entries() if entry.operator is not None),
        key=lambda entry: (entry.end - entry.begin, entry.begin),
    )
    lanes: list[int] = []  # the end of the last bar of each lane
    chosen: list[tuple[Entry, int]] = []
    below: dict[tuple[int, int], int] = {}  # lanes of shorter spans, which must be lower
    for entry in entries:
        least = 0
        for splits in entry.inferences:
            ends = [entry.begin, *splits, entry.end]
            least = max([least, *(below.get(pair, -1) + 1 for pair in pairwise(ends))])
        lane = next((k for k in range(least, len(lanes)) if lanes[k] <= entry.begin), len(lanes))
        if lane == len(lanes):
            lanes.append(0)
        lanes[lane] = entry.end
        below[entry.begin, entry.end] = lane
        chosen.append((entry, lane))
    top = MARGIN + _BAR / 2
    base = top + max(len(lanes) - 1, 0) * (_BAR + _BAR_GAP)
    y = base + _BAR / 2 + _BAR_GAP + WORD_HEIGHT / 2
    bars = []
    for entry, lane in chosen:
        points = [(rights[k - 1] + lefts[k]) / 2 for splits in entry.inferences for k in splits]
        kind = _KINDS.get(str(entry.operator), "prime")
        label = shortened(entry.operator) if entry.operator else ""
        bars.append(
            Bar(entry, kind, label, counts[entry.begin, entry.end], lefts[entry.begin],
                rights[entry.end - 1], base - lane * (_BAR + _BAR_GAP), tuple(points))
        )  # fmt: skip
    words = [
        ForestWord(leaf, left, right, y) for leaf, left, right in zip(leaves, lefts, rights, strict=True)
    ]
    numbered = any(leaf.number for leaf in leaves)
    bottom = y + (NUMBER_DROP + NUMBER_SIZE / 2 if numbered else WORD_HEIGHT / 2) + MARGIN
    return ForestLayout(x - WORD_GAP + MARGIN, bottom, tuple(bars), tuple(words))


def forest_picture(
    forest: Forest, *, title: str | None = None, width: float = LARGEST_WIDTH, unfold: bool = False
) -> Scene:
    """Draw the packed forest: groups of words as bars, ways to divide them as points.

    The number on a bar is the number of its trees, if there are several. If the picture would be wider than
    ``width``, words that stay in order are folded, unless ``unfold`` forbids it. If it is still too wide,
    large parts are drawn in panels below, and a panel that cannot be divided continues in the next row.
    More than 600 groups are an error.

    >>> forest_picture(Forest([0, 1, 2])).name
    'Packed forest of ⟨1,2,3⟩: 2 trees'
    """
    if not len(forest.flat):
        return headed(empty_scene(), title)
    fits = forest_width(leaves_of(forest)) <= width
    leaves = leaves_of(forest, fold=not fits and not unfold)
    shown = forest_over(forest, leaves)
    check_drawable(shown)
    blocks = [block for panel in panels_of(forest, leaves, width) for block in _blocks(forest, panel, width)]
    total = counted_trees(forest.count)
    hint = f"{total}. {_HINT}" + (f" {_FOLDED}" if shown is not forest else "")
    lines = wrapped(hint, NUMBER_SIZE, max(width, forest_width(leaves[:1])) - 2 * MARGIN)
    rows = _in_rows(blocks, width, top=len(lines) * _HINT_LINE + _BAR_GAP)
    across = max(rows.width, *(text_width(text, NUMBER_SIZE) + 2 * MARGIN for text in lines))
    body = rows.items
    if runs_right_to_left(forest.flat.words or ()):
        body = (Group(mirrored(body, rows.width), offset=(across - rows.width, 0.0)),)
    head = (
        Label(text, MARGIN, MARGIN + k * _HINT_LINE, "number", NUMBER_SIZE, anchor="left")
        for k, text in enumerate(lines)
    )
    name = f"Packed forest of {shortened(forest.permutation)}: {total}"
    about = f"{total}, {shown.size[0] - len(leaves)} groups of words."
    return headed(Scene(across, rows.height, (*head, *body), name, about), title)


def _blocks(forest: Forest, leaves: Sequence[Leaf], width: float) -> Iterator[ForestBlock]:
    """Draw a panel, in one block or several."""
    layout = forest_layout(forest_over(forest, leaves), leaves)
    begin, end = leaves[0].begin, leaves[-1].end
    for first, last in strips_of(leaves, width):
        words = layout.words[first:last]
        left, right = words[0].left, words[-1].right
        bars = (bar for bar in layout.bars if bar.left < right and left < bar.right)
        items = (*(_bar(bar, leaves, left, right) for bar in bars), *map(_word, words))
        more = ", continued" if first else ""
        yield ForestBlock(span_name(begin, end) + more, items, left, right, layout.height)


def _in_rows(blocks: Sequence[ForestBlock], width: float, top: float) -> Scene:
    """Place blocks below each other, or side by side where there is room."""
    items: list[Item] = []
    room = PANEL_GAP if len(blocks) > 1 else 0.0  # for a heading
    x, y, bottom, reach = MARGIN, top, 0.0, 0.0
    for block in blocks:
        across = max(block.right - block.left, text_width(block.heading, OPERATOR_SIZE) if room else 0.0)
        if x > MARGIN and x + across + MARGIN > width:
            x, y = MARGIN, bottom
        if room:
            at = y + MARGIN + room / 2 - OPERATOR_SIZE
            items.append(Label(block.heading, x, at, "group", OPERATOR_SIZE, anchor="left"))
        items.append(Group(block.items, offset=(x - block.left, y + room)))
        reach, bottom = max(reach, x + across + MARGIN), max(bottom, y + room + block.height - MARGIN)
        x += across + 2 * MARGIN
    return Scene(reach, bottom + MARGIN, tuple(items), "", "")


def _word(word: ForestWord) -> Group:
    leaf, items = word.leaf, list[Item]()
    css, size = "word", WORD_SIZE
    if leaf.is_panel:
        items.append(node_shape("panel", word.x, word.y, leaf.width, NODE_HEIGHT))
        css, size = "operator", OPERATOR_SIZE
    items.append(Label(leaf.label, word.x, word.y, css, size))
    if leaf.number:
        items.append(Label(leaf.number, word.x, word.y + NUMBER_DROP, "number", NUMBER_SIZE))
    whole = leaf.text if leaf.text != leaf.label else ""
    return Group(tuple(items), css="leaf", data=(("begin", leaf.begin), ("end", leaf.end)), title=whole)


def _bar(bar: Bar, leaves: Sequence[Leaf], left: float, right: float) -> Group:
    """Draw a bar, or the part of it that is in a strip."""
    whole = left <= bar.left and bar.right <= right
    shape: Item = node_shape(bar.kind, (bar.left + bar.right) / 2, bar.y, bar.right - bar.left, _BAR)
    if not whole:  # what continues in another strip reaches half into the gap
        left, right = left - WORD_GAP / 2, right + WORD_GAP / 2
        shape = Group((shape,), clip=(left, bar.y - _BAR / 2 - 1, right - left, _BAR + 2))
    left, right = max(left, bar.left), min(right, bar.right)
    items: list[Item] = [shape]
    y = bar.y + _BAR / 2 - 5
    points = [x for x in bar.points if left < x <= right]
    if bar.kind == "prime":
        ends = max(bar.points[0], left), min(bar.points[-1], right)
        items += [line((ends[0], y), (ends[1], y))] if ends[0] < ends[1] else []
    for x in points:
        items.append(Box(x - _POINT, y - _POINT, 2 * _POINT, 2 * _POINT, "split", radius=_POINT))
    text = readable_count(bar.ways) if bar.ways > 1 else ""
    text = f"{bar.label} {text}".strip() if bar.kind == "prime" else text
    if text and text_width(text, NUMBER_SIZE) + 20 <= right - left:
        items.append(Label(text, (left + right) / 2, bar.y - 5, "cell", NUMBER_SIZE))
    begin, end = leaves[bar.entry.begin].begin, leaves[bar.entry.end - 1].end
    return Group(
        tuple(items),
        css=f"node {bar.kind}",
        title=f"{bar.kind} {bar.label}, {span_name(begin, end)}, {counted_trees(bar.ways)}",
        data=(("begin", begin), ("end", end)),
    )


def forest_text(forest: Forest) -> str:
    """List the groups of words of the packed forest, and the ways to divide each.

    >>> print(forest_text(Forest([1, 2, 0], ["a", "b", "c"])))
    1 tree
    a b    ⟨1,2⟩  a | b
    a b c  ⟨2,1⟩  a b | c
    """
    if not len(forest.flat):
        return "empty"
    check_drawable(forest)
    rows = list(_forest_rows(forest))
    room = max((columns(name) for name, _, _ in rows), default=0)
    signs = max((columns(sign) for _, sign, _ in rows), default=0)
    lines = [
        f"{name}{' ' * (room - columns(name))}  {sign}{' ' * (signs - columns(sign))}  {ways}"
        for name, sign, ways in rows
    ]
    return "\n".join([counted_trees(forest.count), *lines])


def _forest_rows(forest: Forest) -> Iterator[tuple[str, str, str]]:
    def words(begin: int, end: int) -> str:
        return visible(" ".join(forest.flat.label(k) for k in range(begin, end)))

    def divided(entry: Entry, splits: Sequence[int]) -> str:
        ends = [entry.begin, *splits, entry.end]
        return " | ".join(words(*pair) for pair in pairwise(ends))

    for entry in forest.entries():
        if entry.operator is not None:
            ways = "  or  ".join(divided(entry, splits) for splits in entry.inferences)
            yield words(entry.begin, entry.end), shortened(entry.operator), ways
