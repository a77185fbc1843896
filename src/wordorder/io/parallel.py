"""Parallel files, read line by line together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple, Protocol, TypeVar

from wordorder.errors import BadFile, BadSetting
from wordorder.io.base import Format
from wordorder.io.files import open_binary
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import counted
from wordorder.io.paths import extension_of, split_column
from wordorder.io.registry import file_format

T = TypeVar("T")
R = TypeVar("R", bound="Numbered")
# A path alone is plain text; None: guess the format; a function returns it for the first bytes.
FileSource = str | tuple[str, Format[Any] | str | Callable[[bytes], Format[Any] | str] | None]


class Numbered(Protocol):
    """A record with the number of its sentence."""

    @property
    def number(self) -> int:
        """The number, from 1, counting skipped sentences."""
        ...


class ParallelRow(NamedTuple):
    """The records of one sentence, one from each file."""

    number: int  # of the sentence, from 1, counting skipped ones
    records: tuple[Any, ...]


class _End:
    """The mark for a file without further records."""


def read_parallel(sources: Sequence[FileSource], *, lenient: Lenient | None = None) -> Iterator[ParallelRow]:
    """Yield the rows of parallel files, reading one block of each at a time.

    Files of different lengths are an error that names the first short file and the length of the longest.
    With ``lenient``, rows with a bad line are skipped, and so are records without a partner at the end.
    Sentences missing at the end of a sparse file (WPT) have no links.
    """
    named = [(source, "text") if isinstance(source, str) else source for source in sources]
    if [path for path, _ in named].count("-") > 1:
        raise BadSetting("standard input (-) can be read only once")
    with ExitStack() as stack:
        streams: list[_Stream] = []
        for path, form in named:
            file, column = split_column(path)
            handle = stack.enter_context(open_binary(file))
            if form is None or callable(form):
                from wordorder.io.read_write import recognised  # which knows all formats

                handle, form = recognised(handle, file, form)
            if column is not None:
                from wordorder.io.columns import column_format

                form = column_format(path, form)
            elif form == "text" and extension_of(file) == ".parquet":
                raise BadFile("is a table; name one of its columns: FILE#COLUMN", file=file)
            form = file_format(form)
            streams.append(_Stream(file, form, form.scan(handle, file)))
        yield from _rows(streams, lenient)


def read_beside(
    path: str, form: Format[Any] | str, *, of: str, count: int, lenient: Lenient | None = None
) -> Iterator[ParallelRow]:
    """Yield rows of one record from a file that belongs to the ``count`` sentences of the file ``of``.

    Lengths are checked, and sparse files filled up, as in :func:`read_parallel`.
    """
    form = file_format(form)
    with open_binary(path) as handle:
        texts = _Stream(of, file_format("text"), iter(range(count)))
        for row in _rows([texts, _Stream(path, form, form.scan(handle, path))], lenient):
            yield ParallelRow(row.number, row.records[1:])


def placed(rows: Iterable[R], blank: R, lenient: Lenient | None) -> Iterator[R]:
    """Yield rows, with ``blank`` for each skipped one, so that output and input have the same lines.

    If all rows were skipped, that is an error.
    """
    before = lenient.total if lenient else 0
    last = blanks = 0
    for row in rows:
        missing = row.number - 1 - last
        yield from itertools.repeat(blank, missing)
        yield row
        last, blanks = row.number, blanks + missing
    if lenient and not last and lenient.total > before:
        raise lenient.nothing_left()
    yield from itertools.repeat(blank, lenient.total - before - blanks if lenient else 0)


def batches(items: Iterable[T], size: int = 4096) -> Iterator[list[T]]:
    """Cut a stream into lists.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while batch := list(itertools.islice(rest, size)):
        yield batch


class _Stream:
    """A file that is being read."""

    def __init__(self, path: str, form: Format[Any], items: Iterator[Any]) -> None:
        self.path, self.form, self.items = path, form, items
        self.count = 0
        self.last: Any = None

    def next(self) -> Any:
        item = next(self.items, _End)
        if item is not _End:
            self.count += 1
            self.last = item
        return item

    def drain(self) -> None:
        """Count what is left."""
        self.count += sum(1 for _ in self.items)

    @property
    def line(self) -> int:
        """The last line that was read, 0 if there is none or it is not known."""
        if self.form.unit == "line":
            return self.count
        from wordorder.io.sentence import Sentence

        if isinstance(self.last, Sentence):
            return self.last.line + len(self.last.comments) + len(self.last.rows) - 1
        return 0

    @property
    def length(self) -> str:
        return counted(self.count, self.form.unit)


def _rows(streams: Sequence[_Stream], lenient: Lenient | None) -> Iterator[ParallelRow]:
    for number in itertools.count(1) if streams else ():
        row = [stream.next() for stream in streams]
        for item in row:
            if item is _End or isinstance(item, BadLine):
                break
        else:
            yield ParallelRow(number, tuple(row))
            continue
        ended = [stream for stream, item in zip(streams, row, strict=True) if item is _End]
        if len(ended) == len(streams):
            return
        if any(not stream.form.sparse for stream in ended):
            _different_lengths(streams, ended, lenient)
            return
        bad = next((place for place, item in enumerate(row) if isinstance(item, BadLine)), None)
        if bad is None:
            yield ParallelRow(
                number, tuple(s.form.blank() if s in ended else i for s, i in zip(streams, row, strict=True))
            )
        elif lenient is None:
            from wordorder.io.sniff import with_hint

            raise with_hint(row[bad], streams[bad].form)
        else:
            lenient.skip(row[bad])


def _different_lengths(streams: Sequence[_Stream], ended: Sequence[_Stream], lenient: Lenient | None) -> None:
    """Report that a file ended before the others, with the length of the longest."""
    for stream in streams:
        stream.drain()
    short = next(stream for stream in ended if not stream.form.sparse)
    longest = max(streams, key=lambda stream: stream.count)
    ends = "is where this file ends" if short.count else "is empty"
    message = f"{ends}, but {longest.path} has {longest.length}; parallel files must be equally long"
    if lenient is None:
        raise BadFile(message, file=short.path, line=short.line or None)
    problem = BadLine(message, file=short.path, line=short.line or 1, reason=f"no partner for {longest.path}")
    lenient.skip(problem, count=longest.count - short.count)
