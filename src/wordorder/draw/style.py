"""Looks of classes: colours, lines and fonts, in one table from which every renderer takes them.

The palette is that of Okabe and Ito, for colour-blind readers; dark pages use its lighter colours.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

HUES = 5  # number of colours of series
FONTS = 'system-ui,-apple-system,"Segoe UI","Noto Sans","Helvetica Neue",Arial,sans-serif'


@dataclass(frozen=True, slots=True)
class Appearance:
    """The looks of a class; None leaves a property as it is. ``none`` is no colour at all."""

    fill: str | None = None
    stroke: str | None = None
    width: float | None = None  # of lines
    size: float | None = None  # of fonts
    bold: bool | None = None
    opacity: float | None = None  # of the fill


# Where an element has several classes, later rows prevail.
LIGHT = {
    "text": Appearance(fill="#1f2328", stroke="none"),  # of all texts
    "back": Appearance(fill="#ffffff"),
    "stripe": Appearance(fill="#f3f4f6", stroke="none"),
    "word": Appearance(size=16),
    "number": Appearance(size=12, fill="#656d76"),
    "operator": Appearance(size=13),
    "cell": Appearance(size=12),
    "heading": Appearance(size=15, bold=True),
    "line": Appearance(fill="none", stroke="#9aa2ab", width=1.2),
    "shape": Appearance(width=1.5),
    "monotone": Appearance(fill="#e9f3f9", stroke="#0072b2"),
    "inverted": Appearance(fill="#fdf0e6", stroke="#d55e00"),
    "prime": Appearance(fill="#e6f6f1", stroke="#009e73"),
    "folded": Appearance(fill="#f3f4f6", stroke="#9aa2ab"),
    "block": Appearance(fill="none", stroke="#1f2328", width=2),
    "sure": Appearance(fill="#0072b2", stroke="#0072b2", width=1.5),
    "possible": Appearance(fill="#ffffff", stroke="#0072b2", width=1.5),
    "heat": Appearance(fill="#0072b2", stroke="none"),
    "state": Appearance(fill="#ffffff", stroke="#656d76", width=1.5),
    "split": Appearance(fill="#1f2328", stroke="none"),
    "curve": Appearance(fill="none"),
    "straight": Appearance(stroke="#0072b2", width=1.2),
    "crossed": Appearance(stroke="#d55e00", width=1.8),
    "axis": Appearance(size=13),
    "name": Appearance(size=13),
    "group": Appearance(size=13, bold=True),
    "grid": Appearance(fill="none", stroke="#dfe3e8", width=1),
    "hue0": Appearance(fill="#0072b2", stroke="#0072b2"),
    "hue1": Appearance(fill="#d55e00", stroke="#d55e00"),
    "hue2": Appearance(fill="#009e73", stroke="#009e73"),
    "hue3": Appearance(fill="#cc79a7", stroke="#cc79a7"),
    "hue4": Appearance(fill="#1f2328", stroke="#1f2328"),
    "trace": Appearance(fill="none", width=1.8),
    "bar": Appearance(fill="none", width=1.2),
    "mark": Appearance(width=1.5),
    "hollow": Appearance(fill="#ffffff"),
    "band": Appearance(stroke="none", opacity=0.16),
}
DARK = {
    "text": Appearance(fill="#e6edf3"),
    "back": Appearance(fill="#14181d"),
    "stripe": Appearance(fill="#1b2027"),
    "number": Appearance(fill="#9aa4af"),
    "line": Appearance(stroke="#5d6670"),
    "monotone": Appearance(fill="#13293a", stroke="#56b4e9"),
    "inverted": Appearance(fill="#35270c", stroke="#e69f00"),
    "prime": Appearance(fill="#0c2d25", stroke="#009e73"),
    "folded": Appearance(fill="#22272e", stroke="#5d6670"),
    "block": Appearance(stroke="#e6edf3"),
    "sure": Appearance(fill="#56b4e9", stroke="#56b4e9"),
    "possible": Appearance(fill="#14181d", stroke="#56b4e9"),
    "heat": Appearance(fill="#56b4e9"),
    "state": Appearance(fill="#14181d", stroke="#9aa4af"),
    "split": Appearance(fill="#e6edf3"),
    "straight": Appearance(stroke="#56b4e9"),
    "crossed": Appearance(stroke="#e69f00"),
    "grid": Appearance(stroke="#2b3138"),
    "hue0": Appearance(fill="#56b4e9", stroke="#56b4e9"),
    "hue1": Appearance(fill="#e69f00", stroke="#e69f00"),
    "hue4": Appearance(fill="#e6edf3", stroke="#e6edf3"),
    "hollow": Appearance(fill="#14181d"),
}


@lru_cache(maxsize=512)
def look_of(css: str) -> Appearance:
    """Combine the looks of all classes of an element.

    >>> look_of("hue1 trace")
    Appearance(fill='none', stroke='#d55e00', width=1.8, size=None, bold=None, opacity=None)
    """
    names = css.split()
    found: dict[str, object] = {}
    for name, look in LIGHT.items():
        if name in names:
            given = ((field.name, getattr(look, field.name)) for field in fields(Appearance))
            found |= {key: value for key, value in given if value is not None}
    return Appearance(**found)  # type: ignore[arg-type]


def _rule(name: str, look: Appearance) -> str:
    properties = {
        "fill": look.fill,
        "stroke": look.stroke,
        "stroke-width": None if look.width is None else f"{look.width:g}",
        "font-size": None if look.size is None else f"{look.size:g}px",
        "font-weight": "600" if look.bold else None,
        "fill-opacity": None if look.opacity is None else f"{look.opacity:g}",
    }
    selector = "text" if name == "text" else f".wo-{name}"
    body = ";".join(f"{key}:{value}" for key, value in properties.items() if value is not None)
    return f".wo-drawing {selector}{{{body}}}\n"


# All classes begin with wo-, so that a page can contain many drawings. There are only plain rules and no
# variables, because not only browsers read them.
PLAIN_STYLE = "".join(
    [
        f"\n.wo-drawing{{font-family:{FONTS}}}\n",
        *(_rule(name, look) for name, look in LIGHT.items()),
        ".wo-drawing text{text-anchor:middle}\n",
        ".wo-drawing .wo-start{text-anchor:start}\n",
        ".wo-drawing .wo-end{text-anchor:end}\n",
        ".wo-drawing .wo-curve,.wo-drawing .wo-trace{stroke-linecap:round;stroke-linejoin:round}\n",
    ]
)
STYLE = "".join(
    [
        PLAIN_STYLE,
        "@media (prefers-color-scheme:dark){\n",
        *(_rule(name, look) for name, look in DARK.items()),
        "}\n",
    ]
)
