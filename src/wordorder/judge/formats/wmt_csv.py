"""Rankings and preferences in the CSV files published by WMT.

The CSV files of WMT08 to WMT16 have a row per ranking: ``srclang, trglang, srcIndex, documentId, segmentId,
judgeId``, then for each place ``system1Number, system1Id`` and ``system1rank``. There are usually five
places, and two in the pairwise files of WMT16. The files of the metrics tasks of WMT17 to WMT20
(``RR-seglevel.csv``, ``DArr-seglevel.csv``) have the columns ``LP DATA SID BETTER WORSE``, one preference per
row.
"""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from wordorder.errors import BadFile
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments, Ranked
from wordorder.judge.text_files import TextFiles
from wordorder.judge.tsv import csv_rows, finite, fitted, lines, whole
from wordorder.text.languages import language_code

SEGMENT = ("srcindex", "segmentid", "segment")  # 1-based line of the test set; the first column that exists
DARR = ["lp", "data", "sid", "better", "worse"]
BLANK = {"", "placeholder", "none", "-1"}
UNJUDGED = "places without a rank"
BLANKS = "places without a system"
REFERENCE = "places of the reference"
MERGED = "places of merged systems"
TWICE = "systems twice in one ranking"
SHORT = "rankings with fewer than two ranked places"


class _RankingRow(NamedTuple):
    """A row of either kind of file: places, each with the systems that share it and its rank."""

    pair: str
    testset: str
    segment: int
    judge: str
    name: str
    places: list[tuple[list[str], int]]
    complete: bool  # whether merged systems tie, as in rankings of more than two places


