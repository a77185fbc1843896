"""A real browser for tests: Chromium, driven by Playwright, cut off from the network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

NAMES = ("chromium", "chromium-browser", "google-chrome")
# No name but that of this machine leads anywhere; and no time is spent on drawing in three dimensions.
ALONE = ("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--disable-gpu")
LOCAL = ("127.0.0.1", "localhost", "")  # "" is the host of file:, data: and blob: addresses


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; the tests are skipped where it is missing (``make test`` tries to install it)."""
    playwright = pytest.importorskip("playwright.sync_api")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium: install it with 'apt-get install chromium'")
    with playwright.sync_playwright() as driver:
        # The sandbox of Chromium does not start for root, as in most containers.
        arguments = [*ALONE, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        launched = driver.chromium.launch(executable_path=program, args=arguments)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One window for all pages: a new one for each test would take longer than most tests."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A new page. The test fails if the page logs an error or asks another host for anything."""
    opened = context.new_page()
    wrong: list[str] = []

    def request(sent: Request) -> None:
        if urlsplit(sent.url).hostname not in (*LOCAL, None):
            wrong.append(f"request to {sent.url}")

    context.on("request", request)
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on(
        "console", lambda said: wrong.append(f"{said.type}: {said.text}") if said.type == "error" else None
    )
    yield opened
    context.remove_listener("request", request)
    for other in context.pages:  # those that the page has opened, too
        other.close()
    assert not wrong, wrong


@pytest.fixture(scope="session")
def accessibility() -> Callable[[Page], list[str]]:
    """A check of a page by axe-core: one line per violation, with the first elements it concerns."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def violations(page: Page) -> list[str]:
        found = axe.run(page).response["violations"]
        return [
            f"{rule['id']}: {rule['help']}: {[node['html'][:120] for node in rule['nodes'][:3]]}"
            for rule in found
        ]

    return violations
