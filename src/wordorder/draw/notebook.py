"""Show trees and forests as pictures in notebooks.

``core`` does not depend on drawing, so this module adds the methods that notebooks look for to its
classes. It is sufficient to import it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from wordorder.core.forest import Forest
from wordorder.core.tree import Tree
from wordorder.draw.svg import tree_svg

MOST_WORDS = 1000  # a larger picture would block the browser; the notebook shows text instead
_LONGEST_COUNT = 10**15


def tree_picture(tree: Tree) -> str | None:
    """Return the SVG of a tree, or None if it is too large.

    >>> from wordorder.core.tree import tree
    >>> tree_picture(tree(range(5000))) is None
    True
    """
    return tree_svg(tree) if len(tree) <= MOST_WORDS else None


def forest_picture(forest: Forest) -> str | None:
    """Return the number of trees and the picture of the flat tree as HTML, or None if it is too large.

    >>> forest_picture(Forest([0, 1, 2])).startswith('<div class="wo-forest"><p>2 trees</p>')
    True
    """
    picture = tree_picture(forest.flat)
    if picture is None:
        return None
    scrolling = f'<div style="overflow-x:auto">{picture}</div>'
    return f'<div class="wo-forest"><p>{_counted(forest.count)}</p>{scrolling}</div>'


def _counted(count: int) -> str:
    if count < _LONGEST_COUNT:
        return "1 tree" if count == 1 else f"{count:,} trees"
    return f"about 10<sup>{round(math.log10(count))}</sup> trees"


def install() -> None:
    """Add the methods to trees and forests; calling this twice has no further effect."""
    methods: list[tuple[type, str, Callable[..., str | None]]] = [
        (Tree, "_repr_svg_", tree_picture),
        (Forest, "_repr_html_", forest_picture),
    ]
    for owner, name, method in methods:
        setattr(owner, name, method)


install()
