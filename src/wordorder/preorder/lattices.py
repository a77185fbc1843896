"""The orders of a sentence as a lattice, and the formats of lattices."""

from __future__ import annotations

import io
import math
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import orjson

from wordorder.arrays import Doubles
from wordorder.core.lattice import Lattice, lattice
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.io.openfst import Fst, FstArc, OpenFst
from wordorder.io.plf import Plf, PlfArc
from wordorder.preorder.source import Candidate
from wordorder.text.escapes import EMPTY

LATTICE_FORMATS = ("plf", "plf-named", "openfst", "json")
WEIGHTS = ("probability", "loss")


@dataclass(frozen=True, kw_only=True)
class LatticeOptions:
    """How orders are weighted, and how far an arc may advance.

    ``weights`` is ``probability``, the log probability of the order, or ``loss``, the softmax of minus the
    expected number of word pairs in the wrong order, divided by ``temperature``. The latter also serves where
    no probability is known. With ``max_jump``, the least probable orders are left out until no arc advances
    by more states.
    """

    weights: str = "probability"
    temperature: float = 1.0
    max_jump: int | None = None

    def __post_init__(self) -> None:
        """Check the settings."""
        if self.weights not in WEIGHTS:
            raise BadSetting(f"unknown weights {self.weights!r}; expected one of {', '.join(WEIGHTS)}")
        if not 0 < self.temperature < math.inf:
            raise BadSetting(f"temperature is {self.temperature}; expected a number above 0")
        if self.max_jump is not None and self.max_jump < 1:
            raise BadSetting(f"arcs advance by {self.max_jump} states; expected 1 or more")


class OrderLattice(NamedTuple):
    """A lattice, and the number of orders that were left out to keep its jumps short."""

    graph: Lattice
    left_out: int


def order_lattice(
    candidates: Sequence[Candidate], precedence: Doubles, options: LatticeOptions | None = None
) -> OrderLattice:
    """Pack orders with their weights; orders of probability 0 are left out."""
    options = options or LatticeOptions()
    (first, *others) = weighted_orders(candidates, options)
    ranked = [first, *sorted(others, key=lambda pair: -pair[1])]  # the first order is never left out

    def packed(size: int) -> Lattice:
        orders, log_probs = zip(*ranked[:size], strict=True)
        return lattice(orders, precedence, log_probs)

    graph = packed(len(ranked))
    if options.max_jump is None or graph.jump <= options.max_jump:
        return OrderLattice(graph, 0)
    # One order has jumps of 1. More orders do not always have longer jumps; what is found has short ones.
    size = max(1, bisect(range(1, len(ranked)), options.max_jump, key=lambda size: packed(size).jump))
    return OrderLattice(packed(size), len(ranked) - size)


def weighted_orders(
    candidates: Sequence[Candidate], options: LatticeOptions
) -> list[tuple[Permutation, float]]:
    """Return the orders with their log probabilities."""
    known = [(one.order, one.log_prob) for one in candidates if one.log_prob not in (None, -math.inf)]
    if known and options.weights == "probability":
        return [(order, log_prob) for order, log_prob in known if log_prob is not None]
    n = len(candidates[0].order)
    scores = np.array([-one.loss for one in candidates]) * (n * (n - 1) / 2) / options.temperature
    log_probs = scores - np.logaddexp.reduce(scores)
    return [(one.order, score) for one, score in zip(candidates, log_probs.tolist(), strict=True)]


def lattice_lines(graph: Lattice, words: Sequence[str], *, form: str, placeholder: bool = False) -> list[str]:
    """Write a lattice with these words; with ``placeholder``, PLF has a word for an empty sentence."""
    if form == "openfst":
        return [*_fst_lines(graph, words), ""]
    if form == "json":
        return [_json_line(graph, words)]
    if placeholder and not words:
        name = "LogP" if form == "plf-named" else ""
        weight = 0.0 if form == "plf-named" else 1.0
        return [Plf().to_line(((PlfArc(EMPTY, ((name, weight),), 1),),))]
    return [_plf_line(graph, words, named=form == "plf-named")]


def _plf_line(graph: Lattice, words: Sequence[str], *, named: bool) -> str:
    """Write a lattice for Moses: one weight per arc, so that a path has the share of its order.

    The shares of all orders of the lattice add up to 1. Probabilities of orders of long sentences would be
    too small for Moses, which reads numbers of 32 bits. ``named`` writes named features like the original
    program (source position, gain, both states), and the log probability.
    """
    states = []
    for state, arcs in graph.out():
        everything = 0.0 if state else float(np.logaddexp.reduce(graph.log_probs[arcs]))
        plf_arcs = []
        for a in arcs:
            _, to, position = graph.arcs[a].tolist()
            log_prob = float(graph.log_probs[a])
            numbers: tuple[tuple[str, float], ...] = (("", _short(math.exp(log_prob - everything))),)
            if named:
                gain = round(float(graph.gains[a]), 9)
                numbers = ("index", position), ("KTau", gain), ("src_state", state), ("tgt_state", to)
                numbers = (*numbers, ("LogP", _short(log_prob)))
            plf_arcs.append(PlfArc(words[position], numbers, to - state))
        states.append(tuple(plf_arcs))
    return Plf().to_line(tuple(states))


def _fst_lines(graph: Lattice, words: Sequence[str]) -> list[str]:
    """Write a lattice for OpenFst: input positions from 1, output words, minus the log probability."""
    arcs = tuple(
        FstArc(state, to, str(position + 1), words[position], _short(-log_prob))
        for (state, to, position), log_prob in zip(graph.arcs.tolist(), graph.log_probs, strict=True)
    )
    out = io.BytesIO()
    OpenFst().write([Fst(arcs, ((graph.states, 0.0),))], out)
    return out.getvalue().decode("utf-8").rstrip("\n").split("\n")


def _json_line(graph: Lattice, words: Sequence[str]) -> str:
    """Write a JSON object: words, number of states, final state, arcs with log probabilities and losses."""
    numbers = zip(graph.arcs.tolist(), graph.log_probs, graph.losses, strict=True)
    arcs = [[*arc, _short(log_prob), round(float(loss), 9)] for arc, log_prob, loss in numbers]
    data = {"words": list(words), "states": graph.states + 1, "final": graph.states, "arcs": arcs}
    return orjson.dumps(data).decode()


def _short(weight: float) -> float:
    """Round a weight to nine significant digits, since a probability may be very small."""
    return float(f"{weight:.9g}") + 0.0  # not -0.0
