"""Draw two sentences, or a sentence and its new order, as two rows of words joined by curves.

Each row runs in the direction of its script. Where the rows are too wide, both sentences become columns,
which are read from top to bottom.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.core.alignment import Alignment, Link
from wordorder.core.permutation import Permutation
from wordorder.draw.labels import columns, runs_right_to_left, shortened_text, text_width, visible
from wordorder.draw.scene import (
    LARGEST_WIDTH,
    MARGIN,
    Group,
    Item,
    Label,
    Path,
    Scene,
    Step,
    empty_scene,
    headed,
)
from wordorder.draw.tree_layout import GAP, LONGEST_WORD, NUMBER_DROP, NUMBER_SIZE, WORD_HEIGHT, WORD_SIZE

_ROW_DISTANCE = 150.0
_COLUMN_DISTANCE = 260.0
_SLOPE = 0.15  # distance of long columns, relative to their height
_LINE = 26.0  # height of a line of a column
_POSSIBLE = (5.0, 4.0)  # dash of possible links
_MOST_DESCRIBED = 60  # words


class LinkedWord(NamedTuple):
    """A word: its position in its sentence, its label, and the centre of the label.

    ``end`` is where its curves begin or end.
    """

    position: int
    label: str
    x: float
    y: float
    end: tuple[float, float]
    title: str


@dataclass(frozen=True, slots=True)
class CurvesLayout:
    """Both sentences, in the order of their words; ``upright`` if they are columns."""

    width: float
    height: float
    source: tuple[LinkedWord, ...]
    target: tuple[LinkedWord, ...]
    upright: bool


def order_links(permutation: Permutation) -> Alignment:
    """Link each word with its place in the new order.

    >>> print(order_links(Permutation([1, 2, 0])))
    0-1 1-2 2-0
    """
    return Alignment(len(permutation), len(permutation), list(enumerate(permutation)))


def curves_picture(
    alignment: Alignment,
    source: Sequence[str],
    target: Sequence[str],
    *,
    numbers: tuple[Sequence[str], Sequence[str]] | None = None,
    title: str | None = None,
    width: float = LARGEST_WIDTH,
) -> Scene:
    """Draw the links of two sentences as curves between their words.

    Curves that cross another one are thicker and have the colour of inversions; possible links are dashed.
    ``numbers`` are shown beside the words; by default these are their positions, from 1.

    >>> scene = curves_picture(Alignment(2, 2, [(0, 1), (1, 0)]), ["a", "b"], ["c", "d"])
    >>> scene.description
    '2 of 2 links cross another. a-d b-c'
    """
    layout = curves_layout(source, target, width=width)
    if not source and not target:
        return headed(empty_scene("Sentences of no words."), title)
    crossed = crossed_links(alignment)
    links = " ".join(f"{source[i]}-{target[j]}" for i, j in alignment.links[:_MOST_DESCRIBED])
    more = " …" if len(alignment.links) > _MOST_DESCRIBED else ""
    scene = Scene(
        layout.width,
        layout.height,
        tuple(_items(layout, alignment, crossed, numbers or _positions(source, target))),
        "Words and their links",
        f"{len(crossed)} of {len(alignment.links)} links cross another. {links}{more}".strip(),
    )
    return headed(scene, title)


def order_curves_picture(
    permutation: Permutation,
    words: Sequence[str] | None = None,
    *,
    title: str | None = None,
    width: float = LARGEST_WIDTH,
) -> Scene:
    """Draw where each word goes: the sentence above, its new order below.

    >>> order_curves_picture(Permutation([1, 2, 0]), ["a", "b", "c"]).description
    '3 of 3 links cross another. a-a b-b c-c'
    """
    labels = [str(k + 1) for k in range(len(permutation))] if words is None else list(words)
    positions = [str(k + 1) for k in range(len(permutation))]
    numbers = (positions, permutation.apply(positions)) if words is not None else ([], [])
    return curves_picture(
        order_links(permutation), labels, permutation.apply(labels), numbers=numbers, title=title, width=width
    )


def _positions(source: Sequence[str], target: Sequence[str]) -> tuple[list[str], list[str]]:
    return [str(k + 1) for k in range(len(source))], [str(k + 1) for k in range(len(target))]


def crossed_links(alignment: Alignment) -> set[Link]:
    """Return the links that cross another, in time linear in the number of links.

    Two links cross if their source words and their target words are in opposite order.

    >>> sorted(crossed_links(Alignment(3, 3, [(0, 1), (1, 0), (2, 2)])))
    [(0, 1), (1, 0)]
    """
    links = alignment.links
    crossed: set[Link] = set()
    # A link is crossed if a link of an earlier source word ends later, or one of a later word earlier.
    for row, sign in ((links, 1), ([(-i, -j) for i, j in reversed(links)], -1)):
        furthest = -math.inf  # target word of any earlier source word
        for i, group in itertools.groupby(row, key=lambda link: link[0]):
            ends = [j for _, j in group]
            crossed |= {(sign * i, sign * j) for j in ends if j < furthest}
            furthest = max(furthest, *ends)
    return crossed


def curves_layout(
    source: Sequence[str], target: Sequence[str], *, width: float = LARGEST_WIDTH
) -> CurvesLayout:
    """Place both sentences as rows, or as columns if a row would be wider than ``width``.

    >>> layout = curves_layout(["a", "b"], ["b", "a"])
    >>> layout.upright, layout.source[0].x < layout.source[1].x
    (False, True)
    """
    sides = [[shortened_text(word, WORD_SIZE, LONGEST_WORD) for word in side] for side in (source, target)]
    rows = [_row_widths(labels) for labels in sides]
    across = max(sum(widths) + GAP * max(len(widths) - 1, 0) for widths in rows) + 2 * MARGIN
    titles = [
        [visible(word) if visible(word) != label else "" for word, label in zip(side, labels, strict=True)]
        for side, labels in zip((source, target), sides, strict=True)
    ]
    if across > width:
        return _columns(sides, titles, width)
    top = MARGIN + NUMBER_DROP + WORD_HEIGHT / 2
    placed: list[tuple[LinkedWord, ...]] = []
    for side, labels, widths, y, down in zip(
        (source, target), sides, rows, (top, top + _ROW_DISTANCE), (1, -1), strict=True
    ):
        whole = sum(widths) + GAP * max(len(widths) - 1, 0)
        at = (across - whole) / 2
        row = []
        for k, (label, wide) in enumerate(zip(labels, widths, strict=True)):
            x = at + wide / 2
            x = across - x if runs_right_to_left(side) else x
            end = (x, y + down * WORD_HEIGHT / 2)
            row.append(LinkedWord(k, label, x, y, end, titles[len(placed)][k]))
            at += wide + GAP
        placed.append(tuple(row))
    height = top + _ROW_DISTANCE + WORD_HEIGHT / 2 + NUMBER_DROP + MARGIN
    return CurvesLayout(across, height, placed[0], placed[1], upright=False)


def _row_widths(labels: Sequence[str]) -> list[float]:
    digits = text_width(str(len(labels)), NUMBER_SIZE)
    return [max(text_width(label, WORD_SIZE), digits) for label in labels]


def _columns(sides: list[list[str]], titles: list[list[str]], width: float) -> CurvesLayout:
    room = [max((text_width(label, WORD_SIZE) for label in labels), default=0.0) for labels in sides]
    number = text_width(str(max(map(len, sides))), NUMBER_SIZE) + GAP / 2
    start = MARGIN + number + room[0]  # the right side of the left column
    height = 2 * MARGIN + _LINE * max(map(len, sides))
    rest = start + room[1] + number + MARGIN
    # The longer the columns, the steeper the curves; distance keeps them apart.
    stop = start + max(_COLUMN_DISTANCE, min(_SLOPE * height, width - rest))
    placed = []
    for side, labels in enumerate(sides):
        column = []
        for k, label in enumerate(labels):
            y, half = MARGIN + _LINE * (k + 0.5), text_width(label, WORD_SIZE) / 2
            x, end = (stop + half, stop - 6) if side else (start - half, start + 6)
            column.append(LinkedWord(k, label, x, y, (end, y), titles[side][k]))
        placed.append(tuple(column))
    return CurvesLayout(stop + room[1] + number + MARGIN, height, placed[0], placed[1], upright=True)


def _items(
    layout: CurvesLayout,
    alignment: Alignment,
    crossed: set[Link],
    numbers: tuple[Sequence[str], Sequence[str]],
) -> Iterator[Item]:
    possible = set(alignment.possible)
    # Crossed curves are drawn last, on top of the others.
    for i, j in sorted(alignment.links, key=lambda link: (link in crossed, link)):
        kind = "crossed" if (i, j) in crossed else "straight"
        curve = _curve(layout.source[i].end, layout.target[j].end, upright=layout.upright)
        dash = _POSSIBLE if (i, j) in possible else ()
        path = Path(curve, f"curve {kind}", dash)
        yield Group((path,), css="link", data=(("source", i), ("target", j)))
    for side, (row, shown) in enumerate(zip((layout.source, layout.target), numbers, strict=True)):
        name = ("source", "target")[side]
        for word, number in zip(row, shown or [""] * len(row), strict=True):
            items: list[Item] = [Label(word.label, word.x, word.y, "word", WORD_SIZE)]
            if number:
                items.append(_number(word, number, layout, side))
            data = (("side", name), ("position", word.position))
            yield Group(tuple(items), css="leaf", data=data, title=word.title)


def _number(word: LinkedWord, number: str, layout: CurvesLayout, side: int) -> Label:
    if not layout.upright:
        return Label(number, word.x, word.y + (NUMBER_DROP if side else -NUMBER_DROP), "number", NUMBER_SIZE)
    if side:
        return Label(number, layout.width - MARGIN, word.y, "number", NUMBER_SIZE, anchor="right")
    return Label(number, MARGIN, word.y, "number", NUMBER_SIZE, anchor="left")


def _curve(start: tuple[float, float], end: tuple[float, float], *, upright: bool) -> tuple[Step, ...]:
    """Draw an S-shaped curve; in two rows, curves meet only if their words change places, and then once."""
    (x, y), (to, down) = start, end
    middle = ((x + to) / 2, (y + down) / 2)
    bends = (middle[0], y, middle[0], down) if upright else (x, middle[1], to, middle[1])
    return ("M", start), ("C", (*bends, *end))


def curves_text(alignment: Alignment, source: Sequence[str], target: Sequence[str]) -> str:
    """List the links of each source word; × marks links that cross another, ? those that are only possible.

    >>> print(curves_text(Alignment(3, 2, [(0, 1), (1, 0)]), ["I", "will", "uh"], ["werde", "ich"]))
    1 I     × 2 ich
    2 will  × 1 werde
    3 uh
    """
    crossed, possible = crossed_links(alignment), set(alignment.possible)
    labels = [visible(word) for word in source]
    room = max(map(columns, labels), default=0)
    digits, wide = len(str(len(source))), len(str(len(target)))
    lines = []
    for i, (label, targets) in enumerate(zip(labels, alignment.targets(), strict=True)):
        head = f"{i + 1:>{digits}} {label}{' ' * (room - columns(label))} "
        ends = [
            f" {'×' if (i, j) in crossed else ' '}{'?' if (i, j) in possible else ' '}"
            f"{j + 1:>{wide}} {visible(target[j])}"
            for j in targets
        ]
        lines.append((head + " ".join(ends)).rstrip())
    unlinked = sorted(set(range(len(target))) - {j for _, j in alignment.links})
    if unlinked:
        lines.append("without a link: " + "  ".join(f"{j + 1} {visible(target[j])}" for j in unlinked))
    return "\n".join(lines) or "empty"
