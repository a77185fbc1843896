"""Options and places that several tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.web.running import Running

# A machine may be busy, or check every access to memory: slow examples are no failures.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "models" / "wordorder_models"

# Where wordorder-models is not installed, its models are those of the tree; models of the user play no part.
if find_spec("wordorder_models") is None:
    os.environ.setdefault("WORDORDER_MODELS", str(MODELS))
os.environ["XDG_DATA_HOME"] = str(ROOT / "build" / "no-models-here")


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


@pytest.fixture(scope="session")
def annotation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the server has its project of annotation."""
    return tmp_path_factory.mktemp("annotation")


@pytest.fixture(scope="session")
def server(annotation: Path) -> Iterator[Running]:
    """One server of pages, API and annotation, for all tests that do not need their own."""
    for name in ("fastapi", "uvicorn", "httpx"):
        pytest.importorskip(name)
    from tests.web.running import annotation_options, running

    with running(*annotation_options(annotation), "--threads", "2") as started:
        yield started


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user who has the package alone; returns the folder of this user's models."""
    from wordorder.io import model_store

    monkeypatch.delenv("WORDORDER_MODELS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(model_store, "_homes_of_packages", tuple)
    monkeypatch.chdir(tmp_path)
    return model_store.user_home()
