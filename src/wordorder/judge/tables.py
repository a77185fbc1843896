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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from wordorder.errors import BadFile
from wordorder.io.files import open_binary
from wordorder.judge.records import Items, Judgments, Preferences, Ranked, Ratings, pairs_of_rankings

Key = tuple[str, str]  # language pair and test set
RATINGS = {"da": "z", "mqm": "mqm"}  # file and column
SYSTEM_SCORES = ("trueskill", "win_ratio", "z", "raw")
NOBODY = "?"  # the system of an output that does not say where it comes from


@dataclass
class _Set:
    """One language pair of one test set while it is read."""

    items: Items = field(default_factory=Items)
    texts: dict[str, list[str]] = field(default_factory=dict)  # segment: source and references
    outputs: dict[int, str] = field(default_factory=dict)
    pairs: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    rankings: list[Ranked] = field(default_factory=list)
    ratings: list[tuple[int, float]] = field(default_factory=list)
    system_scores: dict[str, dict[str, float]] = field(default_factory=dict)
    odd: Counter[str] = field(default_factory=Counter)


def is_table_folder(folder: str) -> bool:
    """Whether some table of judgments is there."""
    return any(_table(folder, name) for name in ("pairs", "rankings", *RATINGS))


def read_tables(folder: str) -> list[Judgments]:
    """Read a folder; one :class:`Judgments` for each language pair and test set, in order of first sight."""
    if not is_table_folder(folder):
        raise BadFile("holds no pairs.tsv, rankings.tsv, da.tsv or mqm.tsv, plain or .gz", file=folder)
    sets: dict[Key, _Set] = {}

    def at(row: dict[str, str]) -> _Set:
        return sets.setdefault((row["lp"], row["testset"]), _Set())

    if path := _table(folder, "segments"):
        for row, line in _rows(path, ("lp", "testset", "segment", "reference")):
            _text(at(row), row, path, line)
    if path := _table(folder, "outputs"):
        for row, line in _rows(path, ("lp", "testset", "segment", "system", "output")):
            _output(at(row), row, path, line)
    if path := _table(folder, "pairs"):
        for row, line in _rows(
            path, ("lp", "testset", "segment", "system_a", "system_b", "a_better", "b_better")
        ):
            _pair(at(row), row, path, line)
    if path := _table(folder, "rankings"):
        for row, line in _rows(path, ("lp", "testset", "segment", "system", "rank")):
            rank = int(_number(row, "rank", path, line))
            ranked = Ranked(row.get("judge", ""), row.get("ranking", ""), row["segment"], row["system"], rank)
            at(row).rankings.append(ranked)
            at(row).items.add(row["segment"], row["system"])
    for name, column in RATINGS.items():
        if path := _table(folder, name):
            for row, line in _rows(path, ("lp", "testset", column)):
                _rating(at(row), row, column, path, line)
    if path := _table(folder, "systems"):
        for row, line in _rows(path, ("lp", "testset", "system")):
            for column in SYSTEM_SCORES:
                if row.get(column):
                    scores = at(row).system_scores.setdefault(column, {})
                    scores[row["system"]] = _number(row, column, path, line)
    name = os.path.basename(os.path.abspath(folder))
    return [_finished(name, key, one, folder) for key, one in sets.items()]


def _text(one: _Set, row: dict[str, str], path: str, line: int) -> None:
    segment = row["segment"]
    if segment in one.texts:
        raise BadFile(
            f"segment {segment} of {row['lp']} {row['testset']} stands here twice", file=path, line=line
        )
    more = [row[key] for key in sorted(row) if key.startswith("reference") and key != "reference"]
    one.texts[segment] = [row.get("source", ""), row["reference"], *more]
    one.items.segment(segment)


def _output(one: _Set, row: dict[str, str], path: str, line: int) -> None:
    item = one.items.add(row["segment"], row.get("system", NOBODY))
    if one.outputs.setdefault(item, row["output"]) != row["output"]:
        raise BadFile(
            f"a second, different output of {row.get('system', NOBODY)} for segment {row['segment']}",
            file=path,
            line=line,
        )


def _pair(one: _Set, row: dict[str, str], path: str, line: int) -> None:
    if row["system_a"] == row["system_b"]:
        raise BadFile(f"{row['system_a']} is compared with itself", file=path, line=line)
    items = [one.items.add(row["segment"], row[key]) for key in ("system_a", "system_b")]
    said = [int(_number(row, key, path, line)) for key in ("a_better", "b_better")]
    said.append(int(_number(row, "tie", path, line)) if row.get("tie") else 0)
    if min(said) < 0:
        raise BadFile("a count of judgments is negative", file=path, line=line)
    one.pairs.append((items[0], items[1], said[0], said[1], said[2]))
    one.odd["pairs judged more than once"] += sum(said) > 1
    one.odd["pairs with contradicting judgments"] += said[0] > 0 < said[1]


