"""Where blocks of work are done: on threads, in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wordorder import _native
from wordorder.engine.threads import Runner, ordered_map


@contextmanager
def runner(*, threads: int = 1, processes: int = 1, cluster: str = "") -> Iterator[Runner]:
    """Yield an ordered map; results come in the order of the items.

    Kernels release the GIL, so threads are enough for them; metrics in Python, such as sacrebleu's,
    need ``processes``. Work for processes and clusters must be picklable.

    >>> with runner(threads=2) as run:
    ...     list(run(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    _native.keep_memory()
    if cluster:
        from wordorder.engine import cluster as dask  # seldom needed

        with dask.runner(cluster) as run:
            yield run
    elif processes > 1:
        from wordorder.engine.processes import process_map  # seldom needed

        with process_map(processes) as run:
            yield run
    else:
        yield lambda work, items: ordered_map(work, items, threads=threads)
