"""An ordered parallel map on threads, which are enough because kernels release the GIL."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

A = TypeVar("A")
B = TypeVar("B")
Runner = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]  # an ordered map


def available_threads() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def ordered_map(work: Callable[[A], B], items: Iterable[A], *, threads: int) -> Iterator[B]:
    """Map on threads: results come in the order of the items, with few items in memory at a time.

    >>> list(ordered_map(lambda x: x * x, range(5), threads=2))
    [0, 1, 4, 9, 16]
    """
    if threads <= 1:
        yield from map(work, items)
        return
    items = iter(items)
    begin = list(islice(items, 2))
    if len(begin) < 2:  # starting threads would take longer than most sentences
        yield from map(work, begin)
        return
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[Future[B]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for item in chain(begin, items):
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # After an error, a thread of the pool may be the one that ends this, and cannot wait for itself.
        pool.shutdown(wait=False, cancel_futures=True)
