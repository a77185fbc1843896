"""Errors that experts marked (MQM), as tables with one row an error.

::

    system doc doc_id seg_id rater source target category severity [comment]

The names of later years (``docSegId``, ``globalSegId``) are read too. The place of an error is marked
in the text with ``<v>`` and ``</v>``; a translation without errors has one row that says ``No-error``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import Draft, is_human
from wordorder.judge.judgments import Judgments
from wordorder.judge.tsv import Row, fitted, lines, require, whole

COLUMNS = ("system", "doc", "seg_id", "rater", "source", "target", "category", "severity")
_ALIASES = {"docsegid": "doc_id", "doc_seg_id": "doc_id", "globalsegid": "seg_id", "global_seg_id": "seg_id"}
SEVERAL = "items with several raters"
CHECKS = "rows that test the raters"
DIFFERENT = "rows whose text differs from the first of its item"
OF_REFERENCE = "ratings of the reference itself"
_SPAN = re.compile(r"</?v>")


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What errors cost; the defaults are those of Freitag et al. (2021, arXiv 2104.14478).

    >>> Weights().of("Fluency/Punctuation", "Minor"), Weights(major=10).of("Style/Awkward", "major")
    (0.1, 10.0)
    """

    non_translation: float = 25.0
    major: float = 5.0
    minor: float = 1.0
    punctuation: float = 0.1  # minor ones; the others are errors like any
    neutral: float = 0.0

    def of(self, category: str, severity: str) -> float | None:
        """The cost of an error; None for a severity that is not known."""
        severity, category = severity.strip().lower(), category.strip().lower()
        if severity in ("no-error", "no error") or category in ("no-error", "no error"):
            return 0.0
        if severity == "neutral":
            return float(self.neutral)
        if severity not in ("major", "minor"):
            return None
        if category.startswith("non-translation"):
            return float(self.non_translation)
        if severity == "minor" and category == "fluency/punctuation":
            return float(self.punctuation)
        return float(self.major if severity == "major" else self.minor)


class Rated(NamedTuple):
    """What one rater took off one output: 0 is best, worse is more."""

    segment: str
    system: str
    rater: str
    cost: float


@dataclass
class _Read:
    """A file as it was read."""

    rated: list[Rated]
    sources: dict[str, str]  # by segment, in order
    targets: dict[tuple[str, str], str]  # by segment and system
    odd: dict[str, int]


def is_mqm(path: str) -> bool:
    """Whether the first line is the header of such a table."""
    return {"system", "rater", "target", "category", "severity"} <= set(_head(next(lines(path), "")))


def read_mqm_raters(path: str, *, weights: Weights | None = None) -> list[Rated]:
    """What every rater said of every output, one row each."""
    return _read(path, weights or Weights()).rated


def read_mqm(
    path: str,
    *,
    weights: Weights | None = None,
    reference: str | None = None,
    reference_file: str | None = None,
    pair: str | None = None,
    testset: str | None = None,
) -> list[Judgments]:
    """Read a table; an item's rating is minus the mean of what its raters took off.

    ``reference`` names the rated system that is the reference, ``reference_file`` a file with a line for
    each ``seg_id``. With neither, the only translation by people is the reference, if there is just
    one. Its own ratings are left out, and counted. ``pair`` and ``testset`` are in the name of the file
    (``mqm_newstest2021_ende.tsv``) or given.
    """
    read = _read(path, weights or Weights())
    draft = Draft()
    draft.odd.update(read.odd)
    for segment, source in read.sources.items():
        draft.items.segment(segment)
        draft.sources[segment] = source
    reference = _reference(read, reference, reference_file, draft, path)
    for (segment, system), text in read.targets.items():
        if system != reference:
            draft.outputs[draft.items.add(segment, system)] = text
    costs: dict[tuple[str, str], list[float]] = {}
    for one in read.rated:
        costs.setdefault((one.segment, one.system), []).append(one.cost)
    for (segment, system), said in costs.items():
        if system == reference:
            draft.odd[OF_REFERENCE] += 1
            continue
        draft.odd[SEVERAL] += len(said) > 1
        # Adding 0 turns minus zero into zero.
        draft.ratings.append((draft.items.add(segment, system), -sum(said) / len(said) + 0.0))
    found = re.search(r"mqm[-_](.+)[-_]([a-z]{2})-?([a-z]{2})(?=[._]|$)", os.path.basename(path))
    pair = pair or (f"{found[2]}-{found[3]}" if found else "?-?")
    return [draft.finished("mqm", pair, testset or (found[1] if found else "-"), file=path)]


