"""docs/rules.md names every rule set and setting, and its file of rules can be read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from wordorder.preorder.rules import parse_rules, shipped_sets
from wordorder.preorder.rules.reading import CHOICES
from wordorder.preorder.rules.sets import _find

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_file_of_rules_is_one() -> None:
    block = re.search(r"```toml\n(.*?)```", TEXT, re.S)
    assert block
    rules = parse_rules(block[1], "mine.toml", find=_find)
    assert [rule.name for rule in rules] == ["verb", "noun", "fixed"]
    assert set(tomllib.loads(block[1])) >= {"name", "extends", "classes", "rule"}


def test_every_set_and_setting_is_on_the_page() -> None:
    for name in (*shipped_sets(), *CHOICES, "extends", "labels", "has", "parent", "side"):
        assert f"`{name}`" in TEXT, name
