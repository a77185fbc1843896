"""Files with one permutation per line.

Numbers are separated by spaces or commas, brackets around the line are allowed, and ``<>`` is the empty
permutation. Files are read in blocks of complete lines, so that memory stays constant and blocks can be
parsed in parallel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from wordorder import _native
from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import BadFile, InvalidPermutation
from wordorder.io.files import open_binary
from wordorder.io.lines import Block, cut_blocks, not_utf8

__all__ = ["BLOCK", "Block", "parse_block", "read_blocks", "read_permutations"]

BLOCK = 4 << 20  # bytes


def read_blocks(handle: IO[bytes], file: str, *, size: int = BLOCK) -> Iterator[Block]:
    """Cut a file into blocks of complete lines; an empty file is an error."""
    empty = True
    for block in cut_blocks(handle, file, size=size):
        empty = False
        yield block
    if empty:
        raise BadFile("is empty; expected one permutation per line", file=file)


def parse_block(block: Block, *, base: int = 0, order: bool = False) -> Permutations:
    """Read the permutations of a block, as ranks or as orders; the first bad line is an error."""
    values, offsets, bad, begin, end = _native.parse_permutations(block.text, base)
    if bad >= 0:
        raise _problem(block.text[begin:end], base, block.file, block.first_line + bad)
    permutations = Permutations._trusted(values, offsets)
    return permutations._inverse() if order else permutations


def read_permutations(path: str, *, base: int = 0, order: bool = False) -> Permutations:
    """Read a whole file; ``base`` is the smallest number, 0 or 1. Numbers are ranks, or orders.

    The whole text becomes one block, which is parsed at once.
    """
    with open_binary(path) as handle:
        text = b"".join(block.text for block in read_blocks(handle, path))
    return parse_block(Block(path, 1, text), base=base, order=order)


def found_base(text: bytes) -> int | None:
    """Return the smallest number of the first permutation in a text: it holds a 0, or it starts at 1.

    >>> found_base(b"<>\\n2 1 3\\n"), found_base(b"")
    (1, None)
    """
    digit = re.search(rb"\d", text)
    if digit is None:
        return None
    line = text[text.rfind(b"\n", 0, digit.start()) + 1 :].partition(b"\n")[0]
    return 0 if b"0" in re.findall(rb"\d+", line) else 1


def _problem(line: bytes, base: int, file: str, number: int) -> BadFile:
    """Return the error for a line that the kernel refused."""
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