def _reference(read: _Read, name: str | None, file: str | None, draft: Draft, path: str) -> str | None:
    """Find the reference and note its texts; the system that it is, if it is one."""
    if name is not None and file is not None:
        raise BadSetting("reference and reference_file are both given; one is the reference")
    if file is not None:
        texts = list(lines(file))
        for segment in read.sources:
            if not segment.isdigit() or not 1 <= int(segment) <= len(texts):
                raise BadFile(f"has {len(texts)} lines, but segment {segment} was rated", file=file)
            draft.references[segment] = [texts[int(segment) - 1]]
        return None
    systems = sorted({system for _, system in read.targets})
    people = [system for system in systems if is_human(system)]
    if name is None and len(people) > 1:
        raise BadSetting(f"{path} rates {', '.join(people)}; say which is the reference")
    name = name if name is not None else people[0] if people else None
    if name is not None and name not in systems:
        raise BadSetting(f"{path} does not rate {name!r}, only {', '.join(systems)}")
    if name is None:
        return None
    for segment in read.sources:
        if (text := read.targets.get((segment, name))) is not None:
            draft.references[segment] = [text]
    return name


def _read(path: str, weights: Weights) -> _Read:
    rows: list[tuple[tuple[str, int], Row]] = []
    costs: list[float] = []
    odd: dict[str, int] = {}
    for row, line in _rows(path):
        if "hotw" in row["severity"].lower() or "hotw" in row["category"].lower():
            odd[CHECKS] = odd.get(CHECKS, 0) + 1  # planted errors, to see whether raters look
            continue
        cost = weights.of(row["category"], row["severity"])
        if cost is None:
            message = f"severity is {row['severity']!r}; expected Major, Minor, Neutral or No-error"
            raise BadFile(message, file=path, line=line)
        number = whole(row["seg_id"], "seg_id", path, line)
        rows.append(((row["doc"], number), row))
        costs.append(cost)
    if not rows:
        raise BadFile("has a header, but no ratings", file=path)
    # Most files number segments through the test set, some anew in each document.
    keys = {key for key, _ in rows}
    through = len({number for _, number in keys}) == len(keys)
    ordered = sorted(keys, key=lambda key: ("" if through else key[0], key[1]))
    names = {key: str(key[1]) if through else f"{key[0]}:{key[1]}" for key in ordered}
    read = _Read([], dict.fromkeys(names.values(), ""), {}, odd)
    sums: dict[tuple[str, str, str], float] = {}
    for (key, row), cost in zip(rows, costs, strict=True):
        segment, system = names[key], row["system"]
        read.sources[segment] = read.sources[segment] or _SPAN.sub("", row["source"])
        text = _SPAN.sub("", row["target"])
        if read.targets.setdefault((segment, system), text) != text:
            odd[DIFFERENT] = odd.get(DIFFERENT, 0) + 1
        who = segment, system, row["rater"]
        sums[who] = sums.get(who, 0.0) + cost
    read.rated = [Rated(*who, cost) for who, cost in sums.items()]
    return read


def _head(line: str) -> list[str]:
    names = [name.strip().lower() for name in line.split("\t")]
    return [_ALIASES.get(name, name) for name in names]


def _rows(path: str) -> Iterator[tuple[Row, int]]:
    head: list[str] = []
    for line, text in enumerate(lines(path), start=1):
        if line == 1:
            head = _head(text)
            require(head, COLUMNS, path)
            continue
        cells = text.split("\t")
        if len(cells) == len(head) - 1 and head[-1] not in COLUMNS:
            cells.append("")  # an empty comment and its tab are often cut off
        yield fitted(head, cells, path, line), line
    if not head:
        raise BadFile("is empty; expected a header line", file=path)
