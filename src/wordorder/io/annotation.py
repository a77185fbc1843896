"""Layers of annotation: words, tags, classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.registry import register

Layers = tuple[tuple[str, ...], ...]


@register
@dataclass(frozen=True, kw_only=True)
class Annotation(LineFormat[Layers]):
    """Layers of a sentence on one line, tabs between layers and blanks between tokens.

    LADER and top-down BTG read words, tags and classes so. Every layer has a token for every word,
    and every line as many layers as the first.

    >>> Annotation().parse("the cat\\tDT NN\\t7 12")
    (('the', 'cat'), ('DT', 'NN'), ('7', '12'))
    """

    name = "annotation"
    about = "layers (words, tags, classes) separated by tabs, with one token per word (LADER, BTG)"
    extensions = (".annot", ".tagged")

    def parse(self, line: str) -> Layers:
        """Split into layers and tokens; all layers are equally long."""
        layers = tuple(tuple(token for token in part.split(" ") if token) for part in line.split("\t"))
        for number, layer in enumerate(layers[1:], start=2):
            if len(layer) != len(layers[0]):
                raise Problem(
                    f"layer {number} has {_tokens(len(layer))}, layer 1 has {_tokens(len(layers[0]))}",
                    reason="layers of different length",
                )
        return layers

    def width(self, record: Layers) -> int:
        """All lines have as many layers as the first."""
        return len(record)

    def to_line(self, record: Layers) -> str:
        """Join tokens with blanks and layers with tabs, if the line can be split again."""
        line = "\t".join(" ".join(layer) for layer in record)
        if self.parse(line) != tuple(map(tuple, record)):
            raise Problem(f"{shown(line)} has an empty token or one with a blank", reason="blank in a token")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Ask for two or more layers and equal lengths."""
        try:
            layers = list(map(cls().parse, lines))
        except Problem:
            return 0.0
        if len({len(one) for one in layers}) > 1 or len(layers[0]) < 2:
            return 0.0
        # With one token a line it might as well be a table.
        return 0.7 if any(len(one[0]) > 1 for one in layers) else 0.55

    def examples(self) -> list[Layers]:
        """Three layers, one sentence without words."""
        first = (("the", "cat"), ("DT", "NN"), ("7", "12"))
        return [first, ((), (), ()), (("a\u3000b", "|||", "\u2028"), ("X", "SYM", "_"), ("0", "1", "2"))]

    def broken(self) -> list[tuple[bytes, int]]:
        """A tag too few, a layer too few."""
        return [(b"a b\tX Y\na b\tX\n", 2), (b"a b\tX Y\na b\n", 2), (b"a\tX\n\n", 2)]


def _tokens(count: int) -> str:
    return f"{count} token" + ("" if count == 1 else "s")
