"""The views of ``wordorder report`` for the screenshots of the documentation."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wordorder.data import sample

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def reported() -> Iterator[str]:
    """Write the report of the sample's two systems; yields its address."""
    texts = [str(sample(name)) for name in ("reference.txt", "system-a.txt", "system-b.txt")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        command = [sys.executable, "-m", "wordorder", "report", "score", "-r", *texts, "-o", str(path)]
        subprocess.run(command, check=True)
        yield path.as_uri()


def summary(page: Page) -> None:
    """Show the beginning of the report."""
    with reported() as address:
        page.goto(address)
        page.wait_for_timeout(300)


def sentence(page: Page) -> None:
    """Show one sentence with the pictures of the second system, which moves words."""
    with reported() as address:
        page.goto(f"{address}#segment-3")
        page.wait_for_selector("dialog[open] .wo-picture")
        page.locator(".sentence-system summary").first.click()
        page.wait_for_timeout(300)
