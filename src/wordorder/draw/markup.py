"""SVG code that all drawings share: escaping, style sheet and document.

The style sheet is the same for all drawings, and all classes begin with ``wo-``, so that a page can
contain many drawings. It has only plain rules and no variables, because not only browsers read it.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Literal

from wordorder.draw.labels import is_right_to_left, text_width, visible

HUES = 5  # number of colours of series
HEADING_SIZE = 15.0
HEADING_ROOM = 28.0
_EDGE = 28.0  # margin to the left and right of a heading

# Okabe and Ito's palette for colour-blind readers; dark pages use its lighter colours.
# Each drawing has its own background, because a notebook can be dark when the system is light.
STYLE = """
.wo-drawing{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","Helvetica Neue",Arial,sans-serif}
.wo-drawing text{text-anchor:middle;fill:#1f2328}
.wo-drawing .wo-back{fill:#ffffff}
.wo-drawing .wo-word{font-size:16px}
.wo-drawing .wo-number{font-size:12px;fill:#656d76}
.wo-drawing .wo-operator{font-size:13px}
.wo-drawing .wo-heading{font-size:15px;font-weight:600}
.wo-drawing .wo-line{fill:none;stroke:#9aa2ab;stroke-width:1.2}
.wo-drawing .wo-shape{stroke-width:1.5}
.wo-drawing .wo-monotone .wo-shape{fill:#e9f3f9;stroke:#0072b2}
.wo-drawing .wo-inverted .wo-shape{fill:#fdf0e6;stroke:#d55e00}
.wo-drawing .wo-prime .wo-shape{fill:#e6f6f1;stroke:#009e73}
.wo-drawing .wo-curve{fill:none;stroke-linecap:round}
.wo-drawing .wo-straight{stroke:#0072b2;stroke-width:1.2}
.wo-drawing .wo-crossed{stroke:#d55e00;stroke-width:1.8}
.wo-drawing .wo-start{text-anchor:start}
.wo-drawing .wo-end{text-anchor:end}
.wo-drawing .wo-axis,.wo-drawing .wo-name{font-size:13px}
.wo-drawing .wo-group{font-size:13px;font-weight:600}
.wo-drawing .wo-grid{fill:none;stroke:#e3e6ea;stroke-width:1}
.wo-drawing .wo-hue0{fill:#0072b2;stroke:#0072b2}
.wo-drawing .wo-hue1{fill:#d55e00;stroke:#d55e00}
.wo-drawing .wo-hue2{fill:#009e73;stroke:#009e73}
.wo-drawing .wo-hue3{fill:#cc79a7;stroke:#cc79a7}
.wo-drawing .wo-hue4{fill:#1f2328;stroke:#1f2328}
.wo-drawing .wo-trace{fill:none;stroke-width:1.8;stroke-linejoin:round}
.wo-drawing .wo-mark{stroke-width:1.5}
.wo-drawing .wo-hollow{fill:#ffffff}
.wo-drawing .wo-band{stroke:none;fill-opacity:0.16}
@media (prefers-color-scheme:dark){
.wo-drawing text{fill:#e6edf3}
.wo-drawing .wo-back{fill:#14181d}
.wo-drawing .wo-number{fill:#9aa4af}
.wo-drawing .wo-line{stroke:#5d6670}
.wo-drawing .wo-monotone .wo-shape{fill:#13293a;stroke:#56b4e9}
.wo-drawing .wo-inverted .wo-shape{fill:#35270c;stroke:#e69f00}
.wo-drawing .wo-prime .wo-shape{fill:#0c2d25;stroke:#009e73}
.wo-drawing .wo-straight{stroke:#56b4e9}
.wo-drawing .wo-crossed{stroke:#e69f00}
.wo-drawing .wo-grid{stroke:#2b3138}
.wo-drawing .wo-hue0{fill:#56b4e9;stroke:#56b4e9}
.wo-drawing .wo-hue1{fill:#e69f00;stroke:#e69f00}
.wo-drawing .wo-hue4{fill:#e6edf3;stroke:#e6edf3}
.wo-drawing .wo-hollow{fill:#14181d}
}
"""


def escape(text: str) -> str:
    """Escape a text for use in XML, as content or as an attribute.

    >>> escape('<b a="1">\\x00')
    '&lt;b a=&quot;1&quot;&gt;�'
    """
    return html.escape(visible(text))


def decimal(value: float) -> str:
    """Format a coordinate to a tenth of a pixel, as briefly as possible.

    >>> decimal(12.0), decimal(0.25), decimal(-0.04)
    ('12', '0.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_element(text: str, x: float, y: float, *, size: float, css: str) -> str:
    """Draw a text with its centre at x, y; right-to-left text keeps its direction."""
    direction = ' direction="rtl" unicode-bidi="embed"' if is_right_to_left(text) else ""
    # Not all programs know dominant-baseline; a third of the font size is half the height of a letter.
    lowered = decimal(y + 0.35 * size)
    return f'<text class="wo-{css}" x="{decimal(x)}" y="{lowered}"{direction}>{escape(text)}</text>'


def side_text(text: str, x: float, y: float, *, size: float, css: str, side: Literal["start", "end"]) -> str:
    """Draw a text whose left side (``start``) or right side (``end``) is at x, whatever its direction."""
    if is_right_to_left(text):  # for such a text, start means the right side in SVG
        side = "end" if side == "start" else "start"
    return text_element(text, x, y, size=size, css=f"{css} wo-{side}")


def document(
    body: Iterable[str], *, width: float, height: float, name: str, description: str, heading: str | None
) -> str:
    """Build a complete drawing: name and description for screen readers, style, background and body.

    If there is a heading, it is shown above the body and replaces the name.
    """
    across, down, over = width, height, ""
    if heading is not None:
        down += HEADING_ROOM
        across = max(width, text_width(visible(heading), HEADING_SIZE) + 2 * _EDGE)
        middle = HEADING_ROOM - HEADING_SIZE / 4
        over = text_element(heading, across / 2, middle, size=HEADING_SIZE, css="heading")
        shift = f"translate({decimal((across - width) / 2)} {decimal(HEADING_ROOM)})"
        body = [f'<g transform="{shift}">', *body, "</g>"]
    w, h = decimal(across), decimal(down)
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wo-drawing" role="img" '
        f'width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
    )
    texts = f"<title>{escape(heading or name)}</title><desc>{escape(description)}</desc>"
    back = f'<rect class="wo-back" width="{w}" height="{h}" rx="8"/>{over}'
    return "\n".join([start, texts, f"<style>{STYLE}</style>", back, *body, "</svg>"])


def empty_document(heading: str | None, description: str = "A permutation of no words.") -> str:
    """Build the drawing of an empty value."""
    body = [text_element("empty", 60, 30, size=12, css="number")]
    return document(body, width=120, height=60, name="empty", description=description, heading=heading)
