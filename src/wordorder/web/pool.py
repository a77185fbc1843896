"""Worker processes with deadlines.

Kernels in C++ cannot be interrupted from within Python, and a request can exhaust the memory. Each request
therefore runs in a process of its own turn; one that takes too long is ended together with its process, which
is replaced, and no other request notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any

import orjson

from wordorder.web import limits
from wordorder.web.worker import ANSWER, REQUEST

START_SECONDS = 60.0  # a worker imports numpy and the kernels, on a machine that may be busy


class Unavailable(Exception):
    """A request could not be worked on: too many others, too long, or the worker died."""


class Worker:
    """One process; it works on one request at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> Worker:
        """Start a process, and wait until it can work."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "wordorder.web.worker", stdin=PIPE, stdout=PIPE, env=worker_environment()
        )
        worker = cls(process)
        try:
            await asyncio.wait_for(worker._receive(), START_SECONDS)
        except BaseException:
            await worker.end()
            raise
        return worker

    async def run(self, message: bytes, seconds: float) -> tuple[int, bytes]:
        """Send a message and return the answer; afterwards the worker may be dead (:attr:`alive`)."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(REQUEST.pack(len(message)) + message)
            async with asyncio.timeout(seconds):
                await self._process.stdin.drain()
                return await self._receive()
        except TimeoutError:
            await self.end()
            raise Unavailable(f"the request took more than {seconds:g} seconds and was stopped") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.end()
            raise Unavailable("the process that worked on the request has died") from None
        except BaseException:  # the client has gone: its answer must not reach the next one
            await self.end()
            raise

    async def _receive(self) -> tuple[int, bytes]:
        assert self._process.stdout is not None
        status, size = ANSWER.unpack(await self._process.stdout.readexactly(ANSWER.size))
        return status, await self._process.stdout.readexactly(size)

    @property
    def alive(self) -> bool:
        """Whether the process can work on another request."""
        return self._process.returncode is None

    async def end(self) -> None:
        """End the process at once."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()


def worker_environment() -> dict[str, str]:
    """Return the environment of workers, which find the package where this process found it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Pool:
    """Up to a number of workers, started as they are needed, and the requests that wait for them."""

    def __init__(
        self, workers: int, settings: dict[str, Any] | None = None, *, seconds: float = limits.SECONDS
    ) -> None:
        self.size = workers
        self.seconds = seconds
        self._settings = settings or {}
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._workers: set[Worker] = set()

    async def start(self) -> None:
        """Begin to start a worker; the first request waits for it."""
        self._add()

    async def stop(self) -> None:
        """End all workers."""
        for task in list(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in list(self._workers)))

    async def run(self, operation: str, body: bytes = b"") -> tuple[int, bytes]:
        """Work on the body of a request; return the status and the body of the answer."""
        if self._waiting >= limits.WAITING:
            raise Unavailable("too many requests are waiting; try again later")
        message = self.message(operation, body, self.seconds)
        if self._idle.empty() and self._waiting >= len(self._starting):
            self._add()
        self._waiting += 1
        try:
            async with asyncio.timeout(self.seconds):
                while not (worker := await self._idle.get()).alive:
                    self._back(worker)  # it has died meanwhile
        except TimeoutError:
            raise Unavailable("the server is busy; try again later") from None
        finally:
            self._waiting -= 1
        try:
            return await worker.run(message, self.seconds)
        finally:
            self._back(worker)

    def message(self, operation: str, body: bytes, seconds: float) -> bytes:
        """Write what a worker is to do."""
        task = {"operation": operation, "seconds": seconds, "settings": self._settings}
        return orjson.dumps(task) + b"\n" + body

    def _back(self, worker: Worker) -> None:
        if worker.alive:
            self._idle.put_nowait(worker)
        else:
            self._workers.discard(worker)
            if self._waiting or not self._workers:
                self._add()

    def _add(self) -> None:
        if len(self._workers) + len(self._starting) >= self.size:
            return
        task = asyncio.create_task(self._start_one())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start_one(self) -> None:
        while True:
            try:
                worker = await Worker.start()
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                print(f"wordorder: a worker did not start: {error}; trying again", file=sys.stderr)
                await asyncio.sleep(2)
            else:
                self._workers.add(worker)
                self._idle.put_nowait(worker)
                return
