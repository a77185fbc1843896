"""Scores in the file format of the WMT metrics task.

Columns are separated by tabs, and there is no header::

    METRIC.sys.score   metric lp testset domain reference system score
    METRIC.seg.score   metric lp testset domain document reference system segment score

Segments are counted from 1, and the reference of a metric that uses none is ``src``. A file holds one metric.
The order of the columns is that of https://wmt-metrics-task.github.io and of mt_metrics_eval/codalab/eval.py
in google-research/mt-metrics-eval, which reads submissions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_output
from wordorder.io.lines import write_lines
from wordorder.judge.judgments import Judgments
from wordorder.judge.tsv import finite, lines, whole


class SystemScore(NamedTuple):
    """The score of a system by a metric."""

    metric: str
    pair: str
    testset: str
    domain: str
    reference: str
    system: str
    score: float


class SegmentScore(NamedTuple):
    """The score of the output of a system for one segment, by a metric."""

    metric: str
    pair: str
    testset: str
    domain: str
    document: str
    reference: str
    system: str
    segment: int
    score: float


def read_system_scores(path: str) -> list[SystemScore]:
    """Read a file of system scores."""
    return [
        SystemScore._make([*cells[:-1], finite(cells[-1], "score", path, line)])
        for cells, line in _cells(path, len(SystemScore._fields))
    ]


def read_segment_scores(path: str) -> list[SegmentScore]:
    """Read a file of segment scores."""
    rows = []
    for (*names, segment, score), line in _cells(path, len(SegmentScore._fields)):
        number, value = whole(segment, "segment", path, line), finite(score, "score", path, line)
        if number < 1:
            raise BadFile(f"segment is {number}; segments are counted from 1", file=path, line=line)
        rows.append(SegmentScore._make([*names, number, value]))
    return rows


def read_scores(path: str) -> Sequence[SegmentScore | SystemScore]:
    """Read a file of segment or of system scores, which have different numbers of columns."""
    columns = next(lines(path), "").count("\t") + 1
    return read_system_scores(path) if columns == len(SystemScore._fields) else read_segment_scores(path)


def segment_numbers(judgments: Judgments) -> list[int]:
    """Return the numbers of segments in the test set: their names if they are numbers, else counts from 1."""
    if all(name.isdecimal() and len(name) < 19 for name in judgments.segments):
        return [int(name) for name in judgments.segments]
    return list(range(1, len(judgments.segments) + 1))


def segment_scores(
    judgments: Judgments,
    metric: str,
    scores: ArrayLike,
    *,
    reference: str,
    documents: Sequence[tuple[str, str]] | None = None,
) -> Iterator[SegmentScore]:
    """Yield a row for the score of each item; items without a text are left out.

    ``documents`` holds the domain and the document of each segment; ``all`` and ``-`` if they are unknown.
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (len(judgments),):
        raise BadSetting(f"{values.size} scores for {len(judgments)} items")
    numbers = segment_numbers(judgments)
    order = np.lexsort((judgments.item_segment, judgments.item_system))  # one block per system
    for item in order[~judgments.missing[order]].tolist():
        number = int(judgments.item_segment[item])
        domain, document = documents[number] if documents is not None else ("all", "-")
        yield SegmentScore(
            metric,
            judgments.pair,
            judgments.testset,
            domain,
            document,
            reference,
            judgments.systems[int(judgments.item_system[item])],
            numbers[number],
            float(values[item]),
        )


def write_scores(path: str, scores: Iterable[SystemScore | SegmentScore]) -> None:
    """Write a file of system or of segment scores; it appears only when complete."""
    with open_output(path) as out:
        write_lines(_lines(path, scores), out, file=path)


def _lines(path: str, scores: Iterable[SystemScore | SegmentScore]) -> Iterator[str]:
    seen: set[tuple[str | int | float, ...]] = set()
    metric = None
    for line, row in enumerate(scores, start=1):
        metric = row.metric if metric is None else metric
        for name, value in row._asdict().items():
            if isinstance(value, str) and (not value or value != value.strip() or set(value) & set("\t\r\n")):
                message = (
                    f"{name} is {value!r}; it must not be empty, start or end with a space, or contain tabs"
                )
                raise BadFile(message, file=path, line=line)
        if row.metric != metric:
            raise BadFile(
                f"metric is {row.metric!r} after {metric!r}; a file holds one metric", file=path, line=line
            )
        if isinstance(row, SegmentScore) and row.segment < 1:
            raise BadFile(f"segment is {row.segment}; segments are counted from 1", file=path, line=line)
        score = repr(float(row.score))
        finite(score, "score", path, line)
        if row[:-1] in seen:
            raise BadFile(f"{' '.join(map(str, row[:-1]))} has two scores", file=path, line=line)
        seen.add(row[:-1])
        yield "\t".join([*map(str, row[:-1]), score])


def _cells(path: str, wanted: int) -> Iterator[tuple[list[str], int]]:
    seen: set[tuple[str, ...]] = set()
    for line, text in enumerate(lines(path), start=1):
        cells = text.split("\t")
        if len(cells) != wanted:
            raise BadFile(f"has {len(cells)} columns; expected {wanted}", file=path, line=line)
        key = tuple(cells[:-1])
        if key in seen:
            raise BadFile(f"{' '.join(key)} has two scores", file=path, line=line)
        seen.add(key)
        yield cells, line
