"""docs/preordering.md names all methods and kinds of output."""

from __future__ import annotations

import re
from pathlib import Path

from wordorder.preorder.outputs import KINDS
from wordorder.preorder.registry import preorderer_names

PAGE = Path(__file__).parents[2] / "docs" / "preordering.md"
TEXT = PAGE.read_text(encoding="utf-8")


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
