"""What a benchmark measures."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from benchmarks import stopwatch
from benchmarks.bench import Bench, Peer
from benchmarks.driver import run_one
from benchmarks.measurement import RowId
from benchmarks.stopwatch import Command, best_in_turns, cost_of
from benchmarks.texts import MADE_UP, Texts


def busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_cpu_time_is_counted_and_waiting_is_not() -> None:
    cost = cost_of(lambda: (busy(0.05), time.sleep(0.05)))
    assert 0.05 <= cost.seconds <= cost.wall_seconds - 0.04


def test_a_command_is_charged_with_its_own_time_and_memory() -> None:
    code = "import time; x = bytearray(80_000_000)\nwhile time.process_time() < 0.2: pass"
    cost = cost_of(Command([sys.executable, "-c", code]))
    assert cost.seconds >= 0.2 and 80 <= cost.megabytes < 140


def test_memory_that_was_freed_before_does_not_count() -> None:
    # More than what the kernels keep for the next call (native/python/module.cpp).
    bytearray(300_000_000)
    assert cost_of(lambda: None).megabytes < cost_of(lambda: bytearray(300_000_000)).megabytes - 250


def test_both_sides_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "ENOUGH_SECONDS", 0.02)
    monkeypatch.setattr(stopwatch, "LEAST_RUNS", 2)
    calls: list[str] = []
    best_in_turns([lambda: (calls.append("a"), busy(0.015)), lambda: (calls.append("b"), busy(0.015))])
    assert calls == ["a", "b", "a", "b"]


def test_only_the_wanted_rows_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "ENOUGH_SECONDS", 0.001)
    bench = Bench("x", Texts(None), {RowId("x: b", "peer")})
    for name in ("a", "b"):
        bench.measure(
            name, lambda: busy(0.002), 5, "lines", text=MADE_UP, peer=Peer("peer", lambda: busy(0.002))
        )
    assert [row.name for row in bench.measured] == ["x: b"]


def test_a_benchmark_that_stops_is_told(tmp_path: Path) -> None:
    part = run_one("no_such_benchmark", None)
    assert "no_such_benchmark" in part.failed["no_such_benchmark"] and part.benchmarks == []
