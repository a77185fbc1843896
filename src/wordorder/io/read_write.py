"""Records of one file, by path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any

from wordorder.io.base import Format
from wordorder.io.files import open_binary, open_output
from wordorder.io.lenient import Lenient
from wordorder.io.packed import rejoined
from wordorder.io.registry import file_format
from wordorder.io.sniff import SAMPLE, guess_formats


def read_records(
    path: str, form: Format[Any] | str | None = None, *, lenient: Lenient | None = None
) -> Iterator[Any]:
    """Yield the records of a file, one after the other; without a format, it is guessed.

    ``form`` is a format or how one is written, ``pharaoh:base=1``. With ``lenient``, bad lines are counted
    there and left out; without, the first is an error.
    """
    with open_binary(path) as handle:
        if form is None:
            handle, form = recognised(handle, path)
        yield from file_format(form).read(handle, path, lenient=lenient)


def write_records(path: str, records: Iterable[Any], form: Format[Any] | str) -> None:
    """Write a file, all or nothing; ``.gz`` and ``.zst`` are packed."""
    made = file_format(form)
    with open_output(path) as out:
        made.write(records, out, file=path)


def recognised(
    handle: IO[bytes], file: str, guess: Callable[[bytes], str] | None = None
) -> tuple[IO[bytes], str]:
    """The file from its beginning, and the name of its likeliest format, which ``guess`` may tell.

    What looks like nothing is taken for text: reading it then tells what is wrong, and where.
    """
    head = handle.read(SAMPLE)
    if guess is not None:
        return rejoined(head, handle), guess(head)
    guesses = guess_formats(head, file)
    return rejoined(head, handle), guesses[0].name if guesses else "text"
