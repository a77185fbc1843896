"""Draw tables of words against words: alignments as matrices, and precedence as heat maps.

Rows run from top to bottom. Columns run in the direction of their sentence. Cells become smaller where
there are many words; where they are too small for words, only some positions are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.permutation import Permutation
from wordorder.draw.labels import columns, runs_right_to_left, shortened_text, text_width, visible
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
from wordorder.draw.tree_layout import NUMBER_SIZE, WORD_SIZE
from wordorder.errors import BadSetting, InvalidAlignment

CELLS = (26.0, 22.0, 18.0, 15.0, 12.0, 10.0)  # sizes of cells; below the last there is no room for words
_NUMBERED_CELL = 32.0  # cells of heat maps are larger if they have room for numbers
_FONT_SHARE = 0.72  # font size relative to the cell
_LEAST_LINED = 4.0  # smaller cells have no lines between them
MOST_HEAT_WORDS = 400  # of a heat map, which then has 160,000 cells
_MOST_TIPS = 60  # words; cells of larger heat maps have no text on hover
_DARKEST = 0.6  # opacity
_LONGEST_LABEL = 200.0
_SPACE = 8.0  # between labels and cells


@dataclass(frozen=True, slots=True)
class Grid:
    """Labels and cells; ``font`` is the size of labels, or 0 if only some positions are numbered."""

    rows: tuple[str, ...]
    across: tuple[str, ...]
    cell: float
    font: float
    left: float
    top: float
    width: float
    height: float

    def corner(self, row: float, column: float) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        return self.left + column * self.cell, self.top + row * self.cell


def grid(rows: Sequence[str], across: Sequence[str], *, width: float, sizes: Sequence[float] = CELLS) -> Grid:
    """Choose the largest cells with which the picture is not wider than ``width``.

    >>> chosen = grid(["a"] * 10, ["b"] * 100, width=560)
    >>> chosen.font, round(chosen.cell, 1), chosen.width <= 560
    (0.0, 4.8, True)
    """
    for cell in sizes:
        font = min(WORD_SIZE, _FONT_SHARE * cell)
        labels = [[shortened_text(word, font, _LONGEST_LABEL) for word in words] for words in (rows, across)]
        room = [max((text_width(label, font) for label in side), default=0.0) for side in labels]
        if room[0] + cell * len(across) <= width - 2 * MARGIN - _SPACE:
            return _grid(labels, cell, font, room)
    room = [text_width(str(len(words)), NUMBER_SIZE) for words in (rows, across)]
    cell = min(sizes[-1], (width - 2 * MARGIN - _SPACE - room[0]) / max(len(across), 1))
    return _grid([list(rows), list(across)], cell, 0.0, room)


def _grid(labels: Sequence[Sequence[str]], cell: float, font: float, room: Sequence[float]) -> Grid:
    left, top = (MARGIN + side + _SPACE for side in room)
    width, height = left + cell * len(labels[1]) + MARGIN, top + cell * len(labels[0]) + MARGIN
    return Grid(tuple(labels[0]), tuple(labels[1]), cell, font, left, top, width, height)


def _labels(shape: Grid) -> Iterator[Item]:
    for side, labels in enumerate((shape.rows, shape.across)):
        every = 1 if shape.font else _round_step(2 * NUMBER_SIZE / shape.cell)
        for k, label in enumerate(labels):
            text, css, size = label, "word", shape.font
            if not shape.font:
                if (k + 1) % every:
                    continue
                text, css, size = str(k + 1), "number", NUMBER_SIZE
            middle = (k + 0.5) * shape.cell
            if side:
                label_text = Label(
                    text, shape.left + middle, shape.top - _SPACE, css, size, "left", turned=True
                )
            else:
                label_text = Label(text, shape.left - _SPACE, shape.top + middle, css, size, "right")
            data = (("side", ("source", "target")[side]), ("position", k))
            yield Group((label_text,), css="leaf", data=data)


def _round_step(least: float) -> int:
    """Return the smallest of 5, 10, 50, 100 and so on that is not below ``least``."""
    step = 5
    while step < least:
        step *= 2 if str(step)[0] == "5" else 5
    return step


def _lines(shape: Grid) -> Iterator[Item]:
    right, bottom = shape.corner(len(shape.rows), len(shape.across))
    if shape.cell < _LEAST_LINED:
        yield Box(shape.left, shape.top, right - shape.left, bottom - shape.top, "grid")
        return
    for k in range(len(shape.rows) + 1):
        y = shape.top + k * shape.cell
        yield line((shape.left, y), (right, y), css="grid")
    for k in range(len(shape.across) + 1):
        x = shape.left + k * shape.cell
        yield line((x, shape.top), (x, bottom), css="grid")


def alignment_blocks(alignment: Alignment) -> list[tuple[int, int, int, int]]:
    """Return the minimal phrase pairs: first and last source word, first and last target word.

    >>> alignment_blocks(Alignment(3, 3, [(0, 1), (0, 2), (1, 1), (2, 0)]))
    [(0, 1, 1, 2), (2, 2, 0, 0)]
    """
    links = Alignments.from_alignments([alignment])
    spans, _ = _native.blocks(links.pairs, links.offsets)
    return [(a, b, c, d) for a, b, c, d in spans.tolist()]


def matrix_picture(
    alignment: Alignment,
    source: Sequence[str] | None = None,
    target: Sequence[str] | None = None,
    *,
    title: str | None = None,
    width: float = LARGEST_WIDTH,
) -> Scene:
    """Draw an alignment: source words are rows, target words columns, and blocks are outlined.

    Sure links are filled squares, possible ones are hollow. A block is a minimal phrase pair: no link leads
    out of its rows and columns.

    >>> matrix_picture(Alignment(2, 2, [(0, 1), (1, 0)])).description
    '2 links in 2 blocks between 2 and 2 words: 0-1 1-0'
    """
    rows, across = _words(source, alignment.source_size), _words(target, alignment.target_size)
    if not rows or not across:
        return headed(empty_scene("A sentence of no words."), title)
    shape = grid(rows, across, width=width)
    blocks = alignment_blocks(alignment)
    items = [*_labels(shape), *_lines(shape)]
    inset = min(4.0, shape.cell / 6)
    for links, kind in ((alignment.sure, "sure"), (alignment.possible, "possible")):
        for i, j in links:
            x, y = shape.corner(i, j)
            side = shape.cell - 2 * inset
            square = Box(x + inset, y + inset, side, side, kind, radius=min(3.0, side / 5))
            names = f"{visible(rows[i])} – {visible(across[j])}, {kind}"
            items.append(Group((square,), css="link", title=names, data=(("source", i), ("target", j))))
    for a, b, c, d in blocks:
        x, y = shape.corner(a, c)
        items.append(Box(x, y, (d - c + 1) * shape.cell, (b - a + 1) * shape.cell, "block"))
    sizes = f"{alignment.source_size} and {alignment.target_size} words"
    about = f"{len(alignment.links)} links in {len(blocks)} blocks between {sizes}: {alignment}"
    shown = mirrored(items, shape.width) if runs_right_to_left(across) else tuple(items)
    return headed(Scene(shape.width, shape.height, shown, "Word alignment", about), title)


def matrix_text(
    alignment: Alignment, source: Sequence[str] | None = None, target: Sequence[str] | None = None
) -> str:
    """Draw an alignment for a terminal: ■ is a sure link, □ a possible one; target words are listed below.

    >>> print(matrix_text(Alignment(2, 2, [(0, 1)], possible=[(1, 0)]), ["a", "b"], ["c", "d"]))
         1 2
    1 a  · ■
    2 b  □ ·
    1 c  2 d
    """
    rows = [visible(word) for word in _words(source, alignment.source_size)]
    across = [visible(word) for word in _words(target, alignment.target_size)]
    marks = dict.fromkeys(alignment.possible, "□") | dict.fromkeys(alignment.sure, "■")
    cells = [[marks.get((i, j), "·") for j in range(len(across))] for i in range(len(rows))]
    lines = _table(rows if source is not None else [""] * len(rows), cells, len(across))
    if target is not None:
        lines.append("  ".join(f"{j + 1} {word}" for j, word in enumerate(across)))
    return "\n".join(line.rstrip() for line in lines)


def _table(rows: Sequence[str], cells: Sequence[Sequence[str]], across: int) -> list[str]:
    """Write numbered rows of cells below numbered columns."""
    digits = len(str(len(rows)))
    wide = max(len(str(across)), max((len(cell) for row in cells for cell in row), default=0))
    room = max(map(columns, rows), default=0)
    lead = digits + (1 + room if room else 0)
    lines = [" " * (lead + 1) + "".join(f" {k + 1:>{wide}}" for k in range(across))]
    for i, (row, values) in enumerate(zip(rows, cells, strict=True)):
        name = f" {row}{' ' * (room - columns(row))}" if room else ""
        lines.append(f"{i + 1:>{digits}}{name} " + "".join(f" {value:>{wide}}" for value in values))
    return lines


def _words(words: Sequence[str] | None, size: int) -> list[str]:
    if words is None:
        return [str(k + 1) for k in range(size)]
    if len(words) != size:
        raise InvalidAlignment(f"{len(words)} words for {size} positions")
    return list(words)


def precedence_picture(
    table: Doubles,
    words: Sequence[str],
    order: Permutation | None = None,
    *,
    title: str | None = None,
    width: float = LARGEST_WIDTH,
) -> Scene:
    """Draw a precedence table: how probable it is that the word of a row comes before the word of a column.

    Rows and columns are in the new ``order``, if it is given: the table of a certain order is then dark above
    the diagonal and pale below. Probabilities are shown in percent where there is room.

    >>> precedence_picture(np.array([[0.0, 0.25], [0.75, 0.0]]), ["a", "b"]).description
    'Probability that one word comes before another. Least certain: a and b, 0.75.'
    """
    names, shares = _ordered(table, words, order)
    n = len(names)
    if not n:
        return headed(empty_scene("A sentence of no words."), title)
    if n > MOST_HEAT_WORDS:
        raise BadSetting(f"the table has {n:,} words; at most {MOST_HEAT_WORDS} can be drawn")
    shape = grid(names, names, width=width, sizes=(_NUMBERED_CELL, *CELLS))
    items = [*_labels(shape)]
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            x, y = shape.corner(i, j)
            share = float(shares[i, j])
            tip = f"{names[i]} before {names[j]}: {share:.2f}" if n <= _MOST_TIPS else ""
            items.append(Box(x, y, shape.cell, shape.cell, "heat", opacity=_shade(share), title=tip))
            if shape.cell == _NUMBERED_CELL:
                middle = shape.cell / 2
                items.append(Label(f"{100 * share:.0f}", x + middle, y + middle, "cell", NUMBER_SIZE))
    items += _lines(shape)
    mirror = runs_right_to_left(names)
    scene = Scene(
        shape.width, shape.height, mirrored(items, shape.width) if mirror else tuple(items),
        "Precedence", f"Probability that one word comes before another. {_least_certain(names, shares)}",
    )  # fmt: skip
    return headed(scene, title)


def _shade(share: float) -> float:
    """Make the fill of a cell so light that dark numbers on it can be read."""
    return round(_DARKEST * share, 2)


def _ordered(table: Doubles, words: Sequence[str], order: Permutation | None) -> tuple[list[str], Doubles]:
    read = list(range(len(words))) if order is None else order.order.tolist()
    return [visible(words[k]) for k in read], np.asarray(table)[np.ix_(read, read)]


def _least_certain(names: Sequence[str], shares: Doubles) -> str:
    """Name the pair of words whose order is least certain."""
    n = len(names)
    if n < 2:
        return "There is only one word."
    rows, others = np.triu_indices(n, 1)
    k = int(np.abs(shares[rows, others] - 0.5).argmin())
    i, j = int(rows[k]), int(others[k])
    return f"Least certain: {names[i]} and {names[j]}, {max(shares[i, j], shares[j, i]):.2f}."


def precedence_text(table: Doubles, words: Sequence[str], order: Permutation | None = None) -> str:
    """Write a precedence table in percent, rows and columns in the new order.

    >>> print(precedence_text(np.array([[0.0, 0.25], [0.75, 0.0]]), ["a", "b"]))
          1  2
    1 a   · 25
    2 b  75  ·
    Least certain: a and b, 0.75.
    """
    names, shares = _ordered(table, words, order)
    if not names:
        return "empty"
    n = len(names)
    cells = [["·" if i == j else f"{100 * shares[i, j]:.0f}" for j in range(n)] for i in range(n)]
    return "\n".join([*_table(names, cells, n), _least_certain(names, shares)])
