"""Checks of every request before anything looks at it.

Any page that is open in a browser can send requests to this server, and a name that an attacker controls can
be made to lead to 127.0.0.1 (DNS rebinding). A request is therefore answered only if its ``Host`` is an
address of this server, and if the page that sent it (``Origin``) is one of this server's. A server that other
machines can reach also requires the secret of the address that it printed at its start. Bodies are counted
and timed while they arrive.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import time
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

import orjson
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from wordorder.web import limits

UPLOADS = "/api/v1/reports"  # the only address that takes files

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Refused(HTTPException):
    """A request that is not answered. The connection is closed: the rest of a body is not read."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(status, why, {"connection": "close"})


@dataclass(frozen=True)
class Access:
    """Who may ask: the host that was given at the start, and the secret; no secret on loopback."""

    host: str
    token: str | None = None

    def check_host(self, header: str | None) -> None:
        """Accept addresses by number and the names that cannot be redirected by others."""
        name = host_name(header or "")
        if name in ("localhost", self.host.lower()):
            return
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            raise Refused(421, "the Host of the request is not a name of this server") from None
        if self.token is None and not address.is_loopback:
            raise Refused(421, "the Host of the request is not a name of this server")

    def knows(self, secret: str) -> bool:
        """Compare in a time that tells nothing about the secret."""
        return self.token is not None and hmac.compare_digest(secret.encode(), self.token.encode())


def host_name(header: str) -> str:
    """Return the name in a Host header, without port and brackets.

    >>> host_name("LOCALHOST:8000"), host_name("[::1]:8000"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if header.startswith("["):
        name, _, port = header[1:].partition("]")
        return name if not port or port.startswith(":") else header
    return header.rpartition(":")[0].lower() if header.count(":") == 1 else header.lower()


class Guard:
    """Refuses what is not for this server; adds headers that keep browsers careful."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a refusal, or let the application answer."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # web sockets are not offered
            await send({"type": "websocket.close", "code": 1008})
            return
        body = Body(scope, receive)
        try:
            headers = _headers(scope)
            self.access.check_host(headers.get("host"))
            check_origin(headers, scope)
            entry = self._check_token(headers, scope)
            if entry is not None:
                await _redirect(send, *entry)
                return
            body.check_declared(headers)
        except Refused as refusal:
            await refuse(send, refusal)
            return
        await self.app(scope, body.receive, _with_headers(send))

    def _check_token(self, headers: dict[str, str], scope: Scope) -> tuple[str, str] | None:
        """Require the secret; return an address and a cookie if it came in the address, to hide it there."""
        if self.access.token is None:
            return None
        name = cookie_name(scope)
        if self.access.knows(headers.get("authorization", "").removeprefix("Bearer ")):
            return None
        if self.access.knows(_cookie(headers.get("cookie", ""), name)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and self.access.knows(dict(query).get("token", "")):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            # Only the path of this server: browsers take what begins with // or /\\ for another one.
            path = "/" + scope["raw_path"].decode("latin-1").partition("?")[0].lstrip("/\\")
            cookie = f"{name}={self.access.token}; HttpOnly; SameSite=Strict; Path=/"
            return path + (f"?{rest}" if rest else ""), cookie
        raise Refused(401, "this server needs the token of the address that it printed at its start")


def check_origin(headers: dict[str, str], scope: Scope) -> None:
    """Refuse requests that pages of other servers send; following a link to the page is allowed."""
    origin = headers.get("origin")
    if origin is not None and origin != f"{scope.get('scheme', 'http')}://{headers.get('host', '')}":
        raise Refused(403, "the request comes from a page of another server")
    site = headers.get("sec-fetch-site", "none")
    followed = scope["method"] in ("GET", "HEAD") and headers.get("sec-fetch-mode") == "navigate"
    if site not in ("same-origin", "none") and not (followed and headers.get("sec-fetch-dest") == "document"):
        raise Refused(403, "the request comes from a page of another server")


class Body:
    """The body of a request, counted and timed while it arrives."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self._done = False
        self._sent = scope["method"] not in ("GET", "HEAD")
        self._upload = scope["path"] == UPLOADS and scope["method"] == "POST"
        self._most = limits.UPLOAD if self._upload else limits.BODY
        self._end = time.monotonic() + limits.BODY_SECONDS

    def check_declared(self, headers: dict[str, str]) -> None:
        """Refuse a body that says it is too large, or not JSON, before it is sent.

        Forms of other pages can send text and files, but not JSON.
        """
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        expected = "multipart/form-data" if self._upload else "application/json"
        if self._sent and kind != expected:
            raise Refused(415, f"expected the content type {expected}")
        declared = headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > self._most:
            raise self._too_large()

    async def receive(self) -> Message:
        """Return the next piece; too many bytes, or too few in a time, are refused."""
        if self._done:
            return await self._receive()  # waits until the client has gone
        allowed = self._end + (self._size / limits.UPLOAD_RATE if self._upload else 0) - time.monotonic()
        try:
            message = await asyncio.wait_for(self._receive(), max(allowed, 0))
        except TimeoutError:
            raise Refused(408, "the request arrived too slowly") from None
        self._size += len(message.get("body", b""))
        if self._size > self._most:
            raise self._too_large()
        self._done = not message.get("more_body", False)
        return message

    def _too_large(self) -> Refused:
        return Refused(413, f"the request is larger than {self._most / limits.MIB:g} MiB")


def _headers(scope: Scope) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in scope["headers"]:
        name = key.decode("latin-1")
        if name in found and name in ("host", "origin", "content-length"):
            raise Refused(400, f"the request has two headers {name}")
        found[name] = value.decode("latin-1")
    return found


def cookie_name(scope: Scope) -> str:
    """Return the name of the cookie; browsers share cookies among the ports of a host."""
    server = scope.get("server") or ("", 0)
    return f"wordorder-{server[1]}"


def _cookie(header: str, name: str) -> str:
    try:
        jar = SimpleCookie(header)
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {key for key, _ in message["headers"]}
            message["headers"] = [
                *message["headers"],
                *(pair for pair in _encoded(HEADERS.items()) if pair[0] not in given),
            ]
        await send(message)

    return sending


def _encoded(headers: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(key.encode("latin-1"), value.encode("latin-1")) for key, value in headers]


async def refuse(send: Send, refusal: Refused) -> None:
    """Answer with an error, and close the connection."""
    body = orjson.dumps({"error": refusal.detail})
    headers = {**HEADERS, **(refusal.headers or {}), "content-type": "application/json"}
    headers["content-length"] = str(len(body))
    start = {"type": "http.response.start", "status": refusal.status_code}
    await send({**start, "headers": _encoded(headers.items())})
    await send({"type": "http.response.body", "body": body})


async def _redirect(send: Send, path: str, cookie: str) -> None:
    headers = {**HEADERS, "location": path, "set-cookie": cookie, "content-length": "0"}
    await send({"type": "http.response.start", "status": 303, "headers": _encoded(headers.items())})
    await send({"type": "http.response.body", "body": b""})
