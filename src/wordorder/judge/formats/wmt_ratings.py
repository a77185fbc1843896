"""Tables with the rating of each output, but without texts, as WMT and Google publish them.

::

    SYS SID RAW.SCR Z.SCR N             direct assessment (WMT17 to WMT20), separated by spaces
    system mqm_avg_score seg_id         MQM averages (avg_seg_scores.tsv), separated by tabs and spaces
    system segment_id esa_score         ESA and others, separated by tabs, spaces or commas

Columns may have any order, and there may be others; ``lp`` and ``data`` (or ``testset``) name the language
pair and the test set of a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.file_names import told_by_name
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments
from wordorder.judge.text_files import TextFiles
from wordorder.judge.tsv import empty, finite, fitted, lines, whole
from wordorder.text.languages import language_code

SYSTEM = ("sys", "system", "system_id", "systemid")
SEGMENT = ("sid", "seg_id", "segment_id", "segmentid", "segment", "seg", "globalsegid")
SCORE = ("z.scr", "mqm_avg_score", "esa_score", "esa", "z", "mqm", "score", "human", "raw.scr", "raw")
NONE = "ratings that say None"


@register
@dataclass(frozen=True, kw_only=True)
class WmtRatings(JudgmentFormat):
    """A table of ratings without texts: direct assessment, MQM averages, ESA.

    ``gold`` names the column of ratings; by default the first of z.scr, mqm_avg_score, esa_score, esa, z,
    mqm, score, human, raw.scr and raw that exists. ``texts`` names the files of the texts, in which segments
    are lines counted from 1. ``pair`` and ``testset`` are taken from the table or from the name of the file
    (``ad-seg-scores-cs-en.csv``) unless they are given.
    """

    name: ClassVar[str] = "wmt_ratings"
    about: ClassVar[str] = (
        "ratings without texts (SYS SID RAW.SCR Z.SCR N, or system mqm_avg_score seg_id, or ESA)"
    )
    stored_as: ClassVar[Literal["file", "folder"]] = "file"

    texts: TextFiles | None = None
    gold: str | None = None
    pair: str | None = None
    testset: str | None = None

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether the first line names systems, segments and scores."""
        head = _cells(next(lines(path), ""))
        return all(_column(head, names) for names in (SYSTEM, SEGMENT, SCORE))

    def read(self, path: str) -> list[Judgments]:
        """Read one set per language pair and test set."""
        sets: dict[tuple[str, str], JudgmentsBuilder] = {}
        rated: dict[tuple[str, str], list[tuple[int, str, float]]] = {}
        pair, testset = told_by_name(path)
        head: list[str] = []
        for line, text in enumerate(lines(path), start=1):
            if line == 1:
                head = _cells(text)
                system, segment, score = self._columns(head, path)
                continue
            row = fitted(head, _cells(text, lower=False), path, line)
            key = (
                self.pair or "-".join(map(language_code, row.get("lp", pair).split("-"))),
                self.testset or row.get("testset") or row.get("data") or testset,
            )
            builder = sets.setdefault(key, JudgmentsBuilder())
            if row[score] in ("None", ""):
                builder.odd[NONE] += 1
                continue
            number = whole(row[segment], segment, path, line)
            if number < 1:
                raise BadFile(f"{segment} is {number}; segments are counted from 1", file=path, line=line)
            value = finite(row[score], score, path, line) + 0.0  # minus zero becomes zero
            rated.setdefault(key, []).append((number, row[system], value))
        if not head:
            raise empty(path)
        if not rated:
            raise BadFile("has a header, but no ratings", file=path)
        return [_built(sets[key], key, rows, self.texts, path) for key, rows in rated.items()]

    def _columns(self, head: Sequence[str], path: str) -> tuple[str, str, str]:
        if self.gold is not None and self.gold.lower() not in head:
            raise BadSetting(f"{path} has no column {self.gold!r}, only {', '.join(head)}")
        scores = (self.gold.lower(),) if self.gold is not None else SCORE
        found = [_column(head, names) for names in (SYSTEM, SEGMENT, scores)]
        if not all(found):
            what = ("systems", "segments", "ratings")[found.index("")]
            raise BadFile(
                f"has no column of {what}; the header is {' '.join(head)[:80]!r}", file=path, line=1
            )
        return found[0], found[1], found[2]


def _built(
    builder: JudgmentsBuilder,
    key: tuple[str, str],
    rows: Sequence[tuple[int, str, float]],
    texts: TextFiles | None,
    path: str,
) -> Judgments:
    for number in sorted({number for number, _, _ in rows}):
        builder.items.segment(str(number))
    for number, system, score in rows:
        builder.ratings.append((builder.items.add(str(number), system), score))
    if texts is not None:
        texts.fill(builder, *key)
    return builder.build("ratings", *key, file=path)


def _cells(line: str, *, lower: bool = True) -> list[str]:
    """Split a line at commas if it has any, else at tabs and spaces."""
    cells = [cell.strip() for cell in line.split(",")] if "," in line else re.split(r"[\t ]+", line.strip())
    return [cell.lower() for cell in cells] if lower else cells


def _column(head: Sequence[str], names: Sequence[str]) -> str:
    return next((name for name in names if name in head), "")
