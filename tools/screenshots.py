"""Take the screenshots of the documentation, with Playwright and Chromium: docs/pictures/*.png.

A view is a name and a function that opens a page in the browser. Run it from the root of the repository:

    python -m tools.screenshots               all views
    python -m tools.screenshots site          some views
"""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tools import report_views, serve_views
from tools.pages import DOCS, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = DOCS / "pictures"
SITE = ROOT / "build" / "site"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class View:
    """A page to photograph: ``show`` opens it, and waits until everything is there."""

    name: str
    show: Callable[[Page], None]
    width: int = 1280
    height: int = 800
    scheme: Literal["light", "dark"] = "light"


def site(page: Page, address: str = "index.html") -> None:
    """Open a page of the documentation site, which is built first if it is missing."""
    if not (SITE / address).exists():
        subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, check=True)
    with served(SITE) as root:
        page.goto(root + address, wait_until="networkidle")


VIEWS = [
    View("site", site),
    View("site-dark", functools.partial(site, address="tutorials/measure.html"), scheme="dark"),
    View("report", report_views.summary, height=1100),
    View("report-sentence", report_views.sentence, height=1760),
    View("serve-explore", serve_views.explore, height=1500),
    View("serve-reorder", serve_views.reorder, height=1500),
    View("serve-annotate", serve_views.annotate, height=1340),
]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; yields its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the Chromium of this machine."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("no Chromium: install it with 'apt-get install chromium'")
    with sync_playwright() as driver:
        # The sandbox of Chromium does not start for root, as in most containers.
        browser = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        yield browser
        browser.close()


def take(browser: Browser, view: View, folder: Path) -> Path:
    """Photograph one view; returns the file."""
    context = browser.new_context(
        viewport={"width": view.width, "height": view.height},
        color_scheme=view.scheme,
        reduced_motion="reduce",
    )
    page = context.new_page()
    view.show(page)
    path = folder / f"{view.name}.png"
    page.screenshot(path=path, animations="disabled", caret="hide")
    context.close()
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Take all screenshots, or those that are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(view.name for view in VIEWS))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - {view.name for view in VIEWS}:
        parser.error(f"unknown view {', '.join(sorted(unknown))}; known: {', '.join(v.name for v in VIEWS)}")
    with chromium() as browser:
        for view in VIEWS:
            if not options.names or view.name in options.names:
                print(take(browser, view, options.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
