"""Warnings about what the readers of the decoder Moses do not take, or take for something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordorder.preorder.outputs import DecodedBlock, OutputFormat

LONGEST_JUMP = 20  # states that an arc of a lattice may advance, unless Moses is told otherwise


@dataclass
class DecoderWarnings:
    """Counts what a decoder would stumble over in an output."""

    wanted: OutputFormat
    empty: int = 0  # sentences
    special: int = 0  # words that Moses takes for something else
    escaped_before: int = 0  # words
    example: str = ""
    longest: int = 0  # jump
    long_arcs: int = 0
    long_sentences: int = 0
    left_out: int = 0  # orders
    shortened: int = 0  # sentences

    def add(self, block: DecodedBlock) -> None:
        """Look at more sentences."""
        from wordorder.text.escapes import unescaped

        if self.wanted.escape != "none":
            twice = [word for source in block.sources for word in source.words if unescaped(word) != word]
            self.escaped_before += len(twice)
            self.example = self.example or next(iter(twice), "")
        if self.wanted.kind != "lattice" or self.wanted.form not in ("plf", "plf-named"):
            return
        for source, (graph, left_out) in zip(block.sources, block.lattices, strict=True):
            self.empty += not source.words
            if self.wanted.escape == "none":
                self.special += sum("|" in word or word == "*EPS*" for word in source.words)
            long = int((graph.arcs[:, 1] - graph.arcs[:, 0] > LONGEST_JUMP).sum())
            self.longest = max(self.longest, graph.jump)
            self.long_arcs += long
            self.long_sentences += long > 0
            self.left_out += left_out
            self.shortened += left_out > 0

    def lines(self) -> list[str]:
        """Return the warnings."""
        from wordorder.io.lines import counted, shown
        from wordorder.text.escapes import EMPTY

        lines = []
        if self.escaped_before:
            lines.append(
                f"{counted(self.escaped_before, 'word')} of the input with escapes, such as"
                f" {shown(self.example)}, escaped again. Give text without escapes, or leave out --escape."
            )
        empty = counted(self.empty, "empty sentence")
        if self.empty and self.wanted.escape == "none":
            lines.append(
                f"{empty}, written as empty lines, at which Moses stops reading lattices. Try --escape moses,"
                f" which writes the word {EMPTY} instead."
            )
        elif self.empty:
            lines.append(
                f"{empty}, written as the word {EMPTY}, which the decoder copies. Remove it from the"
                f" translations: sed 's/^{EMPTY}$//'"
            )
        if self.special:
            lines.append(
                f"{counted(self.special, 'word')} with a | or equal to *EPS*, which Moses takes for factors"
                " or for no word. Try --escape moses."
            )
        if self.long_arcs:
            arcs, where = counted(self.long_arcs, "arc"), counted(self.long_sentences, "sentence")
            lines.append(
                f"{arcs} in {where} with jumps over more than {LONGEST_JUMP} states,"
                " at which Moses stops, or which it ignores, by default. Run it with -max-phrase-length"
                f" {self.longest}, or try --max-jump {LONGEST_JUMP}."
            )
        if self.left_out and self.wanted.lattices.max_jump:
            orders, where = counted(self.left_out, "order"), counted(self.shortened, "sentence")
            lines.append(
                f"{orders} of {where} left out, so that no arc advances by more than"
                f" {counted(self.wanted.lattices.max_jump, 'state')}"
            )
        return lines
