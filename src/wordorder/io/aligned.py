"""Sentence pairs, and word alignments checked against their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.io.base import AlignmentFormat, Format, LineFormat, Problem
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.parallel import read_parallel
from wordorder.io.parquet import MAGIC, Parquet
from wordorder.io.registry import file_format, format_class, format_names


class Pair(NamedTuple):
    """Two parallel texts."""

    number: int  # of the pair in its files, from 1, counting skipped ones
    source: str
    target: str


def read_pairs(
    source: str,
    target: str | None = None,
    *,
    form: Format[Any] | str | None = None,
    lenient: Lenient | None = None,
) -> Iterator[Pair]:
    """Yield pairs of texts from two text files, or from one file that holds both.

    A single file is joint text, a table of two columns, or JSON lines or Parquet with ``source`` and
    ``target``. Without ``form``, its format is the one in which most of the first lines are two texts.
    """
    if target is not None:
        for number, (first, second) in read_parallel([source, target], lenient=lenient):
            yield Pair(number, first, second)
        return
    for number, (record,) in read_parallel([(source, form or _pair_format)], lenient=lenient):
        pair = _two_texts(record)
        if pair:
            yield Pair(number, *pair)
            continue
        message = "not two texts; expected: source ||| target, two columns, or two files"
        if isinstance(record, dict):
            keys = ", ".join(map(repr, record)) or "no keys"
            message = f"the object has {keys}; expected the texts 'source' and 'target'"
        bad = BadLine(message, file=source, line=number, reason="not two texts")
        if lenient is None:
            raise bad
        lenient.skip(bad)


def _two_texts(record: Any) -> tuple[str, str] | None:
    pair = (record.get("source"), record.get("target")) if isinstance(record, dict) else record
    if isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(text, str) for text in pair):
        return pair
    return None


def _pair_format(head: bytes) -> Format[Any] | str:
    """Choose the format in which most of the first lines are two texts, or JSON objects.

    The general guess requires that every line fits, so that a single bad line would make all plain text.
    """
    if head.startswith(MAGIC):
        return Parquet()
    lines = head.decode("utf-8", "replace").split("\n")

    def pairs(name: str) -> int:
        form = file_format(name)
        assert isinstance(form, LineFormat)
        count = 0
        for line in lines:
            with suppress(Problem):
                record = form.parse(line)
                count += isinstance(record, dict) or _two_texts(record) is not None
        return count

    best = max(("jsonl", "joint", "tsv"), key=pairs)  # the first of equals
    return best if pairs(best) else "joint"


def fitted(
    record: Any, source_size: int, target_size: int, *, path: str, form: Format[Any] | str, number: int
) -> Alignment:
    """Return the alignment of a record for sentences of these lengths; an error names its line."""
    links_format = alignment_format(form)
    try:
        return links_format.fit(record, source_size, target_size)
    except Problem as problem:
        raise problem.at(path, links_format.line_of(record, number)) from None


def alignment_format(form: Format[Any] | str) -> AlignmentFormat[Any]:
    """Return a format of word alignments; any other format is an error."""
    form = file_format(form)
    if not isinstance(form, AlignmentFormat):
        known = [name for name in format_names() if issubclass(format_class(name), AlignmentFormat)]
        raise BadSetting(f"{form.name} does not hold word alignments. Those that do: {', '.join(known)}.")
    return form
