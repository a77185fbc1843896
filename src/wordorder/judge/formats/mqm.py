"""Errors marked by experts (MQM): tables with one row per error.

::

    system doc doc_id seg_id rater source target category severity [comment]

The column names of later years (``docSegId``, ``globalSegId``) are accepted too. Errors are marked in the
text with ``<v>`` and ``</v>``; a translation without errors has one row with the category ``No-error``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import JudgmentsBuilder, is_human
from wordorder.judge.file_names import told_by_name
from wordorder.judge.formats.base import JudgmentFormat, register
from wordorder.judge.judgments import Judgments
from wordorder.judge.text_files import TextFiles
from wordorder.judge.tsv import TableRow, lines, rows, whole

COLUMNS = ("system", "doc", "seg_id", "rater", "source", "target", "category", "severity")
_ALIASES = {"docsegid": "doc_id", "doc_seg_id": "doc_id", "globalsegid": "seg_id", "global_seg_id": "seg_id"}
SEVERAL = "items with several raters"
CHECKS = "rows that test the raters"
DIFFERENT = "rows whose text differs from the first of its item"
OF_REFERENCE = "ratings of the reference itself"
_SPAN = re.compile(r"</?v>")


@dataclass(frozen=True, kw_only=True)
class MqmWeights:
    """Costs of errors; the defaults are those of Freitag et al. (2021, arXiv 2104.14478).

    >>> MqmWeights().of("Fluency/Punctuation", "Minor"), MqmWeights(major=10).of("Style/Awkward", "major")
    (0.1, 10.0)
    """

    non_translation: float = 25.0
    major: float = 5.0
    minor: float = 1.0
    punctuation: float = 0.1  # minor punctuation errors; major ones cost as much as any
    neutral: float = 0.0

    def of(self, category: str, severity: str) -> float | None:
        """Return the cost of an error, or None if the severity is unknown."""
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


class RaterCost(NamedTuple):
    """The cost of the errors that one rater marked in one output: 0 is best."""

    segment: str
    system: str
    rater: str
    cost: float


@dataclass
class _MqmFile:
    """The contents of a file."""

    rated: list[RaterCost]
    sources: dict[str, str]  # by segment, in the order of the test set
    targets: dict[tuple[str, str], str]  # by segment and system
    odd: Counter[str]


@register
@dataclass(frozen=True, kw_only=True)
class Mqm(JudgmentFormat):
    """A table of MQM errors; the rating of an item is minus the mean cost over its raters.

    ``reference_name`` names the rated system that serves as the reference; ``texts`` names files of
    references, with one line per ``seg_id``. If neither is given and exactly one human translation was rated,
    that one is the reference. Ratings of the reference itself are left out and counted. ``pair`` and
    ``testset`` are taken from the name of the file (``mqm_newstest2021_ende.tsv``) unless they are given.
    """

    name: ClassVar[str] = "mqm"
    about: ClassVar[str] = "MQM errors, one per row (system ... rater ... category severity)"
    stored_as: ClassVar[Literal["file", "folder"]] = "file"

    weights: MqmWeights = MqmWeights()
    reference_name: str | None = None
    texts: TextFiles | None = None
    pair: str | None = None
    testset: str | None = None

    @classmethod
    def recognises(cls, path: str) -> bool:
        """Return whether the first line is the header of such a table."""
        return {"system", "rater", "target", "category", "severity"} <= set(_head(next(lines(path), "")))

    def raters(self, path: str) -> list[RaterCost]:
        """Return the cost of every output according to every rater."""
        return _read(path, self.weights).rated

    def read(self, path: str) -> list[Judgments]:
        """Read the one set of a file."""
        table = _read(path, self.weights)
        builder = JudgmentsBuilder()
        builder.odd.update(table.odd)
        for segment, source in table.sources.items():
            builder.items.segment(segment)
            builder.sources[segment] = source
        pair, testset = told_by_name(path)
        pair, testset = self.pair or pair, self.testset or testset
        if self.texts is not None:
            if self.texts.source or self.texts.output:
                raise BadSetting(f"{path} contains sources and outputs; name only files of references")
            if self.reference_name is not None:
                raise BadSetting("both a rated reference and files of references are given; choose one")
            self.texts.fill(builder, pair, testset)
            reference = None
        else:
            reference = _reference(table, self.reference_name, builder, path)
        for (segment, system), text in table.targets.items():
            if system != reference:
                builder.outputs[builder.items.add(segment, system)] = text
        costs: dict[tuple[str, str], list[float]] = {}
        for rated in table.rated:
            costs.setdefault((rated.segment, rated.system), []).append(rated.cost)
        for (segment, system), by_rater in costs.items():
            if system == reference:
                builder.odd[OF_REFERENCE] += 1
                continue
            builder.odd[SEVERAL] += len(by_rater) > 1
            # Adding 0 turns minus zero into zero.
            builder.ratings.append((builder.items.add(segment, system), -sum(by_rater) / len(by_rater) + 0.0))
        return [builder.build("mqm", pair, testset, file=path)]


def _reference(table: _MqmFile, name: str | None, builder: JudgmentsBuilder, path: str) -> str | None:
    """Store the texts of the rated reference, and return its name; None if there is none."""
    systems = sorted({system for _, system in table.targets})
    people = [system for system in systems if is_human(system)]
    if name is None and len(people) > 1:
        raise BadSetting(
            f"{path} rates {', '.join(people)}; which is the reference?",
            suggest={"reference_name": people[0]},
        )
    name = name if name is not None else people[0] if people else None
    if name is not None and name not in systems:
        raise BadSetting(f"{path} does not rate {name!r}, only {', '.join(systems)}")
    if name is None:
        return None
    for segment in table.sources:
        if (text := table.targets.get((segment, name))) is not None:
            builder.references[segment] = [text]
    return name


def _read(path: str, weights: MqmWeights) -> _MqmFile:
    rated: list[tuple[tuple[str, int], TableRow]] = []
    costs: list[float] = []
    odd: Counter[str] = Counter()
    # An empty comment is often missing together with its tab.
    for row, line in rows(path, COLUMNS, names=_head, short=True):
        if "hotw" in row["severity"].lower() or "hotw" in row["category"].lower():
            odd[CHECKS] += 1  # errors planted to check that raters are attentive
            continue
        cost = weights.of(row["category"], row["severity"])
        if cost is None:
            message = f"severity is {row['severity']!r}; expected Major, Minor, Neutral or No-error"
            raise BadFile(message, file=path, line=line)
        number = whole(row["seg_id"], "seg_id", path, line)
        rated.append(((row["doc"], number), row))
        costs.append(cost)
    if not rated:
        raise BadFile("has a header, but no ratings", file=path)
    # Most files number segments through the test set, some start again in every document.
    keys = {key for key, _ in rated}
    unique = len({number for _, number in keys}) == len(keys)
    ordered = sorted(keys, key=lambda key: ("" if unique else key[0], key[1]))
    names = {key: str(key[1]) if unique else f"{key[0]}:{key[1]}" for key in ordered}
    table = _MqmFile([], dict.fromkeys(names.values(), ""), {}, odd)
    sums: dict[tuple[str, str, str], float] = {}
    for (key, row), cost in zip(rated, costs, strict=True):
        segment, system = names[key], row["system"]
        table.sources[segment] = table.sources[segment] or _SPAN.sub("", row["source"])
        text = _SPAN.sub("", row["target"])
        if table.targets.setdefault((segment, system), text) != text:
            odd[DIFFERENT] += 1
        rating = segment, system, row["rater"]
        sums[rating] = sums.get(rating, 0.0) + cost
    table.rated = [RaterCost(*rating, cost) for rating, cost in sums.items()]
    return table


def _head(line: str) -> list[str]:
    names = [name.strip().lower() for name in line.split("\t")]
    return [_ALIASES.get(name, name) for name in names]
