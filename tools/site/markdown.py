"""Pages as the site needs them: links to files from outside docs/ that it shows, and bars in tables."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from tools.pages import ROOT

LINK = re.compile(r"\]\(([^)#\s:]+)((?:#[^)\s]*)?)\)")


def outside_files(root: Path = ROOT) -> list[str]:
    """List the files that the site shows besides those of docs/, by their paths in the repository."""
    examples = sorted((root / "examples" / "clusters").iterdir())
    return ["CONTRIBUTING.md", "CHANGELOG.md", *(str(path.relative_to(root)) for path in examples)]


def site_path(path: str) -> str:
    """Return the place in the site of a file of the repository.

    >>> site_path("docs/tutorials/measure.ipynb"), site_path("README.md"), site_path("CHANGELOG.md")
    ('tutorials/measure.md', 'index.md', 'CHANGELOG.md')
    """
    if path == "README.md":  # the home page takes its place
        return "index.md"
    path = path.removeprefix("docs/")
    return path.removesuffix(".ipynb") + ".md" if path.endswith(".ipynb") else path


def relinked(markdown: str, page: str) -> str:
    """Rewrite the links of a page, given by its path in the repository.

    >>> relinked("[a](../CHANGELOG.md) [b](docs/api.md#x) ![c](../d.svg)", "docs/clusters.md")
    '[a](CHANGELOG.md) [b](docs/api.md#x) ![c](d.svg)'
    >>> relinked("[b](docs/api.md#values)", "CONTRIBUTING.md")
    '[b](api.md#values)'
    """
    here = posixpath.dirname(page)
    there = posixpath.dirname(site_path(page))

    def rewritten(link: re.Match[str]) -> str:
        target = site_path(posixpath.normpath(posixpath.join(here, link[1])))
        return f"]({posixpath.relpath(target, there or '.')}{link[2]})"

    return LINK.sub(rewritten, markdown)


def with_plain_bars(markdown: str) -> str:
    r"""Undo the escapes of bars in the code of tables, which GitHub needs and Python-Markdown would show.

    >>> print(with_plain_bars("| `a\\|b` | c\\|d |"))
    | `a|b` | c\|d |
    """
    return re.sub(
        r"^\|.*$",
        lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0]),
        markdown,
        flags=re.M,
    )
