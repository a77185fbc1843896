"""The line protocols of METEOR and BEER: one request and one answer per line, for tuners and decoders.

==================================================== ==============================================
request                                              answer
``SCORE ||| reference ||| reference ||| hypothesis`` the statistics of the segment, with spaces
``EVAL ||| sums of statistics``                      the score of the corpus
``EVAL ||| hypothesis ||| reference ||| reference``  a score for each reference, with ``|||``
``EVAL BEST ||| hypothesis ||| reference ||| ...``   the best of them
``MARGIN ||| hypothesis ||| reference ||| ...``      BEER's weighted sums behind the scores
``FACTORS ||| hypothesis ||| reference ||| ...``     BEER's features, ``name=value``, with spaces
``EXIT``                                             none; serving ends, as at the end of input
anything else                                        ``ERROR ||| what is wrong``
==================================================== ==============================================

``SCORE``, and ``EVAL`` with numbers, are METEOR's; the others are BEER's. Every request has exactly one
answer, so that a client can count lines.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import NamedTuple

from wordorder.errors import WordOrderError

COMMANDS = ("SCORE", "EVAL", "EVAL BEST", "MARGIN", "FACTORS")
MOST_REFERENCES = 10_000  # of a request, so that its answer takes seconds
# A field may be empty, and a space at the end of a line may be missing.
_BETWEEN = re.compile(r" \|\|\|(?= |$)")


class Request(NamedTuple):
    """A request about a translation and its references, or about sums of statistics."""

    command: str
    hypothesis: str = ""
    references: tuple[str, ...] = ()
    sums: tuple[float, ...] = ()


def read_request(line: bytes) -> Request:
    r"""Read a request other than ``EXIT``.

    >>> read_request(b"EVAL BEST ||| a b ||| a ||| b\n").references
    ('a', 'b')
    >>> read_request(b"SCORE ||| a ||| b ||| a b\n").references
    ('a', 'b')
    >>> read_request(b"EVAL |||3 4 \n").sums  # as Moses writes it
    (3.0, 4.0)
    """
    try:
        text = line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise WordOrderError(f"byte {error.start + 1} is not UTF-8") from None
    command, bars, rest = text.partition(" |||")
    if command not in COMMANDS:
        seen = f"{command[:40]!r}" if command else "an empty line"
        raise WordOrderError(f"expected {', '.join(COMMANDS)} or EXIT, found {seen}")
    fields = [field.removeprefix(" ") for field in _BETWEEN.split(rest)] if bars else []
    if command == "EVAL" and len(fields) == 1:
        return Request(command, sums=_numbers(fields[0]))
    if len(fields) < 2:
        form = "reference ||| hypothesis" if command == "SCORE" else "hypothesis ||| reference"
        missing = "one of them" if fields else "both"
        raise WordOrderError(f"expected {command} ||| {form}; {missing} missing")
    if len(fields) - 1 > MOST_REFERENCES:
        raise WordOrderError(f"{len(fields) - 1:,} references; expected at most {MOST_REFERENCES:,}")
    if command == "SCORE":
        return Request(command, fields[-1], tuple(fields[:-1]))
    return Request(command, fields[0], tuple(fields[1:]))


def _numbers(field: str) -> tuple[float, ...]:
    try:
        numbers = tuple(map(float, field.split()))
    except ValueError:
        numbers = (math.nan,)
    if not numbers or not all(map(math.isfinite, numbers)):
        raise WordOrderError(
            f"expected EVAL ||| statistics or EVAL ||| hypothesis ||| reference, found {field[:40]!r} alone"
        )
    return numbers


def is_exit(line: bytes) -> bool:
    """Return whether the client ends the session."""
    return line.partition(b" |||")[0].rstrip() == b"EXIT"


def as_java(number: float) -> str:
    """Write a number as Java does: with an exponent below 0.001 and from 10 million on.

    >>> as_java(0.25), as_java(0.00012), as_java(0.0), as_java(-12345678.0)
    ('0.25', '1.2E-4', '0.0', '-1.2345678E7')
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    text = repr(number)
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return text
    sign, digits, exponent = Decimal(text).normalize().as_tuple()
    first, *more = map(str, digits)
    assert isinstance(exponent, int)  # the number is finite
    power = exponent + len(more)
    return f"{'-' if sign else ''}{first}.{''.join(more) or '0'}E{power}"
