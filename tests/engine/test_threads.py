"""The ordered map."""

from __future__ import annotations

import random
import threading
import time

import pytest

from wordorder.engine.threads import available_threads, ordered_map


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order(threads: int) -> None:
    def work(x: int) -> int:
        time.sleep(random.Random(x).random() / 500)
        return x * x

    assert list(ordered_map(work, range(100), threads=threads)) == [x * x for x in range(100)]
    assert list(ordered_map(work, [], threads=threads)) == []


def test_few_items_are_in_memory_at_a_time() -> None:
    lead = 0
    taken = done = 0
    lock = threading.Lock()

    def items() -> range:
        nonlocal taken, lead
        for k in range(200):
            with lock:
                taken += 1
                lead = max(lead, taken - done)
            yield k

    for _ in ordered_map(lambda x: x, items(), threads=2):
        with lock:
            done += 1
    assert done == 200 and lead <= 2 * 2 + 2


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_error_stops_the_work(threads: int) -> None:
    def work(x: int) -> int:
        if x == 7:
            raise ValueError("seven")
        return x

    found = []
    with pytest.raises(ValueError, match="seven"):
        for value in ordered_map(work, range(10_000), threads=threads):
            found.append(value)
    assert found == list(range(7))


def test_there_is_a_thread() -> None:
    assert available_threads() >= 1


def test_a_thread_of_the_pool_may_be_the_one_that_ends_the_map() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(x: int) -> int:
        if x == 1:
            begun.wait(10)
            results.close()  # as when the last reference is lost there: it must not wait for itself
            ended.set()
        return x

    results = ordered_map(work, range(100), threads=2)
    assert next(results) == 0
    begun.set()
    assert ended.wait(10)
