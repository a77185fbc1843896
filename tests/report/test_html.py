"""The frame of reports."""

from __future__ import annotations

import json

import pytest

from wordorder.report.html.page import ReportPage, with_records
from wordorder.report.html.tuning import TunedRound, tuning_page
from wordorder.report.table import Table

TABLE = Table(
    title="Scores <of> systems",
    head=["", "kendall", "p & q"],
    rows=[["a", "0.910 [0.900, 0.920] p=0.003 +**", "x"], ["<b>", "0.5", "–"]],
    notes=["a note & more"],
    left=3,
)


def test_numbers_are_aligned_and_intervals_stand_below():
    markup = ReportPage("t").table(TABLE)
    assert "Scores &lt;of&gt; systems" in markup and "a note &amp; more" in markup and "<b>" not in markup
    assert '<td class="wo-number">0.5</td>' in markup and '<td class="wo-text">x</td>' in markup
    below = '<span class="report-quiet">[0.900, 0.920] p=0.003</span>'
    assert f'0.910 <span class="report-mark">+**</span>{below}' in markup


def test_tables_without_records_are_saved_as_they_are_shown():
    page = ReportPage("t")
    page.table(TABLE, file="scores")
    forms = page.saved["scores-1"]
    assert json.loads(forms["json"])["rows"][1] == {"column 1": "<b>", "kendall": "0.5", "p & q": "–"}
    assert forms["tsv"].splitlines()[2] == "<b>\t0.5\t–"
    assert r"\begin{tabular}{lll}" in forms["latex"]
    records = [{"x": 1}]
    assert with_records(Table(head=["a"], rows=[["1"]], records=records)).records == records


def test_json_may_have_its_own_records_and_the_page_its_own_notes():
    page = ReportPage("t")
    markup = page.table(TABLE, file="scores", json=Table(records=[{"full": 1}], name="all"), notes=["other"])
    assert json.loads(page.saved["scores-1"]["json"]) == {"all": [{"full": 1}]}
    assert "other" in markup and "a note" not in markup and "a note" in page.saved["scores-1"]["latex"]


def test_bars_are_as_long_as_their_counts():
    table = Table(
        title="t", head=["links", "count", "share"], rows=[["0", "1,000", "80 %"], ["1+", "250", "20 %"]]
    )
    markup = ReportPage("t").histogram(table)
    assert "width:100.0%" in markup and "width:25.0%" in markup


@pytest.mark.parametrize("hostile", ["</title><script>", '"><img src=x>', "\ud800\0"])
def test_titles_are_text(hostile):
    page = ReportPage(hostile, hostile)
    page.add("one", hostile, "<p>markup</p>", about=hostile)
    written = page.write().decode("utf-8")
    body = written.split("<body>")[1].split('<script type="application/json"')[0]
    assert "<script" not in body and "<img" not in body and "\0" not in body and "<p>markup</p>" in body
    assert written.count('<a href="#one">') == 1


def test_a_tuning_run_shows_its_rounds():
    runs = Table(
        head=["run", "bleu"], rows=[["start", "1.0"]], records=[{"run": "start", "bleu": 1.0}], name="runs"
    )
    record = {"feature": "lm", "start": 0.5, "best": 0.7}
    weights = Table(head=["feature", "best"], rows=[["lm", "0.7"]], records=[record], name="weights")
    rounds = [
        TunedRound(1, 300, 20.5, {"lm": 0.5, "tm": 0.5}),
        TunedRound(2, 40, 21.0, {"lm": 0.7, "tm": 0.3}),
    ]
    written = tuning_page([runs, weights], {"method": "mert", "metric": "bleu|v:1"}, "bleu", rounds).decode(
        "utf-8"
    )
    assert 'id="rounds"' in written and '<td class="wo-number">21.0000</td>' in written
    assert written.count("<svg") == 4  # runs, scores and weights by round, weights
    assert 'id="rounds"' not in tuning_page([runs, weights], {"method": "m", "metric": "b"}, "bleu").decode(
        "utf-8"
    )
