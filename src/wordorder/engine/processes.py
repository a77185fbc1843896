"""Processes for work that threads cannot share; they end with their program, however it ends."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from wordorder.engine.threads import Runner

_KEPT: list[Connection] = []


@contextmanager
def process_map(processes: int) -> Iterator[Runner]:
    """Yield an ordered map on processes.

    All of them hold one end of a pipe; only this process holds the other, which the system closes if it is
    killed. A process that waits for another one in vain would otherwise live for ever.
    """
    context = get_context("spawn")  # spawned processes share nothing with the threads of this one
    theirs, ours = context.Pipe(duplex=False)
    with without_farewells():
        pool = ProcessPoolExecutor(processes, context, initializer=_end_with, initargs=(theirs,))
    try:
        yield pool.map
    except Exception:
        pool.shutdown(cancel_futures=True)
        raise
    except BaseException:  # the program is to end, and does not wait for work that nobody wants
        pool.shutdown(wait=False, cancel_futures=True)
        _KEPT.append(ours)  # until then: the pool would complain if its processes ended before it
        raise
    pool.shutdown()


@contextmanager
def without_farewells() -> Iterator[None]:
    """Start processes that say nothing about semaphores if this one is ended by a signal."""
    before = os.environ.get("PYTHONWARNINGS")
    quiet = "ignore:resource_tracker:UserWarning"
    os.environ["PYTHONWARNINGS"] = f"{before},{quiet}" if before else quiet
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


# In the processes


def _end_with(parent: Connection) -> None:
    """End when the other end of a pipe is closed, and leave Ctrl-C, which reaches all, to its owner."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), daemon=True, name="end with parent").start()


def _watch(parent: Connection) -> None:
    wait([parent])
    os._exit(1)
