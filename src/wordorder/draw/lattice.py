"""Draw lattices of orders: states as circles, arcs with the word that is read.

All paths to a state have read the same number of words, so states are in columns by that number and every
arc leads to the next column. Every arc has a lane of its own, in which its word stands, so words do not
overlap. Where there are too many columns for one row, the states of the last one begin the next row.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.core.lattice import Lattice
from wordorder.draw.labels import runs_right_to_left, shortened_text, text_width, visible
from wordorder.draw.scene import (
    LARGEST_WIDTH,
    MARGIN,
    Box,
    Group,
    Item,
    Label,
    Path,
    Scene,
    empty_scene,
    headed,
    mirrored,
)
from wordorder.draw.tree_layout import NUMBER_SIZE, WORD_SIZE
from wordorder.errors import BadSetting

_LANE = 30.0  # height of a lane
_RADIUS = 8.0  # of a state
_RISE = 46.0  # width of the curve between a state and a lane
_ROW_GAP = 30.0
_LONGEST_WORD = 200.0
MOST_ARCS = 5000


class ArcPlace(NamedTuple):
    """An arc: its states, the word and its share, and the points from its first to its last state."""

    number: int
    label: str
    share: float | None
    start: tuple[float, float]
    middle: tuple[float, float]  # of the label
    room: float  # width of the label
    end: tuple[float, float]
    title: str


class StatePlace(NamedTuple):
    """A state with its centre; ``again`` if it was drawn before, at the end of a row."""

    state: int
    x: float
    y: float
    again: bool


@dataclass(frozen=True, slots=True)
class LatticeLayout:
    """Size of a drawing, with its arcs and states."""

    width: float
    height: float
    arcs: tuple[ArcPlace, ...]
    states: tuple[StatePlace, ...]


def lattice_layout(graph: Lattice, words: Sequence[str], *, width: float = LARGEST_WIDTH) -> LatticeLayout:
    """Place states in columns by the number of words read, and arcs in lanes between them."""
    drawn = _Columns(graph, words)
    arcs: list[ArcPlace] = []
    states: list[StatePlace] = []
    widest, top, first = 0.0, MARGIN, 0
    while first < graph.words:
        last = drawn.row_end(first, width - 2 * (MARGIN + _RADIUS))
        across = MARGIN + _RADIUS + sum(drawn.steps[first:last])
        lanes = drawn.lanes(first, last)
        middle = top + _LANE * lanes / 2
        at = drawn.place_states(first, last, middle)
        states += (StatePlace(state, *at[state], again=drawn.depth[state] == first > 0) for state in at)
        arcs += drawn.place_arcs(first, last, middle, at)
        widest, top, first = max(widest, across), top + _LANE * lanes + _ROW_GAP, last
    return LatticeLayout(widest + _RADIUS + MARGIN, top - _ROW_GAP + MARGIN, tuple(arcs), tuple(states))


class _Columns:
    """The states of a lattice by the number of words read (``depth``), and the arcs that leave them."""

    def __init__(self, graph: Lattice, words: Sequence[str]) -> None:
        self.graph = graph
        self.words = [visible(words[k]) for k in graph.arcs[:, 2].tolist()]
        self.labels = [shortened_text(word, WORD_SIZE, _LONGEST_WORD) for word in self.words]
        self.shares = _shares(graph)
        self.depth = {0: 0}
        self.arcs: list[list[int]] = [[] for _ in range(graph.words)]
        for number, (start, stop, _) in enumerate(graph.arcs.tolist()):
            self.depth[stop] = self.depth[start] + 1
            self.arcs[self.depth[start]].append(number)
        self.states: list[list[int]] = [[] for _ in range(graph.words + 1)]
        for state, read in sorted(self.depth.items()):
            self.states[read].append(state)
        self.steps = [max(map(self.room, column)) + 2 * _RISE for column in self.arcs]

    def room(self, arc: int) -> float:
        """Return the width of the label of an arc."""
        share = 0.0 if self.shares[arc] is None else text_width(" 0.00", NUMBER_SIZE)
        return text_width(self.labels[arc], WORD_SIZE) + share

    def row_end(self, first: int, room: float) -> int:
        """Return the column at which a row ends that begins at a column.

        A row is filled at least by half, and ends where few states have to be found again in the next row.
        """
        reached = list(itertools.accumulate(self.steps[first:]))
        fitting = max(1, sum(across <= room for across in reached))
        if first + fitting == self.graph.words:
            return self.graph.words
        ends = range(first + (fitting + 1) // 2, first + fitting + 1)
        return min(ends, key=lambda column: (len(self.states[column]), -column))

    def lanes(self, first: int, last: int) -> int:
        """Return the number of lanes of a row of columns."""
        return max(map(len, (*self.arcs[first:last], *self.states[first : last + 1])))

    def place_states(self, first: int, last: int, middle: float) -> dict[int, tuple[float, float]]:
        """Place the states of a row, each column around the middle."""
        at: dict[int, tuple[float, float]] = {}
        x = MARGIN + _RADIUS
        for column in range(first, last + 1):
            at |= {state: (x, y) for state, y in _around(middle, self.states[column])}
            x += self.steps[column] if column < last else 0.0
        return at

    def place_arcs(
        self, first: int, last: int, middle: float, at: dict[int, tuple[float, float]]
    ) -> Iterator[ArcPlace]:
        """Place the arcs of a row, each in a lane of its own."""
        for column in range(first, last):
            ends = {arc: tuple(at[state] for state in _ends(self.graph, arc)) for arc in self.arcs[column]}
            ordered = sorted(ends, key=lambda arc: (ends[arc][0][1], ends[arc][1][1], arc))
            for arc, y in _around(middle, ordered):
                start, end = ends[arc]
                label, whole = self.labels[arc], self.words[arc]
                centre = ((start[0] + end[0]) / 2, y)
                title = whole if whole != label else ""
                yield ArcPlace(arc, label, self.shares[arc], start, centre, self.room(arc), end, title)


def _around(middle: float, items: Sequence[int]) -> Iterator[tuple[int, float]]:
    for k, item in enumerate(items):
        yield item, middle + _LANE * (k - (len(items) - 1) / 2)


def _ends(graph: Lattice, arc: int) -> tuple[int, int]:
    start, stop, _ = graph.arcs[arc].tolist()
    return start, stop


def _shares(graph: Lattice) -> list[float | None]:
    """Return the probability of each arc among those that leave its state; None where it is certain."""
    shares: list[float | None] = []
    for _, numbers in graph.out():
        each = [math.exp(float(graph.log_probs[a])) for a in numbers]
        shares += [share if len(each) > 1 and any(graph.log_probs[list(numbers)]) else None for share in each]
    return shares


def lattice_picture(
    graph: Lattice, words: Sequence[str], *, title: str | None = None, width: float = LARGEST_WIDTH
) -> Scene:
    """Draw a lattice of orders; ``words`` are in source order.

    Where a state has several arcs, the probability of each is shown after its word.
    """
    if not len(graph.arcs):
        return headed(empty_scene("A lattice of no words."), title)
    if len(graph.arcs) > MOST_ARCS:
        raise BadSetting(f"the lattice has {len(graph.arcs):,} arcs; at most {MOST_ARCS:,} can be drawn")
    layout = lattice_layout(graph, words, width=width)
    items: list[Item] = []
    for arc in layout.arcs:
        items.append(_arc(arc, graph))
    for state in layout.states:
        circle = Box(state.x - _RADIUS, state.y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS, "state", radius=_RADIUS)
        inner: tuple[Item, ...] = (circle,)
        if state.state == graph.states:
            ring = _RADIUS - 3.5
            inner += (Box(state.x - ring, state.y - ring, 2 * ring, 2 * ring, "state", radius=ring),)
        again = ", continued" if state.again else ""
        items.append(
            Group(inner, css="node", data=(("state", state.state),), title=f"state {state.state}{again}")
        )
    about = f"{graph.states + 1} states and {len(graph.arcs)} arcs over {graph.words} words."
    shown = mirrored(items, layout.width) if runs_right_to_left(words) else tuple(items)
    return headed(Scene(layout.width, layout.height, shown, "Lattice of orders", about), title)


def _arc(arc: ArcPlace, graph: Lattice) -> Group:
    (x, y), (middle, lane), (to, down) = arc.start, arc.middle, arc.end
    x, to = x + _RADIUS, to - _RADIUS
    left, right = middle - arc.room / 2 - 3, middle + arc.room / 2 + 3
    # Curves end before the widest label of the column begins, so that none runs through a label.
    inner, outer = arc.start[0] + _RISE - 3, arc.end[0] - _RISE + 3
    before, after = (x + inner) / 2, (outer + to) / 2
    lines = Path(
        (
            ("M", (x, y)), ("C", (before, y, before, lane, inner, lane)), ("L", (left, lane)),
            ("M", (right, lane)), ("L", (outer, lane)), ("C", (after, lane, after, down, to, down)),
        ),
        "line",
    )  # fmt: skip
    word = text_width(arc.label, WORD_SIZE)
    items: tuple[Item, ...] = (
        lines, Label(arc.label, middle - arc.room / 2 + word / 2, lane, "word", WORD_SIZE)
    )  # fmt: skip
    if arc.share is not None:
        items += (Label(f"{arc.share:.2f}", middle + arc.room / 2, lane, "number", NUMBER_SIZE, "right"),)
    start, stop = _ends(graph, arc.number)
    return Group(items, css="arc", data=(("from", start), ("to", stop)), title=arc.title)


def lattice_text(graph: Lattice, words: Sequence[str]) -> str:
    """List the arcs of a lattice, state by state: the next state, the word, and its probability.

    >>> import numpy as np
    >>> from wordorder.core.lattice import lattice
    >>> from wordorder.core.permutation import Permutation
    >>> both = lattice([Permutation([0, 1]), Permutation([1, 0])], np.zeros((2, 2)), [-0.1054, -2.3026])
    >>> print(lattice_text(both, ["a", "b"]))
    0 → 1  a  0.90
      → 2  b  0.10
    1 → 3  b
    2 → 3  a
    """
    shares = _shares(graph)
    digits = len(str(graph.states))
    lines = []
    for state, numbers in graph.out():
        for k, a in enumerate(numbers):
            _, to, position = graph.arcs[a].tolist()
            share = shares[a]
            tail = "" if share is None else f"  {share:.2f}"
            head = " " * digits if k else f"{state:>{digits}}"
            lines.append(f"{head} → {to:>{digits}}  {visible(words[position])}{tail}")
    return "\n".join(lines) or "empty"
