"""The contract of a file format, as a check that runs on anyone's class."""

from __future__ import annotations

import io
from typing import Any

from wordorder.errors import BadFile
from wordorder.io.base import Format
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.registry import format_class, format_names

FILE = "some file"


class ContractBroken(AssertionError):
    """A format does not keep the contract."""


def check_format(made: Format[Any] | type[Format[Any]]) -> None:
    """Raise :class:`ContractBroken`, naming the first promise that the format does not keep.

    Takes a format, or a class that can be made without arguments.

    >>> from wordorder.io.registry import file_format
    >>> check_format(file_format("pharaoh:base=1"))
    """
    if isinstance(made, type):
        made = made()
    _check_identity(made)
    _check_round_trip(made)
    _check_sniffing(made)
    _check_errors(made)


def _require(holds: bool, made: Format[Any], promise: str) -> None:
    if not holds:
        raise ContractBroken(f"{type(made).__name__}: {promise}")


def written(made: Format[Any], records: list[Any]) -> bytes:
    """The file that a format makes of records."""
    out = io.BytesIO()
    made.write(records, out, file=FILE)
    return out.getvalue()


def read_back(made: Format[Any], data: bytes, *, lenient: Lenient | None = None) -> list[Any]:
    """The records that a format finds in a file."""
    return list(made.read(io.BytesIO(data), FILE, lenient=lenient))


def _check_identity(made: Format[Any]) -> None:
    name = getattr(made, "name", None)
    _require(isinstance(name, str), made, "has no name")
    _require(made.name.isidentifier() and made.name.islower(), made, f"name {made.name!r} is not lower_case")
    _require(bool(getattr(made, "about", "")), made, "does not say what it is about")
    _require("\n" not in made.about, made, "what it is about takes more than a line")
    _require(bool(type(made).__doc__), made, "has no docstring")
    params = getattr(made, "__dataclass_params__", None)
    _require(
        params is not None and params.frozen,
        made,
        "is not a frozen dataclass: settings could change between two files",
    )
    for extension in made.extensions:
        fine = extension.startswith(".") and extension == extension.lower()
        _require(fine, made, f"extension {extension!r} is not like '.txt'")


def _check_round_trip(made: Format[Any]) -> None:
    records = made.examples()
    _require(len(records) > 1, made, "gives fewer than two examples")
    data = written(made, records)
    _require(read_back(made, data) == records, made, "what is written is not read back as it was")
    _require(written(made, read_back(made, data)) == data, made, "writing twice gives two files")
    crlf = data.replace(b"\n", b"\r\n")
    _require(read_back(made, crlf) == records, made, "lines that end in CRLF are read differently")
    last = data.removesuffix(b"\n")
    if not last.endswith(b"\n"):
        _require(read_back(made, last) == records, made, "a last line without an end is read differently")
    pieces = list(made.read(_Trickle(data), FILE))
    _require(pieces == records, made, "a file that comes byte by byte is read differently")
    for count in range(len(records)):
        part = records[:count]
        found = read_back(made, written(made, part))
        found += [made.blank()] * (count - len(found)) if made.sparse else []
        _require(found == part, made, f"the first {count} examples alone are not read back")
    _require(
        written(made, []) == b"" and read_back(made, b"") == [], made, "no records are not an empty file"
    )


class _Trickle(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1 if size else 0)


def _check_sniffing(made: Format[Any]) -> None:
    for sample in (b"", b"\n", b"\xff\xfe", b"\x00", b"a b\n", b"1\n", b"\t\n", b"{", b"0-0", b"\xe2\x9f"):
        score = made.sniff(sample)
        _require(0 <= score <= 1, made, f"sniffing {sample!r} gives {score}; expected 0 to 1")
    data = written(made, made.examples())
    own = made.sniff(data)
    _require(own > 0, made, "does not recognise its own examples")
    for name in format_names():
        other = format_class(name)
        if not isinstance(made, other) and name != made.name:
            _require(other.sniff(data) < own, made, f"its own examples look as much like {name}")


def _check_errors(made: Format[Any]) -> None:
    records = made.examples()
    data = written(made, records)
    last = data.count(b"\n") + 1
    _check_refused(made, data + b"\xff\n", last)
    lenient = Lenient()
    found = read_back(made, data + b"\xff\n", lenient=lenient)
    # The bad line may have been a part of the last record.
    _require(found in (records, records[:-1]), made, "a bad line changes what is read of the others")
    _require(lenient.total == 1 and FILE in lenient.report(), made, "a skipped line is not counted")
    _check_refused(made, b"\xef\xbb\xbf" + data, 1)
    for broken, line in made.broken():
        _check_refused(made, broken, line)
        lenient = Lenient()
        try:
            read_back(made, broken, lenient=lenient)
        except BadFile as error:  # what spoils the file as a whole stops also a lenient reader
            _require(not isinstance(error, BadLine), made, f"a lenient reader stops at {broken!r}")
        else:
            _require(lenient.total > 0, made, f"a lenient reader does not count {broken!r}")


def _check_refused(made: Format[Any], data: bytes, line: int) -> None:
    try:
        read_back(made, data)
    except BadFile as error:
        place = (error.file, error.line)
        _require(place == (FILE, line), made, f"{data[-80:]!r} is at fault in line {line}, not at {place}")
    else:
        _require(False, made, f"{data[-80:]!r} is read without an error")