@register
@dataclass(frozen=True, kw_only=True)
class WmtCsv(JudgmentFormat):
    """A ranking CSV of WMT08 to WMT16, or a file of preferences (DArr) of WMT17 to WMT20.

    ``merged`` is the character that joins the names of systems with the same output (``A+B``): the judgment
    counts for each of them, and in rankings of more than two places they tie with each other. If it is None,
    such a name is one system. ``testset`` names the test set of a ranking CSV.
    """

    name: ClassVar[str] = "wmt_csv"
    about: ClassVar[str] = (
        "WMT rankings (... system1Id, system1rank ...) or preferences (lp data sid better worse)"
    )
    stored_as: ClassVar[Literal["file", "folder"]] = "file"

    texts: TextFiles | None = None
    testset: str = "-"
    merged: str | None = "+"

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether the first line is the header of such a file."""
        return is_ranking_csv(path) or is_preferences(path)

    def read(self, path: str) -> list[Judgments]:
        """Read one set per language pair; its segments are the judged ones, in the order of the test set."""
        return _read(path, self.texts, self.testset, self.merged)


def _read(path: str, texts: TextFiles | None, testset: str, merged: str | None) -> list[Judgments]:
    odd: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    groups: dict[tuple[str, str], list[_RankingRow]] = {}
    for row in _preferences(path) if is_preferences(path) else _rankings(path, testset):
        key = row.pair, row.testset
        kept = []
        for (system,), rank in row.places:
            if system.lower() in BLANK:
                odd[key][BLANKS] += 1
            elif system.lower() == "_ref":
                odd[key][REFERENCE] += 1
            elif rank < 0:
                odd[key][UNJUDGED] += 1
            else:
                systems = system.split(merged) if merged and merged in system else [system]
                if len(systems) > 1:
                    odd[key][MERGED] += 1
                kept.append((systems, rank))
        names = [name for systems, _ in kept for name in systems]
        if len(set(names)) < len(names):
            odd[key][TWICE] += 1
        if len(kept) < 2:
            odd[key][SHORT] += 1
        groups.setdefault(key, []).append(row._replace(places=kept))
    if not groups:
        raise BadFile("has a header, but no judgments", file=path)
    collection = re.sub(r"(\.(csv|tsv|txt|gz|zst))+$", "", os.path.basename(path))
    return [_build(collection, key, group, odd[key], texts, path) for key, group in groups.items()]


def _build(
    collection: str,
    key: tuple[str, str],
    group: list[_RankingRow],
    odd: Counter[str],
    texts: TextFiles | None,
    path: str,
) -> Judgments:
    builder = JudgmentsBuilder()
    builder.odd.update(odd)
    group = [row for row in group if len(row.places) > 1]
    for number in sorted({row.segment for row in group}):
        builder.items.segment(str(number))
    for row in group:
        segment = str(row.segment)
        for part, placed in enumerate(_split(row)):
            ranking = row.name if part == 0 else f"{row.name}.{part}"
            for system, rank in placed:
                builder.items.add(segment, system)
                builder.rankings.append(Ranked(row.judge, ranking, segment, system, rank))
    if texts is not None:
        texts.fill(builder, *key)
    return builder.build(collection, *key, file=path)


def _split(row: _RankingRow) -> Iterator[list[tuple[str, int]]]:
    """Yield the rankings of single systems that a row stands for.

    A pair with merged systems is split into several pairs: as one ranking, every row would repeat that the
    merged systems tie.
    """
    if row.complete:
        yield [(system, rank) for systems, rank in row.places for system in systems]
        return
    (systems, rank), (others, worse) = row.places
    for system, other in itertools.product(systems, others):
        yield [(system, rank), (other, worse)]


def is_ranking_csv(path: str) -> bool:
    """Return whether the first line is the header of a ranking CSV."""
    head = [cell.strip().lower() for cell in _first(path).split(",")]
    return {"system1id", "system2id", "system1rank", "system2rank"} <= set(head)


def is_preferences(path: str) -> bool:
    """Return whether the first line is the header of a file of preferences."""
    return {"better", "worse"} <= set(re.split(r"[\s,]+", _first(path).strip().lower()))


def _first(path: str) -> str:
    return next(lines(path), "")


def _rankings(path: str, testset: str) -> Iterator[_RankingRow]:
    """Yield the rows of a ranking CSV."""
    head: list[str] = []
    for cells, line in csv_rows(path, ","):
        if line == 1:
            head = [cell.lower() for cell in cells]
            places, segment = _places(head, path)
            continue
        row = fitted(head, cells, path, line)
        number = whole(row[segment], segment, path, line)
        # Years differ in how they write languages; text files are named by two letters.
        pair = "-".join(language_code(row[key]).replace("-", "_") for key in ("srclang", "trglang"))
        ranked = [
            ([row[f"system{k}id"]], whole(row[f"system{k}rank"] or "-1", f"system{k}rank", path, line))
            for k in places
        ]
        # The line number makes every row a ranking of its own: in pairwise files ten rows share an id.
        name = f"{row['rankingid']}:{line}" if row.get("rankingid") else str(line)
        yield _RankingRow(pair, testset, number, row.get("judgeid", ""), name, ranked, len(places) > 2)


def _places(head: list[str], path: str) -> tuple[list[int], str]:
    """Return the numbers of the places and the column of the segment."""
    known = set(head)
    segment = next((name for name in SEGMENT if name in known), None)
    places = [k for k in range(1, len(head)) if f"system{k}id" in known]
    absent = [name for name in ("srclang", "trglang") if name not in known]
    absent += [f"system{k}rank" for k in places if f"system{k}rank" not in known]
    if segment is None or absent or len(places) < 2:
        column = absent[0] if absent else "srcIndex" if segment is None else "system2Id"
        message = f"has no column {column!r}; the header is {' '.join(head)[:80]!r}"
        raise BadFile(message, file=path, line=1)
    return places, segment


def _preferences(path: str) -> Iterator[_RankingRow]:
    """Yield the rows of a file of preferences; each is a ranking of two systems."""
    first = _first(path)
    separator = next((mark for mark in "\t," if mark in first), " ")
    head: list[str] = []
    for cells, line in csv_rows(path, separator):
        if line == 1:
            head = [cell.lower() for cell in cells]
            # The header of WMT18 lacks a name, which shifts the others.
            if len(head) == 4 and set(head) < set(DARR):
                head = DARR
            for name in DARR:
                if name not in head:
                    message = f"has no column {name!r}; expected {' '.join(DARR)}"
                    raise BadFile(message, file=path, line=1)
            continue
        if len(cells) == len(head) + 1 and head[-1] == "worse":
            finite(
                cells.pop(), "the column after worse", path, line
            )  # WMT20: the difference, not in the header
        row = fitted(head, cells, path, line)
        if row["better"] == row["worse"]:
            raise BadFile(f"{row['better']} is better than itself", file=path, line=line)
        number = whole(row["sid"], "sid", path, line)
        places = [([row["better"]], 1), ([row["worse"]], 2)]
        yield _RankingRow(row["lp"], row["data"], number, "", str(line), places, False)
