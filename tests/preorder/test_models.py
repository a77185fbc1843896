"""Models on disk: whole or not at all, and clear words about broken ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.io.stored import make_model
from tests.models import describe
from tests.preorder.toy import Toy
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.preorder.identity import Identity
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.registry import REGISTRY, preorderer_names
from wordorder.preorder.source import Source, as_sources
from wordorder.preorder.training import TrainingData


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Toy]:
    preorderer_names()
    monkeypatch.setattr(REGISTRY, "classes", dict(REGISTRY.classes))
    REGISTRY.register(Toy)
    yield Toy(bend=2.0).fit(TrainingData([Source(("a", "b"))], [Alignment(2, 2, [(0, 1), (1, 0)])]))


def test_what_is_saved_is_read_back(fitted: Toy, tmp_path: Path) -> None:
    folder = str(tmp_path / "deep" / "model")
    fitted.save(folder)
    assert sorted(p.name for p in Path(folder).iterdir()) == ["README.md", "model.json", "model.safetensors"]
    again = load_preorderer(folder)
    assert again == fitted and again.trained == fitted.trained
    assert again.reorder_batch(as_sources([["a", "b"]])) == fitted.reorder_batch(as_sources([["a", "b"]]))
    about = json.loads((Path(folder) / "model.json").read_text())
    assert about["signature"] == "toy|bend:2.0|v:" + about["signature"].rpartition(":")[2]
    assert "toy" in (Path(folder) / "README.md").read_text()
    first = (Path(folder) / "model.safetensors").read_bytes()
    fitted.save(folder)  # replaces
    assert (Path(folder) / "model.safetensors").read_bytes() == first


def test_nothing_else_is_overwritten(fitted: Toy, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.txt").write_text("years of work")
    for name in ("papers", "papers/thesis.txt"):
        with pytest.raises(BadFile, match="exists and is no wordorder-preorderer; choose another folder"):
            fitted.save(str(tmp_path / name))
    assert (tmp_path / "papers" / "thesis.txt").read_text() == "years of work"
    with pytest.raises(WordOrderError, match="must be trained"):
        Toy().save(str(tmp_path / "new"))


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
        Toy().fit(TrainingData([Source(("z",))], [Alignment(1, 1)])).save(folder)
    assert {p.name: p.read_bytes() for p in Path(folder).iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["model"]

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", stop)
    with pytest.raises(KeyboardInterrupt):
        fitted.save(folder)
    assert [p.name for p in tmp_path.iterdir()] == ["model"]


def damage(folder: Path, **changes: object) -> None:
    about = {**json.loads((folder / "model.json").read_text()), **changes}
    describe(folder, {key: value for key, value in about.items() if value is not None})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 99}, "format version 99; this program reads 1. It is of a later release"),
        ({"version": "x"}, "format version 'x'; this program reads 1"),
        ({"format": "other"}, "is no wordorder-preorderer"),
        ({"method": None}, "is damaged: method is None"),
        ({"settings": []}, r"is damaged: settings is \[\]"),
        ({"settings": {"bend": 2.0, "twist": 1}}, "is damaged: .*twist"),
        ({"trained": {}}, "has no facts about its training"),
    ],
)
def test_what_a_broken_description_gets(
    fitted: Toy, tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    fitted.save(str(tmp_path / "model"))
    damage(tmp_path / "model", **changes)
    with pytest.raises(BadFile, match=said):
        load_preorderer(str(tmp_path / "model"))


def test_what_broken_files_get(fitted: Toy, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    fitted.save(str(folder))
    arrays = (folder / "model.safetensors").read_bytes()
    for content in (arrays[:-3], b"", b"\x00" * 40, arrays[:9]):
        (folder / "model.safetensors").write_bytes(content)
        with pytest.raises(BadFile, match="is damaged"):
            load_preorderer(str(folder))
    (folder / "model.safetensors").unlink()
    with pytest.raises(BadFile, match=r"is not whole: no model\.safetensors"):
        load_preorderer(str(folder))
    (folder / "model.json").write_text("{")
    with pytest.raises(BadFile, match=r"model\.json: is not JSON"):
        load_preorderer(str(folder))
    (folder / "model.json").unlink()
    with pytest.raises(BadFile, match=r"is no wordorder-preorderer: no model\.json"):
        load_preorderer(str(folder))


def test_names_that_are_nothing() -> None:
    with pytest.raises(UnknownName, match="There is no folder or file of this name") as caught:
        load_preorderer("en-de")
    assert "Did you mean" not in str(caught.value)
    assert "en-ja (English into the order of Japanese)" in str(caught.value)
    with pytest.raises(UnknownName, match="Did you mean 'identity'"):
        load_preorderer("identty")
    with pytest.raises(BadFile, match="is no wordorder-preorderer"):
        load_preorderer("no/such/folder")


def test_a_model_of_an_unknown_method(fitted: Toy, tmp_path: Path) -> None:
    fitted.save(str(tmp_path / "model"))
    damage(tmp_path / "model", method="future")
    with pytest.raises(BadFile, match="unknown preorderer 'future'"):
        load_preorderer(str(tmp_path / "model"))


def test_methods_that_learn_nothing_stand_for_themselves(fitted: Toy, tmp_path: Path) -> None:
    assert load_preorderer("identity") == Identity()
    with pytest.raises(WordOrderError, match="toy is a method that must be trained"):
        load_preorderer("toy")
    fitted.save(str(tmp_path / "m"))
    assert load_preorderer(str(tmp_path / "m")) == fitted


def test_an_installed_model_does_not_hide_a_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_model(tmp_path, "preorder/identity")
    monkeypatch.setenv("WORDORDER_MODELS", str(tmp_path))
    assert load_preorderer("identity").name == "identity"
    assert load_preorderer("identity").reorder("a b").order == [0, 1]
