"""Progress bars on a terminal, and nowhere else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
Update = Callable[..., None]


def track(
    items: Iterable[T],
    unit: str,
    *,
    quiet: bool,
    total: int | None = None,
    size: Callable[[T], int] = lambda _: 1,
) -> Iterator[T]:
    """Pass items through and show how many units have been read, of how many where that is known."""
    with steps(unit, quiet=quiet, total=total) as update:
        done = 0
        for item in items:
            yield item
            done += size(item)
            update(done)


@contextmanager
def steps(unit: str, *, quiet: bool, total: int | None = None) -> Iterator[Update]:
    """Show a bar; call ``update(done, total=..., loss=...)`` to move it and to show facts beside it."""
    if os.environ.get("WORDORDER_PROGRESS") == "lines":  # another program reads it
        yield _lines(unit)
        return
    if quiet or not sys.stderr.isatty():
        yield lambda done, **_: None
        return
    with _bar() as bar:
        task = bar.add_task(unit, total=total, facts="")

        def update(done: float, total: int | None = total, **facts: Any) -> None:
            shown = "  ".join(f"{key} {_short(value)}" for key, value in facts.items())
            bar.update(task, completed=done, total=total, facts=shown)

        yield update


def _lines(unit: str) -> Update:
    """Write lines such as ``progress segments 1200``, a few a second at most."""
    before = 0.0

    def update(done: float, **_: Any) -> None:
        nonlocal before
        if time.monotonic() - before > 0.2:
            before = time.monotonic()
            print(f"progress {unit} {done:.0f}", file=sys.stderr, flush=True)

    return update


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[facts]}"),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
