"""A running server for tests: a process of its own, as users start it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

JSON = {"content-type": "application/json"}
SOURCE = "the white house\na <b>bold</b> book .\nשלום עולם\n"
TARGET = "das haus weiss\nein buch 。\n你好 世界\n"
LINKS = "0-0 1-1\n\n0-0\n"


@dataclass(frozen=True)
class Running:
    """A server, and a client that knows its address."""

    address: str
    process: subprocess.Popen[str]
    client: httpx.Client

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def post(self, path: str, **body: object) -> httpx.Response:
        return self.client.post(f"/api/v1/{path}", json=body)


def client_of(address: str) -> httpx.Client:
    """Return a client without certificates: reading those of the machine takes longer than most tests."""
    return httpx.Client(base_url=address, timeout=60, trust_env=False, verify=False)


def annotation_options(folder: Path) -> list[str]:
    """Return options that make a project of annotation in a folder, from three sentences with links."""
    for name, text in (("source", SOURCE), ("target", TARGET), ("links", LINKS)):
        (folder / name).write_text(text, encoding="utf-8")
    texts = ["-s", str(folder / "source"), "-t", str(folder / "target"), "--align", str(folder / "links")]
    return ["--annotate", str(folder / "project"), *texts]


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
        with client_of(host) as client:
            yield Running(address, process, client)
    finally:
        process.terminate()
        process.communicate(timeout=20)
