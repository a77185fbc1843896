"""Drawings of trees, orders and alignments, and charts, as SVG and as text.

All functions are pure and return strings. ``svg`` and ``text`` draw trees, ``crossing`` orders,
``alignment`` word alignments, and ``chart`` and ``dots`` charts. Import
:mod:`wordorder.draw.notebook` to show trees and forests in a notebook.
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
