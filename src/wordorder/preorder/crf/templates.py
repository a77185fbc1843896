"""Templates of features: which layers are looked at in which places of an edge, or of a pair of words.

The left part of an edge goes from word ``Ll`` to word ``Lr``, the right part from ``Rl`` to ``Rr``; ``Lo``
stands before the edge and ``Ro`` behind it. Features of this kind are those of top-down BTG parsing
(Nakagawa 2015); features of pairs of words that change sides are those of linear ordering (Tromble and
Eisner 2009).
"""

from __future__ import annotations

from collections.abc import Sequence

PLACES = ("Lo", "Ll", "Lr", "Rl", "Rr", "Ro")
LENGTHS = ("left", "right", "both")
PAIR = ("a-", "a", "a+", "b-", "b", "b+", "far")

# Which places are looked at together; what sees one or two of the boundaries costs next to nothing.
FEW = ("Lo", "Ll", "Lr", "Rl", "Rr", "Ro", "Lo Ll", "Lr Rl", "Rr Ro")
TWO = (
    "Ll Lr",
    "Ll Rl",
    "Lo Rl",
    "Lo Lr",
    "Ll Lr Rl",
    "Lo Ll Lr Rl",
    "Lr Rr",
    "Rl Rr",
    "Rl Ro",
    "Lr Ro",
    "Lr Rl Rr",
    "Lr Rl Rr Ro",
    "Ll Rr",
    "Lo Ro",
    "Lo Ll Rr Ro",
    "Ll Ro",
    "Lo Rr",
)
SIZES = ("left", "right", "both", "left right")
SIZED = ("Ll left", "Lr left", "Rl right", "Rr right", "Ll Rr both", "Rl Rr right", "Ll Lr left")


def _row(text: str, layer: int) -> list[int]:
    names = text.split()
    return [layer if place in names else -1 for place in PLACES] + [
        0 if length in names else -1 for length in LENGTHS
    ]


def edge_templates(layers: int) -> list[list[int]]:
    """All templates of edges. None sees words at all three boundaries, which would cost the most by far."""
    made = [_row(text, 0) for text in ("", *SIZES)]
    return made + [_row(text, layer) for layer in range(layers) for text in (*FEW, *TWO, *SIZED)]


def pair_templates(layers: Sequence[int]) -> list[list[int]]:
    """Templates of pairs of words that an inverted edge turns round."""
    sets = ("a b", "a b far", "a b a+", "a b b-", "a- a b", "a b b+", "a", "b")
    return [
        [layer if place in names.split() else -1 for place in PAIR[:6]] + [0 if "far" in names else -1]
        for layer in layers
        for names in sets
    ]
