"""Read translations and references from files in blocks, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from wordorder.engine.score_texts import TextBlock
from wordorder.errors import BadFile, BadSetting
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import split_words
from wordorder.io.parallel import FileSource, ParallelRow, batches, read_parallel

if TYPE_CHECKING:
    from wordorder.core.alignment import Alignment
    from wordorder.metrics.given_alignments import GivenAlignments

SEGMENTS = 2048  # per block: enough to keep a thread busy, few enough to keep memory small


@dataclass(frozen=True, kw_only=True)
class AlignmentFiles:
    """Files of alignments of the source with each reference, and with each system.

    Without references, the order of the systems is compared with that of the source.
    """

    source: str
    references: Sequence[str]
    systems: Sequence[str]
    form: str = "pharaoh"
    policy: str = "talbot"


@dataclass(frozen=True)
class ScoredFiles:
    """All files that are scored together."""

    references: Sequence[str]
    systems: Sequence[str]
    alignments: AlignmentFiles | None = None

    def by_kind(self) -> dict[str, str]:
        """Return the files by what they hold."""
        given = self.alignments
        files = {f"reference {k}": path for k, path in enumerate(self.references, start=1)}
        files |= {f"system {k}": path for k, path in enumerate(self.systems, start=1)}
        if given:
            files["source"] = given.source
            files |= {f"reference alignment {k}": p for k, p in enumerate(given.references, start=1)}
            files |= {f"system alignment {k}": path for k, path in enumerate(given.systems, start=1)}
        return files

    def replaced(self, files: Mapping[str, str]) -> ScoredFiles:
        """Return other files of the same kinds, such as those of a shard."""
        rest = iter(files[kind] for kind in self.by_kind())
        references = [next(rest) for _ in self.references]
        systems = [next(rest) for _ in self.systems]
        given = self.alignments
        if given is not None:
            source = next(rest)
            links = [[next(rest) for _ in paths] for paths in (given.references, given.systems)]
            given = replace(given, source=source, references=links[0], systems=links[1])
        return ScoredFiles(references, systems, given)

    def read(self, lenient: Lenient | None = None, *, shard: bool = False) -> Iterator[TextBlock]:
        """Read the files as :func:`read_blocks` does."""
        given = self.alignments
        return read_blocks(self.references, self.systems, alignments=given, lenient=lenient, shard=shard)


class _AlignedLine(NamedTuple):
    """One segment of all files where alignments are given: those of references, then those of systems."""

    number: int
    records: tuple[str, ...]  # of references, systems and the source
    alignments: tuple[Alignment, ...]


def read_blocks(
    references: Sequence[str],
    systems: Sequence[str],
    *,
    alignments: AlignmentFiles | None = None,
    lenient: Lenient | None = None,
    size: int = SEGMENTS,
    shard: bool = False,
) -> Iterator[TextBlock]:
    """Read all files in parallel, line by line, and yield blocks of segments.

    Empty files are an error unless they are a ``shard`` of a corpus.
    """
    refs, texts = len(references), len(references) + len(systems)
    files: list[FileSource] = [*references, *systems]
    if alignments:
        if len(alignments.references) != refs or refs + len(alignments.systems) != texts:
            raise BadSetting("expected one alignment file for each reference and one for each system")
        files.append(alignments.source)
        files += [(path, alignments.form) for path in (*alignments.references, *alignments.systems)]
    empty = True
    rows = read_parallel(files, lenient=lenient)
    fitting: Iterator[ParallelRow | _AlignedLine] = (
        _fitting(rows, texts, alignments, lenient) if alignments else rows
    )
    for lines in batches(fitting, size):
        empty = False
        columns = [list(column) for column in zip(*(line.records for line in lines), strict=True)]
        given: list[GivenAlignments] | None = None
        compared = columns[:refs]
        if alignments:
            from wordorder.metrics.given_alignments import GivenAlignments, SourceAlignments

            aligned = cast("list[_AlignedLine]", lines)
            links = [list(column) for column in zip(*(line.alignments for line in aligned), strict=True)]
            given = [
                GivenAlignments(hypotheses=mine, references=links[:refs], policy=alignments.policy)
                if refs
                else SourceAlignments(hypotheses=mine, policy=alignments.policy)
                for mine in links[refs:]
            ]
            compared = compared or [columns[texts]]
        yield TextBlock([line.number for line in lines], compared, columns[refs:texts], given)
    if empty and not shard and lenient and lenient.total:
        raise lenient.nothing_left()
    if empty and not shard:
        raise BadFile("is empty; expected one segment per line", file=systems[0])


def _fitting(
    rows: Iterator[ParallelRow], texts: int, files: AlignmentFiles, lenient: Lenient | None
) -> Iterator[_AlignedLine]:
    """Yield rows whose links are between words that exist; others are errors, or skipped and counted."""
    from wordorder.io.aligned import alignment_format, fitted

    form = alignment_format(files.form)
    for row in rows:
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
            yield _AlignedLine(row.number, row.records[: texts + 1], alignments)
