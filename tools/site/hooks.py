"""What mkdocs calls while it builds the site (mkdocs.yml names this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.pages import DOCS, ROOT
from tools.site.commands import commands_page
from tools.site.markdown import outside_files, relinked, site_path, with_plain_bars
from tools.site.members import with_members
from tools.site.notebooks import as_markdown, notebooks

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made here, and the files from outside docs/."""
    from mkdocs.structure.files import File

    for path in notebooks():
        page = site_path(f"docs/{path.relative_to(DOCS).as_posix()}")
        files.append(File.generated(config, page, content=as_markdown(path)))
    files.append(File.generated(config, "commands.md", content=commands_page()))
    for name in outside_files():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add members to the API, and write links and tables as the site needs them."""
    name = page.file.src_uri
    if name == "api.md":
        markdown = with_members(markdown)
    return relinked(with_plain_bars(markdown), name if name in outside_files() else f"docs/{name}")
