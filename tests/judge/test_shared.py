"""Real judgments, where they are: what is counted equals what their pages say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wordorder.engine.threads import available_threads
from wordorder.judge.agreement import agree
from wordorder.judge.judgments import Judgments, Preferences, pairs_of_rankings
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.read import read_judgments
from wordorder.judge.system_scores import trueskill_scores
from wordorder.judge.task import Task
from wordorder.metrics.registry import parse_metrics

pytestmark = pytest.mark.shared
SLOW = pytest.mark.slow


def tables(page: Path) -> list[dict[str, str]]:
    """All rows of the tables on a page, by column; of two columns with one name the first."""
    rows, head = [], None
    for line in page.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if head is None:
            head = cells
        elif set(line) - set("|-"):
            rows.append({name: cells[k] for k, name in reversed(list(enumerate(head)))})
    return rows


def by_name(sets: list[Judgments], row: dict[str, str]) -> Judgments:
    (one,) = (j for j in sets if j.pair == row["lp"] and row.get("test set", j.testset) == j.testset)
    return one


@pytest.mark.parametrize(
    "name", ["wmt12-rr", pytest.param("wmt13-rr", marks=SLOW), pytest.param("wmt14-rr", marks=SLOW),
             pytest.param("wmt15-rr", marks=SLOW), "wmt19-darr"]
)  # fmt: skip
def test_counts_of_rankings(shared: Path, name: str) -> None:
    folder = shared / "data" / "judgments" / name
    sets = read_judgments(str(folder))
    rows = [row for row in tables(folder / "README.md") if "untied judgments" in row]
    assert len(rows) == len(sets)
    for row in rows:
        one = by_name(sets, row)
        preferences = one.preferences
        assert preferences is not None
        assert len(one.segments) == int(row["segments in file"])
        judged = np.unique(one.item_segment[np.concatenate([preferences.first, preferences.second])])
        assert len(judged) == int(row["judged segments"])
        assert len(one.systems) == int(row["systems"])
        assert preferences.untied == int(row["untied judgments"])
        tied = row["tied judgments"]
        assert preferences.tied == (int(tied) if tied.isdigit() else 0)
        assert not one.missing.any() and "judged items without an output" not in one.odd
        assert (one.item_segment[preferences.first] == one.item_segment[preferences.second]).all()


@pytest.mark.parametrize(
    "name", ["wmt13-da", "wmt15-da", pytest.param("wmt17-da", marks=SLOW), "wmt21-da", "wmt21-mqm"]
)
def test_counts_of_ratings(shared: Path, name: str) -> None:
    folder = shared / "data" / "judgments" / name
    sets = read_judgments(str(folder))
    rows = [row for row in tables(folder / "README.md") if "sentBLEU Pearson" in row]
    assert len(rows) == len(sets)
    for row in rows:
        one = by_name(sets, row)
        assert one.ratings is not None and not one.missing.any()
        rated = one.ratings.item[one.machines[one.ratings.item]]
        assert len(rated) == int(row.get("items") or row["scored items"])
        if "segments" in row:
            assert len(np.unique(one.item_segment[rated])) == int(row["segments"])
            assert len(set(one.systems) - one.human) == int(row["systems"])
            assert one.compared.untied == int(row["pairs for tau"])


def said(preferences: Preferences) -> dict[tuple[int, int], tuple[int, int, int]]:
    found = {}
    columns = (preferences.first, preferences.second, preferences.wins, preferences.losses, preferences.ties)
    for a, b, wins, losses, ties in zip(*(column.tolist() for column in columns), strict=True):
        assert (a, b) not in found and (b, a) not in found
        found[min(a, b), max(a, b)] = (wins, losses, ties) if a < b else (losses, wins, ties)
    return found


@pytest.mark.parametrize("name", ["wmt12-rr", pytest.param("wmt15-rr", marks=SLOW)])
def test_rankings_expand_to_the_pairs(shared: Path, name: str) -> None:
    for one in read_judgments(str(shared / "data" / "judgments" / name)):
        assert one.rankings and one.preferences is not None
        keys = zip(one.item_segment.tolist(), one.item_system.tolist(), strict=True)
        number = {(one.segments[s], one.systems[k]): i for i, (s, k) in enumerate(keys)}
        assert said(pairs_of_rankings(one.rankings, number)) == said(one.preferences)


@pytest.mark.parametrize(
    "name",
    [
        "wmt13-da",
        "wmt15-da",
        *(pytest.param(name, marks=SLOW) for name in ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr")),
        *(pytest.param(name, marks=SLOW) for name in ("wmt17-da", "wmt19-darr", "wmt21-da", "wmt21-mqm")),
    ],
)
def test_baselines_equal_the_printed_digits(shared: Path, name: str) -> None:
    """SentBLEU and chrF of each language pair, at segment and system level, as the pages print them."""
    folder = shared / "data" / "judgments" / name
    sets = read_judgments(str(folder))
    scored = Scorer(processes=available_threads())(sets, parse_metrics(["bleu,chrf"]))
    places = {(one.pair, one.testset): number for number, one in enumerate(sets)}

    def found(level: str, measure: str | None = None) -> dict[tuple[str, str], list[float | None]]:
        told = agree(Task(level=level, measure=measure, samples=0), sets, scored)  # type: ignore[arg-type]
        return {
            (column.pair, column.testset): [told.cells[k][c].value for k in range(2)]
            for c, column in enumerate(told.sets)
        }

    checked = 0
    rows = [row for row in tables(folder / "README.md") if any("BLEU" in key for key in row)]
    for row in rows:
        one = by_name(sets, row)
        at = one.pair, one.testset
        assert at in places
        for measure, columns in (
            ("tau:ties=counted", ("sentBLEU tau", "chrF tau")),
            ("pearson", ("sentBLEU Pearson", "chrF Pearson")),
        ):
            if columns[0] in row:
                values = found("segment", measure)[at]
                for value, column in zip(values, columns, strict=True):
                    assert value is not None and round(value, 3) == float(row[column]), (at, column)
                    checked += 1
        both = row.get("(ties dropped: sentBLEU / chrF)")
        if both:
            values = found("segment", "tau:ties=dropped")[at]
            for value, text in zip(values, both.split("/"), strict=True):
                assert value is not None and round(value, 3) == float(text), at
                checked += 1
        systems = row.get("system-level Pearson BLEU") or row.get("system Pearson BLEU")
        if systems:
            values = found("system", "pearson")[at]
            for value, text in zip(values, (systems, row["chrF"]), strict=True):
                assert value is not None and round(value, 3) == float(text), at
                checked += 1
    assert checked >= 2 * len(rows) >= 2


@SLOW
def test_trueskill_is_close_to_the_published_one(shared: Path) -> None:
    for one in read_judgments(str(shared / "data" / "judgments" / "wmt15-rr")):
        published = np.array([one.system_scores["trueskill"].get(name, np.nan) for name in one.systems])
        ours = trueskill_scores(one, passes=2)
        known = np.isfinite(published) & np.isfinite(ours)
        assert np.corrcoef(ours[known], published[known])[0, 1] > 0.99, one.pair
