"""Comparing a run of benchmarks with the kept one, on made-up results."""

from __future__ import annotations

import doctest
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import driver, page
from benchmarks import results as results_module
from benchmarks.comparison import Comparison, compare, failures
from benchmarks.measurement import CALIBRATION, Check, Measurement, RowId, Skipped, Target
from benchmarks.report import comparison_table
from benchmarks.results import Results, kept_path, read_kept
from tools.pages import out_of_date
from wordorder.report.table import write_table


def row(name: str = "text: bleu", seconds: float = 1.0, **changes: object) -> Measurement:
    made = Measurement(
        name=name, text="news", unit="pairs", units=100, seconds=seconds, wall_seconds=seconds, megabytes=100,
        peer="sacrebleu", peer_units=10, peer_seconds=1.0, peer_wall_seconds=1.0,
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def results(*rows: Measurement, **changes: object) -> Results:
    made = Results(
        list(rows), benchmarks=["text"], texts={"news": "10 pairs"}, machine={"cpu": "X", "cores": 2}
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def only(now: Results, kept: Results | None) -> Comparison:
    (compared,) = compare(now, kept)
    return compared


def test_rates_and_ratios() -> None:
    made = row(seconds=2.0, wall_seconds=4.0)
    assert (made.rate, made.ratio, made.wall_ratio) == (50, 5, 2.5)


@pytest.mark.parametrize(("seconds", "fails"), [(1.0, False), (1.19, False), (1.21, True), (0.5, False)])
def test_more_than_a_fifth_slower_beside_the_peer_fails(seconds: float, fails: bool) -> None:
    compared = only(results(row(seconds=seconds)), results(row()))
    assert bool(compared.failures) is fails
    assert compared.change == pytest.approx(1 / seconds)


def test_a_machine_that_slows_down_for_both_changes_nothing() -> None:
    slow = row(seconds=3.0, peer_seconds=3.0)
    assert only(results(slow), results(row())).failures == []


def test_a_faster_peer_is_our_loss() -> None:
    assert only(results(row(peer_seconds=0.5)), results(row())).failures == [
        "100% slower than kept, beside the peer"
    ]


@pytest.mark.parametrize(("megabytes", "fails"), [(119, False), (121, True), (None, False)])
def test_memory_may_grow_by_a_fifth(megabytes: float | None, fails: bool) -> None:
    assert bool(only(results(row(megabytes=megabytes)), results(row())).failures) is fails


def test_a_few_megabytes_do_not_count() -> None:
    assert only(results(row(megabytes=25)), results(row(megabytes=10))).failures == []


def test_new_rows_do_not_fail_and_have_no_change() -> None:
    compared = only(results(row()), None)
    assert (compared.failures, compared.notes, compared.change) == ([], ["new"], None)


def test_rows_on_another_text_are_not_compared() -> None:
    compared = only(results(row(seconds=9.0, text="speeches")), results(row()))
    assert (compared.failures, compared.change) == ([], None)
    assert compared.notes == ["kept on another text: news"]


def test_the_same_row_beside_another_peer_is_another_row() -> None:
    now = results(row(seconds=9.0, peer="nltk"), skipped=[Skipped("text: bleu", "gone", "sacrebleu")])
    new, absent = compare(now, results(row()))
    assert (new.notes, absent.notes) == (["new"], ["not measured: gone"])


@pytest.mark.parametrize(
    ("changes", "failure", "note"),
    [
        ({}, "was kept, but is not measured any more", ""),
        ({"skipped": [Skipped("text: bleu", "no peer", "sacrebleu")]}, "", "not measured: no peer"),
        ({"skipped": [Skipped("text", "no data")]}, "", "not measured: no data"),
        (
            {"skipped": [Skipped("text: bleu", "no peer", "nltk")]},
            "was kept, but is not measured any more",
            "",
        ),
        ({"benchmarks": ["beer"]}, "", "not measured: its benchmark was not run"),
    ],
)
def test_a_kept_row_is_only_absent_for_a_reason(changes: dict[str, object], failure: str, note: str) -> None:
    absent = only(results(**changes), results(row()))
    assert (absent.failures, absent.notes) == ([failure] if failure else [], [note] if note else [])


@pytest.mark.parametrize(
    ("target", "missed"),
    [
        (Target("ratio", 10), False),
        (Target("ratio", 11), True),
        (Target("rate", 100), False),
        (Target("rate", 101), True),
        (Target("megabytes", 99), True),
        (Target("wall_seconds", 0.5), True),
        (Target("wall_ratio", 9), False),
    ],
)
def test_targets(target: Target, missed: bool) -> None:
    assert row(target=target).misses_target is missed


def test_a_newly_missed_target_fails_and_a_known_miss_does_not() -> None:
    missing, met = row(target=Target("ratio", 11)), row(seconds=0.9, target=Target("ratio", 11))
    assert only(results(missing), None).failures == ["misses its target, 11 times the peer"]
    assert only(results(missing), results(met)).failures == ["misses its target, 11 times the peer"]
    known = only(results(missing), results(missing))
    assert (known.failures, known.notes) == ([], ["misses its target, 11 times the peer, as kept"])
    stricter = row(target=Target("ratio", 12))
    assert only(results(stricter), results(missing)).failures


def test_a_known_miss_that_gets_slower_fails() -> None:
    kept, now = (row(seconds=s, target=Target("ratio", 11)) for s in (1.0, 1.5))
    assert only(results(now), results(kept)).failures == ["50% slower than kept, beside the peer"]


def test_targets_by_the_clock_are_shown_but_do_not_fail() -> None:
    compared = only(results(row(target=Target("wall_seconds", 0.5))), None)
    assert compared.failures == [] and "misses its target, 0.5 s by the clock" in compared.notes


def test_failed_checks_and_benchmarks_fail() -> None:
    now = results(row(), checks=[Check("same", True), Check("equal", False)], failed={"beer": "no model"})
    assert failures(now, compare(now, results(row()))) == [
        "check failed: equal", "benchmark beer stopped: no model"
    ]  # fmt: skip


def test_of_repeated_rows_the_run_with_the_best_ratio_counts() -> None:
    now = results(row(seconds=2.0, peer_seconds=2.0, megabytes=150))
    now.add(results(row(seconds=1.5, peer_seconds=1.0)))
    (best,) = now.measurements
    assert (best.seconds, best.peer_seconds, best.megabytes) == (2.0, 2.0, 100)


@pytest.mark.parametrize(("later", "runs"), [(1.0, 2), (2.0, 3)])
def test_a_slower_row_is_repeated_before_it_counts(
    later: float, runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def run_one(name: str, data: Path | None, rows: list[RowId] | None = None) -> Results:
        asked.append(rows)
        return results(row(seconds=later if asked[1:] else 2.0))

    monkeypatch.setattr(driver, "run_one", run_one)
    now = driver.run_all(["text"], None, results(row()))
    assert asked == [None] + [[RowId("text: bleu", "sacrebleu")]] * (runs - 1)
    assert bool(only(now, results(row())).failures) is (later == 2.0)


def test_results_survive_being_written() -> None:
    now = results(
        row(target=Target("ratio", 3)), row("text: ter", peer=CALIBRATION, megabytes=None),
        skipped=[Skipped("beer", "no data")], checks=[Check("same", True)],
    )  # fmt: skip
    assert Results.from_json(now.to_json()) == now


def test_keeping_a_part_keeps_the_rest_and_drops_what_is_gone() -> None:
    checks = [Check("beer: same", True), Check("text: equal", False)]
    older = results(row("beer: beer"), row("text: ter"), row(seconds=9.0), checks=checks)
    kept = results(row(), checks=[Check("text: close", True)]).kept_after(
        older, [RowId("text: ter", "sacrebleu")]
    )
    assert [(r.name, r.seconds) for r in kept.measurements] == [("beer: beer", 1.0), ("text: bleu", 1.0)]
    assert kept.checks == [Check("text: close", True), checks[0]]


def test_the_table_shows_figures_and_remarks() -> None:
    now = results(row(seconds=2.0, target=Target("ratio", 3)), skipped=[Skipped("beer", "no data")])
    told = write_table(comparison_table(now, compare(now, results(row()))), "markdown").decode()
    assert "| text: bleu | news | 50 pairs | 100 | sacrebleu | 5.00 | 3 times the peer: met | 0.50 |" in told
    assert "100% slower" in told and "Left out: beer: no data." in told


def test_examples_in_docstrings() -> None:
    tested = doctest.testmod(results_module)
    assert tested.failed == 0 and tested.attempted


def test_the_page_shows_the_kept_results() -> None:
    assert out_of_date(page.page()) == []
    for with_data in (True, False):
        kept = read_kept(kept_path(with_data))
        assert kept is not None and {row.name.partition(":")[0] for row in kept.measurements} <= {
            *driver.benchmark_names()
        }
