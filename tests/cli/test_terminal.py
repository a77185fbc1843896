"""What reaches a terminal: words and names of files cannot steer it, hide text, or break a table."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.cli.calls import run_here
from tests.cli.test_evaluate import LINKS, SENTENCES, conllu
from wordorder.cli.main import main
from wordorder.io import terminal

EVIL = "\x1b]0;title\x07\x1b[8m\x9bx"
COLORS = [terminal.BLUE, terminal.ORANGE, terminal.GREEN, terminal.DIM, terminal.RESET]


class Screen(io.BytesIO):
    """Bytes that say that they go to a terminal."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, *args: str) -> str:
    """Return what a command writes to a terminal."""
    monkeypatch.setattr(sys, "argv", ["wordorder", *args])
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = io.TextIOWrapper(screen := Screen(), "utf-8", newline="\n")
    with redirect_stdout(out), pytest.raises(SystemExit) as stop:
        main()
    out.flush()
    assert stop.value.code == 0
    return screen.getvalue().decode("utf-8")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test.conllu").write_text(conllu(*(s.replace("book", f"book{EVIL}") for s in SENTENCES)))
    (tmp_path / "test.align").write_text("\n".join(LINKS) + "\n")
    (tmp_path / "text").write_text(f"a b{EVIL} c d\n")
    (tmp_path / "links").write_text("0-3 1-1 2-2 3-0\n")
    return tmp_path


COMMANDS = [
    *(["tree", "2 1", "--words", f"a b{EVIL}", "--as", kind] for kind in ("text", "brackets", "penn")),
    ["draw", "2 1", "--words", f"a b{EVIL}", "-f", "svg"],
    *(
        ["draw", "-r", "text", "--system", "text", "--as", kind]
        for kind in ("tree", "forest", "curves", "matrix")
    ),
    *(["draw", "--model", "en-tr", "-s", "text", "--as", kind] for kind in ("lattice", "precedence")),
    ["preorder", "explain", "--model", "rules:en-ja", "--parse", "test.conllu"],
    ["preorder", "explain", "--model", "en-tr", "-s", "text"],
    ["preorder", "apply", "--model", "en-tr", "-s", "text"],
    ["preorder", "apply", "--model", "en-tr", "-s", "text", "--as", "tree"],
    ["evaluate", "--align", "test.align", "--parse", "test.conllu", "rules:en-ja", "--errors"],
    ["orders", "-s", "text", "--align", "links", "--as", "text"],
    ["align-report", "links", "-s", "text", "-t", "text"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_words_cannot_steer_a_terminal(
    command: list[str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = shown(monkeypatch, *command)
    for color in COLORS:
        text = text.replace(color, "")
    assert "\N{REPLACEMENT CHARACTER}" in text
    assert re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text) == []


@pytest.mark.parametrize("form", ["text", "tsv", "markdown", "latex"])
def test_names_of_files_do_not_break_tables(form: str, tmp_path: Path) -> None:
    names = ["plain", "two\nlines", "two\tcells"]
    for name in names:
        (tmp_path / name).write_text("a b\nb a\n")
    paths = [str(tmp_path / name) for name in names]
    args = ["score", "-r", paths[0], *paths, "-m", "kendall", "--samples", "0", "-f", form]
    lines = run_here(*args).stdout.splitlines()
    rows = [next(line for line in lines if word in line) for word in ("plain", "lines", "cells")]
    between = {"text": "  +", "tsv": "\t", "markdown": r"\|", "latex": "&"}[form]
    assert all("0.500" in row or "1.0" in row for row in rows)
    assert len({len(re.split(between, row)) for row in rows}) == 1
