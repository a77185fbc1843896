"""Attacks on the server: other sites, rebound names, missing tokens, large and slow requests, paths."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.web.running import JSON, Running, client_of, running
from wordorder.web import limits
from wordorder.web.guard import Access, host_name


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        "[f]",
        "[::1]evil.example",
    ],
)
def test_a_rebound_name_is_refused(server: Running, host: str) -> None:
    answer = server.client.get("/api/v1/models", headers={"host": host})
    assert answer.status_code in (400, 421)
    assert "models" not in answer.json()


def test_the_address_of_another_machine_is_refused(server: Running) -> None:
    assert server.client.get("/", headers={"host": "192.0.2.7"}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost", "LOCALHOST:9", "[::1]:3"])
def test_names_of_this_machine_are_accepted(server: Running, host: str) -> None:
    assert server.client.get("/api/v1/openapi.json", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_page_of_another_origin_is_refused(server: Running, origin: str) -> None:
    for method, path in (("GET", "/api/v1/models"), ("POST", "/api/v1/score")):
        answer = server.client.request(method, path, headers={**JSON, "origin": origin}, content=b"{}")
        assert answer.status_code == 403


def test_the_own_page_is_accepted(server: Running) -> None:
    own = {"origin": server.root.rstrip("/"), "sec-fetch-site": "same-origin", **JSON}
    body = json.dumps({"permutations": [[0]]})
    assert server.client.post("/api/v1/score", headers=own, content=body).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_can_link_to_the_page_but_not_use_it(server: Running, site: str) -> None:
    script = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}
    frame = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
    link = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.client.get("/api/v1/models", headers=script).status_code == 403
    assert server.client.get("/", headers=frame).status_code == 403
    assert server.client.get("/api/v1/openapi.json", headers=link).status_code == 200


def test_two_hosts_are_refused(server: Running) -> None:
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\n\r\n"
    assert raw(server, request.encode()).startswith(b"HTTP/1.1 400")


def test_every_answer_keeps_browsers_careful(server: Running) -> None:
    for path in ("/", "/api/v1/openapi.json", "/api/v1/nothing"):
        headers = server.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert not any(name.startswith("access-control") for name in headers)
        assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/assets/../../../../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/app.py",
        "/assets/..%2f..%2fapp.py",
        "/assets//etc/passwd",
        "/assets/",
        "/app.py",
        "/assets/..\\app.py",
        "/assets/%00",
    ],
)
def test_no_file_of_the_machine_can_be_read(server: Running, path: str) -> None:
    answer = raw(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.split()[1] in (b"400", b"404")
    assert b"root:" not in answer and b"import" not in answer


def raw(server: Running, data: bytes, *, wait: float = 10, piece: int = 1 << 16) -> bytes:
    """Send bytes as they are, and return the answer until the server closes or ``wait`` is over."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        for at in range(0, len(data), piece):
            try:
                connection.sendall(data[at : at + piece])
            except OSError:  # the server has stopped reading
                break
        answer = b""
        try:
            while part := connection.recv(1 << 16):
                answer += part
                head, _, body = answer.partition(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head.lower())
                if length and len(body) >= int(length[1]):
                    break
        except OSError:
            pass
        return answer


def test_a_body_without_end_is_refused_while_it_arrives(server: Running) -> None:
    head = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = raw(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 64)
    assert answer.startswith(b"HTTP/1.1 413") or answer == b""  # closed before the answer could be read
    assert server.post("score", permutations=[[0]]).status_code == 200


def test_a_body_that_says_it_is_too_large_is_refused_before_it_is_sent(server: Running) -> None:
    head = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for length in (b"99999999", b"9" * 30):
        answer = raw(server, head + b"Content-Length: " + length + b"\r\n\r\n")
        assert answer.startswith((b"HTTP/1.1 413", b"HTTP/1.1 400"))


def test_large_headers_are_refused(server: Running) -> None:
    answer = raw(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 4") or answer == b""


@pytest.mark.slow
def test_what_arrives_too_slowly_is_refused() -> None:
    with running(BODY_SECONDS=1, HEADER_SECONDS=1) as server:
        head = b"POST /api/v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        begin = time.monotonic()
        assert raw(server, head + b"Content-Length: 100\r\n\r\n{").startswith(b"HTTP/1.1 408")
        assert raw(server, b"GET / HTTP/1.1\r\nHost: loc") == b""  # headers that never end
        assert raw(server, b"") == b""  # a connection that says nothing
        assert time.monotonic() - begin < 8


def test_many_idle_connections_do_not_keep_others_out(server: Running) -> None:
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
    try:
        assert server.post("score", permutations=[[0]]).status_code == 200
    finally:
        for connection in idle:
            connection.close()


# Servers that other machines can reach


@pytest.fixture(scope="module")
def open_server() -> Iterator[Running]:
    with running("--host", "0.0.0.0", "--threads", "1") as started:
        yield started


def local(server: Running) -> httpx.Client:
    return client_of(server.root)


def token_of(server: Running) -> str:
    token = server.address.partition("?token=")[2]
    assert len(token) >= 32
    return token


def test_without_the_token_nothing_is_answered(open_server: Running) -> None:
    wrong = token_of(open_server)[:-1] + "!"
    with local(open_server) as client:
        for path in ("/", "/api/v1/models", "/api/v1/openapi.json", "/assets/page.js"):
            cookie = f"wordorder-{open_server.port}={wrong}"
            for headers in ({}, {"authorization": f"Bearer {wrong}"}, {"cookie": cookie}):
                answer = client.get(path, headers=headers)
                assert answer.status_code == 401 and set(answer.json()) == {"error"}
        assert client.get(f"/?token={wrong}").status_code == 401
        assert client.get("/?token=").status_code == 401
        assert client.get("/", headers={"host": "evil.example"}).status_code == 421


def test_the_token_of_the_address_becomes_a_cookie(open_server: Running) -> None:
    with local(open_server) as client:
        answer = client.get(f"/?token={token_of(open_server)}&x=1")
        assert answer.status_code == 303 and answer.headers["location"] == "/?x=1"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert client.get("/api/v1/openapi.json").status_code == 200  # the client keeps the cookie


def test_the_token_does_not_lead_to_other_servers(open_server: Running) -> None:
    with local(open_server) as client:
        assert client.get("/").status_code == 401
    for path in ("//evil.example/", "/\\evil.example/", "///evil.example", "/\\/evil.example"):
        request = f"GET {path}?token={token_of(open_server)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        answer = raw(open_server, request.encode())
        assert b"\r\nlocation: /evil.example" in answer, path


def test_programs_send_the_token_as_a_header(open_server: Running) -> None:
    with local(open_server) as client:
        headers = {"authorization": f"Bearer {token_of(open_server)}"}
        assert client.get("/api/v1/openapi.json", headers=headers).status_code == 200
        for path in ("/annotate", "/api/v1/annotation"):  # this server was not started for annotation
            assert client.get(path, headers=headers).status_code == 404


def test_host_names() -> None:
    assert host_name("[::1]") == "::1" and host_name("a:b:c") == "a:b:c"
    Access("box.example", "secret").check_host("box.example:8000")
    assert not Access("127.0.0.1").knows("")
    assert limits.BODY < limits.UPLOAD
