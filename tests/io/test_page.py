"""docs/formats.md lists every format."""

from __future__ import annotations

import re
from pathlib import Path

from wordorder.io.registry import format_class, format_names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def test_every_format_is_on_the_page_with_its_settings_and_extensions() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*$", PAGE.read_text(encoding="utf-8").split("## ")[0], re.M)
    assert sorted(rows) == format_names()
    for name in rows:
        row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"| `{name}` |" in line)
        for word in [*format_class(name).choices(), *format_class(name).extensions]:
            assert word in row, (name, word)
