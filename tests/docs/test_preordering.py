"""docs/preordering.md says what is true: its examples are run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.calls import call
from wordorder.data import sample
from wordorder.preorder.outputs import KINDS
from wordorder.preorder.registry import preorderer_names

PAGE = Path(__file__).parents[2] / "docs" / "preordering.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_python_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 8 and results.failed == 0
    assert (tmp_path / "en-ja-tiny" / "model.json").is_file()


def test_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for end in ("en", "align"):
        lines = sample(f"text.{end}").read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / f"train.{end}").write_text("".join(lines[:30]), encoding="utf-8")
        (tmp_path / f"test.{end}").write_text("".join(lines[30:]), encoding="utf-8")
    commands = re.findall(r"^\$ wordorder ([^\n]*)", TEXT, re.M)
    for command in commands:
        command = command.replace("preorder train", "preorder train --method grammar:binary=4,nary=1,rare=0")
        done = call(capsys, monkeypatch, *shlex.split(command))
        assert done.returncode == 0, done.stderr
    assert len(commands) >= 8


def test_every_output_and_method_is_on_the_page() -> None:
    for name in (*KINDS, *preorderer_names()):
        assert f"| `{name}` |" in TEXT, name


def test_the_preorderer_in_contributing_keeps_the_contract() -> None:
    from wordorder import check_preorderer
    from wordorder.preorder.registry import REGISTRY

    text = (PAGE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"## Adding a preorderer.*?```python\n(.*?)```", text, re.S)
    assert code
    space: dict[str, object] = {}
    try:
        exec(code.group(1), space)
        check_preorderer(space["VerbLast"])  # type: ignore[arg-type]
    finally:
        REGISTRY.classes.pop("verb_last", None)
