"""docs/preordering.md names all methods and kinds of output."""

from __future__ import annotations

from pathlib import Path

from wordorder.preorder.outputs import KINDS
from wordorder.preorder.registry import preorderer_names

PAGE = Path(__file__).parents[2] / "docs" / "preordering.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_output_and_method_is_on_the_page() -> None:
    for name in (*KINDS, *preorderer_names()):
        assert f"| `{name}` |" in TEXT, name
