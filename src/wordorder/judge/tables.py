"""Judgments as a folder of tables: gzipped or plain TSV with a header line, no quoting.

::

    segments.tsv   lp testset segment source reference [reference2 ...]
    outputs.tsv    lp testset segment system output
    pairs.tsv      lp testset segment system_a system_b a_better b_better tie     (preferences, counted)
    rankings.tsv   lp testset segment judge ranking system rank                   (where there are no pairs)
    da.tsv         lp testset segment system z [source reference output]          (ratings)
    mqm.tsv        lp testset segment system mqm                                  (ratings, 0 is best)
    systems.tsv    lp testset system, then columns of published scores

Ratings that carry their own texts need no other file; without a ``system`` column each row (``item``)
is a segment of its own.
"""

from __future__ import annotations

import os
from pathlib import Path

from wordorder.errors import BadFile
from wordorder.judge.builder import Draft
from wordorder.judge.judgments import Judgments, Ranked
from wordorder.judge.tsv import Row, number, output, rows, whole

Key = tuple[str, str]  # language pair and test set
RATINGS = {"da": "z", "mqm": "mqm"}  # file and column
SYSTEM_SCORES = ("trueskill", "win_ratio", "z", "raw")
NOBODY = "?"  # the system of an output that does not say where it comes from


def is_table_folder(folder: str) -> bool:
    """Whether some table of judgments is there."""
    return any(_table(folder, name) for name in ("pairs", "rankings", *RATINGS))


def read_tables(folder: str) -> list[Judgments]:
    """Read a folder; one :class:`Judgments` for each language pair and test set, in order of first sight."""
    if not is_table_folder(folder):
        raise BadFile("holds no pairs.tsv, rankings.tsv, da.tsv or mqm.tsv, plain or .gz", file=folder)
    sets: dict[Key, Draft] = {}

    def at(row: Row) -> Draft:
        return sets.setdefault((row["lp"], row["testset"]), Draft())

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
    for name, column in RATINGS.items():
        if path := _table(folder, name):
            for row, line in rows(path, ("lp", "testset", column)):
                _rating(at(row), row, column, path, line)
    if path := _table(folder, "systems"):
        for row, line in rows(path, ("lp", "testset", "system")):
            for column in SYSTEM_SCORES:
                if row.get(column):
                    scores = at(row).system_scores.setdefault(column, {})
                    scores[row["system"]] = number(row, column, path, line)
    name = os.path.basename(os.path.abspath(folder))
    for key, one in sets.items():
        if one.items.segments and not one.references:
            message = f"{' '.join(key)} has judgments, but no references in segments.tsv"
            raise BadFile(message, file=folder)
    return [one.finished(name, *key, file=folder) for key, one in sets.items()]


def _text(one: Draft, row: Row, path: str, line: int) -> None:
    segment = row["segment"]
    if segment in one.references:
        message = f"segment {segment} of {row['lp']} {row['testset']} stands here twice"
        raise BadFile(message, file=path, line=line)
    more = [row[key] for key in sorted(row) if key.startswith("reference") and key != "reference"]
    one.sources[segment] = row.get("source", "")
    if not all(more):
        raise BadFile(f"a further reference of segment {segment} is empty", file=path, line=line)
    one.references[segment] = [row["reference"], *more]
    one.items.segment(segment)


def _pair(one: Draft, row: Row, path: str, line: int) -> None:
    if row["system_a"] == row["system_b"]:
        raise BadFile(f"{row['system_a']} is compared with itself", file=path, line=line)
    items = [one.items.add(row["segment"], row[key]) for key in ("system_a", "system_b")]
    first, second = (whole(row[key], key, path, line) for key in ("a_better", "b_better"))
    tied = whole(row["tie"], "tie", path, line) if row.get("tie") else 0
    if min(first, second, tied) < 0:
        raise BadFile("a count of judgments is negative", file=path, line=line)
    one.pairs.append((items[0], items[1], first, second, tied))


def _rating(one: Draft, row: Row, column: str, path: str, line: int) -> None:
    segment = row.get("segment") or row.get("item")
    if not segment:
        raise BadFile("has neither a segment nor an item column", file=path, line=line)
    row["segment"] = segment
    if row[column] in ("", "None"):
        one.odd["ratings that say None"] += 1
        return
    if "output" in row:
        if segment not in one.references:
            _text(one, row, path, line)
        output(one, segment, row.get("system", NOBODY), row["output"], path, line)
    item = one.items.add(segment, row.get("system", NOBODY))
    one.ratings.append((item, number(row, column, path, line)))


def _table(folder: str, name: str) -> str | None:
    for ending in (".tsv", ".tsv.gz", ".tsv.zst"):
        path = Path(folder) / f"{name}{ending}"
        if path.is_file():
            return str(path)
    return None
