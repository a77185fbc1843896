"""Draw an order as two rows of words, source order above and new order below, joined by curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.core.permutation import Permutation
from wordorder.draw.labels import shortened, text_width, visible
from wordorder.draw.layout import GAP, MARGIN, NUMBER_DROP, NUMBER_SIZE, WORD_HEIGHT, WORD_SIZE
from wordorder.draw.markup import decimal, document, empty_document, text_element

_ROW_DISTANCE = 150.0


class RowWord(NamedTuple):
    """A word in a row: its source position, its label and the centre of the label."""

    position: int
    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CrossingLayout:
    """Both rows from left to right; ``crossed`` marks the words of the lower row whose curves are crossed."""

    width: float
    height: float
    upper: tuple[RowWord, ...]
    lower: tuple[RowWord, ...]
    crossed: tuple[bool, ...]


def crossing_svg(
    permutation: Permutation | Sequence[int], words: Sequence[str] | None = None, *, title: str | None = None
) -> str:
    """Draw where each word goes, as a self-contained SVG document.

    ``words`` are in source order. Curves that cross another curve are thicker and have the colour of
    inversions.

    >>> picture = crossing_svg([1, 2, 0], ["a", "b", "c"])
    >>> picture.count("wo-curve wo-crossed")
    3
    """
    perm = permutation if isinstance(permutation, Permutation) else Permutation(permutation)
    layout = crossing_layout(perm, words)
    if not layout.upper:
        return empty_document(title)
    read = " ".join(word.label for word in layout.lower)
    return document(
        _body(layout, numbered=words is not None),
        width=layout.width,
        height=layout.height,
        name=f"Word order {shortened(perm)}",
        description=f"{sum(layout.crossed)} of {len(perm)} words cross another. Read order: {read}",
        heading=title,
    )


def crossing_layout(permutation: Permutation, words: Sequence[str] | None = None) -> CrossingLayout:
    """Compute the layout of both rows, in time linear in the number of words.

    >>> layout = crossing_layout(Permutation([1, 2, 0]))
    >>> [word.label for word in layout.lower], layout.crossed
    (['3', '1', '2'], (True, True, True))
    """
    numbers = [str(k + 1) for k in range(len(permutation))]
    labels = numbers if words is None else [visible(word) for word in words]
    read = permutation.apply(range(len(labels)))  # raises an error if the words do not fit the permutation
    widths = [
        max(text_width(label, WORD_SIZE), text_width(number, NUMBER_SIZE))
        for label, number in zip(labels, numbers, strict=True)
    ]
    outside = 0.0 if words is None else NUMBER_DROP
    top = MARGIN + outside + WORD_HEIGHT / 2
    bottom = top + _ROW_DISTANCE
    upper = _row(range(len(labels)), labels, widths, top)
    lower = _row(read, labels, widths, bottom)
    width = sum(widths) + GAP * max(len(widths) - 1, 0) + 2 * MARGIN
    height = bottom + WORD_HEIGHT / 2 + outside + MARGIN
    return CrossingLayout(width, height, upper, lower, tuple(is_crossed(permutation).tolist()))


def is_crossed(permutation: Permutation) -> NDArray[np.bool_]:
    """Return, for each place of the new order, whether its word crosses another, in linear time.

    A word crosses another if a later source word precedes it, or an earlier one follows it.

    >>> is_crossed(Permutation([0, 2, 1, 3])).tolist()
    [False, True, True, False]
    """
    order = permutation.order
    before = np.maximum.accumulate(order) if len(order) else order
    after = np.minimum.accumulate(order[::-1])[::-1] if len(order) else order
    crossed: NDArray[np.bool_] = (before != order) | (after != order)
    return crossed


def _row(positions: Sequence[int], labels: list[str], widths: list[float], y: float) -> tuple[RowWord, ...]:
    row, at = [], MARGIN
    for position in positions:
        row.append(RowWord(position, labels[position], at + widths[position] / 2, y))
        at += widths[position] + GAP
    return tuple(row)


def _body(layout: CrossingLayout, *, numbered: bool) -> Iterator[str]:
    # Crossed curves are drawn last, on top of the others.
    for crossed in (False, True):
        for word, is_crossed_here in zip(layout.lower, layout.crossed, strict=True):
            if is_crossed_here is crossed:
                yield _curve(layout.upper[word.position], word, crossed=crossed)
    for row, side in ((layout.upper, -NUMBER_DROP), (layout.lower, NUMBER_DROP)):
        for word in row:
            text = text_element(word.label, word.x, word.y, size=WORD_SIZE, css="word")
            if numbered:
                number = str(word.position + 1)
                text += text_element(number, word.x, word.y + side, size=NUMBER_SIZE, css="number")
            yield f'<g class="wo-leaf" data-position="{word.position}">{text}</g>'


def _curve(above: RowWord, below: RowWord, *, crossed: bool) -> str:
    """Draw an S-shaped curve; two curves meet only if their words change places, and then once."""
    start, end = above.y + WORD_HEIGHT / 2, below.y - WORD_HEIGHT / 2
    x, to, middle = decimal(above.x), decimal(below.x), decimal((start + end) / 2)
    path = f"M{x} {decimal(start)}C{x} {middle} {to} {middle} {to} {decimal(end)}"
    kind = "crossed" if crossed else "straight"
    return f'<path class="wo-curve wo-{kind}" data-position="{above.position}" d="{path}"/>'
