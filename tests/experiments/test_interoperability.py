"""The page on other programs says what its commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.interoperability.__main__ import comparisons, main, names
from experiments.interoperability.comparison import HEAD, Comparison
from tests.conftest import ROOT
from tests.judge.files import written
from tests.judge.test_mqm import MARKS, MQM

PAGE = ROOT / "docs" / "interoperability.md"


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def is_on_the_page(found: Comparison) -> bool:
    """Whether the page has the row; other versions of the program may give the same figures."""
    cells = found.cells
    return any(row[:1] + row[2:] == [cells[0], *cells[2:]] for row in rows())


def test_the_table_is_whole() -> None:
    head, *others = rows()
    assert head == list(HEAD) and len(others) >= 10
    assert all(len(row) == len(HEAD) for row in others)
    assert len({(row[0], row[2]) for row in others}) == len(others)


def test_rows_of_sacrebleu() -> None:
    found = list(comparisons("sacrebleu", None))
    assert len(found) == 4 and all(map(is_on_the_page, found))
    assert [one.cases - one.equal for one in found[:3]] == [0, 0, 0]


def test_rows_of_nltk() -> None:
    pytest.importorskip("nltk")
    (found,) = comparisons("nltk", None)
    assert is_on_the_page(found)


@pytest.mark.shared
def test_rows_of_mt_metrics_eval(shared: Path) -> None:
    folder = shared / "data" / "mme-sample"
    if not folder.is_dir():
        pytest.skip("no sample of mt-metrics-eval")
    found = list(comparisons("mt_metrics_eval", folder))
    assert len(found) == 3 and all(map(is_on_the_page, found))


def test_averages_of_google(tmp_path: Path) -> None:
    written(tmp_path, "x/mqm_newstest2021_ende.tsv", MQM, *MARKS)
    averages = ["a\t-25.000000 1", "a\t-2.550000 2", "b\t-0.000000 1", "b\t-5.000000 2", "ref-A\tNone 1"]
    path = "x/mqm_newstest2021_ende.avg_seg_scores.tsv"
    written(tmp_path, path, "system mqm_avg_score seg_id", *averages)
    (found,) = comparisons("google_mqm", tmp_path)
    assert (found.cases, found.equal, found.compared) == (4, 4, "mqm_newstest2021_ende")
    written(tmp_path, path, "system mqm_avg_score seg_id", "a\t-24 1", *averages[1:])
    (found,) = comparisons("google_mqm", tmp_path)
    assert (found.cases, found.equal) == (4, 3)


def test_what_is_missing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"sacrebleu", "mt_metrics_eval", "nltk", "google_mqm"} <= set(names())
    assert main(["google_mqm", "mt_metrics_eval"]) == 1
    told = capsys.readouterr().err
    assert "google_mqm: needs --data FOLDER" in told and "mt_metrics_eval: needs --data FOLDER" in told
    with pytest.raises(SystemExit):
        main(["other"])
