"""Draw the packed forest: all trees of a permutation in one picture.

The forest is an AND/OR graph. Every group of words that is a node of some tree is a bar above its words
(OR); every point on a bar is one way to divide the group (AND). To read off a tree, choose one point on the
topmost bar, go on with the two bars below it that meet at the point, and so on. The bar of a prime operator
can be divided in one way only, at several points, which are joined by a line. In a picture that would be too
wide, words that follow each other in both orders are folded into one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from wordorder.core.forest import Entry, Forest
from wordorder.core.permutation import Permutation
from wordorder.draw.labels import (
    columns,
    readable_count,
    runs_right_to_left,
    shortened,
    shortened_text,
    text_width,
    visible,
)
from wordorder.draw.scene import (
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
    LONGEST_WORD,
    NUMBER_DROP,
    NUMBER_SIZE,
    OPERATOR_SIZE,
    WORD_HEIGHT,
    WORD_SIZE,
)
from wordorder.errors import BadSetting

MOST_SPANS = 600  # more cannot be told apart
_BAR, _BAR_GAP = 26.0, 8.0
_POINT = 3.5  # radius of a point
_LEAST_WORD = 34.0  # width of a word; bars of two words have room for a number
_WORD_GAP = 14.0
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


class Leaf(NamedTuple):
    """A word, or several that are folded: their positions, whole text and places in the new order."""

    begin: int
    end: int
    text: str
    number: str | None


class ForestWord(NamedTuple):
    """A leaf with the centre of its label."""

    leaf: Leaf
    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class ForestLayout:
    """Size of a drawing, with its bars and words."""

    width: float
    height: float
    bars: tuple[Bar, ...]
    words: tuple[ForestWord, ...]


def counted_trees(count: int) -> str:
    """Write a number of trees.

    >>> counted_trees(1), counted_trees(16796)
    ('1 tree', '16,796 trees')
    """
    return "1 tree" if count == 1 else f"{readable_count(count)} trees"


def tree_counts(forest: Forest) -> dict[tuple[int, int], int]:
    """Count the trees of each span of the forest.

    >>> tree_counts(Forest([0, 1, 2]))[0, 3]
    2
    """
    counts: dict[tuple[int, int], int] = {}
    for entry in forest.entries():
        ways = []
        for splits in entry.inferences:
            ends = [entry.begin, *splits, entry.end]
            ways.append(prod(counts[pair] for pair in pairwise(ends)))
        counts[entry.begin, entry.end] = sum(ways) if ways else 1
    return counts


def check_drawable(forest: Forest) -> None:
    """Raise an error if there are too many spans to draw."""
    spans = forest.size[0] - len(forest.flat)
    if spans > MOST_SPANS:
        raise BadSetting(
            f"the packed forest has {spans:,} groups of words; at most {MOST_SPANS} can be drawn."
            " The tree shows the same forest: its chains can be divided in any way.",
            suggest={"as": "tree"},
        )


def leaves_of(forest: Forest, *, fold: bool = False) -> list[Leaf]:
    """Return the words; with ``fold``, words that follow each other in both orders are one leaf.

    >>> [(leaf.text, leaf.number) for leaf in leaves_of(Forest([1, 2, 0], ["a", "b", "c"]), fold=True)]
    [('a b', '2–3'), ('c', '1')]
    """
    flat, ranks = forest.flat, forest.permutation.ranks
    begins = np.flatnonzero(np.diff(ranks, prepend=-2) != 1).tolist() if fold else list(range(len(ranks)))
    leaves = []
    for begin, end in pairwise([*begins, len(ranks)]):
        places = range(int(ranks[begin]) + 1, int(ranks[end - 1]) + 2)
        if flat.words is None:
            leaves.append(Leaf(begin, end, _range(places), None))
        else:
            text = " ".join(visible(flat.label(k)) for k in range(begin, end))
            leaves.append(Leaf(begin, end, text, _range(places)))
    return leaves


def _range(numbers: range) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def forest_over(forest: Forest, leaves: Sequence[Leaf]) -> Forest:
    """Return the forest of those trees in which every leaf is a node: leaves take the part of words."""
    if len(leaves) == len(forest.flat):
        return forest
    firsts = forest.permutation.ranks[[leaf.begin for leaf in leaves]]
    return Forest(Permutation(np.argsort(np.argsort(firsts))))


def forest_layout(forest: Forest, leaves: Sequence[Leaf] | None = None) -> ForestLayout:
    """Place words in a row, and above them the bars, the shortest lowest; no two bars overlap.

    Spans are those of ``forest``, whose words are the leaves.
    """
    leaves = leaves_of(forest) if leaves is None else leaves
    lefts, rights = [], []
    labels = [shortened_text(leaf.text, WORD_SIZE, LONGEST_WORD) for leaf in leaves]
    x = MARGIN
    for label in labels:
        lefts.append(x)
        x += max(text_width(label, WORD_SIZE), _LEAST_WORD)
        rights.append(x)
        x += _WORD_GAP
    counts = tree_counts(forest)
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
    top = MARGIN + OPERATOR_SIZE + _BAR_GAP + _BAR / 2  # below the hint
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
        ForestWord(leaf, label, (left + right) / 2, y)
        for leaf, label, left, right in zip(leaves, labels, lefts, rights, strict=True)
    ]
    numbered = any(leaf.number for leaf in leaves)
    bottom = y + (NUMBER_DROP + NUMBER_SIZE / 2 if numbered else WORD_HEIGHT / 2) + MARGIN
    return ForestLayout(x - _WORD_GAP + MARGIN, bottom, tuple(bars), tuple(words))


def forest_picture(
    forest: Forest, *, title: str | None = None, width: float = math.inf, unfold: bool = False
) -> Scene:
    """Draw the packed forest: groups of words as bars, ways to divide them as points.

    The number on a bar is the number of its trees, if there are several. If the picture would be wider than
    ``width``, words that stay in order are folded, unless ``unfold`` forbids it. More than 600 groups are an
    error.

    >>> forest_picture(Forest([0, 1, 2])).name
    'Packed forest of ⟨1,2,3⟩: 2 trees'
    """
    if not len(forest.flat):
        return headed(empty_scene(), title)
    fits = forest_width(leaves_of(forest)) <= width
    leaves = leaves_of(forest, fold=not fits and not unfold)
    shown = forest_over(forest, leaves)
    check_drawable(shown)
    layout = forest_layout(shown, leaves)
    total = counted_trees(forest.count)
    items: list[Item] = []
    for bar in layout.bars:
        items.append(_bar(bar, leaves))
    for word in layout.words:
        leaf = word.leaf
        texts = [Label(word.label, word.x, word.y, "word", WORD_SIZE)]
        if leaf.number:
            texts.append(Label(leaf.number, word.x, word.y + NUMBER_DROP, "number", NUMBER_SIZE))
        whole = leaf.text if leaf.text != word.label else ""
        items.append(
            Group(tuple(texts), css="leaf", data=(("begin", leaf.begin), ("end", leaf.end)), title=whole)
        )
    hint = f"{total}. {_HINT}" + (f" {_FOLDED}" if shown is not forest else "")
    width = max(layout.width, text_width(hint, NUMBER_SIZE) + 2 * MARGIN)
    left_to_right = not runs_right_to_left(forest.flat.words or ())
    body: tuple[Item, ...] = (
        tuple(items)
        if left_to_right
        else (Group(mirrored(items, layout.width), offset=(width - layout.width, 0.0)),)
    )
    head = Label(hint, MARGIN, MARGIN, "number", NUMBER_SIZE, anchor="left")
    name = f"Packed forest of {shortened(forest.permutation)}: {total}"
    about = f"{total}, {len(layout.bars)} groups of words."
    return headed(Scene(width, layout.height, (head, *body), name, about), title)


def forest_width(leaves: Sequence[Leaf]) -> float:
    """Return the width of the picture."""
    labels = (shortened_text(leaf.text, WORD_SIZE, LONGEST_WORD) for leaf in leaves)
    words = sum(max(text_width(label, WORD_SIZE), _LEAST_WORD) + _WORD_GAP for label in labels)
    return words - _WORD_GAP + 2 * MARGIN


def _bar(bar: Bar, leaves: Sequence[Leaf]) -> Group:
    middle, wide = (bar.left + bar.right) / 2, bar.right - bar.left
    items: list[Item] = [node_shape(bar.kind, middle, bar.y, wide, _BAR)]
    if bar.kind == "prime":
        items.append(line((bar.points[0], bar.y + _BAR / 2 - 5), (bar.points[-1], bar.y + _BAR / 2 - 5)))
    for x in bar.points:
        y = bar.y + _BAR / 2 - 5
        items.append(Box(x - _POINT, y - _POINT, 2 * _POINT, 2 * _POINT, "split", radius=_POINT))
    text = readable_count(bar.ways) if bar.ways > 1 else ""
    text = f"{bar.label} {text}".strip() if bar.kind == "prime" else text
    if text and text_width(text, NUMBER_SIZE) + 20 <= wide:
        items.append(Label(text, middle, bar.y - 5, "cell", NUMBER_SIZE))
    begin, end = leaves[bar.entry.begin].begin, leaves[bar.entry.end - 1].end
    return Group(
        tuple(items),
        css=f"node {bar.kind}",
        title=f"{bar.kind} {bar.label}, words {begin + 1} to {end}, {counted_trees(bar.ways)}",
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
