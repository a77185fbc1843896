"""Work on a Dask cluster: an ordered map over processes and machines.

If a worker dies, its work is done again by another one. Needs the extra ``cluster``.
"""

from __future__ import annotations

import errno
import itertools
import logging
import os
import signal
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from wordorder._version import __version__
from wordorder.engine.processes import without_farewells
from wordorder.engine.threads import Runner
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.unfinished import unfinished

_NUMBERS = itertools.count()
MOST_PROCESSES = 1024  # of a local cluster; as of threads
AHEAD = 16  # items at least that are sent before the first result is needed
QUIET = {"distributed.admin.large-graph-warning-threshold": "1TB"}
# Processes here are for one job: what Dask measures for its dashboard only costs time.
UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.admin.system-monitor.gil.enabled": False,
}


@contextmanager
def runner(address: str) -> Iterator[Runner]:
    """Yield a map on the cluster at an address; ``local:N`` starts N processes here, and stops them."""
    local = address.partition(":")[0] == "local"
    count = address.partition(":")[2] or "2"
    if local and not (count.isdigit() and len(count) < 9 and 1 <= int(count) <= MOST_PROCESSES):
        raise BadSetting(
            f"cluster is {address!r}; expected local:N with 1 to {MOST_PROCESSES} processes, or an address"
        )
    try:
        dask: Any = import_module("distributed")  # without types
        config: Any = import_module("dask").config
    except ImportError:
        raise WordOrderError("a cluster needs Dask: pip install 'wordorder[cluster]'") from None
    with config.set({**QUIET, **(UNWATCHED if local else {})}), _without_logs(), _scratch() as scratch:
        here = None
        if local:
            with _connecting(address), without_farewells():
                here = dask.LocalCluster(
                    local_directory=scratch,
                    n_workers=int(count),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
        try:
            with _connecting(address):
                client = dask.Client(here or address, timeout=20)
            with client:
                _check_versions(client)
                if local:
                    client.run(_ignore_interrupts)
                yield lambda work, items: _map(client, address, work, items)
        finally:
            if here is not None:
                here.close()


@contextmanager
def _scratch() -> Iterator[str]:
    """Make a folder for files of local workers, and remove it also if a signal ends this process."""
    folder = tempfile.mkdtemp(prefix="wordorder-")
    with unfinished(folder):
        yield folder


@contextmanager
def _connecting(address: str) -> Iterator[None]:
    """Turn the errors of Dask, which are of many kinds, into one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small differences between the versions of Dask
        try:
            yield
        except Exception as error:
            raise WordOrderError(
                f"no Dask scheduler at {address}: {str(error).partition(chr(10))[0]}"
            ) from None


def _check_versions(client: Any) -> None:
    """Raise an error if the cluster has no wordorder, by which its workers would end, or another one."""
    # Only what every Python has can be called where wordorder may be missing.
    version = "getattr(__import__('wordorder'), '__version__', 'unknown')"
    try:
        found = {f"the scheduler {client.scheduler.address}": client.run_on_scheduler(eval, version)}
        workers = client.run(eval, version, on_error="return")
    except ImportError:
        found, workers = {f"the scheduler {client.scheduler.address}": None}, {}
    found |= {f"the worker {name}": told for name, told in workers.items()}
    for place, told in found.items():
        if error := _other_version(place, __version__, told if isinstance(told, str) else None):
            raise error


def _other_version(place: str, needed: str, found: str | None) -> WordOrderError | None:
    if needed == found:
        return None
    has = f"has wordorder {found}" if found else "has no wordorder"
    return WordOrderError(f"{place} {has}; install version {needed}, as here, on all machines")


@contextmanager
def _without_logs() -> Iterator[None]:
    """Keep what Dask logs in this process off standard error: what matters is raised as an error."""
    handlers = logging.getLogger("distributed").handlers
    before = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in zip(handlers, before, strict=False):
            handler.setLevel(level)


def _map(client: Any, address: str, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield results in the order of the items; the function is sent to each worker once.

    Some items for each thread of the cluster are sent ahead, so that results do not pile up in the workers.
    """
    waiting: deque[Any] = deque()
    try:
        # A task that returns the function, not scattered data: a task is run again if its worker dies.
        key = f"wordorder-function-{id(client)}-{next(_NUMBERS)}"
        function = client.submit(_itself, work, key=key, pure=False)
        most = 0
        for item in items:
            waiting.append(client.submit(do, function, item, os.getcwd(), __version__, pure=False, retries=2))
            if len(waiting) > most:  # look again, because the cluster may have grown
                most = max(AHEAD, 4 * sum(client.nthreads().values()))
            if len(waiting) > most:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    except Exception as error:
        if explained := _explained(error, client, address):
            raise explained from error
        raise
    finally:
        for future in waiting:
            future.release()


def _result(future: Any) -> Any:
    result = future.result()
    future.release()
    if isinstance(result, WordOrderError):
        raise result
    return result


def _explained(error: Exception, client: Any, address: str) -> WordOrderError | None:
    """Return what to do about an error of Dask itself."""
    if type(error).__name__ == "KilledWorker":
        what = (
            "a part of the work ended every worker that tried it, perhaps for lack of memory: see their logs"
        )
        return WordOrderError(f"{what}; finished work is kept.", suggest={"resume": True})
    if isinstance(error, CancelledError) or client.status != "running":
        what = f"the Dask scheduler at {address} went away; finished work is kept."
        return WordOrderError(what, suggest={"resume": True})
    return None


# In the workers


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the client: local workers end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _itself(value: Any) -> Any:
    return value


def do(work: Callable[[Any], Any], item: Any, folder: str, version: str) -> Any:
    """Do the work on an item in a folder, that of the client; return errors that are not worth a retry."""
    if error := _other_version(_here(), version, __version__):  # this worker may have come late
        return error
    try:
        with _FOLDER.at(folder):
            return work(item)
    except (WordOrderError, OSError) as error:
        file = getattr(error, "file", None) or getattr(error, "filename", None)
        if isinstance(file, str) and _is_out_of_reach(file, error):
            what = f"cannot be reached by {_here()}; all files must have the same path on all machines"
            return BadFile(what, file=file)
        if isinstance(error, OSError):
            raise
        return error


def _is_out_of_reach(file: str, error: Exception) -> bool:
    missing = os.strerror(errno.ENOENT) in str(error) or not os.path.isdir(os.path.dirname(file) or ".")
    return missing and not os.path.exists(file)


def _here() -> str:
    return f"the worker {import_module('distributed').get_worker().address}"


class WorkingFolder:
    """The working folder of a process, which threads have in common: another one waits until it is free."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._folder = ""
        self._users = 0

    @contextmanager
    def at(self, folder: str) -> Iterator[None]:
        """Work in a folder; if this machine does not have it, in one where nothing is found by mistake."""
        with self._changed:
            self._changed.wait_for(lambda: not self._users or self._folder == folder)
            if not self._users:
                os.chdir(folder if os.path.isdir(folder) else os.sep)
            self._folder = folder
            self._users += 1
        try:
            yield
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()


_FOLDER = WorkingFolder()
