"""Lattices of orders as Moses, OpenFst and JSON have them, weighted by expected loss."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import orjson

from wordorder.core.lattice import Lattice
from wordorder.io.openfst import Fst, FstArc, OpenFst
from wordorder.io.plf import Plf, PlfArc


def plf_line(one: Lattice, words: Sequence[str], *, named: bool = False) -> str:
    """The lattice for Moses: one weight an arc, exp(-loss), so that a path has exp(-expected loss).

    ``named`` writes features by name as the original program does: source position, gain, both states.
    """
    states = []
    for state, arcs in one.out():
        found = []
        for a in arcs:
            _, to, position = one.arcs[a].tolist()
            if named:
                numbers: tuple[tuple[str, float], ...] = (
                    ("index", position),
                    ("KTau", round(float(one.gains[a]), 9)),
                    ("src_state", state),
                    ("tgt_state", to),
                )
            else:
                numbers = (("", round(math.exp(-float(one.losses[a])), 9)),)
            found.append(PlfArc(words[position], numbers, to - state))
        states.append(tuple(found))
    return Plf().to_line(tuple(states))


def fst_of(one: Lattice, words: Sequence[str]) -> Fst:
    """The lattice for OpenFst: reads source positions from 1, writes words; weights are expected losses."""
    arcs = tuple(
        FstArc(state, to, str(position + 1), words[position], round(max(float(loss), 0.0), 9))
        for (state, to, position), loss in zip(one.arcs.tolist(), one.losses, strict=True)
    )
    return Fst(arcs, ((one.states, 0.0),))


def fst_lines(one: Lattice, words: Sequence[str]) -> list[str]:
    """The automaton as lines of text."""
    out = io.BytesIO()
    OpenFst().write([fst_of(one, words)], out)
    return out.getvalue().decode("utf-8").rstrip("\n").split("\n")


def json_line(one: Lattice, words: Sequence[str]) -> str:
    """The lattice as a JSON object: words, number of states, the final one, arcs with their losses."""
    arcs = [[*arc, round(float(loss), 9)] for arc, loss in zip(one.arcs.tolist(), one.losses, strict=True)]
    data = {"words": list(words), "states": one.states + 1, "final": one.states, "arcs": arcs}
    return orjson.dumps(data).decode()
