"""Ratings exported from Appraise: direct assessment and ESA, one rating per line, without a header.

::

    rater,system,segment,type,source language,target language,score,document,complete[,spans[,start,end]]

``type`` is ``TGT`` for a rating; ``CHK``, ``BAD`` and ``REF`` are items that test the raters, and documents
of a tutorial are no ratings either. ``A+B`` are systems with the same output. The spans of ESA, quoted JSON,
are not used: the score is the rating.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from wordorder.errors import BadFile
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.file_names import told_by_name
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments
from wordorder.judge.text_files import TextFiles
from wordorder.judge.tsv import csv_rows, finite, lines, whole
from wordorder.text.languages import language_code

COLUMNS = 9  # those that every export has
TYPES = ("TGT", "CHK", "BAD", "REF")
CHECKS = "rows that test the raters"
TUTORIAL = "rows of a tutorial"
SEVERAL = "items with several ratings"
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]+)?")


@dataclass
class _Set:
    """The ratings of one language pair, by segment and system."""

    ratings: dict[tuple[int, str], list[float]] = field(default_factory=dict)
    odd: Counter[str] = field(default_factory=Counter)


@register
@dataclass(frozen=True, kw_only=True)
class Appraise(JudgmentFormat):
    """An export of Appraise (direct assessment, ESA); the rating of an item is the mean of its scores.

    ``texts`` names the files of the texts, in which segments are lines counted from 1. ``testset`` names the
    test set.
    """

    name: ClassVar[str] = "appraise"
    about: ClassVar[str] = (
        "ratings exported from Appraise, DA or ESA (rater,system,segment,TGT,eng,deu,score,...)"
    )
    stored_as: ClassVar[Literal["file", "folder"]] = "file"

    texts: TextFiles | None = None
    testset: str | None = None

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether the first line has a type and two languages in their places."""
        cells = next(lines(path), "").split(",")
        return (
            len(cells) >= COLUMNS
            and cells[3] in TYPES
            and all(_CODE.fullmatch(cells[k]) is not None for k in (4, 5))
        )

    def read(self, path: str) -> list[Judgments]:
        """Read one set per language pair."""
        sets: dict[str, _Set] = {}
        for cells, line in csv_rows(path, ","):
            if len(cells) < COLUMNS:
                message = f"has {len(cells)} columns; expected {COLUMNS} or more"
                raise BadFile(message, file=path, line=line)
            _, systems, number, kind, source, target, score, document = cells[:8]
            found = sets.setdefault("-".join(map(_code, (source, target))), _Set())
            if kind not in TYPES:
                raise BadFile(f"type is {kind!r}; expected {', '.join(TYPES)}", file=path, line=line)
            if kind != "TGT":
                found.odd[CHECKS] += 1
            elif "tutorial" in systems or "tutorial" in document:
                found.odd[TUTORIAL] += 1
            else:
                segment, value = whole(number, "segment", path, line), finite(score, "score", path, line)
                for system in systems.split("+"):
                    found.ratings.setdefault((segment, system), []).append(value)
        if not any(found.ratings for found in sets.values()):
            raise BadFile("has no ratings of type TGT", file=path)
        testset = self.testset or told_by_name(path)[1]
        return [
            _built(found, pair, testset, self.texts, path) for pair, found in sets.items() if found.ratings
        ]


def _code(name: str) -> str:
    language, *region = re.split("[-_]", name)
    return "_".join([language_code(language), *region])


def _built(found: _Set, pair: str, testset: str, texts: TextFiles | None, path: str) -> Judgments:
    builder = JudgmentsBuilder()
    builder.odd.update(found.odd)
    for segment in sorted({segment for segment, _ in found.ratings}):
        builder.items.segment(str(segment))
    for (segment, system), scores in found.ratings.items():
        builder.odd[SEVERAL] += len(scores) > 1
        builder.ratings.append((builder.items.add(str(segment), system), sum(scores) / len(scores)))
    if texts is not None:
        texts.fill(builder, pair, testset)
    return builder.build("appraise", pair, testset, file=path)
