"""The documentation site in a browser: search, both colour schemes, narrow screens, no request elsewhere."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tools.pages import ROOT
from tools.screenshots import View, served, take

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow  # the site is built first
PAGES = (
    "index.html",
    "tutorial.html",
    "commands.html",
    "api.html",
    "tutorials/measure.html",
    "results/crf.html",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, built anew."""
    pytest.importorskip("material", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    """The address of the site."""
    with served(built) as address:
        yield address


@pytest.mark.parametrize("name", PAGES)
def test_pages_load_without_errors(site: str, page: Page, name: str) -> None:
    page.goto(site + name, wait_until="networkidle")
    assert page.locator("h1").count() == 1
    assert page.locator("img").evaluate_all("all => all.every(one => one.naturalWidth > 0)")


@pytest.mark.parametrize("from_disk", [False, True])
def test_search_finds_a_page(site: str, built: Path, page: Page, from_disk: bool) -> None:
    page.goto((f"file://{built}/" if from_disk else site) + "results/crf.html", wait_until="networkidle")
    page.keyboard.press("/")
    page.keyboard.type("anticipation")
    page.locator(".md-search-result__link").first.wait_for()
    assert "scores/anticipation.html" in " ".join(
        link.get_attribute("href") or "" for link in page.locator(".md-search-result__link").all()
    )


def test_a_narrow_page_does_not_scroll_sideways(site: str, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    for name in PAGES:
        page.goto(site + name, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_links(
    site: str, page: Page, accessibility: Callable[[Page], list[str]], scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for name in PAGES:
        page.goto(site + name, wait_until="networkidle")
        found = accessibility(page)
        assert [line for line in found if line.startswith(("color-contrast", "link-in-text"))] == [], name


def test_a_screenshot_has_the_size_of_its_view(site: str, browser: Browser, tmp_path: Path) -> None:
    view = View("home", lambda page: page.goto(site + "index.html") and None, width=640, height=400)
    picture = take(browser, view, tmp_path).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", picture[16:24]) == (640, 400)
