"""Translations and references from files to blocks, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.induce import induce, relative
from wordorder.core.permutation import Permutations
from wordorder.engine.systems import TextBlock
from wordorder.errors import BadFile, BadSetting
from wordorder.io.aligned import fitted
from wordorder.io.lenient import BadLine, Lenient
from wordorder.io.lines import split_words
from wordorder.io.parallel import Row, batches, read_parallel
from wordorder.metrics.segments import Matched

SEGMENTS = 2048  # a block: enough to keep a thread busy, little enough to keep memory small


@dataclass(frozen=True, kw_only=True)
class AlignmentFiles:
    """Alignments that the user has: of the source with the reference, and with each system."""

    source: str
    reference: str
    systems: Sequence[str]
    form: str = "pharaoh"
    policy: str = "birch"

    @property
    def match(self) -> str:
        """How signatures say where permutations come from."""
        return f"alignments({self.policy})"


def read_blocks(
    references: Sequence[str],
    systems: Sequence[str],
    *,
    alignments: AlignmentFiles | None = None,
    lenient: Lenient | None = None,
    size: int = SEGMENTS,
) -> Iterator[TextBlock]:
    """Read all files line by line together, a block at a time."""
    files: list[str | tuple[str, str]] = [*references, *systems]
    if alignments:
        if len(references) != 1 or len(alignments.systems) != len(systems):
            raise BadSetting("with alignments there is one reference, and one --align file for each system")
        files += [alignments.source, (alignments.reference, alignments.form)]
        files += [(path, alignments.form) for path in alignments.systems]
    last = len(references) + len(systems)
    empty = True
    for rows in batches(_fitting(read_parallel(files, lenient=lenient), last, alignments, lenient), size):
        empty = False
        columns = [list(column) for column in zip(*(row.records for row in rows), strict=True)]
        yield TextBlock(
            numbers=[row.number for row in rows],
            references=columns[: len(references)],
            systems=columns[len(references) : last],
            given=_given(rows, columns, len(systems), alignments) if alignments else None,
        )
    if empty:
        raise BadFile("is empty; expected one segment a line", file=systems[0])


def _fitting(
    rows: Iterator[Row], texts: int, files: AlignmentFiles | None, lenient: Lenient | None
) -> Iterator[Row]:
    """Rows whose links are between words that exist; others are errors, or skipped and counted."""
    for row in rows:
        if files is None:
            yield row
            continue
        source = len(split_words(row.records[texts]))
        checks = [(files.reference, row.records[0], row.records[texts + 1])]
        checks += list(zip(files.systems, row.records[1:texts], row.records[texts + 2 :], strict=True))
        try:
            for path, text, record in checks:
                fitted(record, source, len(split_words(text)), path=path, form=files.form, number=row.number)
        except BadLine as bad:
            if lenient is None:
                raise
            lenient.skip(bad)
        else:
            yield row


def _given(
    rows: list[Row], columns: list[list[object]], systems: int, files: AlignmentFiles
) -> list[list[Matched]]:
    """Permutations from the user's alignments: the system's order of the source in the reference's terms.

    Both alignments order the source words, unaligned ones included, so the permutation has the
    length of the source; lengths of the texts are those of their words between blanks.
    """
    reference, *outputs = columns[: 1 + systems]
    sources = [len(split_words(str(line))) for line in columns[1 + systems]]
    sizes = [len(split_words(str(line))) for line in reference]
    links = columns[2 + systems]

    def orders(records: list[object], targets: list[int], path: str) -> list[Alignment]:
        return [
            fitted(record, source, target, path=path, form=files.form, number=row.number)
            for record, source, target, row in zip(records, sources, targets, rows, strict=True)
        ]

    of_reference = orders(links, sizes, files.reference)
    to_reference = [induce(a, files.policy).order for a in of_reference]  # type: ignore[arg-type]
    found = []
    for k, lines in enumerate(outputs):
        lengths = [len(split_words(str(line))) for line in lines]
        mine = orders(columns[3 + systems + k], lengths, files.systems[k])
        to_system = [induce(a, files.policy).order for a in mine]  # type: ignore[arg-type]
        permutations = Permutations([relative(r, s) for r, s in zip(to_reference, to_system, strict=True)])
        linked = [_linked(a, b) for a, b in zip(of_reference, mine, strict=True)]
        found.append([Matched(permutations, np.array(lengths), np.array(sizes), np.array(linked))])
    return found


def _linked(one: Alignment, other: Alignment) -> int:
    """How many source words have a link in both."""
    return len({i for i, _ in one.links} & {i for i, _ in other.links})
