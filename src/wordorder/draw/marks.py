"""Colours, dashes and markers of the series of a chart, and the legend.

The twelve markers differ by shape or fill, so twelve series can be distinguished without colour, and
forty-eight with the dashes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wordorder.draw.labels import shortened_text, text_width, visible
from wordorder.draw.markup import HUES, decimal, escape, side_text

NAME_SIZE = 13.0
LEGEND_ROW = 22.0
_SAMPLE = 30.0  # length of the sample line beside a name
_SPACE = 8.0
_LONGEST_NAME = 300.0  # pixels

_DASHES = ("", "7 4", "2 3", "10 3 2 3")
_SHAPES = (  # relative paths around the point
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.5 -3.5h7v7h-7z",
    "m0 -5l4.6 8h-9.2z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 5l-4.6 -8h9.2z",
    "m-1.6 -4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z",
)


def hue(index: int) -> str:
    """Return the CSS class with the colour of a series."""
    return f"wo-hue{index % HUES}"


def trace(index: int, path: str) -> str:
    """Draw a path with the dash of a series."""
    dash = _DASHES[(index + index // (2 * len(_SHAPES))) % len(_DASHES)]
    attribute = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="wo-trace"{attribute} d="{path}"/>'


def marker(index: int, x: float, y: float, tip: str = "") -> str:
    """Draw the marker of a series with its centre at x, y; the tip is shown on hover."""
    hollow = " wo-hollow" if index // len(_SHAPES) % 2 else ""
    start = f'<path class="wo-mark{hollow}" d="M{decimal(x)} {decimal(y)}{_SHAPES[index % len(_SHAPES)]}"'
    return f"{start}><title>{escape(tip)}</title></path>" if tip else f"{start}/>"


def legend_size(names: Sequence[str]) -> tuple[float, float]:
    """Return width and height of the legend."""
    widest = max(text_width(_short(name), NAME_SIZE) for name in names)
    return _SAMPLE + _SPACE + widest, LEGEND_ROW * len(names)


def legend(names: Sequence[str], left: float, top: float) -> Iterator[str]:
    """Draw one row per series: a sample of its line, its marker and its name."""
    for index, name in enumerate(names):
        y = top + LEGEND_ROW * (index + 0.5)
        sample = trace(index, f"M{decimal(left)} {decimal(y)}h{decimal(_SAMPLE)}")
        sample += marker(index, left + _SAMPLE / 2, y)
        short = _short(name)
        text = side_text(short, left + _SAMPLE + _SPACE, y, size=NAME_SIZE, css="name", side="start")
        whole = f"<title>{escape(name)}</title>" if short != visible(name) else ""
        yield f'<g class="wo-entry">{whole}<g class="{hue(index)}">{sample}</g>{text}</g>'


def _short(name: str) -> str:
    return shortened_text(name, NAME_SIZE, _LONGEST_NAME)
