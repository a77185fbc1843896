"""docs/formats.md lists every format, and the format that it adds keeps the contract."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wordorder.io import registry
from wordorder.io.checks import check_format
from wordorder.io.registry import format_class, format_names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def test_every_format_is_on_the_page_with_its_settings_and_extensions() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*$", PAGE.read_text(encoding="utf-8").split("## ")[0], re.M)
    assert sorted(rows) == format_names()
    for name in rows:
        row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line)
        for word in [*format_class(name).choices(), *format_class(name).extensions]:
            assert word in row, (name, word)


def test_the_format_on_the_page_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    format_names()
    monkeypatch.setattr(registry.REGISTRY, "classes", dict(registry.REGISTRY.classes))
    code = re.search(r"```python\n(from collections.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert code
    space: dict[str, object] = {"__name__": "page"}
    exec(code.group(1), space)
    check_format(space["Tagged"])  # type: ignore[arg-type]
    assert registry.file_format("tagged").parse("a_X") == [("a", "X")]  # type: ignore[attr-defined]
