"""Kernels are safe to call with anything: a wrong argument is an error, never a crash or an endless loop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.native.wrong_calls import calls
from wordorder import _native


def test_every_bound_function_is_called() -> None:
    bound = set()
    for name in (name for name in dir(_native) if not name.startswith("__")):
        bound.add(name)
        if isinstance(getattr(_native, name), type):
            methods = (m for m in dir(getattr(_native, name)) if not m.startswith("__"))
            bound |= {f"{name}.{m}" for m in methods if callable(getattr(getattr(_native, name), m))}
    assert bound == {name.split(" ")[0] for name in calls()}


@pytest.mark.parametrize("name", sorted(calls()))
def test_the_right_calls_are_right(name: str) -> None:
    function, arguments = calls()[name]
    given = arguments()
    before = copied(given)
    function(**given)
    assert repr(given) == repr(before)  # a kernel does not write into what it is given


def copied(value: Any) -> Any:
    """Copy arrays, also inside of other values."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(copied(item) for item in value)
    return value


def wrong_calls(tmp_path: Path, seconds: int, seed: int) -> int:
    """Make wrong calls in another process, and return how many there were; a crash is a failure."""
    log = tmp_path / "call"
    command = [sys.executable, "-m", "tests.native.wrong_calls", str(log), str(seconds), str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * seconds + 60)
    except subprocess.TimeoutExpired:
        pytest.fail(f"hangs: {log.read_text()}")
    assert done.returncode == 0, f"{done.stderr[-2000:]}\n{log.read_text()}"
    return int(done.stdout)


def test_scores_that_are_no_numbers_have_no_best_tree() -> None:
    scores = np.zeros(8)  # of the four edges over three words
    assert len(_native.crf_best_tree(scores, 3, False)[1]) == 2
    with pytest.raises(ValueError, match="not a number"):
        _native.crf_best_tree(np.full(8, np.nan), 3, False)


def test_wrong_calls_are_errors(tmp_path: Path) -> None:
    assert wrong_calls(tmp_path, 5, 1) > 100


@pytest.mark.slow
def test_many_wrong_calls_are_errors(tmp_path: Path) -> None:
    assert wrong_calls(tmp_path, 60, 2) > 6000


def test_offsets_must_rise() -> None:
    falling = np.array([0, 4, 2, 5], dtype=np.int64)
    values = np.arange(5, dtype=np.int32)
    for kernel in (_native.trees, _native.tree_counts, _native.count_shares, _native.find_invalid):
        with pytest.raises(ValueError, match="offsets fall"):
            kernel(values, falling)


def test_what_is_no_permutation_is_refused() -> None:
    offsets = np.array([0, 3], dtype=np.int64)
    for values in ([0, 0, 1], [0, 1, 3], [-1, 0, 1]):
        with pytest.raises(ValueError, match="not a permutation"):
            _native.recursive(np.array(values, dtype=np.int32), offsets, 0, 3, 1, 0.5, 0.0)


def test_common_words_are_those_of_some_languages() -> None:
    for words, each in ((b"", 1), (b"a\n" * 32 + b"b", 1), (b"a\n", 0)):
        with pytest.raises(ValueError, match="no words, or more than 32 languages"):
            _native.CommonWords(words, each, [])
    assert _native.CommonWords(b"a\nb", 1, []).languages(b"b b\n", np.zeros(1, dtype=np.int64), 0.1, 1.0) == [
        1
    ]


def test_counts_that_would_overflow_are_refused() -> None:
    function, arguments = calls()["Aligner.update"]
    for name in ("cells", "target_nulls", "source_nulls"):
        given = arguments()
        given[name] = np.full_like(given[name], 2**62)
        with pytest.raises(ValueError, match="the sum of counts is too large"):
            function(**given)


def test_counts_of_pieces_that_no_text_has_are_refused() -> None:
    function, arguments = calls()["similarities"]
    for count in (-1, 2**62, -(2**63)):
        given = arguments()
        given["counts"] = np.full_like(given["counts"], count)
        with pytest.raises(ValueError, match="a count is out of range"):
            function(**given)
