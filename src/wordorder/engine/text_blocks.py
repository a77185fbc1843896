"""Read translations and references from files in blocks, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.engine.score_texts import TextBlock
from wordorder.errors import BadFile, BadSetting
from wordorder.io.aligned import alignment_format, fitted
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import split_words
from wordorder.io.parallel import FileSource, ParallelRow, batches, read_parallel
from wordorder.metrics.given_alignments import GivenAlignments

SEGMENTS = 2048  # per block: enough to keep a thread busy, few enough to keep memory small


@dataclass(frozen=True, kw_only=True)
class AlignmentFiles:
    """Files of alignments of the source with each reference, and with each system."""

    source: str
    references: Sequence[str]
    systems: Sequence[str]
    form: str = "pharaoh"
    policy: str = "talbot"


class _AlignedLine(NamedTuple):
    """One segment of all files; alignments are of references, then systems, where there are any."""

    number: int
    texts: tuple[str, ...]
    alignments: tuple[Alignment, ...]


def read_blocks(
    references: Sequence[str],
    systems: Sequence[str],
    *,
    alignments: AlignmentFiles | None = None,
    lenient: Lenient | None = None,
    size: int = SEGMENTS,
) -> Iterator[TextBlock]:
    """Read all files in parallel, line by line, and yield blocks of segments."""
    refs, texts = len(references), len(references) + len(systems)
    files: list[FileSource] = [*references, *systems]
    if alignments:
        if len(alignments.references) != refs or refs + len(alignments.systems) != texts:
            raise BadSetting("expected one alignment file for each reference and one for each system")
        files.append(alignments.source)
        files += [(path, alignments.form) for path in (*alignments.references, *alignments.systems)]
    empty = True
    for lines in batches(_fitting(read_parallel(files, lenient=lenient), texts, alignments, lenient), size):
        empty = False
        columns = [list(column) for column in zip(*(line.texts for line in lines), strict=True)]
        given = None
        if alignments:
            links = [list(column) for column in zip(*(line.alignments for line in lines), strict=True)]
            given = [
                GivenAlignments(hypotheses=mine, references=links[:refs], policy=alignments.policy)
                for mine in links[refs:]
            ]
        yield TextBlock([line.number for line in lines], columns[:refs], columns[refs:], given)
    if empty and lenient and lenient.total:
        raise lenient.nothing_left()
    if empty:
        raise BadFile("is empty; expected one segment per line", file=systems[0])


def _fitting(
    rows: Iterator[ParallelRow], texts: int, files: AlignmentFiles | None, lenient: Lenient | None
) -> Iterator[_AlignedLine]:
    """Yield rows whose links are between words that exist; others are errors, or skipped and counted."""
    form = alignment_format(files.form) if files else None
    for row in rows:
        if files is None or form is None:
            yield _AlignedLine(row.number, row.records, ())
            continue
        words = [len(split_words(text)) for text in row.records[: texts + 1]]
        paths = (*files.references, *files.systems)
        try:
            alignments = tuple(
                fitted(record, words[texts], size, path=path, form=form, number=row.number)
                for record, size, path in zip(row.records[texts + 1 :], words[:texts], paths, strict=True)
            )
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            yield _AlignedLine(row.number, row.records[:texts], alignments)
