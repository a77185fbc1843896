"""BEER's line protocol: one request and one answer per line, for tuners that score many candidates.

============================================ ====================================================
request                                      answer
``EVAL ||| system ||| ref 1 ||| ref 2``      a score for each reference, ``|||`` between them
``EVAL BEST ||| system ||| ref 1 ||| ...``   the greatest of them
``MARGIN ||| system ||| ref 1 ||| ...``      the weighted sums behind the scores
``FACTORS ||| system ||| ref 1 ||| ...``     the features, ``name=value``, with spaces
``EXIT``                                     none; serving ends, as it does at the end of input
anything else                                ``ERROR ||| what is wrong``
============================================ ====================================================

Every request has exactly one answer, so that a client can count lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from wordorder.errors import WordOrderError

if TYPE_CHECKING:
    from wordorder.metrics.beer import Beer

COMMANDS = ("EVAL", "EVAL BEST", "MARGIN", "FACTORS")
CHUNK = 1 << 16
# A field may be empty, and a space at the end of a line may be missing.
_BETWEEN = re.compile(r" \|\|\|(?= |$)")


class Request(NamedTuple):
    """A request about a translation and its references."""

    command: str
    system: str
    references: list[str]


def read_request(line: bytes) -> Request:
    r"""Read a request other than ``EXIT``.

    >>> read_request(b"EVAL BEST ||| a b ||| a ||| b\n")
    Request(command='EVAL BEST', system='a b', references=['a', 'b'])
    >>> read_request(b"MARGIN |||  ||| a")
    Request(command='MARGIN', system='', references=['a'])
    """
    try:
        text = line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise WordOrderError(f"byte {error.start + 1} is not UTF-8") from None
    command, *fields = _BETWEEN.split(text)
    if command not in COMMANDS:
        seen = f"{command[:40]!r}" if command else "an empty line"
        raise WordOrderError(f"expected {', '.join(COMMANDS)} or EXIT, found {seen}")
    if len(fields) < 2:
        missing = "a reference" if fields else "a system translation and a reference"
        raise WordOrderError(f"expected {command} ||| system ||| reference; {missing} is missing")
    system, *references = (field.removeprefix(" ") for field in fields)
    return Request(command, system, references)


def is_exit(line: bytes) -> bool:
    """Return whether the client ends the session."""
    return line.partition(b" |||")[0].rstrip() == b"EXIT"


def serve(beer: Beer, requests: BinaryIO, out: BinaryIO) -> None:
    """Answer until ``EXIT`` or the end of the input.

    Lines that have arrived by the time one is answered are answered together, which is much faster, but
    the server does not wait for them: a client that reads each answer before it asks again gets it at once.
    """
    parts: list[bytes] = []
    done = False
    while not done:
        chunk = requests.read1(CHUNK)  # type: ignore[attr-defined]  # only what is available
        parts.append(chunk)
        if chunk and b"\n" not in chunk:
            continue
        *lines, rest = b"".join(parts).split(b"\n")
        parts = [rest]
        if not chunk and rest:
            lines.append(rest)
        end = next((at for at, line in enumerate(lines) if is_exit(line)), None)
        done = not chunk or end is not None
        replies = answers(beer, lines[:end])
        out.write("".join(f"{answer}\n" for answer in replies).encode("utf-8", "backslashreplace"))
        out.flush()


def answers(beer: Beer, lines: Sequence[bytes]) -> list[str]:
    """Answer each line, all together; a request that cannot be scored gets an error in its own line."""
    replies = [""] * len(lines)
    requests: dict[int, Request] = {}
    for at, line in enumerate(lines):
        try:
            requests[at] = read_request(line)
        except WordOrderError as error:
            replies[at] = _error(error)
    for kinds in (("EVAL", "EVAL BEST"), ("MARGIN",), ("FACTORS",)):
        mine = [at for at, request in requests.items() if request.command in kinds]
        if mine:
            together = _together(beer, [requests[at] for at in mine])
            for at, answer in zip(mine, together, strict=True):
                replies[at] = answer
    return replies


def _together(beer: Beer, requests: Sequence[Request]) -> list[str]:
    """The answers to requests of one kind; a bad one does not affect the others."""
    try:
        return _answered(beer, requests)
    except Exception as error:  # one request must not end the service
        if len(requests) == 1:
            return [_error(error)]
    return [_together(beer, [request])[0] for request in requests]


def _answered(beer: Beer, requests: Sequence[Request]) -> list[str]:
    hypotheses = [request.system for request in requests for _ in request.references]
    references = [reference for request in requests for reference in request.references]
    command = requests[0].command
    if command == "FACTORS":
        each = iter(_factors(beer, hypotheses, references))
        return [" ||| ".join(next(each) for _ in request.references) for request in requests]
    model = beer.trained
    compute = model.margins if command == "MARGIN" else model.scores
    numbers = iter(compute(hypotheses, references).tolist())
    replies = []
    for request in requests:
        mine = [next(numbers) for _ in request.references]
        replies.append(" ||| ".join(map(as_java, [max(mine)] if request.command == "EVAL BEST" else mine)))
    return replies


def _factors(beer: Beer, hypotheses: Sequence[str], references: Sequence[str]) -> list[str]:
    """Return the features of each pair, as the model names them, before any scaling."""
    from wordorder.metrics.beer.beer20_model import Beer20

    model = beer.trained
    if isinstance(model, Beer20):
        names, rows = model.features.names, model.features.matrix(hypotheses, references)
    else:
        names, rows = model.names, model.raw(hypotheses, references)
    return [
        " ".join(f"{name}={as_java(value)}" for name, value in zip(names, row, strict=True))
        for row in rows.tolist()
    ]


def _error(error: BaseException) -> str:
    return "ERROR ||| " + (" ".join(str(error).split()) or type(error).__name__)


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
