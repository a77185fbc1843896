"""Sentence pairs, and word alignments checked against their sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.io.base import AlignmentFormat, Format, LineFormat, Problem
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import split_words
from wordorder.io.parallel import read_parallel
from wordorder.io.registry import file_format, format_class, format_names


class Pair(NamedTuple):
    """Two texts that stand together."""

    number: int  # of the pair in its files, counted from 1; skipped ones count
    source: str
    target: str


class AlignedPair(NamedTuple):
    """Two sentences and the links between their words."""

    number: int  # of the pair in its files, counted from 1; skipped ones count
    source: list[str]
    target: list[str]
    alignment: Alignment


def read_pairs(
    source: str,
    target: str | None = None,
    *,
    form: Format[Any] | str | None = None,
    lenient: Lenient | None = None,
) -> Iterator[Pair]:
    """Yield pairs of texts from two text files, or from one file that holds both.

    One file is joint text, a table of two columns, or JSON lines with ``source`` and ``target``;
    ``form`` says which, or it is the one in which most of the first lines are two texts.
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


def _pair_format(head: bytes) -> str:
    """Choose the format in which most of the first lines are two texts, or JSON objects.

    A general guess requires that every line fits, so one bad line would make all of them plain text.
    """
    lines = head.decode("utf-8", "replace").split("\n")

    def pairs(name: str) -> int:
        made = file_format(name)
        assert isinstance(made, LineFormat)
        count = 0
        for line in lines:
            with suppress(Problem):
                record = made.parse(line)
                count += isinstance(record, dict) or _two_texts(record) is not None
        return count

    best = max(("jsonl", "joint", "tsv"), key=pairs)  # the first of equals
    return best if pairs(best) else "joint"


def fitted(
    record: Any, source_size: int, target_size: int, *, path: str, form: Format[Any] | str, number: int
) -> Alignment:
    """The alignment of a record of links between sentences of these lengths; an error names its line."""
    made = alignment_format(form)
    try:
        return made.fit(record, source_size, target_size)
    except Problem as problem:
        line = made.line_of(record, number)
        raise problem.at(path, line) from None


def alignment_format(form: Format[Any] | str) -> AlignmentFormat[Any]:
    """A format of word alignments; any other is refused by name."""
    made = file_format(form)
    if not isinstance(made, AlignmentFormat):
        known = [name for name in format_names() if issubclass(format_class(name), AlignmentFormat)]
        raise BadSetting(f"{made.name} does not hold word alignments. Those that do: {', '.join(known)}.")
    return made


def read_aligned(
    source: str,
    target: str,
    links: str,
    *,
    form: Format[Any] | str = "pharaoh",
    lenient: Lenient | None = None,
) -> Iterator[AlignedPair]:
    """Yield sentence pairs with their alignments from two text files and a file of links.

    Every link must be between words that exist. ``form`` is any format of alignments: ``pharaoh:base=1``,
    ``wpt``, ``lader``.
    """
    made = alignment_format(form)
    for number, (first, second, record) in read_parallel([source, target, (links, made)], lenient=lenient):
        words, others = split_words(first), split_words(second)
        try:
            alignment = fitted(record, len(words), len(others), path=links, form=made, number=number)
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            yield AlignedPair(number, words, others, alignment)
