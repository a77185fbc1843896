"""Progress on a terminal, and nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wordorder.engine.score_texts import TextBlock
    from wordorder.io.permutations import Block

T = TypeVar("T")


def shown(items: Iterable[T], say: Callable[[T], str], *, quiet: bool) -> Iterator[T]:
    """Pass items through and say, at most five times a second, how far it is."""
    show = not quiet and sys.stderr.isatty()
    last = time.monotonic()
    try:
        for item in items:
            text = say(item)
            if show and time.monotonic() - last > 0.2:
                last = time.monotonic()
                sys.stderr.write(f"\r{text}")
                sys.stderr.flush()
            yield item
    finally:
        if show:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def watched(blocks: Iterable[Block], *, total: int | None, quiet: bool) -> Iterator[Block]:
    """Blocks of permutations: the share of the file, or how much has been read."""
    done = 0

    def say(block: Block) -> str:
        nonlocal done
        done += len(block.text)
        share = f"{min(100.0, 100 * done / total):3.0f} %" if total else f"{done / 1e6:,.0f} MB"
        return f"{share}  {block.first_line:,} sentences"

    return shown(blocks, say, quiet=quiet)


def counted(blocks: Iterable[TextBlock], *, quiet: bool) -> Iterator[TextBlock]:
    """Blocks of text: how many segments have been read."""
    return shown(blocks, lambda block: f"{block.numbers[0]:,} segments", quiet=quiet)
