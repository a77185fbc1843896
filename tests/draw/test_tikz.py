"""TikZ: the same scene as SVG, with every text escaped."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.draw import (
    Scene,
    Series,
    forest_picture,
    line_chart,
    order_curves_picture,
    to_latex,
    to_tikz,
    tree_picture,
)
from wordorder.draw.latex import escape_latex
from wordorder.draw.scene import Box, Group, Label, placed
from wordorder.draw.scene import Path as Lines

HOSTILE = ["\\input{x}", "50%", "$x_1$", "#&~^", "}{", "\\end{tikzpicture}"]
ORDER = Permutation([1, 3, 4, 5, 0, 2])


def pictures() -> list[Scene]:
    return [
        tree_picture(tree(ORDER, HOSTILE), title="\\relax"),
        forest_picture(Forest(ORDER, HOSTILE)),
        order_curves_picture(ORDER, HOSTILE),
        line_chart([Series("%", [0, 1], [0, 9], [0, 8], [1, 10])], x_label="_", y_label="^", y_range=(0, 1)),
    ]


def balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def test_every_item_is_drawn_once() -> None:
    for scene in pictures():
        items = list(placed(scene.items))
        code = to_tikz(scene)
        assert code.count("\\node[") == sum(isinstance(item, Label) for item in items)
        assert code.count("\\path[") == sum(isinstance(item, Box | Lines) for item in items)
        assert code.count("\\begin{scope}") == code.count("\\end{scope}")


@given(st.text())
def test_any_text_is_harmless(text: str) -> None:
    code = to_tikz(Scene(10, 10, (Label(text, 0, 0, "word", 16),), "name", ""))
    assert code.count("\n") == 6 and balanced(code)
    inside = code.splitlines()[4].partition(") {")[2].removesuffix("};")
    commands = set(re.findall(r"\\([a-zA-Z]+)", inside))
    known = {"textasciitilde", "textasciicircum", "textbackslash", "downarrow", "pm", "langle", "rangle"}
    assert commands <= known | {"times", "cdot", "ldots", "to", "worighttoleft"}
    assert "%" not in re.sub(r"\\%", "", inside)


def test_hostile_words_are_escaped() -> None:
    assert escape_latex("\\end{tikzpicture}") == "\\textbackslash{}end\\{tikzpicture\\}"
    code = to_tikz(pictures()[0])
    assert code.count("\\end{tikzpicture}") == 1 and "\\input" not in code and balanced(code)


def test_groups_move_and_clip() -> None:
    group = Group((Box(1, 2, 3, 4, "shape monotone"),), offset=(5, 6), clip=(0, 0, 9, 9))
    lines = to_tikz(Scene(50, 50, (group,), "n", "d")).splitlines()
    assert lines[-5:-1] == [
        "\\begin{scope}[shift={(5,6)}]",
        "\\clip (0,0) rectangle (9,9);",
        "\\path[fill=woe9f3f9,draw=wo0072b2,line width=1.125pt] (1,2) rectangle (4,6);",
        "\\end{scope}",
    ]


def test_a_document_of_its_own() -> None:
    text = to_latex(pictures()[0])
    assert text.index("\\documentclass") < text.index("\\begin{tikzpicture}") < text.index("\\end{document}")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_latex_compiles_it(tmp_path: Path) -> None:
    body = "\n\n".join(map(to_tikz, pictures()))
    page = f"\\documentclass{{article}}\\usepackage{{tikz}}\\begin{{document}}{body}\\end{{document}}"
    (tmp_path / "a.tex").write_text(page, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
