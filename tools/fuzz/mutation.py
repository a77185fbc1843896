"""Random changes of text and bytes: what damaged disks, other programs and hostile people produce."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

LARGEST = 1 << 18  # bytes of a changed file

NUMBERS = (
    b"0", b"1", b"-1", b"2", b"-0", b"00", b"007", b"65536", b"2147483647", b"2147483648", b"-2147483649",
    b"4294967296", b"9007199254740993", b"9223372036854775807", b"9223372036854775808",
    b"-9223372036854775809", b"18446744073709551616", b"1e5", b"1e308", b"-1e308", b"1e309", b"1e-320",
    b"1e999999999", b"nan", b"-nan", b"inf", b"-inf", b"0.5", b".5", b"5.", b"1_0", b"+3", b"0x10",
    b"\xd9\xa3", b"\xef\xbc\x91", b"\xc2\xb2", b"9" * 400, b"1" * 5000, b"0." + b"3" * 400,
)  # fmt: skip
PIECES = (
    b"", b" ", b"  ", b"\t", b"\n", b"\n\n", b"\r", b"\r\n", b"\0", b"\x0b", b"\x0c", b"\x1c", b"\x1b[2J",
    b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80",  # not UTF-8
    b"\xe2\x80\xa8", b"\xc2\x85", b"\xc2\xa0", b"\xe3\x80\x80", b"\xcc\x81", b"\xf0\x9f\x98\x80",
    b"|||", b" ||| ", b"<>", b"{{", b"}}", b"-", b"_", b"=", b":", b"#", b"\"", b"\"\"\"", b"'", b"\\",
    b"\\u0000", b"(", b")", b"[", b"]", b"[[", b"{", b"}", b",", b"(" * 3000, b"[" * 5000, b"{" * 3000,
    b'{"a":' * 3000, b"x" * 3000,
)  # fmt: skip
TOKEN = re.compile(rb"[^\s,:=|()\[\]{}\"-]+")
NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")

Change = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def changed(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Make one or a few changes; pieces of ``others``, the same files of other seeds, may be spliced in."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(CHANGES)(data, rng, others)[:LARGEST]
    return data


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randint(0, len(data))


def _flip(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Flip one bit."""
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _overwrite(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at = _place(data, rng)
    noise = rng.randbytes(rng.choice((1, 1, 2, 4, 8, 64)))
    return data[:at] + noise + data[at + len(noise) :]


def _insert(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.choice(PIECES) + data[at:]


def _cut_out(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    begin, end = sorted((_place(data, rng), _place(data, rng)))
    if rng.random() < 0.7:
        end = min(end, begin + rng.choice((1, 2, 10)))
    return data[:begin] + data[end:]


def _truncate(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    return data[: _place(data, rng)]


def _splice(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others) if others else data
    begin, end = sorted((_place(other, rng), _place(other, rng)))
    at = _place(data, rng)
    return data[:at] + other[begin:end] + data[rng.choice((at, min(len(data), at + end - begin))) :]


def _repeat(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    begin, end = sorted((_place(data, rng), _place(data, rng)))
    piece = data[begin:end][: rng.choice((1, 5, 50, 5000))]
    return data[:begin] + piece * rng.choice((2, 3, 10, 300, 3000)) + data[begin:]


def _change_token(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Replace a word by a piece, a number or another word of the file."""
    begin, end = _match(TOKEN, data, rng)
    if begin == end:
        return data
    other = _match(TOKEN, data, rng)
    new = rng.choice((rng.choice(PIECES), rng.choice(NUMBERS), data[slice(*other)]))
    return data[:begin] + new + data[end:]


def _change_number(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Replace a number by one at a border, or by a neighbour."""
    begin, end = _match(NUMBER, data, rng)
    if begin == end:
        return data
    new = rng.choice(NUMBERS)
    if rng.random() < 0.5 and data[begin:end].isdigit() and end - begin < 20:
        new = str(int(data[begin:end]) + rng.choice((-2, -1, 1, 2))).encode()
    return data[:begin] + new + data[end:]


def _match(pattern: re.Pattern[bytes], data: bytes, rng: random.Random) -> tuple[int, int]:
    """Return a match after a random place, or before it; an empty one if there is none."""
    found = pattern.search(data, _place(data, rng)) or pattern.search(data)
    return found.span() if found else (0, 0)


def _change_lines(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Remove, repeat, swap, join or empty lines, or take one from another seed."""
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(6)
    if what == 0:
        del lines[at]
    elif what == 1:
        lines[at:at] = [lines[other]] * rng.choice((1, 1, 2, 1000))
    elif what == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif what == 3:
        lines[at : at + 2] = [b"".join(lines[at : at + 2])]
    elif what == 4:
        lines[at] = b""
    else:
        lines[at] = rng.choice((rng.choice(others) if others else data).split(b"\n"))
    return b"\n".join(lines)


def _change_cells(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Remove, repeat, empty or swap a cell of a table."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    cells = lines[at].split(b"\t")
    k, other = rng.randrange(len(cells)), rng.randrange(len(cells))
    what = rng.randrange(4)
    if what == 0:
        del cells[k]
    elif what == 1:
        cells.insert(k, cells[other])
    elif what == 2:
        cells[k] = rng.choice((b"", *NUMBERS))
    else:
        cells[k], cells[other] = cells[other], cells[k]
    lines[at] = b"\t".join(cells)
    return b"\n".join(lines)


CHANGES: tuple[Change, ...] = (
    _flip, _overwrite, _insert, _insert, _cut_out, _truncate, _splice, _repeat, _change_token, _change_token,
    _change_number, _change_number, _change_lines, _change_lines, _change_cells,
)  # fmt: skip
