"""What notebooks show for permutations, alignments, trees, forests, lattices, orders and scores.

Pictures are SVG; what is too large to look at is shown as text.
"""

from __future__ import annotations

from wordorder.core.alignment import Alignment
from wordorder.core.displayed import Bundle, display
from wordorder.core.forest import Forest
from wordorder.core.lattice import Lattice
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, tree
from wordorder.draw.curves import order_curves_picture
from wordorder.draw.forest import MOST_SPANS, counted_trees, forest_picture
from wordorder.draw.grid import matrix_picture
from wordorder.draw.lattice import lattice_picture
from wordorder.draw.scene import Scene
from wordorder.draw.svg import escape, to_svg
from wordorder.draw.tree import tree_picture
from wordorder.metrics.base import Score
from wordorder.metrics.beer.explain import ScoreParts
from wordorder.preorder.base import OrderExplanation
from wordorder.preorder.occlusion import Occlusion
from wordorder.preorder.rules.explain import RuleExplanation
from wordorder.preorder.source import Reordering

MOST_WORDS = 1000  # a larger picture would block the browser
MOST_ARCS = 1000


def picture(scene: Scene) -> Bundle:
    """Show a scene."""
    return {"image/svg+xml": to_svg(scene)}


def page(*parts: str) -> Bundle:
    """Show parts of HTML below each other; wide ones scroll."""
    divisions = "".join(f'<div style="overflow-x:auto">{part}</div>' for part in parts)
    return {"text/html": f'<div class="wo-value">{divisions}</div>'}


def preformatted(text: str) -> str:
    """Make HTML of text with its line breaks and spaces."""
    return f"<pre>{'<br/>'.join(map(escape, text.splitlines()))}</pre>"


@display.register
def _permutation(value: Permutation) -> Bundle:
    return picture(order_curves_picture(value)) if len(value) <= MOST_WORDS else {}


@display.register
def _alignment(value: Alignment) -> Bundle:
    large = max(value.source_size, value.target_size) > MOST_WORDS
    return {} if large else picture(matrix_picture(value))


@display.register
def _tree(value: Tree) -> Bundle:
    return picture(tree_picture(value)) if len(value) <= MOST_WORDS else {}


@display.register
def _forest(value: Forest) -> Bundle:
    if len(value.flat) > MOST_WORDS:
        return {}
    if value.size[0] - len(value.flat) <= MOST_SPANS:
        return picture(forest_picture(value))
    return page(f"<p>{counted_trees(value.count)}</p>", to_svg(tree_picture(value.flat)))


@display.register
def _lattice(value: Lattice) -> Bundle:
    names = [str(k + 1) for k in range(value.words)]
    return picture(lattice_picture(value, names)) if len(value.arcs) <= MOST_ARCS else {}


@display.register
def _reordering(value: Reordering) -> Bundle:
    large = len(value.source) > MOST_WORDS
    return {} if large else picture(tree_picture(tree(value.permutation, value.source)))


@display.register
def _score(value: Score) -> Bundle:
    number, _, rest = str(value).partition(" (")
    return page(f"<p><b>{escape(number)}</b><br/><code>{escape(rest.removesuffix(')'))}</code></p>")


@display.register(Occlusion)
@display.register(RuleExplanation)
def _explanation(value: OrderExplanation) -> Bundle:
    if len(value.words) > MOST_WORDS:
        return {}
    drawn = tree_picture(value.tree.to_tree(value.words), notes=value.notes)
    return page(preformatted(value.to_text()), to_svg(drawn))


@display.register
def _parts(value: ScoreParts) -> Bundle:
    return page(preformatted(value.text()))
