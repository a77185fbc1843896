"""Layers of annotation: words, tags, classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import counted, shown
from wordorder.io.registry import register

Layers = tuple[tuple[str, ...], ...]


@register
@dataclass(frozen=True, kw_only=True)
class Annotation(LineFormat[Layers]):
    """Layers of a sentence on one line, with tabs between layers and spaces between tokens.

    This is how LADER and top-down BTG read words, tags and classes. Every layer has one token per word,
    and every line has as many layers as the first.

    >>> Annotation().parse("the cat\\tDT NN\\t7 12")
    (('the', 'cat'), ('DT', 'NN'), ('7', '12'))
    """

    name = "annotation"
    about = "layers (words, tags, classes) separated by tabs, with one token per word (LADER, BTG)"
    extensions = (".annot", ".tagged")

    def parse(self, line: str) -> Layers:
        """Split into layers and tokens; all layers must have the same length."""
        layers = tuple(tuple(token for token in part.split(" ") if token) for part in line.split("\t"))
        for number, layer in enumerate(layers[1:], start=2):
            if len(layer) != len(layers[0]):
                raise Problem(
                    f"layer {number} has {counted(len(layer), 'token')},"
                    f" layer 1 has {counted(len(layers[0]), 'token')}",
                    reason="layers of different length",
                )
        return layers

    def width(self, record: Layers) -> int:
        """Return the number of layers."""
        return len(record)

    def to_line(self, record: Layers) -> str:
        """Join tokens with spaces and layers with tabs, if the line can be split again."""
        line = "\t".join(" ".join(layer) for layer in record)
        if self.parse(line) != tuple(map(tuple, record)):
            raise Problem(f"{shown(line)} has an empty token or one with a blank", reason="blank in a token")
        return line

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require two or more layers of equal length."""
        sentences = list(map(cls().parse, lines)) if cls.parses(lines) else []
        if len({len(layers) for layers in sentences}) != 1 or len(sentences[0]) < 2:
            return 0.0
        # With one token per line it might as well be a table.
        return 0.7 if any(len(layers[0]) > 1 for layers in sentences) else 0.55

    def examples(self) -> list[Layers]:
        """Return three layers, and a sentence without words."""
        first = (("the", "cat"), ("DT", "NN"), ("7", "12"))
        return [first, ((), (), ()), (("a\u3000b", "|||", "\u2028"), ("X", "SYM", "_"), ("0", "1", "2"))]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines with too few tags or layers."""
        return [(b"a b\tX Y\na b\tX\n", 2), (b"a b\tX Y\na b\n", 2), (b"a\tX\n\n", 2)]
