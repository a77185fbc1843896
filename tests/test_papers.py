"""docs/results/papers.md names every place of the papers, with functions that exist and a known status.

Its commands are run by ``test_docs.py``, like those of all pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple

import pytest

from wordorder.metrics.registry import metric

ROOT = Path(__file__).resolve().parents[1]
STATUSES = ("same", "by name", "differs", "no data", "not here", "background")

# What the papers number. Sections that have subsections stand for nothing of their own.
CONTENTS = {
    "Birch and Osborne (2010)": {"section": "1 2 2.1 2.2 3 to 6", "table": "1 2", "figure": "1"},
    "Talbot et al. (2011)": {
        "section": "1 2.1 2.2 3.1 to 3.3 4.1 4.2 5 to 7",
        "equation": "1",
        "table": "1 to 8",
        "figure": "1 2",
    },
    "Stanojević and Sima'an (2014)": {
        "section": "1 to 4 5.1 to 5.3 6.1 6.2 7",
        "equation": "1 2",
        "table": "1 to 5",
        "figure": "1 to 10",
    },
    "Stanojević and Sima'an (2016)": {"section": "1 to 8", "table": "1 to 3", "figure": "1 to 7"},
    "Stanojević (2017)": {
        "section": "1.1 to 1.7 2.1.1 2.1.2 2.2.1 to 2.2.3 2.3.1 2.3.2 2.4.1 to 2.4.3 2.5.1 to 2.5.3 "
        "3.1 3.2 3.3.1 to 3.3.3 3.4.1 3.4.2 3.5 to 3.8 4.1 4.2 4.3.1 to 4.3.3 4.4.1 to 4.4.4 4.5 "
        "5.1 5.2 5.3.1 to 5.3.6 5.4.1 5.4.2 5.5 6.1.1 to 6.1.3 6.2 6.3.1 6.3.2 6.4 7.1 7.2",
        "equation": "2.1 to 2.51 3.1 to 3.8 4.1 to 4.4 5.1 to 5.11 6.1 to 6.15",
        "table": "3.1 to 3.5 4.1 to 4.6 5.1 to 5.3 6.1 to 6.7 A.1 to A.10",
        "figure": "1.1 2.1 to 2.6 3.1 to 3.6 4.1 to 4.8 6.1",
    },
}
NUMBER = r"(?:A\.)?\d+(?:\.\d+)*"
LIST = rf"{NUMBER}(?:(?:, | and | to ){NUMBER})*"


class Row(NamedTuple):
    """A row of the page: the paper, the place in it, where it is here, and its status."""

    paper: str
    place: str
    where: str
    status: str


@cache
def rows() -> list[Row]:
    """Read the tables of the page."""
    text = (ROOT / "docs" / "results" / "papers.md").read_text(encoding="utf-8")
    found = []
    for part in text.split("\n## ")[1:]:
        paper = part[: part.index(")") + 1]
        for line in re.findall(r"^\|(.*)\|$", part, re.M)[2:]:
            found.append(Row(paper, *(cell.strip() for cell in re.split(r"(?<!\\)\|", line))))
    return found


def expanded(text: str) -> Iterator[str]:
    """List numbers, and those between two that are joined by ``to``."""
    numbers = re.findall(rf"{NUMBER}|to", text)
    yield from (number for number in numbers if number != "to")
    for (first, word), (_, last) in zip(pairwise(numbers), [*pairwise(numbers)][1:], strict=False):
        if word == "to":
            head, _, begin = first.rpartition(".")
            for k in range(int(begin), int(last.rpartition(".")[2])):
                yield f"{head}.{k}" if head else str(k)


def places(row: Row) -> Iterator[tuple[str, str]]:
    """List what the place of a row mentions: kinds and numbers."""
    text = row.place
    for kind, pattern in (
        ("table", rf"Tables? ({LIST})"),
        ("figure", rf"Figures? ({LIST})"),
        ("equation", rf"\({NUMBER}\)(?: to \({NUMBER}\))?"),
    ):
        for match in re.finditer(pattern, text):
            yield from ((kind, number) for number in expanded(match[0]))
        text = re.sub(pattern, "", text)
    for part in text.split("; "):
        if match := re.match(LIST, part):
            yield from (("section", number) for number in expanded(match[0]))


def names() -> list[str]:
    return sorted({name for row in rows() for name in re.findall(r"`([^`]*)`", row.where)})


def test_every_numbered_place_has_a_row() -> None:
    mentioned = defaultdict(set)
    for row in rows():
        for kind, number in places(row):
            mentioned[row.paper, kind].add(number)
    for paper, contents in CONTENTS.items():
        for kind, numbers in contents.items():
            assert set(expanded(numbers)) <= mentioned[paper, kind], (paper, kind)


def test_ranges_of_numbers_are_expanded() -> None:
    row = Row("", "1.4 to 1.6, Tables A.9 to A.10 and (2.9) to (2.11); 3, word", "", "")
    assert sorted(set(places(row))) == [
        *(("equation", f"2.{k}") for k in (10, 11, 9)),
        *(("section", number) for number in ("1.4", "1.5", "1.6", "3")),
        ("table", "A.10"),
        ("table", "A.9"),
    ]


def test_statuses_are_the_fixed_words() -> None:
    for row in rows():
        assert re.match(rf"({'|'.join(STATUSES)})\b", row.status), row
        assert "needs: " in row.status or not row.status.startswith("no data"), row
        assert row.where or row.status.startswith(("no data", "not here", "background")), row


@pytest.mark.parametrize("name", names())
def test_what_is_named_exists(name: str) -> None:
    """A name is a command, a target of make, a module or function, or a metric."""
    if name.startswith("wordorder "):
        return  # test_docs.py runs it
    if name.startswith("make "):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{name.split()[1]}:", makefile, re.M)
    elif name.startswith("python -m "):
        assert find_spec(name.split()[2])
    elif name.startswith(("wordorder.", "experiments.")):
        resolve_name(name)
    else:
        metric(name)
