"""Draw a word alignment as a grid: source words are rows, target words are columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordorder.core.alignment import Alignment
from wordorder.draw.labels import columns, text_width, visible
from wordorder.draw.layout import MARGIN, WORD_SIZE
from wordorder.draw.markup import decimal, document, empty_document, text_element

_CELL = 26.0


def alignment_text(
    alignment: Alignment, source: Sequence[str] | None = None, target: Sequence[str] | None = None
) -> str:
    """Draw an alignment for a terminal: ■ is a sure link, □ a possible one; target words are listed below.

    >>> print(alignment_text(Alignment(2, 2, [(0, 1)], possible=[(1, 0)]), ["a", "b"], ["c", "d"]))
         1 2
    1 a  · ■
    2 b  □ ·
    1 c  2 d
    """
    rows, across = _labels(source, alignment.source_size), _labels(target, alignment.target_size)
    digits, wide = len(str(len(rows))), len(str(len(across)))
    label = max((columns(row) for row in rows), default=0)
    lead = digits + (1 + label if source is not None else 0)
    lines = [" " * (lead + 1) + "".join(f" {k + 1:>{wide}}" for k in range(len(across)))]
    marks = dict.fromkeys(alignment.possible, "□") | dict.fromkeys(alignment.sure, "■")
    for i, row in enumerate(rows):
        cells = "".join(f" {marks.get((i, j), '·'):>{wide}}" for j in range(len(across)))
        name = f" {row}{' ' * (label - columns(row))}" if source is not None else ""
        lines.append(f"{i + 1:>{digits}}{name} {cells}")
    if target is not None:
        lines.append("  ".join(f"{j + 1} {word}" for j, word in enumerate(across)))
    return "\n".join(line.rstrip() for line in lines)


def alignment_svg(
    alignment: Alignment,
    source: Sequence[str] | None = None,
    target: Sequence[str] | None = None,
    *,
    title: str | None = None,
) -> str:
    """Draw an alignment as a self-contained SVG document: sure links are filled, possible ones outlined.

    >>> alignment_svg(Alignment(2, 2, [(0, 1), (1, 0)])).count("wo-link")
    2
    """
    rows, across = _labels(source, alignment.source_size), _labels(target, alignment.target_size)
    if not rows or not across:
        return empty_document(title)
    left = MARGIN + max(text_width(word, WORD_SIZE) for word in rows) + 8
    top = MARGIN + max(text_width(word, WORD_SIZE) for word in across) + 8
    width, height = left + _CELL * len(across) + MARGIN, top + _CELL * len(rows) + MARGIN
    return document(
        _body(alignment, rows, across, left, top),
        width=width,
        height=height,
        name="Word alignment",
        description=f"{len(alignment.links)} links between {len(rows)} and {len(across)} words: {alignment}",
        heading=title,
    )


def _labels(words: Sequence[str] | None, size: int) -> list[str]:
    if words is None:
        return [str(k + 1) for k in range(size)]
    if len(words) != size:
        raise ValueError(f"{len(words)} words for {size} positions")
    return [visible(word) for word in words]


def _body(alignment: Alignment, rows: list[str], across: list[str], left: float, top: float) -> Iterator[str]:
    right, bottom = left + _CELL * len(across), top + _CELL * len(rows)
    for k in range(len(rows) + 1):
        y = decimal(top + k * _CELL)
        yield f'<path class="wo-line" d="M{decimal(left)} {y}H{decimal(right)}"/>'
    for k in range(len(across) + 1):
        x = decimal(left + k * _CELL)
        yield f'<path class="wo-line" d="M{x} {decimal(top)}V{decimal(bottom)}"/>'
    for i, word in enumerate(rows):
        middle = left - 8 - text_width(word, WORD_SIZE) / 2
        yield text_element(word, middle, top + (i + 0.5) * _CELL, size=WORD_SIZE, css="word")
    for j, word in enumerate(across):
        over, up = left + (j + 0.5) * _CELL, top - 8 - text_width(word, WORD_SIZE) / 2
        rotated = text_element(word, 0, 0, size=WORD_SIZE, css="word")
        yield f'<g transform="translate({decimal(over)} {decimal(up)}) rotate(-90)">{rotated}</g>'
    for links, kind in ((alignment.sure, "monotone"), (alignment.possible, "prime")):
        for i, j in links:
            x, y = decimal(left + j * _CELL + 4), decimal(top + i * _CELL + 4)
            side = decimal(_CELL - 8)
            shape = f'<rect class="wo-shape" x="{x}" y="{y}" width="{side}" height="{side}" rx="3"/>'
            yield f'<g class="wo-{kind} wo-link" data-source="{i}" data-target="{j}">{shape}</g>'
