"""Pictures of trees, orders, alignments and lattices, and charts.

Every picture is a value first: a :class:`Scene` with coordinates, computed by a pure function. ``to_svg``,
``to_tikz``, ``to_latex`` and ``to_png`` write scenes; functions named ``..._text`` draw for a terminal.
``pictures`` lists which pictures there are of an order, of an alignment and of a prediction.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wordorder.draw.tree_text import tree_text  # at once: a function that is called like its module

if TYPE_CHECKING:
    from wordorder.draw.anticipation import anticipation_chart, anticipation_text
    from wordorder.draw.chart import Series, line_chart, scaled_chart
    from wordorder.draw.curves import curves_picture, curves_text, order_curves_picture
    from wordorder.draw.dots import Dot, dot_chart
    from wordorder.draw.forest import forest_picture, forest_text
    from wordorder.draw.grid import matrix_picture, matrix_text, precedence_picture, precedence_text
    from wordorder.draw.lattice import lattice_picture, lattice_text
    from wordorder.draw.png import to_png
    from wordorder.draw.scene import Scene, stacked
    from wordorder.draw.svg import to_svg
    from wordorder.draw.tikz import to_latex, to_tikz
    from wordorder.draw.tree import tree_picture

# Names are imported on first use: tables need a few labels, and no pictures.
_HOMES = {
    "Dot": "dots",
    "Scene": "scene",
    "Series": "chart",
    "anticipation_chart": "anticipation",
    "anticipation_text": "anticipation",
    "curves_picture": "curves",
    "curves_text": "curves",
    "dot_chart": "dots",
    "forest_picture": "forest",
    "forest_text": "forest",
    "lattice_picture": "lattice",
    "lattice_text": "lattice",
    "line_chart": "chart",
    "matrix_picture": "grid",
    "matrix_text": "grid",
    "order_curves_picture": "curves",
    "precedence_picture": "grid",
    "precedence_text": "grid",
    "scaled_chart": "chart",
    "stacked": "scene",
    "to_latex": "tikz",
    "to_png": "png",
    "to_svg": "svg",
    "to_tikz": "tikz",
    "tree_picture": "tree",
}

__all__ = [
    "Dot",
    "Scene",
    "Series",
    "anticipation_chart",
    "anticipation_text",
    "curves_picture",
    "curves_text",
    "dot_chart",
    "forest_picture",
    "forest_text",
    "lattice_picture",
    "lattice_text",
    "line_chart",
    "matrix_picture",
    "matrix_text",
    "order_curves_picture",
    "precedence_picture",
    "precedence_text",
    "scaled_chart",
    "stacked",
    "to_latex",
    "to_png",
    "to_svg",
    "to_tikz",
    "tree_picture",
    "tree_text",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'wordorder.draw' has no attribute {name!r}")
    return getattr(import_module(f"wordorder.draw.{_HOMES[name]}"), name)