def _rating(one: _Set, row: dict[str, str], column: str, path: str, line: int) -> None:
    segment = row.get("segment") or row.get("item")
    if not segment:
        raise BadFile("has neither a segment nor an item column", file=path, line=line)
    row["segment"] = segment
    if row[column] in ("", "None"):
        one.odd["ratings that say None"] += 1
        return
    if "output" in row:
        if segment not in one.texts:
            _text(one, row, path, line)
        _output(one, row, path, line)
    item = one.items.add(segment, row.get("system", NOBODY))
    one.ratings.append((item, _number(row, column, path, line)))


def _finished(collection: str, key: Key, one: _Set, folder: str) -> Judgments:
    segment, system, place = one.items.sorted()
    segments, systems = one.items.segments, one.items.systems
    lost = [name for name in segments if name not in one.texts]
    if lost:
        raise BadFile(
            f"segment {lost[0]} of {key[0]} {key[1]} has no reference in segments.tsv ({len(lost)} such)",
            file=folder,
        )
    outputs: list[str | None] = [None] * len(place)
    for seen, text in one.outputs.items():
        outputs[place[seen]] = text
    preferences = None
    if one.pairs:
        table = np.array(one.pairs, dtype=np.int64)
        preferences = Preferences(place[table[:, 0]], place[table[:, 1]], *table[:, 2:].T)
    elif one.rankings:
        number = {
            (segments[s], systems[k]): i
            for i, (s, k) in enumerate(zip(segment.tolist(), system.tolist(), strict=True))
        }
        preferences = pairs_of_rankings(one.rankings, number)
    ratings = None
    if one.ratings:
        items, scores = zip(*one.ratings, strict=True)
        ratings = Ratings(place[np.array(items, dtype=np.int64)], np.array(scores, dtype=np.float64))
        one.odd["items rated more than once"] += len(items) - len(set(items))
    one.odd["judged items without an output"] += sum(text is None for text in outputs)
    return Judgments(
        collection=collection,
        pair=key[0],
        testset=key[1],
        segments=segments,
        sources=[one.texts[name][0] for name in segments],
        references=[list(column) for column in zip(*(one.texts[name][1:] for name in segments), strict=True)],
        systems=systems,
        item_segment=segment,
        item_system=system,
        outputs=outputs,
        preferences=preferences,
        ratings=ratings,
        rankings=one.rankings,
        system_scores=one.system_scores,
        human=frozenset(name for name in systems if is_human(name)),
        odd={what: count for what, count in one.odd.items() if count},
    )


def is_human(system: str) -> bool:
    """Whether the name is that of a translation by people: ``ref``, ``ref-B``, ``refA``, ``ref.A``.

    >>> [is_human(name) for name in ("ref-B", "refA", "ref", "reform-mt")]
    [True, True, True, False]
    """
    rest = system[3:].lstrip("-._") if system.lower().startswith("ref") else "not"
    return len(rest) <= 1


def _table(folder: str, name: str) -> str | None:
    for ending in (".tsv", ".tsv.gz", ".tsv.zst"):
        path = Path(folder) / f"{name}{ending}"
        if path.is_file():
            return str(path)
    return None


def _rows(path: str, wanted: tuple[str, ...]) -> Iterator[tuple[dict[str, str], int]]:
    """The rows of a table by column name, with their line."""
    with open_binary(path) as handle:
        head: list[str] = []
        for line, raw in enumerate(handle, start=1):
            try:
                cells = raw.decode("utf-8").rstrip("\n").split("\t")
            except UnicodeDecodeError as error:
                raise BadFile(
                    f"is not UTF-8 at byte {error.start} of the line", file=path, line=line
                ) from None
            if line == 1:
                head = cells
                absent = [name for name in wanted if name not in head]
                if absent:
                    raise BadFile(
                        f"has no column {absent[0]!r}; the header is {' '.join(head)[:80]!r}",
                        file=path,
                        line=1,
                    )
                continue
            if len(cells) != len(head):
                raise BadFile(
                    f"has {len(cells)} columns, the header {len(head)}; is the file cut off?",
                    file=path,
                    line=line,
                )
            yield dict(zip(head, cells, strict=True)), line
        if not head:
            raise BadFile("is empty; expected a header line", file=path)


def _number(row: dict[str, str], column: str, path: str, line: int) -> float:
    try:
        value = float(row[column])
    except ValueError:
        raise BadFile(f"{column} is {row[column]!r}; expected a number", file=path, line=line) from None
    if not np.isfinite(value):
        raise BadFile(f"{column} is {row[column]!r}; expected a finite number", file=path, line=line)
    return value
