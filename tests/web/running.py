"""A running server for tests: a process of its own, as users start it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

JSON = {"content-type": "application/json"}


@dataclass(frozen=True)
class Running:
    """A server, and a client that knows its address."""

    address: str
    process: subprocess.Popen[str]
    client: httpx.Client

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.client.post(f"/api/v1/{path}", json=body)


@contextmanager
def running(*options: str, **limits: float) -> Iterator[Running]:
    """Start ``wordorder serve`` on a free port, with other limits, and stop it at the end."""
    code = "from wordorder.web import limits\n"
    code += "".join(f"limits.{name} = {value}\n" for name, value in limits.items())
    code += "from wordorder.cli.main import main\nmain()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", "--no-browser", "--quiet", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http"), process.stderr.read()
        host = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        with httpx.Client(base_url=host, timeout=60, trust_env=False) as client:
            yield Running(address, process, client)
    finally:
        process.terminate()
        process.communicate(timeout=20)
