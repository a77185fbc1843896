"""Notations of other programs that draw trees, read back by small readers and by NLTK."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.calls import call
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, tree
from wordorder.draw.tree_notations import to_forest, to_qtree, to_square

ORDER = Permutation([1, 3, 4, 5, 0, 2])
HOSTILE = ["[a]", "b,c", "50%", "{x}", "(y)", "\\z"]
permutations = st.integers(1, 9).flatmap(lambda n: st.permutations(range(n)))


def nested(text: str) -> Any:
    """Read square brackets as lists: a label, then children."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[\[\]]|[^\[\]\s]+", text):
        if token == "[":
            stack.append([])
        elif token == "]":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    assert len(stack) == 1 and len(stack[0]) == 1
    return stack[0][0]


def shape(node: Any, text: Any) -> Any:
    """Return a node of ours as nested lists."""
    if node.is_word:
        return [text(node.begin)]
    label = "P" + "".join(str(place + 1) for place in node.operator)
    return [label, *(shape(child, text) for child in node.children)]


@given(permutations)
def test_square_brackets_hold_the_tree(numbers: list[int]) -> None:
    drawn = tree(numbers)
    assert nested(to_square(drawn)) == shape(drawn.root, drawn.label)


@given(permutations)
def test_penn_brackets_are_read_by_nltk(numbers: list[int]) -> None:
    nltk = pytest.importorskip("nltk")
    drawn = tree(numbers, [f"w{k}" for k in range(len(numbers))])
    if len(numbers) == 1:
        return  # a word alone is no tree

    def lists(node: Any) -> Any:
        return [node] if isinstance(node, str) else [node.label(), *map(lists, node)]

    assert lists(nltk.Tree.fromstring(drawn.to_penn())) == shape(drawn.root, drawn.label)


@given(permutations)
def test_latex_has_the_same_brackets(numbers: list[int]) -> None:
    drawn = tree(numbers)
    forest = to_forest(drawn).removeprefix(r"\begin{forest} ").removesuffix(r" \end{forest}")
    plain = re.sub(r"[{}]|\$\\[lr]angle\$", "", forest)
    expected = re.sub(r"P(\d+)", lambda label: ",".join(label[1]), to_square(drawn))
    assert nested(plain) == nested(expected)
    qtree = to_qtree(drawn)
    assert qtree.count("[.") == qtree.count(" ]") == max(forest.count("[") - len(numbers), 1)


def documents(drawn: Tree) -> str:
    pages = [to_forest(drawn), to_qtree(drawn)]
    packages = r"\usepackage{forest}\usepackage{qtree}"
    return rf"\documentclass{{article}}{packages}\begin{{document}}" + "\n\n".join(pages) + r"\end{document}"


def test_words_are_escaped() -> None:
    drawn = tree(ORDER, HOSTILE)
    for text in (to_forest(drawn), to_qtree(drawn)):
        for written in ("{[a]}", "{b,c}", r"{50\%}", r"{\{x\}}", "{(y)}", r"{\textbackslash{}z}"):
            assert written in text
    assert "[-LSB-a-RSB-]" in to_square(drawn) and "[b,c]" in to_square(drawn)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_latex_compiles(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(documents(tree(ORDER, HOSTILE)), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]


def test_the_command_writes_every_notation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, expected in (
        ("square", "[P21 [a] [b]]\n"),
        ("qtree", "\\Tree [.{$\\langle$2,1$\\rangle$} {a} {b} ]\n"),
        ("forest", "\\begin{forest} [{$\\langle$2,1$\\rangle$} [{a}] [{b}]] \\end{forest}\n"),
    ):
        done = call(capsys, monkeypatch, "tree", "2 1", "--words", "a b", "--as", kind)
        assert done.stdout == expected
        empty = call(capsys, monkeypatch, "tree", "<>", "--as", kind)
        assert (empty.returncode, empty.stdout) == (0, "\n")
    both = call(capsys, monkeypatch, "tree", "1 2 3", "--forest", "--as", "square")
    assert both.stdout == "[P12 [1] [P12 [2] [3]]]\n[P12 [P12 [1] [2]] [3]]\n"
