"""Models on disk: whole or not at all, and clear words about broken ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.preorder.toy import Toy
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting, UnknownName, WordOrderError
from wordorder.preorder.base import Source, as_sources
from wordorder.preorder.identity import Identity
from wordorder.preorder.models import load_model, model_or_method, save_model
from wordorder.preorder.registry import REGISTRY, preorderer_names


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    preorderer_names()
    monkeypatch.setattr(REGISTRY, "classes", dict(REGISTRY.classes))
    REGISTRY.register(Toy)
    yield Toy(bend=2.0).fit([Source(("a", "b"))], [Alignment(2, 2, [(0, 1), (1, 0)])])


def test_what_is_saved_is_read_back(fitted: Toy, tmp_path: Path) -> None:
    folder = str(tmp_path / "deep" / "model")
    fitted.save(folder)
    assert sorted(p.name for p in Path(folder).iterdir()) == ["README.md", "model.json", "model.safetensors"]
    again = Toy.load(folder)
    assert again == fitted and again.trained == fitted.trained
    assert again.reorder(as_sources([["a", "b"]])) == fitted.reorder(as_sources([["a", "b"]]))
    about = json.loads((Path(folder) / "model.json").read_text())
    assert about["signature"] == "toy|bend:2.0|v:" + about["signature"].rpartition(":")[2]
    assert "toy" in (Path(folder) / "README.md").read_text()
    first = (Path(folder) / "model.safetensors").read_bytes()
    fitted.save(folder)  # replaces
    assert (Path(folder) / "model.safetensors").read_bytes() == first
    with pytest.raises(BadSetting, match="is a model of toy, not of identity"):
        Identity.load(folder)


def test_nothing_else_is_overwritten(fitted: Toy, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.txt").write_text("years of work")
    for name in ("papers", "papers/thesis.txt"):
        with pytest.raises(BadFile, match="exists and is no wordorder-preorderer; choose another folder"):
            save_model(fitted, str(tmp_path / name))
    assert (tmp_path / "papers" / "thesis.txt").read_text() == "years of work"
    with pytest.raises(WordOrderError, match="must be trained"):
        save_model(Toy(), str(tmp_path / "new"))


def test_a_failed_save_leaves_the_old_model(
    fitted: Toy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path / "model")
    fitted.save(folder)
    before = {p.name: p.read_bytes() for p in Path(folder).iterdir()}

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadFile, match="cannot be written: No space left on device"):
        Toy().fit([Source(("z",))], [Alignment(1, 1)]).save(folder)
    assert {p.name: p.read_bytes() for p in Path(folder).iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["model"]

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", stop)
    with pytest.raises(KeyboardInterrupt):
        fitted.save(folder)
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def damage(folder: Path, **changes: object) -> None:
    path = folder / "model.json"
    about = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({key: value for key, value in about.items() if value is not None}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 99}, "format version 99; this program reads 1. It is of a later release"),
        ({"version": "x"}, "format version 'x'; this program reads 1"),
        ({"format": "other"}, "is no wordorder-preorderer"),
        ({"method": None}, "is damaged: method is None"),
        ({"settings": []}, r"is damaged: settings is \[\]"),
        ({"settings": {"bend": 2.0, "twist": 1}}, "is damaged: .*twist"),
        ({"trained": {}}, "says nothing of its training"),
    ],
)
def test_what_a_broken_description_gets(
    fitted: Toy, tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    fitted.save(str(tmp_path / "model"))
    damage(tmp_path / "model", **changes)
    with pytest.raises(BadFile, match=said):
        load_model(str(tmp_path / "model"))


def test_what_broken_files_get(fitted: Toy, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    fitted.save(str(folder))
    arrays = (folder / "model.safetensors").read_bytes()
    for content in (arrays[:-3], b"", b"\x00" * 40, arrays[:9]):
        (folder / "model.safetensors").write_bytes(content)
        with pytest.raises(BadFile, match="is damaged"):
            load_model(str(folder))
    (folder / "model.safetensors").unlink()
    with pytest.raises(BadFile, match=r"is not whole: no model\.safetensors"):
        load_model(str(folder))
    (folder / "model.json").write_text("{")
    with pytest.raises(BadFile, match=r"model\.json: is not JSON"):
        load_model(str(folder))
    (folder / "model.json").unlink()
    with pytest.raises(BadFile, match=r"is no wordorder-preorderer: no model\.json"):
        load_model(str(folder))


def test_names_that_are_nothing() -> None:
    with pytest.raises(UnknownName, match="there is no folder of that name either"):
        load_model("en-xx")
    with pytest.raises(BadFile, match="is no wordorder-preorderer"):
        load_model("no/such/folder")


def test_a_model_of_an_unknown_method(fitted: Toy, tmp_path: Path) -> None:
    fitted.save(str(tmp_path / "model"))
    damage(tmp_path / "model", method="future")
    with pytest.raises(UnknownName, match="unknown preorderer 'future'"):
        load_model(str(tmp_path / "model"))


def test_methods_that_learn_nothing_stand_for_themselves(fitted: Toy, tmp_path: Path) -> None:
    assert model_or_method("identity") == Identity()
    with pytest.raises(WordOrderError, match="toy must be trained first"):
        model_or_method("toy")
    fitted.save(str(tmp_path / "m"))
    assert model_or_method(str(tmp_path / "m")) == fitted
