"""docs/rules.md says what is true: its examples are run, and it names everything that there is."""

from __future__ import annotations

import doctest
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.cli.calls import call
from wordorder.data import sample
from wordorder.preorder.rules import parse_rules, shipped_sets
from wordorder.preorder.rules.reading import CHOICES
from wordorder.preorder.rules.sets import _find

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_python_examples() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 5 and results.failed == 0


def test_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for split in ("train", "test"):
        for end in ("align", "conllu"):
            (tmp_path / f"{split}.{end}").write_bytes(sample(f"text.{end}").read_bytes())
    broken = '[[rule]]\nname = "verb"\nhead = "VERB"\norder = ["dobj", "HEAD"]\n'
    (tmp_path / "broken.toml").write_text(broken)
    commands = re.findall(r"^\$ wordorder ([^\n]*)\n(wordorder: [^\n]*)?", TEXT, re.M)
    for command, error in commands:
        done = call(capsys, monkeypatch, *shlex.split(command))
        assert done.returncode == (3 if error else 0), done.stderr
        assert not error or done.stderr.strip() == error
    assert len(commands) >= 7


def test_the_file_of_rules_is_one() -> None:
    found = re.search(r"```toml\n(.*?)```", TEXT, re.S)
    assert found
    made = parse_rules(found[1], "mine.toml", find=_find)
    assert [rule.name for rule in made] == ["verb", "noun", "fixed"]
    assert set(tomllib.loads(found[1])) >= {"name", "extends", "classes", "rule"}


def test_every_set_and_setting_is_on_the_page() -> None:
    for name in (*shipped_sets(), *CHOICES, "extends", "labels", "has", "parent", "side"):
        assert f"`{name}`" in TEXT, name
