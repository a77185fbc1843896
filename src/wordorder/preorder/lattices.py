"""Lattices of orders for Moses and OpenFst and as JSON, weighted by expected loss."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import orjson

from wordorder.core.lattice import Lattice
from wordorder.io.openfst import Fst, FstArc, OpenFst
from wordorder.io.plf import Plf, PlfArc


def plf_line(lattice: Lattice, words: Sequence[str], *, named: bool = False) -> str:
    """Write a lattice for Moses: one weight per arc, exp(-loss), so that a path has exp(-expected loss).

    ``named`` writes named features like the original program: source position, gain, both states.
    """
    states = []
    for state, arcs in lattice.out():
        plf_arcs = []
        for a in arcs:
            _, to, position = lattice.arcs[a].tolist()
            if named:
                numbers: tuple[tuple[str, float], ...] = (
                    ("index", position),
                    ("KTau", round(float(lattice.gains[a]), 9)),
                    ("src_state", state),
                    ("tgt_state", to),
                )
            else:
                numbers = (("", round(math.exp(-float(lattice.losses[a])), 9)),)
            plf_arcs.append(PlfArc(words[position], numbers, to - state))
        states.append(tuple(plf_arcs))
    return Plf().to_line(tuple(states))


def fst_of(lattice: Lattice, words: Sequence[str]) -> Fst:
    """Return the automaton for OpenFst: input positions from 1, output words, weighted by loss."""
    arcs = tuple(
        FstArc(state, to, str(position + 1), words[position], round(max(float(loss), 0.0), 9))
        for (state, to, position), loss in zip(lattice.arcs.tolist(), lattice.losses, strict=True)
    )
    return Fst(arcs, ((lattice.states, 0.0),))


def fst_lines(lattice: Lattice, words: Sequence[str]) -> list[str]:
    """Write the automaton as lines of text."""
    out = io.BytesIO()
    OpenFst().write([fst_of(lattice, words)], out)
    return out.getvalue().decode("utf-8").rstrip("\n").split("\n")


def json_line(lattice: Lattice, words: Sequence[str]) -> str:
    """Write a lattice as a JSON object: words, number of states, final state, arcs with their losses."""
    arcs = [
        [*arc, round(float(loss), 9)] for arc, loss in zip(lattice.arcs.tolist(), lattice.losses, strict=True)
    ]
    data = {"words": list(words), "states": lattice.states + 1, "final": lattice.states, "arcs": arcs}
    return orjson.dumps(data).decode()
