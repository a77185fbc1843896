"""Divide a wide packed forest: subtrees are cut off into panels, and a panel that is too wide into strips.

The runs of a chain concern its own children only, so a node of the flat tree can be drawn apart from the
rest: a box with the numbers of its words takes its place. A node with too many children cannot be divided in
this way. Its panel is cut between two children, and the bars above the cut continue in the next strip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.draw.labels import shortened_text, text_width, visible
from wordorder.draw.scene import MARGIN
from wordorder.draw.tree_layout import LONGEST_WORD, NODE_PADDING, OPERATOR_SIZE, WORD_SIZE, span_name

WORD_GAP = 14.0
_LEAST_WORD = 34.0  # width of a word; bars of two words have room for a number


class Leaf(NamedTuple):
    """A word, several that are folded, or a box that stands for a panel.

    Has the positions, whole text and places in the new order of its words, and the number of trees below it.
    """

    begin: int
    end: int
    text: str
    number: str | None
    ways: int = 1
    is_panel: bool = False

    @property
    def label(self) -> str:
        """The text, shortened."""
        return self.text if self.is_panel else shortened_text(self.text, WORD_SIZE, LONGEST_WORD)

    @property
    def width(self) -> float:
        """The width of the label."""
        if self.is_panel:
            return text_width(self.text, OPERATOR_SIZE) + 2 * NODE_PADDING
        return max(text_width(self.label, WORD_SIZE), _LEAST_WORD)


def leaves_of(forest: Forest, *, fold: bool = False) -> list[Leaf]:
    """Return the words; with ``fold``, words that follow each other in both orders are one leaf.

    >>> [(leaf.text, leaf.number) for leaf in leaves_of(Forest([1, 2, 0], ["a", "b", "c"]), fold=True)]
    [('a b', '2–3'), ('c', '1')]
    """
    flat, ranks = forest.flat, forest.permutation.ranks
    begins = np.flatnonzero(np.diff(ranks, prepend=-2) != 1).tolist() if fold else list(range(len(ranks)))
    leaves = []
    for begin, end in pairwise([*begins, len(ranks)]):
        places = _places(forest, begin, end)
        if flat.words is None:
            leaves.append(Leaf(begin, end, places, None))
        else:
            text = " ".join(visible(flat.label(k)) for k in range(begin, end))
            leaves.append(Leaf(begin, end, text, places))
    return leaves


def _places(forest: Forest, begin: int, end: int) -> str:
    """Return the places of words that stay together, from 1."""
    ranks = forest.permutation.ranks[begin:end]
    first, last = int(ranks.min()) + 1, int(ranks.max()) + 1
    return str(first) if first == last else f"{first}–{last}"


def forest_over(forest: Forest, leaves: Sequence[Leaf]) -> Forest:
    """Return the forest of those trees in which every leaf is a node: leaves take the part of words."""
    if len(leaves) == len(forest.flat):
        return forest
    firsts = forest.permutation.ranks[[leaf.begin for leaf in leaves]]
    return Forest(Permutation(np.argsort(np.argsort(firsts))))


def forest_width(leaves: Iterable[Leaf]) -> float:
    """Return the width of the picture, with its margins."""
    return sum(leaf.width + WORD_GAP for leaf in leaves) - WORD_GAP + 2 * MARGIN


def tree_counts(forest: Forest, leaves: Sequence[Leaf] | None = None) -> dict[tuple[int, int], int]:
    """Count the trees of each span of the forest, with those below its leaves.

    >>> tree_counts(Forest([0, 1, 2]))[0, 3]
    2
    """
    counts: dict[tuple[int, int], int] = {}
    for entry in forest.entries():
        ways = []
        for splits in entry.inferences:
            ends = [entry.begin, *splits, entry.end]
            ways.append(prod(counts[pair] for pair in pairwise(ends)))
        own = leaves[entry.begin].ways if leaves else 1
        counts[entry.begin, entry.end] = sum(ways) if ways else own
    return counts


def panels_of(forest: Forest, leaves: Sequence[Leaf], width: float) -> list[list[Leaf]]:
    """Divide leaves into panels that are not wider than ``width``, if cutting off subtrees can do it.

    The first panel has the root; every other one is a subtree, for which a box stands in the panel above it.

    >>> forest = Forest([5, 4, 3, 0, 2, 1], ["north", "south", "east", "west", "up", "down"])
    >>> [[leaf.text for leaf in panel] for panel in panels_of(forest, leaves_of(forest), 300)]
    [['north', 'south', 'east', 'words 4 to 6'], ['west', 'up', 'down']]
    """
    if forest_width(leaves) <= width:
        return [list(leaves)]
    shown = forest_over(forest, leaves)
    counts = tree_counts(shown)
    waiting: list[list[Leaf]] = []  # subtrees whose parent has not been reached
    cut: list[list[Leaf]] = []
    for node in shown.flat.nodes(order="post", leaves=True):
        if node.is_word:
            waiting.append([leaves[node.begin]])
            continue
        parts = waiting[-node.arity :]
        del waiting[-node.arity :]
        spans = [(child.begin, child.end) for child in node.children]
        saved = [
            forest_width(part) - forest_width([_panel(forest, part, counts[span])]) if len(part) > 1 else 0.0
            for part, span in zip(parts, spans, strict=True)
        ]
        excess = forest_width(chain(*parts)) - width
        for k in sorted(range(len(parts)), key=lambda k: -saved[k]):
            if excess <= 0 or saved[k] <= 0:
                break
            cut.append(parts[k])
            parts[k] = [_panel(forest, parts[k], counts[spans[k]])]
            excess -= saved[k]
        waiting.append(list(chain(*parts)))
    return [waiting[0], *sorted(cut, key=lambda panel: (panel[0].begin, -panel[-1].end))]


def _panel(forest: Forest, part: Sequence[Leaf], ways: int) -> Leaf:
    begin, end = part[0].begin, part[-1].end
    number = None if forest.flat.words is None else _places(forest, begin, end)
    return Leaf(begin, end, span_name(begin, end), number, ways, is_panel=True)


def strips_of(leaves: Sequence[Leaf], width: float) -> Iterator[tuple[int, int]]:
    """Divide the leaves of a panel, which may be too wide, into neighbours that fit.

    >>> list(strips_of([Leaf(k, k + 1, "a", None) for k in range(5)], 200))
    [(0, 3), (3, 5)]
    """
    first = 0
    for k in range(1, len(leaves) + 1):
        if k == len(leaves) or forest_width(leaves[first : k + 1]) > width:
            yield first, k
            first = k
