"""Kernels may be called from several threads at once: results do not depend on it.

The sanitizer for threads (tools/sanitize.sh) runs this file, and reports every place that two threads share.
"""

from __future__ import annotations

import os
import subprocess
import sys
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


# A process without room for the stacks of many threads.
CROWDED = """
import resource
import threading
import numpy as np
from wordorder import _native

sentences = 3000
starts = np.arange(sentences + 1, dtype=np.int64) * 2
offset, slope = np.random.default_rng(1).normal(size=(2, 2 * sentences))
statistics = np.ones((2 * sentences, 1))
alone = _native.line_sums(starts, offset, slope, statistics, 1)
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (64 << 20),) * 2)
crowded = _native.line_sums(starts, offset, slope, statistics, 1000)
print(all(np.array_equal(a, b) for a, b in zip(alone, crowded)))
stop = threading.Event()
try:
    for _ in range(1000):
        threading.Thread(target=stop.wait).start()
except RuntimeError as error:
    print(error)
stop.set()
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
@pytest.mark.skipif(bool({"ASAN_OPTIONS", "TSAN_OPTIONS"} & set(os.environ)), reason="sanitizers need room")
def test_threads_that_cannot_be_started_are_done_without() -> None:
    done = subprocess.run([sys.executable, "-c", CROWDED], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "True\ncan't start new thread\n", done.stderr
