"""Which pictures there are of an order, an alignment or a prediction, each as a scene and as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.forest import Forest
from wordorder.core.lattice import Lattice
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree
from wordorder.draw.anticipation import anticipation_chart, anticipation_text
from wordorder.draw.curves import curves_picture, curves_text, order_curves_picture, order_links
from wordorder.draw.forest import forest_picture, forest_text
from wordorder.draw.grid import matrix_picture, matrix_text, precedence_picture, precedence_text
from wordorder.draw.labels import Notes, visible
from wordorder.draw.lattice import lattice_picture, lattice_text
from wordorder.draw.scene import LARGEST_WIDTH, Scene
from wordorder.draw.tree import tree_picture
from wordorder.draw.tree_lines import tree_text

KINDS = ("tree", "forest", "curves", "matrix", "lattice", "precedence", "anticipation")


class PictureSettings(NamedTuple):
    """How a picture is drawn: its title, its largest width, and whether large trees are unfolded."""

    title: str | None = None
    width: float = LARGEST_WIDTH
    unfold: bool = False


class Picture(NamedTuple):
    """A picture of a sentence; nothing is computed before it is asked for."""

    scene: Callable[[PictureSettings], Scene]
    text: Callable[[bool], str]  # with colours or without


Pictures = dict[str, Picture]


def order_pictures(
    tree: Tree, *, notes: Callable[[], Notes] | None = None, output: Permutation | None = None
) -> Pictures:
    """Return the pictures of an order, given as a tree.

    ``notes`` are shown at the nodes of the tree. ``output`` is the permutation whose words are those of the
    output, which anticipation is about; by default that of the tree.
    """
    perm, words = tree.permutation, tree.words
    names = [str(k + 1) for k in range(len(tree))] if words is None else list(words)
    find_notes = notes or dict

    def as_text(color: bool) -> str:
        text = tree_text(tree, color=color, notes=find_notes())
        return text if words is None else f"{text}\n→ {visible(' '.join(perm.apply(words)))}".rstrip()

    links = order_links(perm)
    read = perm.apply(names)
    guessed = perm if output is None else output
    return {
        "tree": Picture(
            lambda s: tree_picture(tree, title=s.title, notes=find_notes(), width=s.width, unfold=s.unfold),
            as_text,
        ),
        "forest": Picture(
            lambda s: forest_picture(Forest(perm, words), title=s.title, width=s.width, unfold=s.unfold),
            lambda _: forest_text(Forest(perm, words)),
        ),
        "curves": Picture(
            lambda s: order_curves_picture(perm, words, title=s.title, width=s.width),
            lambda _: curves_text(links, names, read),
        ),
        "matrix": Picture(
            lambda s: matrix_picture(links, names, read, title=s.title, width=s.width),
            lambda _: matrix_text(links, names, read),
        ),
        "anticipation": Picture(
            lambda s: anticipation_chart(guessed, title=s.title),
            lambda _: anticipation_text(guessed),
        ),
    }


def link_pictures(alignment: Alignment, source: Sequence[str], target: Sequence[str]) -> Pictures:
    """Return the pictures of two sentences and their links."""
    return {
        "curves": Picture(
            lambda s: curves_picture(alignment, source, target, title=s.title, width=s.width),
            lambda _: curves_text(alignment, source, target),
        ),
        "matrix": Picture(
            lambda s: matrix_picture(alignment, source, target, title=s.title, width=s.width),
            lambda _: matrix_text(alignment, source, target),
        ),
    }


def prediction_pictures(
    words: Sequence[str],
    order: Callable[[], Permutation],
    precedence: Callable[[], Doubles],
    lattice: Callable[[], Lattice],
) -> Pictures:
    """Return the pictures of what a model knows about a sentence beyond its best order."""
    return {
        "precedence": Picture(
            lambda s: precedence_picture(precedence(), words, order(), title=s.title, width=s.width),
            lambda _: precedence_text(precedence(), words, order()),
        ),
        "lattice": Picture(
            lambda s: lattice_picture(lattice(), words, title=s.title, width=s.width),
            lambda _: lattice_text(lattice(), words),
        ),
    }
