"""Drawings: coordinates in ``layout``, pictures in ``svg`` and ``crossing``, terminals in ``text``.

Charts are in ``chart`` and ``dots``. Pure functions from a value to a string. Notebooks: import
:mod:`wordorder.draw.notebook`.
"""

from wordorder.draw.chart import Series, line_chart, scaled_chart
from wordorder.draw.crossing import crossing_svg
from wordorder.draw.dots import Dot, dot_chart
from wordorder.draw.svg import tree_svg
from wordorder.draw.text import tree_text

__all__ = [
    "Dot",
    "Series",
    "crossing_svg",
    "dot_chart",
    "line_chart",
    "scaled_chart",
    "tree_svg",
    "tree_text",
]
