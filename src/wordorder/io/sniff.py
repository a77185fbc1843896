"""Guess the format of a file from its first lines and its name."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from wordorder.io.base import AlignmentFormat, Format
from wordorder.io.files import open_binary
from wordorder.io.lenient import BadLine
from wordorder.io.packed import unpacked_from
from wordorder.io.paths import extension_of
from wordorder.io.registry import format_class, format_names

SAMPLE = 64 << 10  # bytes
SURE = 0.9  # the score of a format that is worth a hint
_BY_NAME = 0.15  # added for a fitting extension: enough to choose between similar formats, not to overrule


class Guess(NamedTuple):
    """A format that a file may have, and a score from 0 to 1."""

    name: str
    score: float


def guess_formats(head: bytes, file: str = "") -> list[Guess]:
    """Return the formats that a file with these first bytes may have, the likeliest first.

    There are none for a file that is empty or not UTF-8.

    >>> [guess.name for guess in guess_formats(b"0-0 1-2\\n1-1\\n")]
    ['pharaoh', 'text']
    """
    extension = extension_of(file)
    sample = head
    if len(head) >= SAMPLE:  # complete lines only, unless the first is longer than a sample
        sample = head[: head.rfind(b"\n") + 1] or head
    guesses = []
    for name in format_names():
        cls = format_class(name)
        score = cls.sniff(sample)
        if score > 0:
            guesses.append(Guess(name, min(1.0, score + _BY_NAME * (extension in cls.extensions))))
    return sorted(guesses, key=lambda guess: (-guess.score, guess.name))


class Sniffed(NamedTuple):
    """The format that a file seems to have; ``why_not`` explains why no format fits."""

    file: str
    packing: str | None
    guesses: list[Guess]  # the likeliest first
    why_not: str


def sniff_file(path: str) -> Sniffed:
    """Guess the format of a file, packed or not."""
    with open_binary(path) as handle:
        packing = unpacked_from(handle)
        head = handle.read(SAMPLE)
    guesses = guess_formats(head, path)
    why_not = "" if guesses else "not UTF-8 text" if head else "empty"
    return Sniffed(path, packing, guesses, why_not)


def with_hint(bad: BadLine, form: Format[Any]) -> BadLine:
    """Return the error with the format that the file seems to have, if links were read in another one."""
    if not isinstance(form, AlignmentFormat) or bad.suggest or not os.path.isfile(bad.file):
        return bad
    best = next(iter(sniff_file(bad.file).guesses), None)
    if best is None or best.score < SURE or best.name == form.name:
        return bad
    message = bad.message.removeprefix(f"{bad.file}:{bad.line}: ")
    links = issubclass(format_class(best.name), AlignmentFormat)
    return BadLine(
        f"{message}. The file seems to have the format {best.name}.",
        file=bad.file,
        line=bad.line or 1,
        reason=bad.reason,
        suggest={"align_format": best.name} if links else None,
    )
