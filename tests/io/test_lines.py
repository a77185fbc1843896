"""Lines: where they end, what they hold, and what is wrong with them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.errors import BadFile
from wordorder.io import lines as module
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import cut_blocks, read_lines, split_words, write_lines


def lines_of(data: bytes) -> list[str | BadLine]:
    return list(read_lines(io.BytesIO(data), "some.txt"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\n\r\n", ["a", "b", ""]),
        (b"a\r\r\nb\r", ["a\r", "b"]),  # one CR belongs to the line end
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei\n".encode(),
         ["a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\x1dh\x1ei"]),
        (b"\x00\n\x00", ["\x00", "\x00"]),
        ("x\ufeffy\n\ufeff\n".encode(), ["x\ufeffy", "\ufeff"]),  # only at the beginning is it a mark
    ],
)  # fmt: skip
def test_only_lf_and_crlf_end_lines(data: bytes, expected: list[str]) -> None:
    assert lines_of(data) == expected


@given(st.lists(st.text("ab \r\u2028é猫", max_size=6)), st.integers(1, 40))
def test_blocks_of_any_size_hold_the_same_lines(some: list[str], size: int) -> None:
    data = "".join(line + "\n" for line in some).encode()
    blocks = list(cut_blocks(io.BytesIO(data), "x", size=size))
    assert b"".join(block.text for block in blocks) == data
    assert [line.removesuffix("\r") for line in some] == lines_of(data)
    assert all(block.text.endswith(b"\n") for block in blocks)


def test_a_bad_byte_is_named_with_its_column_and_the_lines_around_it_are_read() -> None:
    before, bad, after = lines_of(b"fine\n" + "猫x".encode() + b"\xff\xfe\nalso\n")
    assert (before, after) == ("fine", "also") and isinstance(bad, BadLine)
    assert str(bad) == "some.txt:2: byte 0xff at column 3 is not UTF-8 (byte 5 of the line)"
    assert (bad.file, bad.line, bad.reason) == ("some.txt", 2, "not UTF-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"ab\xe7", "byte 0xe7 at column 3"),  # cut off
        (b"\xed\xa0\x80", "byte 0xed at column 1"),  # a surrogate
        (b"\xc0\xaf", "byte 0xc0 at column 1"),  # too long
        (b"a\xe9b\r", "byte 0xe9 at column 2"),  # Latin-1
    ],
)
def test_every_kind_of_bad_utf8(line: bytes, message: str) -> None:
    (bad,) = lines_of(line + b"\n")
    assert isinstance(bad, BadLine) and str(bad).startswith(f"some.txt:1: {message} is not UTF-8")


def test_line_numbers_hold_beyond_the_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    count = module.BLOCK // 4
    data = b"abcdefg\n" * count + b"\xff\n"
    *_, bad = read_lines(io.BytesIO(data), "x")
    assert isinstance(bad, BadLine) and bad.line == count + 1


@pytest.mark.parametrize(
    ("mark", "message"),
    [(b"\xef\xbb\xbf", "BOM.*tail -c"), (b"\xff\xfe", "UTF-16.*iconv"), (b"\xfe\xff", "UTF-16.*iconv")],
)
def test_byte_order_marks_say_what_to_do(mark: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=f"some.txt:1: .*{message}"):
        lines_of(mark + b"a\n")


@pytest.mark.parametrize(
    ("some", "message"),
    [
        (["a", "b\nc"], "out:2: .*line break"),
        (["a\r"], "out:1: .*line break"),
        (["\ufeffa"], "out:1: .*byte order mark"),
        (["a", "b\ud800"], r"out:2: U\+D800 at column 2"),
    ],
)
def test_what_would_be_read_differently_is_not_written(some: list[str], message: str) -> None:
    with pytest.raises(BadFile, match=message):
        write_lines(some, io.BytesIO(), file="out")


def test_words_stand_between_spaces_and_tabs_and_nothing_else() -> None:
    assert split_words("  a  b\tc ") == ["a", "b", "c"]
    assert split_words("\u3000 a\u00a0b \u2028") == ["\u3000", "a\u00a0b", "\u2028"]
    assert split_words("") == split_words(" \t ") == []


def test_skips_are_counted_by_file_and_reason() -> None:
    lenient = Lenient()
    assert lenient.report() == "" and lenient.total == 0
    for line in (3, 5):
        lenient.skip(BadLine("bad", file="a", line=line, reason="not UTF-8"))
    lenient.skip(BadLine("worse", file="b", line=1, reason="bad link"), count=1000)
    assert lenient.total == 1002
    assert lenient.report().splitlines() == [
        "a: skipped 2 (not UTF-8); the first: a:3: bad",
        "b: skipped 1,000 (bad link); the first: b:1: worse",
    ]
