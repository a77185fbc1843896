"""A process that works on requests, one at a time, so that it can be stopped without harm to others.

It is started by :mod:`wordorder.web.pool` and speaks with it through pipes. A message is its length (four
bytes), a line of JSON that says what to do, and the body of the request. An answer is a status (two bytes),
its length and its bytes. Statuses are those of HTTP.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

REQUEST, ANSWER = struct.Struct(">I"), struct.Struct(">HI")
GRACE = 5  # seconds after which a worker ends itself, should its server not have ended it


def main() -> None:
    """Answer until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the server ends its workers
    # What a library prints must not get between the answers.
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    limit_memory()
    from wordorder.math_threads import use_one_math_thread

    use_one_math_thread()
    from wordorder.web.tasks import perform

    send(outbox, 200, b"ready")
    while message := receive(inbox):
        status, body = answer(perform, message)
        send(outbox, status, body)
        signal.alarm(0)


def answer(perform: Callable[[dict[str, Any], bytes], bytes], message: bytes) -> tuple[int, bytes]:
    """Do the work of one message; every error becomes a status and one line."""
    import orjson

    from wordorder.errors import WordOrderError

    try:
        head, _, body = message.partition(b"\n")
        task = orjson.loads(head)
        signal.alarm(int(task["seconds"]) + GRACE)
        return 200, perform(task, body)
    except WordOrderError as error:
        return 422, _line(str(error))
    except MemoryError:
        return 413, _line("not enough memory for a request of this size")
    except Exception as error:
        traceback.print_exc()
        return 500, _line(f"internal error: {type(error).__name__}")


def _line(text: str) -> bytes:
    import orjson

    return orjson.dumps({"error": text.encode("utf-8", "replace").decode()})


def limit_memory() -> None:
    """Let huge requests fail in this process, instead of taking the memory of the machine."""
    from wordorder.web.limits import WORKER_MEMORY

    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (WORKER_MEMORY, WORKER_MEMORY))


def receive(inbox: BinaryIO) -> bytes | None:
    """Read one message; None at the end."""
    head = inbox.read(REQUEST.size)
    if len(head) < REQUEST.size:
        return None
    (size,) = REQUEST.unpack(head)
    body = inbox.read(size)
    return body if len(body) == size else None


def send(outbox: BinaryIO, status: int, body: bytes) -> None:
    """Write one answer."""
    try:
        outbox.write(ANSWER.pack(status, len(body)) + body)
        outbox.flush()
    except BrokenPipeError:
        sys.exit(0)


if __name__ == "__main__":
    main()
