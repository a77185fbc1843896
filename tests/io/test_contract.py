"""The contract of formats: every registered one keeps it, at random too, and broken ones are caught."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.io.strategies import RECORDS
from wordorder.core.plugins import ContractBroken
from wordorder.errors import BadFile
from wordorder.io.base import Format, LineFormat, Problem
from wordorder.io.checks import check_format, read_back, written
from wordorder.io.lenient import Lenient
from wordorder.io.registry import file_format, format_class, format_names


def variants() -> list[Format[Any]]:
    """Every format with every combination of its settings."""
    found = []
    for name in format_names():
        choices = format_class(name).choices()
        found += [
            format_class(name)(**dict(zip(choices, row, strict=True))) for row in product(*choices.values())
        ]
    return found


@pytest.mark.parametrize("made", variants(), ids=repr)
def test_contract(made: Format[Any]) -> None:
    check_format(made)


def test_every_format_is_tried_at_random() -> None:
    assert sorted(RECORDS) == format_names()


@pytest.mark.parametrize("made", variants(), ids=repr)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(data=st.data())
def test_what_is_written_is_read_back(made: Format[Any], data: st.DataObject) -> None:
    records = data.draw(RECORDS[made.name])
    found = read_back(made, written(made, records))
    if made.sparse:
        found += [made.blank()] * (len(records) - len(found))
    assert found == records


@pytest.mark.parametrize("name", sorted(RECORDS))
@given(data=st.data())
def test_damaged_files_raise_bad_file_and_nothing_else(name: str, data: st.DataObject) -> None:
    made = file_format(name)
    raw = bytearray(written(made, made.examples()))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    lenient = Lenient()
    for skips in (None, lenient):
        try:
            found = read_back(made, bytes(raw), lenient=skips)
        except BadFile as error:
            assert error.file == "some file" and error.line is not None
        else:
            try:
                again = written(made, found)
            except BadFile as error:  # a token may end in a CR where a blank follows; written, it would not
                assert "line break" in str(error) and b"\r" in raw
            else:
                assert read_back(made, again) == found or made.sparse
    assert 0 <= made.sniff(bytes(raw)) <= 1


@pytest.mark.parametrize(
    ("name", "records", "message"),
    [
        ("text", ["a", "b\nc"], "out:2: .*line break"),
        ("joint", [("a", "b ||| c")], "out:1: .*split again"),
        ("joint", [("a", "b"), ("|||", "b")], "out:2: .*split again"),
        ("tsv", [("a",), ("a\tb",)], "out:2: column 1 is 'a.tb', which holds a tab"),
        ("tsv", [("a", "b"), ("c",)], "out:2: 1 column; the first line has 2"),
        ("tsv", [()], "out:1: a row without columns"),
        ("jsonl", [{}, {"a": float("nan")}], "out:2: "),
        ("jsonl", [{"a": 2**70}], "out:1: cannot be written as JSON"),
        ("jsonl", [{"a": "\ud800"}], "out:1: cannot be written as JSON"),
        ("jsonl", [{"a": (1, 2)}], "out:1: .*would be read back changed"),
        ("jsonl", [[1]], "out:1: .*would be read back changed"),
        ("annotation", [(("a",), ("X", "Y"))], "out:1: layer 2 has 2 tokens, layer 1 has 1 token"),
        ("annotation", [(("a b",), ("X",))], "out:1: "),
        ("annotation", [(("a", ""), ("X", "Y"))], "out:1: "),
    ],
)
def test_records_that_would_not_be_read_back_are_not_written(
    name: str, records: list[Any], message: str
) -> None:
    with pytest.raises(BadFile, match=message):
        file_format(name).write(records, io.BytesIO(), file="out")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("joint", b"a ||| b\na b\n", "f:2: no ' \\|\\|\\| ' between two texts in 'a b'"),
        ("joint", b"a|||b\n", "f:1: .*Put a space on either side"),
        ("joint", b"a ||| b ||| c\n", "f:1: 3 texts between .*of its own"),
        ("tsv", b"a\tb\na\n", "f:2: 1 column; the first line has 2"),
        ("jsonl", b'{}\n{"a": }\n', "f:2: not JSON: .* at column 7"),
        ("jsonl", b"{}\n\n", "f:2: empty line; expected a JSON object"),
        ("jsonl", b"[1]\n", "f:1: .* is not an object"),
        ("annotation", b"a b\tX Y\na b\tX\n", "f:2: layer 2 has 1 token, layer 1 has 2 tokens"),
        ("annotation", b"a b\tX Y\na b\tX Y\t1 2\n", "f:2: 3 columns; the first line has 2"),
        ("order", b"0 1\n1 1\n", "f:2: 1 occurs twice"),
        ("order", b"0 1\n1 2\n", "f:2: .*Try base=1"),
        ("order", b"0 1\n\xff\n", "f:2: byte 0xff at column 1 is not UTF-8"),
    ],
)
def test_bad_lines_have_their_place(name: str, data: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=f"^{message}"):
        list(file_format(name).read(io.BytesIO(data), "f"))


def test_lenient_orders_keep_the_good_lines_and_their_numbers() -> None:
    lenient = Lenient()
    made = file_format("order")
    data = b"0 1\n0 0\n1 0\n\n\xff\n0\n"
    assert [list(p) for p in made.read(io.BytesIO(data), "f", lenient=lenient)] == [[0, 1], [1, 0], [0]]
    assert lenient.counts == {("f", "not a permutation"): 2, ("f", "not UTF-8"): 1}
    assert "f:2: 0 occurs twice" in lenient.report()


@dataclass(frozen=True, kw_only=True)
class Numbers(LineFormat[int]):
    """A whole number a line, after a hash."""

    name = "numbers"
    about = "whole numbers"

    def parse(self, line: str) -> int:
        if not (line.startswith("#") and line[1:].isdecimal()):
            raise Problem("no number", reason="no number")
        return int(line[1:])

    def to_line(self, record: int) -> str:
        return f"#{record}"

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        return float(all(line.startswith("#") for line in lines))

    def examples(self) -> list[int]:
        return [3, 0, 12]

    def broken(self) -> list[tuple[bytes, int]]:
        return [(b"#1\nx\n", 2)]


def test_broken_formats_are_caught() -> None:
    check_format(Numbers)

    class Nameless(Numbers):
        """No name for people."""

        name = "No Name"

    class Lossy(Numbers):
        """Drops the last digit."""

        def to_line(self, record: int) -> str:
            return f"#{record // 10}"

    class Deaf(Numbers):
        """Does not know itself."""

        @classmethod
        def likeness(cls, lines: Sequence[str]) -> float:
            return 0.0

    class Shy(Numbers):
        """Yields to plain text."""

        @classmethod
        def likeness(cls, lines: Sequence[str]) -> float:
            return 0.1

    class Silent(Numbers):
        """Repairs what it cannot read."""

        def parse(self, line: str) -> int:
            return int(line[1:]) if line[1:].isdecimal() else 0

    class Rude(Numbers):
        """Lets other errors out."""

        def broken(self) -> list[tuple[bytes, int]]:
            return [(b"#1\nx\n", 1)]

    for broken, message in (
        (Nameless, "lower_case"),
        (Lossy, "not read back"),
        (Deaf, "does not recognise"),
        (Shy, "as much like text"),
        (Silent, "without an error"),
        (Rude, "at fault in line 1, not at"),
    ):
        with pytest.raises(ContractBroken, match=message):
            check_format(broken)
