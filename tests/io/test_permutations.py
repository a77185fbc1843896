"""Reading and writing files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, InvalidPermutation
from wordorder.io.files import open_output
from wordorder.io.permutations import Block, parse_block, read_blocks, read_permutations

orders = st.lists(st.integers(0, 12).flatmap(lambda n: st.permutations(range(n))), min_size=1, max_size=30)


@given(orders, st.sampled_from([0, 1]), st.integers(1, 50))
def test_what_is_written_is_read_whatever_the_block_size(
    perms: list[list[int]], base: int, size: int
) -> None:
    text = "\n".join(Permutation(p).to_text(base=base) for p in perms).encode()
    blocks = list(read_blocks(io.BytesIO(text), "x", size=size))
    assert b"".join(b.text for b in blocks) == text
    found = [list(p) for b in blocks for p in parse_block(b, base=base)]
    assert found == perms
    line = 1
    for block in blocks:
        assert block.first_line == line
        line += block.text.count(b"\n")


@given(st.text("0123 ,<>⟨⟩-x\t\r", max_size=12), st.sampled_from([0, 1]))
def test_the_kernel_and_the_slow_parser_accept_the_same_lines(line: str, base: int) -> None:
    try:
        expected = list(Permutation.parse(line, base=base))
    except InvalidPermutation:
        expected = None
    try:
        found = [list(p) for p in parse_block(Block("x", 1, line.encode()), base=base)]
    except BadFile:
        found = None
    if line == "":
        assert found == []  # no line at all
    else:
        assert found == (None if expected is None else [expected])


def test_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "orders.txt"
    path.write_text("0 1\n1 0 2\n")
    assert [list(p) for p in read_permutations(str(path))] == [[0, 1], [1, 0, 2]]
    with pytest.raises(BadFile, match="does not exist") as caught:
        read_permutations(str(tmp_path / "none"))
    assert caught.value.line is None
    path.write_text("0 1\n1 1\n")
    with pytest.raises(BadFile) as caught:
        read_permutations(str(path))
    assert caught.value.line == 2 and caught.value.file == str(path)


def test_output_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    target.write_text("before")
    with pytest.raises(RuntimeError), open_output(str(target)) as out:
        out.write(b"half")
        raise RuntimeError
    assert target.read_text() == "before" and list(tmp_path.iterdir()) == [target]
    with open_output(str(target)) as out:
        out.write(b"whole")
    assert target.read_text() == "whole" and list(tmp_path.iterdir()) == [target]
