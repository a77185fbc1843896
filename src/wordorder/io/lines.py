"""Lines of text files.

A line ends with LF or CRLF; the last line needs no line break. U+2028, U+0085, vertical tab, form feed, a
CR inside a line and NUL are ordinary characters. Text is UTF-8 without a byte order mark.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import IO, NamedTuple

from wordorder.errors import BadFile, BadSetting
from wordorder.io.lenient import BadLine

_OTHER_BLANKS = re.compile(r"[^\S \t]|[\x1c-\x1f\x85]")

LONGEST_LINE = "WORDORDER_LONGEST_LINE"  # the environment variable with the limit
BLOCK = 256 << 10  # bytes; larger blocks are not faster, and several files may be open
_MARKS = {
    b"\xef\xbb\xbf": "begins with a byte order mark (BOM). Remove it: tail -c +4 FILE > NEW",
    b"\xff\xfe": "is UTF-16; expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW",
    b"\xfe\xff": "is UTF-16; expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW",
}


class Block(NamedTuple):
    """Some complete lines of a file."""

    file: str
    first_line: int  # counted from 1
    text: bytes


def cut_blocks(handle: IO[bytes], file: str, *, size: int = BLOCK) -> Iterator[Block]:
    """Cut a file into blocks of complete lines; an empty file has none."""
    line = 1
    rest: list[bytes] = []
    longest = longest_line()
    while piece := handle.read(size):
        cut = piece.rfind(b"\n") + 1
        if not cut:
            rest.append(piece)
            if sum(map(len, rest)) > longest:
                raise too_long(file, line, longest, "the line")
            continue
        text = b"".join([*rest, piece[:cut]])
        rest = [piece[cut:]]
        yield _without_mark(Block(file, line, text))
        line += text.count(b"\n")
    if text := b"".join(rest):
        yield _without_mark(Block(file, line, text))


def longest_line() -> int:
    """Return the most bytes of a line, so that a damaged or hostile file does not fill the memory."""
    return limit(LONGEST_LINE, 64 << 20, "bytes")


def limit(variable: str, default: int, unit: str) -> int:
    """Return a limit that an environment variable can change."""
    text = os.environ.get(variable, "")
    try:
        return int(text) if text else default
    except ValueError:
        raise BadSetting(f"{variable} is {shown(text)}; expected a number of {unit}") from None


def too_long(file: str, line: int, longest: int, what: str) -> BadFile:
    """Return the error for a line or row that is longer than the limit."""
    return BadFile(
        f"{what} is longer than {longest:,} bytes. Is it text? If so, raise the limit: "
        f"wordorder --longest-line BYTES, or {LONGEST_LINE}=BYTES",
        file=file,
        line=line,
    )


def _without_mark(block: Block) -> Block:
    """Check that a file does not begin with a byte order mark."""
    for mark, message in _MARKS.items() if block.first_line == 1 else ():
        if block.text.startswith(mark):
            raise BadFile(message, file=block.file, line=1)
    return block


def read_lines(handle: IO[bytes], file: str) -> Iterator[str | BadLine]:
    """Yield the lines without their line breaks; for a line that is not UTF-8, yield an error."""
    for block in cut_blocks(handle, file):
        try:
            text = block.text.decode("utf-8")
        except UnicodeDecodeError:
            yield from _decode_each(block)
            continue
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        if "\r" in text:
            lines = [line.removesuffix("\r") for line in lines]
        yield from lines


def read_paragraphs(handle: IO[bytes], file: str) -> Iterator[tuple[int, list[str | BadLine]]]:
    """Yield the lines up to each empty line, with the number of the first; there may be no lines."""
    lines: list[str | BadLine] = []
    start = 1
    for number, line in enumerate(read_lines(handle, file), start=1):
        if line != "":
            lines.append(line)
            continue
        yield start, lines
        lines, start = [], number + 1
    if lines:
        yield start, lines


def _decode_each(block: Block) -> Iterator[str | BadLine]:
    lines = block.text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=block.first_line):
        try:
            yield line.removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as error:
            yield not_utf8(error, block.file, number)


def not_utf8(error: UnicodeDecodeError, file: str, number: int) -> BadLine:
    """Return the error for a line that cannot be decoded, with the byte and its position."""
    at = error.start
    column = len(error.object[:at].decode("utf-8")) + 1
    where = f"byte 0x{error.object[at]:02x} at column {column} is not UTF-8"
    more = f" (byte {at + 1} of the line)" if at + 1 != column else ""
    return BadLine(where + more, file=file, line=number, reason="not UTF-8")


def write_lines(lines: Iterable[str], out: IO[bytes], *, file: str) -> None:
    """Write lines ended by LF; a line that could not be read back unchanged is an error."""
    for number, line in enumerate(lines, start=1):
        if "\n" in line or line.endswith("\r"):
            message = f"{shown(line)} contains a line break; it would be two lines"
            raise BadFile(message, file=file, line=number)
        if number == 1 and line.startswith("\ufeff"):
            raise BadFile("the file would begin with a byte order mark (U+FEFF)", file=file, line=1)
        try:
            out.write(line.encode("utf-8") + b"\n")
        except UnicodeEncodeError as error:
            message = f"U+{ord(line[error.start]):04X} at column {error.start + 1} cannot be written in UTF-8"
            raise BadFile(message, file=file, line=number) from None


def split_words(line: str) -> list[str]:
    """Split a line at spaces and tabs.

    Other white space, such as U+00A0 and U+3000, belongs to words: tokenised text may contain it.

    >>> split_words(" the  cat\\tsat ")
    ['the', 'cat', 'sat']
    """
    if "\t" in line:
        line = line.replace("\t", " ")
    return [word for word in line.split(" ") if word]


def as_split(line: str) -> str:
    """Replace white space other than spaces and tabs, for programs that split lines at any white space.

    >>> as_split("a\u00a0b c").split()
    ['a␣b', 'c']
    """
    return _OTHER_BLANKS.sub("␣", line) if _OTHER_BLANKS.search(line) else line


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number and the noun that it counts.

    >>> counted(1, "segment"), counted(2000, "segment"), counted(0, "hypothesis", "hypotheses")
    ('1 segment', '2,000 segments', '0 hypotheses')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def shown(text: str) -> str:
    """Quote and shorten text for an error message."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
