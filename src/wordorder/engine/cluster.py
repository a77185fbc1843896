"""Work on a Dask cluster: an ordered map over processes and machines.

If a worker dies, its work is done again by another one. Needs the extra ``cluster``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from operator import call
from typing import Any

from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting, WordOrderError

_NUMBERS = itertools.count()


@contextmanager
def runner(address: str) -> Iterator[Runner]:
    """Yield a map on the cluster at an address; ``local:N`` starts N processes here, and stops them."""
    try:
        dask: Any = import_module("distributed")  # without types
    except ImportError:
        raise WordOrderError("a cluster needs Dask: pip install 'wordorder[cluster]'") from None
    here = None
    if address == "local" or address.startswith("local:"):
        count = address.partition(":")[2] or "2"
        if not count.isdigit() or int(count) < 1:
            raise BadSetting(f"cluster is {address!r}; expected local:N with N processes, or an address")
        here = dask.LocalCluster(
            n_workers=int(count), threads_per_worker=1, processes=True, dashboard_address=None
        )
    try:
        try:
            client = dask.Client(here if here is not None else address, timeout=20)
        except OSError as error:
            raise WordOrderError(f"no Dask scheduler at {address}: {error}") from None
        with client:
            yield lambda work, items: _map(client, work, items)
    finally:
        if here is not None:
            here.close()


def _map(client: Any, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield results in the order of the items; the function is sent to each worker once."""
    number = next(_NUMBERS)
    # A task that returns the function, not scattered data: a task is run again if its worker dies.
    function = client.submit(_itself, work, key=f"wordorder-function-{id(client)}-{number}", pure=False)
    waiting = [client.submit(call, function, item, pure=False, retries=2) for item in items]
    try:
        for future in waiting:
            yield future.result()
            future.release()
    finally:
        for future in waiting:
            future.release()


def _itself(value: Any) -> Any:
    return value
