"""Kernels may be called from several threads at once: results do not depend on it.

The sanitizer for threads (tools/sanitize.sh) runs this file, and reports every place that two threads share.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.native.wrong_calls import calls
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.source import Source

THREADS = 4
FUNCTIONS = sorted(name for name in calls() if "." not in name)  # methods may change their object


def at_once(work: Any) -> list[Any]:
    """Call a function from several threads, which start together, and return all results."""
    barrier = threading.Barrier(THREADS)

    def begin(_: int) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_share_nothing(name: str) -> None:
    function, arguments = calls()[name]
    given = arguments()
    if "threads" in given:
        given["threads"] = THREADS
    results = at_once(lambda: [repr(plain(function(**given))) for _ in range(5)])
    assert len({text for texts in results for text in texts}) == 1


def plain(value: Any) -> Any:
    """Return arrays as lists, also inside of other values; objects by their types."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value if isinstance(value, bool | int | float | str | bytes | None) else type(value)


@pytest.mark.parametrize("model", ["en-ja-crf", "en-tr"])
def test_one_model_decodes_on_several_threads(model: str) -> None:
    preorderer = load_preorderer(model)
    text = "the cat that I saw yesterday in the old garden did not want to eat the fish ."
    sources = [Source(text.split()[:n]) for n in (3, 9, 18)]
    results = at_once(lambda: [p.ranks.tolist() for p in preorderer.reorder_batch(sources)])
    assert all(result == results[0] for result in results)
