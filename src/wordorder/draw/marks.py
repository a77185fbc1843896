"""Colours, dashes and markers of the series of a chart, and the legend.

The twelve markers differ by shape or fill, so twelve series can be distinguished without colour, and
forty-eight with the dashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wordorder.draw.labels import shortened_text, text_width, visible
from wordorder.draw.scene import Box, Group, Item, Label, Path, closed, line
from wordorder.draw.style import HUES

NAME_SIZE = 13.0
LEGEND_ROW = 22.0
_SAMPLE = 30.0  # length of the sample line beside a name
_SPACE = 8.0
_LONGEST_NAME = 300.0  # pixels

_DASHES: tuple[tuple[float, ...], ...] = ((), (7, 4), (2, 3), (10, 3, 2, 3))
_CORNERS: tuple[tuple[tuple[float, float], ...], ...] = (  # of markers around the point; none: a circle
    (),
    ((-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)),
    ((0, -5), (4.6, 3), (-4.6, 3)),
    ((0, -5), (5, 0), (0, 5), (-5, 0)),
    ((0, 5), (-4.6, -3), (4.6, -3)),
    ((-1.6, -4.8), (1.6, -4.8), (1.6, -1.6), (4.8, -1.6), (4.8, 1.6), (1.6, 1.6), (1.6, 4.8), (-1.6, 4.8),
     (-1.6, 1.6), (-4.8, 1.6), (-4.8, -1.6), (-1.6, -1.6)),
)  # fmt: skip
_RADIUS = 4.0


def hue(index: int) -> str:
    """Return the class with the colour of a series."""
    return f"hue{index % HUES}"


def trace(index: int, points: Sequence[tuple[float, float]]) -> Path:
    """Draw lines with the dash of a series."""
    dash = _DASHES[(index + index // (2 * len(_CORNERS))) % len(_DASHES)]
    return Path(line(*points).steps, f"{hue(index)} trace", dash)


def marker(index: int, x: float, y: float, tip: str = "") -> Path | Box:
    """Draw the marker of a series with its centre at x, y; the tip is shown on hover."""
    hollow = " hollow" if index // len(_CORNERS) % 2 else ""
    css = f"{hue(index)} mark{hollow}"
    corners = _CORNERS[index % len(_CORNERS)]
    if not corners:
        side = 2 * _RADIUS
        return Box(x - _RADIUS, y - _RADIUS, side, side, css, radius=_RADIUS, title=tip)
    return replace(closed([(x + over, y + down) for over, down in corners], css), title=tip)


def legend_size(names: Sequence[str]) -> tuple[float, float]:
    """Return width and height of the legend."""
    widest = max(text_width(_short(name), NAME_SIZE) for name in names)
    return _SAMPLE + _SPACE + widest, LEGEND_ROW * len(names)


def legend(names: Sequence[str], left: float, top: float, *, lines: bool = True) -> Iterator[Item]:
    """Draw one row per series: a sample of its line, if there are ``lines``, its marker and its name."""
    for index, name in enumerate(names):
        y = top + LEGEND_ROW * (index + 0.5)
        sample = (trace(index, [(left, y), (left + _SAMPLE, y)]),) if lines else ()
        short = _short(name)
        text = Label(short, left + _SAMPLE + _SPACE, y, "name", NAME_SIZE, "left")
        whole = name if short != visible(name) else ""
        yield Group((*sample, marker(index, left + _SAMPLE / 2, y), text), css="entry", title=whole)


def _short(name: str) -> str:
    return shortened_text(name, NAME_SIZE, _LONGEST_NAME)
