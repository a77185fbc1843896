"""Progress on a terminal, and nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

from wordorder.engine.systems import TextBlock
from wordorder.io.permutations import Block


def watched(blocks: Iterable[Block], *, total: int | None, quiet: bool) -> Iterator[Block]:
    """Pass blocks through and show, at most five times a second, how far reading has come."""
    show = not quiet and sys.stderr.isatty()
    done = 0
    last = time.monotonic()
    try:
        for block in blocks:
            done += len(block.text)
            if show and time.monotonic() - last > 0.2:
                last = time.monotonic()
                share = f"{100 * done / total:3.0f} %" if total else f"{done / 1e6:,.0f} MB"
                sys.stderr.write(f"\r{share}  {block.first_line:,} sentences")
                sys.stderr.flush()
            yield block
    finally:
        if show:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def counted(blocks: Iterable[TextBlock], *, quiet: bool) -> Iterator[TextBlock]:
    """Pass blocks of text through and show how many segments have been read."""
    show = not quiet and sys.stderr.isatty()
    last = time.monotonic()
    try:
        for block in blocks:
            if show and time.monotonic() - last > 0.2:
                last = time.monotonic()
                sys.stderr.write(f"\r{block.numbers[0]:,} segments")
                sys.stderr.flush()
            yield block
    finally:
        if show:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
