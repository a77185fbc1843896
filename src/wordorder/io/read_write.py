"""Read and write the records of one file."""

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
    """Yield the records of a file; without ``form``, its format is guessed.

    ``form`` is a format or its name and settings, such as ``pharaoh:base=1``. With ``lenient``, bad lines are
    counted and skipped; otherwise the first one is an error.
    """
    with open_binary(path) as handle:
        if form is None:
            handle, form = recognised(handle, path)
        yield from file_format(form).read(handle, path, lenient=lenient)


def write_records(path: str, records: Iterable[Any], form: Format[Any] | str) -> None:
    """Write a file, completely or not at all; files named ``.gz`` and ``.zst`` are packed."""
    form = file_format(form)
    with open_output(path) as out:
        form.write(records, out, file=path)


def recognised(
    handle: IO[bytes], file: str, guess: Callable[[bytes], Format[Any] | str] | None = None
) -> tuple[IO[bytes], Format[Any] | str]:
    """Return the file from its beginning, and its likeliest format, or the one that ``guess`` returns.

    A file of no known format counts as text, so that the reader can report what is wrong and where.
    """
    head = handle.read(SAMPLE)
    if handle.seekable():
        handle.seek(0)
    else:
        handle = rejoined(head, handle)
    if guess is not None:
        return handle, guess(head)
    guesses = guess_formats(head, file)
    return handle, guesses[0].name if guesses else "text"
