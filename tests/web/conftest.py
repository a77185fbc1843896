"""One server for all tests that do not need their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

from tests.web.running import Running, running


@pytest.fixture(scope="session")
def server() -> Iterator[Running]:
    with running("--threads", "2") as started:
        yield started
