"""Files of one permutation a line.

Numbers are separated by blanks or commas, brackets around the line are allowed, and ``<>`` is
the permutation of no words. Files are read in blocks of whole lines, so that memory stays
constant and blocks can be parsed side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from wordorder import _native
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import BadFile, InvalidPermutation
from wordorder.io.lines import Block, cut_blocks, not_utf8

__all__ = ["BLOCK", "Block", "parse_block", "read_blocks", "read_permutations"]

BLOCK = 4 << 20  # bytes


def read_blocks(handle: IO[bytes], file: str, *, size: int = BLOCK) -> Iterator[Block]:
    """Cut a file into blocks of whole lines; an empty file is an error."""
    empty = True
    for block in cut_blocks(handle, file, size=size):
        empty = False
        yield block
    if empty:
        raise BadFile("is empty; expected one permutation a line", file=file)


def parse_block(block: Block, *, base: int = 0, order: bool = False) -> Permutations:
    """Read the permutations of a block; the first bad line is an error with its place.

    The numbers of a line are ranks, or with ``order`` an order.
    """
    values, offsets, bad, begin, end = _native.parse_permutations(block.text, base)
    if bad >= 0:
        raise _problem(block.text[begin:end], base, block.file, block.first_line + bad)
    permutations = Permutations._trusted(values, offsets)
    return permutations._inverse() if order else permutations


def read_permutations(path: str, *, base: int = 0, order: bool = False) -> Permutations:
    """Read a whole file.

    ``base`` is the smallest number: 0, or 1 as papers print. The numbers of a line are ranks, or with
    ``order`` an order.
    """
    import numpy as np

    from wordorder.io.files import open_binary

    with open_binary(path) as handle:
        parts = [parse_block(block, base=base, order=order) for block in read_blocks(handle, path)]
    starts = np.cumsum([0] + [len(part.values) for part in parts])
    offsets = [part.offsets[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
    return Permutations._trusted(
        np.concatenate([part.values for part in parts]),
        np.concatenate([np.zeros(1, dtype=np.int64), *offsets]),
    )


def _problem(line: bytes, base: int, file: str, number: int) -> BadFile:
    """Say what is wrong with a line that the kernel refused."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        return not_utf8(error, file, number)
    if not text.strip():
        return BadFile("empty line (write <> for a sentence with nothing aligned)", file=file, line=number)
    try:
        Permutation.parse(text, base=base)
    except InvalidPermutation as error:
        return BadFile(error.message, file=file, line=number, suggest=error.suggest)
    return BadFile("not a permutation", file=file, line=number)
