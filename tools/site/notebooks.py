"""The tutorial notebooks: run them, keep their outputs, and show them as pages of the site.

``python -m tools.site.notebooks`` runs all notebooks in a new folder with the files of the demo, and writes
their outputs into them. ``--check`` writes nothing and exits with 1 if an output has changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.pages import DOCS

Notebook = dict[str, Any]


def notebooks() -> list[Path]:
    """List the notebooks of the documentation."""
    return sorted((DOCS / "tutorials").glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """Read a notebook."""
    content: Notebook = json.loads(path.read_text("utf-8"))
    return content


def source(cell: Notebook) -> str:
    """Return the text of a cell, which files keep as a list of lines."""
    return "".join(cell["source"])


def executed(path: Path) -> str:
    """Run a notebook in a kernel of its own, and return it with its outputs as the text of a file."""
    import nbformat
    from nbclient import NotebookClient

    from wordorder.cli.demo import copy_sample

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        copy_sample(Path(folder) / "demo")
        NotebookClient(
            notebook,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            coalesce_streams=True,  # else it depends on the time how printed lines are divided
        ).execute()
    for cell in notebook.cells:
        cell.metadata = {}  # times of execution differ from run to run
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return str(nbformat.writes(notebook)) + "\n"  # type: ignore[no-untyped-call]


def as_markdown(path: Path) -> str:
    """Write a notebook as a page: text as it is, code in blocks, and outputs below the code."""
    pieces = []
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            pieces.append(source(cell))
        else:
            pieces.append(f"```python\n{source(cell)}\n```")
            pieces += [shown(output) for output in cell["outputs"]]
    note = f'This page is a notebook: <a href="{path.name}" download>download it</a> to run it yourself.'
    title, _, rest = "\n\n".join(pieces).partition("\n")
    return f"{title}\n\n{note}\n{rest}\n"


def shown(output: Notebook) -> str:
    """Write an output as Markdown: a picture if there is one, else text."""
    if output["output_type"] == "stream":
        return f"```text\n{''.join(output['text']).rstrip()}\n```"
    data = output["data"]
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            lines = "".join(data[kind]).splitlines()  # an empty line would end the block of HTML
            return "\n".join(['<div class="output">', *filter(str.strip, lines), "</div>"])
    return f"```text\n{''.join(data['text/plain'])}\n```"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the outputs of all notebooks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if an output has changed")
    check = parser.parse_args(arguments).check
    changed = {path: text for path in notebooks() if (text := executed(path)) != path.read_text("utf-8")}
    for path, text in changed.items():
        if check:
            print(f"{path.name} has other outputs now: run 'make docs'", file=sys.stderr)
        else:
            path.write_text(text, "utf-8")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
