"""The contract of file formats, as a check for any class."""

from __future__ import annotations

import io
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.core.plugins import ContractBroken
from wordorder.errors import BadFile
from wordorder.io.base import AlignmentFormat, Format
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.registry import format_class, format_names

FILE = "some file"


def check_format(form: Format[Any] | type[Format[Any]]) -> None:
    """Raise :class:`ContractBroken`, naming the first promise that the format does not keep.

    Takes a format, or a class that can be form without arguments.

    >>> from wordorder.io.registry import file_format
    >>> check_format(file_format("pharaoh:base=1"))
    """
    if isinstance(form, type):
        form = form()
    _check_identity(form)
    _check_round_trip(form)
    _check_links(form)
    _check_sniffing(form)
    _check_errors(form)


def _require(holds: bool, form: Format[Any], promise: str) -> None:
    if not holds:
        raise ContractBroken(f"{type(form).__name__}: {promise}")


def written(form: Format[Any], records: list[Any]) -> bytes:
    """Return the file that a format writes."""
    out = io.BytesIO()
    form.write(records, out, file=FILE)
    return out.getvalue()


def read_back(form: Format[Any], data: bytes, *, lenient: Lenient | None = None) -> list[Any]:
    """Return the records that a format reads."""
    return list(form.read(io.BytesIO(data), FILE, lenient=lenient))


def _check_identity(form: Format[Any]) -> None:
    name = getattr(form, "name", None)
    _require(isinstance(name, str), form, "has no name")
    _require(form.name.isidentifier() and form.name.islower(), form, f"name {form.name!r} is not lower_case")
    _require(bool(getattr(form, "about", "")), form, "has no description (about)")
    _require("\n" not in form.about, form, "has a description (about) of more than one line")
    _require(bool(type(form).__doc__), form, "has no docstring")
    params = getattr(form, "__dataclass_params__", None)
    _require(
        params is not None and params.frozen,
        form,
        "is not a frozen dataclass: settings could change between two files",
    )
    for extension in form.extensions:
        fine = extension.startswith(".") and extension == extension.lower()
        _require(fine, form, f"extension {extension!r} is not like '.txt'")


def _check_round_trip(form: Format[Any]) -> None:
    records = form.examples()
    _require(len(records) > 1, form, "gives fewer than two examples")
    data = written(form, records)
    _require(read_back(form, data) == records, form, "what is written is not read back as it was")
    _require(written(form, read_back(form, data)) == data, form, "writing twice gives different files")
    crlf = data.replace(b"\n", b"\r\n")
    _require(read_back(form, crlf) == records, form, "lines that end in CRLF are read differently")
    last = data.removesuffix(b"\n")
    if not last.endswith(b"\n"):
        _require(read_back(form, last) == records, form, "a last line without an end is read differently")
    pieces = list(form.read(_Trickle(data), FILE))
    _require(pieces == records, form, "a file that arrives byte by byte is read differently")
    for count in range(len(records)):
        again = read_back(form, written(form, records[:count]))
        again += [form.blank()] * (count - len(again)) if form.sparse else []
        _require(again == records[:count], form, f"the first {count} examples alone are not read back")
    empty = written(form, []) == b"" and read_back(form, b"") == []
    _require(empty, form, "no records do not give an empty file")


class _Trickle(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(1 if size else 0)


def _check_links(form: Format[Any]) -> None:
    if not isinstance(form, AlignmentFormat) or type(form).record is AlignmentFormat.record:
        return
    alignment = Alignment(4, 3, [(0, 2), (1, 0), (3, 0)])
    again = form.fit(form.record(alignment), 4, 3)
    _require(again == alignment, form, "the record of an alignment does not fit it")


def _check_sniffing(form: Format[Any]) -> None:
    for sample in (b"", b"\n", b"\xff\xfe", b"\x00", b"a b\n", b"1\n", b"\t\n", b"{", b"0-0", b"\xe2\x9f"):
        score = form.sniff(sample)
        _require(0 <= score <= 1, form, f"sniffing {sample!r} gives {score}; expected 0 to 1")
    data = written(form, form.examples())
    own = form.sniff(data)
    _require(own > 0, form, "does not recognise its own examples")
    for name in format_names():
        other = format_class(name)
        if not isinstance(form, other) and name != form.name:
            _require(other.sniff(data) < own, form, f"its own examples look as much like {name}")


def _check_errors(form: Format[Any]) -> None:
    records = form.examples()
    data = written(form, records)
    last = data.count(b"\n") + 1
    _check_refused(form, data + b"\xff\n", last)
    lenient = Lenient()
    others = read_back(form, data + b"\xff\n", lenient=lenient)
    # The bad line may be a part of the last record.
    _require(others in (records, records[:-1]), form, "a bad line changes how the others are read")
    _require(lenient.total == 1 and FILE in lenient.report(), form, "a skipped line is not counted")
    _check_refused(form, b"\xef\xbb\xbf" + data, 1)
    for broken, line in form.broken():
        _check_refused(form, broken, line)
        lenient = Lenient()
        try:
            read_back(form, broken, lenient=lenient)
        except BadFile as error:  # a fault of the whole file stops a lenient reader, too
            _require(not isinstance(error, BadLine), form, f"a lenient reader stops at {broken!r}")
        else:
            _require(lenient.total > 0, form, f"a lenient reader does not count {broken!r}")


def _check_refused(form: Format[Any], data: bytes, line: int) -> None:
    try:
        read_back(form, data)
    except BadFile as error:
        place = (error.file, error.line)
        _require(place == (FILE, line), form, f"{data[-80:]!r} is at fault in line {line}, not at {place}")
    else:
        _require(False, form, f"{data[-80:]!r} is read without an error")
