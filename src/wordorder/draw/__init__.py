"""Drawings: coordinates in ``layout``, pictures in ``svg`` and ``crossing``, terminals in ``text``.

Pure functions from a value to a string. Notebooks: import :mod:`wordorder.draw.notebook`.
"""

from wordorder.draw.crossing import crossing_svg
from wordorder.draw.svg import tree_svg
from wordorder.draw.text import tree_text

__all__ = ["crossing_svg", "tree_svg", "tree_text"]
