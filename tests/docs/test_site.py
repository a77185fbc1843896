"""The documentation site: all pages in its navigation, all commands and members on theirs, no dead link."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import wordorder
from tools.pages import DOCS, ROOT
from tools.site.commands import commands_page, contexts
from tools.site.markdown import outside_files, relinked, site_path
from tools.site.members import with_members
from tools.site.notebooks import as_markdown, notebooks


def navigation() -> list[str]:
    return re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [site_path(f"docs/{path.relative_to(DOCS)}") for path in [*DOCS.rglob("*.md"), *notebooks()]]
    extra = [name for name in outside_files() if name.endswith(".md")]
    assert sorted(navigation()) == sorted([*pages, *extra, "commands.md"])


def test_the_page_of_commands_has_every_command_and_option() -> None:
    page = commands_page()
    sections = dict(
        zip(re.findall(r"^## (.*)$", page, re.M), re.split(r"^## .*$", page, flags=re.M)[1:], strict=True)
    )
    for context in contexts():
        params = context.command.params
        options = [one for one in params if isinstance(one, click.Option) and not one.hidden]
        for name in [name for option in options for name in option.opts]:
            assert f"{name}" in sections[context.command_path], (context.command_path, name)
    assert len(sections) > 25 and "\b" not in page


def test_the_page_of_the_api_has_the_members_of_every_public_name() -> None:
    page = with_members((DOCS / "api.md").read_text("utf-8"))
    for name in set(wordorder.__all__) - {"__version__"}:
        assert page.count(f' of `{name}`"\n') == 1, name
    assert "`from_order(order)`" in page and "    orders_from_links(" in page


def test_notebooks_show_code_text_and_pictures() -> None:
    page = as_markdown(DOCS / "tutorials" / "measure.ipynb")
    assert page.startswith("# Measure and explain") and "```python\nwo.tree(" in page and "<svg" in page
    html = re.search(r'<div class="output">\n.*?\n</div>', page, re.S)
    assert html and "\n\n" not in html[0]  # which would end the block of HTML


@pytest.mark.parametrize(
    ("page", "link", "wanted"),
    [
        ("docs/index.md", "tutorials/measure.ipynb", "tutorials/measure.md"),
        ("docs/results/crf.md", "../../CONTRIBUTING.md#rules", "../CONTRIBUTING.md#rules"),
        ("docs/results/crf.md", "grammar.md", "grammar.md"),
        ("CHANGELOG.md", "docs/results/crf.md", "results/crf.md"),
    ],
)
def test_links_lead_to_places_in_the_site(page: str, link: str, wanted: str) -> None:
    assert relinked(f"[a]({link})", page) == f"[a]({wanted})"


@pytest.mark.slow
def test_the_site_is_built_without_warnings_and_needs_no_other_host(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra docs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text("utf-8")
        loaded = re.findall(r'<(?:script|img|iframe|source)[^>]* src="?(https?:[^" >]*)', text)
        loaded += re.findall(r'<link[^>]* href="?(https?:[^" >]*)', text)
        assert loaded == [], page
