"""Pictures of trees, orders, alignments and lattices, and charts.

Every picture is a value first: a :class:`Scene` with coordinates, computed by a pure function. ``to_svg``,
``to_tikz``, ``to_latex`` and ``to_png`` write scenes; functions named ``..._text`` draw for a terminal.
``pictures`` lists which pictures there are of an order, of an alignment and of a prediction.
"""

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
from wordorder.draw.tree_text import tree_text

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
