"""The server: sockets, time limits of connections, start and end."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from wordorder.errors import BadSetting
from wordorder.web import limits
from wordorder.web.app import ServerSettings, make_app
from wordorder.web.guard import Access


class PunctualProtocol(H11Protocol):
    """HTTP that does not wait forever for a request: slow clients could otherwise use up all connections."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the headers of the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for headers as long as there is no request to be answered."""
        super().data_received(data)
        working = self.cycle is not None and not self.cycle.response_complete
        if working:
            self._stop_waiting()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(limits.HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def access_to(host: str) -> Access:
    """Return who may ask a server that listens on a host: anyone with the token, if others can reach it."""
    return Access(host, None if is_loopback(host) else secrets.token_urlsafe(24))


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Open the port; 0 takes a free one."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BadSetting(f"host {host!r} is not an address of this machine: {error.strerror}") from None
    family, kind, protocol, _, address = found[0]
    opened = socket.socket(family, kind, protocol)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(address)
        opened.listen(256)
    except OSError as error:
        opened.close()
        raise BadSetting(
            f"cannot listen on {host} port {port}: {error.strerror}.", suggest={"port": 0}
        ) from None
    return opened


def address_of(access: Access, opened: socket.socket, path: str = "/") -> str:
    """Return the address to open in a browser.

    >>> with listen("127.0.0.1", 0) as opened:
    ...     address_of(Access("127.0.0.1"), opened).startswith("http://127.0.0.1:")
    True
    """
    host, port = access.host, opened.getsockname()[1]
    if host in ("0.0.0.0", "::"):  # all addresses of this machine
        host = outward_address()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{path}" + (f"?token={access.token}" if access.token else "")


def outward_address() -> str:
    """Return the address of this machine in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(settings: ServerSettings, opened: socket.socket, *, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` is called once the server listens."""
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # bad uploads are answered, not logged
    config = uvicorn.Config(
        make_app(settings), http=PunctualProtocol, ws="none", log_level="error", access_log=False,
        server_header=False, date_header=False, timeout_keep_alive=30, timeout_graceful_shutdown=1,
        limit_concurrency=limits.CONNECTIONS, h11_max_incomplete_event_size=32 << 10, proxy_headers=False,
    )  # fmt: skip
    server = QuietServer(config, ready)
    asyncio.run(server.serve(sockets=[opened]))


class QuietServer(uvicorn.Server):
    """A server that ends at the first signal, and tells when it has started."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order at a signal: stop listening, end the workers."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.should_exit = True
