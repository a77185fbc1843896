"""Stop when asked to: signals also end work inside kernels and thread pools, within a second.

Python runs its handlers between two instructions of the main thread, which may be busy in a kernel or waiting
for other threads. A second thread therefore reads each signal from a pipe; if the program has not ended soon
after it, this thread removes unfinished files and ends the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

told = threading.Event()  # whether the user has been told that the program was interrupted
GRACE = 0.5  # seconds in which the program may end by itself
CODES: dict[int, int] = {signal.SIGINT: 130, signal.SIGTERM: 143}
if hasattr(signal, "SIGHUP"):  # not on Windows
    CODES[signal.SIGHUP] = 129


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """Handle signals in this way; to be used in the main thread."""
    told.clear()
    ours = CODES.keys() - {int(signal.SIGINT)}  # Python raises KeyboardInterrupt for that
    handlers = {
        number: signal.signal(number, lambda n, _: sys.exit(CODES[n]))
        for number in ours
        if signal.getsignal(number) != signal.SIG_IGN  # which is what nohup does
    }
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader,), daemon=True, name="signals").start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        os.close(writer)  # which ends the thread


def _watch(reader: int) -> None:
    with open(reader, "rb", buffering=0) as pipe:
        while number := pipe.read(1):
            if number[0] in CODES:
                time.sleep(GRACE)
                _end(CODES[number[0]])


def _end(code: int) -> None:
    from wordorder.io.unfinished import remove_all_unfinished

    remove_all_unfinished()
    try:
        if not told.is_set():
            os.write(2, b"wordorder: interrupted\n")
    finally:
        os._exit(code)
