"""Order files: one permutation per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal

from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile
from wordorder.io.base import LineFormat, Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import Block, cut_blocks
from wordorder.io.permutations import parse_block
from wordorder.io.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Order(LineFormat[Permutation]):
    """Orders, one per line; number k is the original position of the word that is read k-th.

    Numbers are separated by spaces or commas, with or without brackets around them; ``<>`` is the empty
    permutation. ``base`` is the smallest number. With ``empty``, an empty line is the empty permutation, as
    preorderers write it; otherwise it is an error.

    >>> Order().parse("1 2 0").apply(["a", "b", "c"])
    ['b', 'c', 'a']
    """

    name = "order"
    about = "orders, one per line: the k-th number is the source position of the k-th word (LADER, BTG)"
    extensions = (".order", ".perm")

    base: Literal[0, 1] = 0
    empty: bool = False

    def scan(self, handle: IO[bytes], file: str) -> Iterator[Permutation | BadLine]:
        """Parse block by block in the kernel, and line by line where a block has a bad line."""
        for block in cut_blocks(handle, file):
            block = self._filled(block)
            try:
                yield from parse_block(block, base=self.base, order=True)
            except BadFile:
                yield from self._scan_lines(block)

    def _filled(self, block: Block) -> Block:
        """Return the block with ``<>`` for empty lines, if these are allowed."""
        if not self.empty:
            return block
        *lines, last = block.text.split(b"\n")
        filled = [line if line.strip(b" \t\r") else b"<>" for line in lines]
        return Block(block.file, block.first_line, b"\n".join([*filled, last]))

    def _scan_lines(self, block: Block) -> Iterator[Permutation | BadLine]:
        lines = block.text.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for number, text in enumerate(lines, start=block.first_line):
            try:
                yield parse_block(Block(block.file, number, text + b"\n"), base=self.base, order=True)[0]
            except BadLine as error:  # not UTF-8
                yield error
            except BadFile as error:
                message = error.message.removeprefix(f"{block.file}:{number}: ")
                suggest = error.suggest
                suggest = {} if self.empty else suggest  # the base was found from the numbers
                yield BadLine(
                    message, file=block.file, line=number, reason="not a permutation", suggest=suggest
                )

    def parse(self, line: str) -> Permutation:
        """Read one line."""
        try:
            block = self._filled(Block("", 1, line.encode("utf-8") + b"\n"))
            return parse_block(block, base=self.base, order=True)[0]
        except BadFile as error:
            raise Problem(str(error).removeprefix(":1: "), reason="not a permutation") from None

    def to_line(self, record: Permutation) -> str:
        """Write plain numbers."""
        numbers = " ".join(str(position + self.base) for position in record.order.tolist())
        return numbers or ("" if self.empty else "<>")

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require permutations only, all from 0 or all from 1."""
        # Some lines of an order file may be empty, but not all.
        block = Block("", 1, "\n".join(line for line in lines if line).encode("utf-8"))
        for base in (0, 1):
            try:
                return 0.9 if len(parse_block(block, base=base)) else 0.0
            except BadFile:
                pass
        return 0.0

    def examples(self) -> list[Permutation]:
        """Return orders of no words, one word, several words."""
        return [Permutation.from_order(order) for order in ([1, 2, 0], [], [0], [1, 3, 0, 2], range(12))]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return repeated and missing numbers, words, an empty line."""
        first = f"{1 + self.base} {self.base}\n".encode()
        blank = [] if self.empty else [(first + b"\n" + first, 2)]
        return [(first + b"1 1\n", 2), (b"one two\n", 1), (b"-1 0\n", 1), *blank]
