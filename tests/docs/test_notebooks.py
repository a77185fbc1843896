"""The tutorial notebooks run, and their stored outputs are those of today."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from tools.site.notebooks import executed, notebooks, read, source

each_notebook = pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)


def test_there_are_two() -> None:
    assert [path.stem for path in notebooks()] == ["measure", "predict"]


def printed(code: str, space: dict[str, Any]) -> str:
    """Run a cell as a notebook does: what it prints, and then the value of its last expression."""
    *statements, last = ast.parse(code).body
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(ast.Module(statements, []), "cell", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
            if value is not None:
                print(repr(value))
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), space)
    return said.getvalue()


def stored(cell: dict[str, Any]) -> str:
    """Return the text of the outputs that a notebook keeps."""
    texts = [
        "".join(
            output["text"] if output["output_type"] == "stream" else [*output["data"]["text/plain"], "\n"]
        )
        for output in cell["outputs"]
    ]
    return "".join(texts)


def rounded(text: str) -> str:
    """Round long numbers to 12 digits: the sums of matrix products differ in the last one from CPU to CPU.

    >>> rounded("low=0.38213789682539684, high=0.5")
    'low=0.382137896825, high=0.5'
    """
    return re.sub(r"\d\.\d{13,}", lambda number: f"{float(number[0]):.12g}", text)


@each_notebook
def test_cells_print_what_is_stored(path: Path) -> None:
    space: dict[str, Any] = {}
    cells = [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8 and any(cell["outputs"] for cell in cells)
    for cell in cells:
        assert rounded(printed(source(cell), space)) == rounded(stored(cell)), source(cell)


@pytest.mark.slow
@each_notebook
def test_a_kernel_gives_the_stored_outputs(path: Path) -> None:
    pytest.importorskip("nbclient")
    assert rounded(executed(path)) == rounded(path.read_text(encoding="utf-8"))
