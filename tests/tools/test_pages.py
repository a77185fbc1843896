"""Pages that programs write: tables between marks, checking, and the generators themselves."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import tools
from tools import pictures, text_scores
from tools.pages import generator_main, markdown_table, out_of_date, replace_table

MODULES = [module.name for module in pkgutil.walk_packages(tools.__path__, "tools.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_a_table_has_one_rule_for_all_columns() -> None:
    rows = [["", "a|b"], ["x", 1.5]]
    assert markdown_table(rows, right_aligned=True).splitlines() == [
        "|  | a\\|b |",
        "| --- | --: |",
        "| x | 1.5 |",
    ]


def test_only_the_named_table_is_replaced() -> None:
    page = "".join(f"<!-- {name} -->\nold\n<!-- end {name} -->\ntext\n" for name in ("a", "b"))
    assert replace_table(page, "b", "new") == page[::-1].replace("dlo", "wen", 1)[::-1]
    with pytest.raises(SystemExit, match="no place for the table 'c'"):
        replace_table(page, "c", "new")


def test_a_generator_writes_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {tmp_path / "new" / "page.md": "text\n"}
    assert generator_main(["--check"], "", lambda: pages) == 1
    assert "page.md is out of date" in capsys.readouterr().err
    assert generator_main([], "", lambda: pages) == 0
    assert generator_main(["--check"], "", lambda: pages) == 0
    assert out_of_date({tmp_path / "new" / "page.md": "other\n"}) == [*pages]


def test_pictures_and_the_page_of_text_scores_are_up_to_date() -> None:
    assert out_of_date(pictures.pictures()) == []
    assert out_of_date({text_scores.PAGE: text_scores.page()}) == []
