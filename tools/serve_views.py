"""The views of ``wordorder serve`` for the screenshots of the documentation."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wordorder.data import sample

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Start the server on a free port; yields its address."""
    command = [sys.executable, "-m", "wordorder", "serve", "--port", "0", "--no-browser", "--quiet", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = urlsplit(process.stdout.readline().strip())
            yield f"{address.scheme}://{address.netloc}"
        finally:
            process.terminate()


def explore(page: Page) -> None:
    """Show a permutation with its pictures and scores, one of them opened."""
    with serving() as address:
        page.goto(f"{address}/#explore?mode=permutation&p=2+4+5+6+1+3&w=I+will+wait+for+you+tomorrow")
        page.locator("summary", has_text="kendall").click()
        page.locator(".wo-tree-box .wo-leaf").first.hover()
        page.wait_for_timeout(300)


def reorder(page: Page) -> None:
    """Show a sentence in the order of Japanese, and why."""
    with serving() as address:
        page.goto(f"{address}/#reorder?model=en-ja-crf")
        page.wait_for_selector("table.bars")
        page.wait_for_selector(".wo-precedence-box .cell")


def annotate(page: Page) -> None:
    """Show a sentence that is being linked."""
    with tempfile.TemporaryDirectory() as folder:
        links = ["--align", str(sample("text.align")), "--annotate", str(Path(folder) / "project")]
        with serving(*links, "-s", str(sample("text.en")), "-t", str(sample("text.ja"))) as address:
            page.goto(f"{address}/annotate#annotator=ann&sentence=1")
            page.wait_for_selector("#order .wo-picture")
            page.locator(".column.source button").nth(0).click()
            page.locator(".column.target button").nth(1).click()
            page.locator(".column.target button").nth(1).click()
            page.wait_for_selector("#saved:text-is('saved')")
            page.wait_for_timeout(300)
