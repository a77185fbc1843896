"""Options and places that several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A machine may be busy, or check every access to memory: slow examples are no failures.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the slow tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture
def shared() -> Path:
    """The folder of reference data beside the project (or WORDORDER_SHARED), where there is one."""
    folder = Path(os.environ.get("WORDORDER_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip("no reference data beside the project")
    return folder
