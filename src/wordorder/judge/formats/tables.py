"""A folder of tables: plain or compressed TSV with a header line, without quoting.

::

    segments.tsv   lp testset segment source reference [reference2 ...]
    outputs.tsv    lp testset segment system output
    pairs.tsv      lp testset segment system_a system_b a_better b_better tie     (counts of preferences)
    rankings.tsv   lp testset segment judge ranking system rank                   (if there are no pairs)
    da.tsv         lp testset segment system z [source reference output]          (ratings; also score)
    mqm.tsv        lp testset segment system mqm                                  (0 is best; also score)
    esa.tsv        lp testset segment system esa                                  (0 to 100; also score)
    systems.tsv    lp testset system, then columns of published scores

A table of ratings that contains the texts needs no other file; without a ``system`` column each row
(``item``) is a segment of its own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from wordorder.errors import BadFile
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments, Ranked
from wordorder.judge.tsv import TableRow, finite, output, rows, whole

Key = tuple[str, str]  # language pair and test set
RATINGS = {
    "da": ("z", "score"),
    "mqm": ("mqm", "score"),
    "esa": ("esa", "score"),
}  # file, and the columns that its ratings may be in
SYSTEM_SCORES = ("trueskill", "win_ratio", "z", "raw")
NOBODY = "?"  # the system of outputs in tables without a system column


@register
@dataclass(frozen=True, kw_only=True)
class TableFolder(JudgmentFormat):
    """A folder of tables, with one set of judgments for each language pair and test set."""

    name: ClassVar[str] = "tables"
    about: ClassVar[str] = "folder with pairs.tsv, rankings.tsv, da.tsv, mqm.tsv or esa.tsv"
    stored_as: ClassVar[Literal["file", "folder"]] = "folder"

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether the folder has a table of judgments."""
        return any(_table(path, name) for name in ("pairs", "rankings", *RATINGS))

    def read(self, path: str) -> list[Judgments]:
        """Read the sets in the order of their first occurrence."""
        if not self.recognises(path):
            raise BadFile("contains no pairs.tsv, rankings.tsv, da.tsv or mqm.tsv, plain or .gz", file=path)
        return _read_tables(path)


def _read_tables(folder: str) -> list[Judgments]:
    sets: dict[Key, JudgmentsBuilder] = {}

    def at(row: TableRow) -> JudgmentsBuilder:
        return sets.setdefault((row["lp"], row["testset"]), JudgmentsBuilder())

    if path := _table(folder, "segments"):
        for row, line in rows(path, ("lp", "testset", "segment", "reference")):
            _text(at(row), row, path, line)
    if path := _table(folder, "outputs"):
        for row, line in rows(path, ("lp", "testset", "segment", "system", "output")):
            output(at(row), row["segment"], row["system"], row["output"], path, line)
    if path := _table(folder, "pairs"):
        for row, line in rows(
            path, ("lp", "testset", "segment", "system_a", "system_b", "a_better", "b_better")
        ):
            _pair(at(row), row, path, line)
    if path := _table(folder, "rankings"):
        for row, line in rows(path, ("lp", "testset", "segment", "system", "rank")):
            rank = whole(row["rank"], "rank", path, line)
            ranked = Ranked(row.get("judge", ""), row.get("ranking", ""), row["segment"], row["system"], rank)
            at(row).rankings.append(ranked)
            at(row).items.add(row["segment"], row["system"])
    for name, columns in RATINGS.items():
        if path := _table(folder, name):
            for row, line in rows(path, ("lp", "testset")):
                column = next((column for column in columns if column in row), None)
                if column is None:
                    message = f"has no column {' or '.join(columns)} with ratings, but {', '.join(row)}"
                    raise BadFile(message, file=path, line=1)
                _rating(at(row), row, column, path, line)
    if path := _table(folder, "systems"):
        for row, line in rows(path, ("lp", "testset", "system")):
            for column in SYSTEM_SCORES:
                if row.get(column):
                    scores = at(row).system_scores.setdefault(column, {})
                    scores[row["system"]] = finite(row[column], column, path, line)
    name = os.path.basename(os.path.abspath(folder))
    for key, builder in sets.items():
        if builder.items.segments and not builder.references:
            message = f"{' '.join(key)} has judgments, but no references in segments.tsv"
            raise BadFile(message, file=folder)
    return [builder.build(name, *key, file=folder) for key, builder in sets.items()]


def _text(builder: JudgmentsBuilder, row: TableRow, path: str, line: int) -> None:
    segment = row["segment"]
    if "reference" not in row:
        raise BadFile(f"has no column 'reference'; the header is {' '.join(row)[:80]!r}", file=path, line=1)
    if segment in builder.references:
        message = f"segment {segment} of {row['lp']} {row['testset']} occurs twice"
        raise BadFile(message, file=path, line=line)
    more = [row[key] for key in sorted(row) if key.startswith("reference") and key != "reference"]
    builder.sources[segment] = row.get("source", "")
    if not all(more):
        raise BadFile(f"a further reference of segment {segment} is empty", file=path, line=line)
    builder.references[segment] = [row["reference"], *more]
    builder.items.segment(segment)


def _pair(builder: JudgmentsBuilder, row: TableRow, path: str, line: int) -> None:
    if row["system_a"] == row["system_b"]:
        raise BadFile(f"{row['system_a']} is compared with itself", file=path, line=line)
    items = [builder.items.add(row["segment"], row[key]) for key in ("system_a", "system_b")]
    first, second = (whole(row[key], key, path, line) for key in ("a_better", "b_better"))
    tied = whole(row["tie"], "tie", path, line) if row.get("tie") else 0
    if min(first, second, tied) < 0:
        raise BadFile("a count of judgments is negative", file=path, line=line)
    builder.pairs.append((items[0], items[1], first, second, tied))


def _rating(builder: JudgmentsBuilder, row: TableRow, column: str, path: str, line: int) -> None:
    segment = row.get("segment") or row.get("item")
    if not segment:
        raise BadFile("has neither a segment nor an item column", file=path, line=line)
    row["segment"] = segment
    if row[column] in ("", "None"):
        builder.odd["ratings that say None"] += 1
        return
    if "output" in row:
        if segment not in builder.references:
            _text(builder, row, path, line)
        output(builder, segment, row.get("system", NOBODY), row["output"], path, line)
    item = builder.items.add(segment, row.get("system", NOBODY))
    builder.ratings.append((item, finite(row[column], column, path, line)))


def _table(folder: str, name: str) -> str | None:
    for ending in (".tsv", ".tsv.gz", ".tsv.zst"):
        path = Path(folder) / f"{name}{ending}"
        if path.is_file():
            return str(path)
    return None
