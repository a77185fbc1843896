"""The classes that the pages of docs/doors add keep their contracts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from wordorder.io import registry as formats
from wordorder.io.checks import check_format
from wordorder.metrics import check_metric
from wordorder.metrics import registry as metrics
from wordorder.preorder import registry as preorderers
from wordorder.preorder.checks import check_preorderer

DOORS = Path(__file__).parents[2] / "docs" / "doors"


@pytest.fixture
def added(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run the code of a page; what it registers is forgotten after the test."""
    page, registry = request.param
    registry.REGISTRY.names()  # finds all others first
    monkeypatch.setattr(registry.REGISTRY, "classes", dict(registry.REGISTRY.classes))
    code = re.search(r"```python\n(.*?)```", (DOORS / page).read_text(encoding="utf-8"), re.S)
    assert code
    space: dict[str, Any] = {"__name__": "page"}
    exec(code[1], space)
    return space


@pytest.mark.parametrize("added", [("metric.md", metrics)], indirect=True)
def test_a_metric(added: dict[str, Any]) -> None:
    check_metric(added["LastWord"])
    assert metrics.metric("last_word")([1, 0, 2]) == 1.0


@pytest.mark.parametrize("added", [("preorderer.md", preorderers)], indirect=True)
def test_a_preorderer(added: dict[str, Any]) -> None:
    check_preorderer(added["VerbLast"])
    assert str(preorderers.preorderer("verb_last").reorder("he saw a house .")) == "he a house saw ."


@pytest.mark.parametrize("added", [("format.md", formats)], indirect=True)
def test_a_format(added: dict[str, Any]) -> None:
    check_format(added["Tagged"])
    assert formats.file_format("tagged").parse("a_X") == [("a", "X")]  # type: ignore[attr-defined]
