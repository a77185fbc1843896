"""Models by name: where they are found, what is listed of them, and what is said of missing ones."""

from __future__ import annotations

import json
import os
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.io.stored import make_model
from tools import model_catalogue
from wordorder.errors import BadSetting, UnknownName
from wordorder.io import model_store
from wordorder.io.model_store import (
    all_models,
    find_model,
    homes,
    installed_models,
    known_models,
    model_place,
    named_model,
)


def test_the_package_alone_has_small_models_and_knows_the_others(bare: Path) -> None:
    assert list(installed_models("preorder")) == ["en-ja", "en-tr"]
    assert installed_models("parse") == {} and "best" in installed_models("beer")
    assert {("preorder", "en-multi-crf"), ("preorder", "en-ja-crf"), ("parse", "en")} <= set(known_models())
    with pytest.raises(BadSetting, match=r"en-multi-crf is not installed.*pip install wordorder-models"):
        model_place("preorder", "en-multi-crf")
    assert model_place("preorder", "nonsense") is None
    with pytest.raises(BadSetting, match="en is not installed"):
        named_model("parse/en")


def test_missing_models_are_named_by_the_loaders(bare: Path) -> None:
    from wordorder.parse.models import load_parser
    from wordorder.preorder import Source, load_preorderer, preorderer

    for name in ("en-ja-crf", "en-multi-crf:language=ja"):
        with pytest.raises(BadSetting, match="pip install wordorder-models"):
            load_preorderer(name)
    with pytest.raises(BadSetting, match="pip install wordorder-models"):
        load_parser()
    with pytest.raises(BadSetting, match="pip install wordorder-models"):
        preorderer("rules:set=en-ja").reorder(Source(("a", "b")))  # trees are found by the parser


def test_homes_are_searched_in_order(bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for home, weight in ((first, 1.0), (second, 2.0), (bare, 3.0)):
        make_model(home, "preorder/mine", weight=weight)
    make_model(bare, "preorder/en-ja")
    found = find_model("preorder", "mine")
    assert found and found.folder == bare / "preorder" / "mine"
    monkeypatch.setenv("WORDORDER_MODELS", os.pathsep.join(["", str(first), str(second), str(first)]))
    assert [home.folder for home in homes()][:3] == [first, second, bare]
    found = find_model("preorder", "mine")
    assert found and found.folder == first / "preorder" / "mine"
    assert [m.home.folder for m in all_models("preorder") if m.name == "mine"] == [first, second, bare]
    shown = installed_models("preorder")
    assert list(shown) == ["en-ja", "en-tr", "mine"]
    assert shown["en-ja"].home.folder == bare and shown["en-tr"].home.package == "wordorder"


def test_a_folder_of_data_does_not_hide_a_model(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "en-ja").mkdir()
    found = find_model("preorder", "en-ja")
    assert found and model_place("preorder", "en-ja") == found.folder
    make_model(tmp_path, "preorder/x")
    (tmp_path / "preorder" / "x").rename(tmp_path / "en-tr")
    assert model_place("preorder", "en-tr") == Path("en-tr")  # a model folder here does
    (tmp_path / "notes").touch()
    assert model_place("preorder", "notes") == Path("notes")
    assert model_place("preorder", "a/b") == Path("a/b")


@pytest.mark.parametrize("name", ["../preorder/en-ja", "", ".", "..", "en-ja/", ".hidden"])
def test_names_are_not_paths(name: str, bare: Path) -> None:
    assert find_model("preorder", name) is None


def test_packages_offer_models_by_an_entry_point(
    bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("WORDORDER_MODELS", raising=False)
    package = tmp_path / "their_models"
    make_model(package, "beer/theirs", card="")
    (package / "__init__.py").write_text("raise SystemExit('imported')\n")
    about = tmp_path / "their_models-7.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: their-models\nVersion: 7.0\nLicense-Expression: MIT\n"
    )
    (about / "entry_points.txt").write_text(
        "[wordorder.models]\ntheirs = their_models\ngone = no_such_module.x\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    model_store._homes_of_packages.cache_clear()
    model_store._licence_of.cache_clear()
    try:
        found = find_model("beer", "theirs")
        assert found is not None
        facts = found.facts()
        assert (facts.origin, facts.licence, facts.title) == ("their-models 7.0", "MIT", "")
    finally:
        model_store._homes_of_packages.cache_clear()


def test_the_package_of_models_announces_itself_as_the_core_expects() -> None:
    import tomllib

    about = tomllib.loads((model_catalogue.ROOT / "models" / "pyproject.toml").read_text("utf-8"))["project"]
    points = about["entry-points"][model_store.GROUP]
    assert about["name"] == model_catalogue.PACKAGE and list(points.values()) == [model_catalogue.MODELS.name]
    assert EntryPoint("x", points[about["name"]], model_store.GROUP).module == "wordorder_models"


def test_facts(bare: Path) -> None:
    folder = make_model(bare, "parse/mine")
    facts = named_model("mine").facts()
    assert (facts.label, facts.title, facts.licence) == ("parse/mine", "Dutch into English", "CC BY-SA 4.0")
    assert facts.size == sum(file.stat().st_size for file in folder.iterdir())
    assert facts.origin == str(bare)
    make_model(bare, "beer/mine")
    with pytest.raises(BadSetting, match="several models are called mine: parse/mine, beer/mine"):
        named_model("mine")
    assert named_model("beer/mine").kind == "beer"
    with pytest.raises(UnknownName, match=r"unknown model 'beer/min'. Did you mean 'beer/mine'"):
        named_model("beer/min")


@pytest.mark.parametrize(
    ("sentence", "licence"),
    [
        ("The model is available under CC BY-SA 4.0; it has no text.", "CC BY-SA 4.0"),
        ("The model is available under\nthe licence MIT. More.", "the licence MIT"),
        ("The model is available under GPL 3.0.", "GPL 3.0"),
        ("The data are available under CC BY 2.0.", ""),
    ],
)
def test_the_licence_is_read_from_the_card(sentence: str, licence: str, bare: Path) -> None:
    make_model(bare, "beer/mine", card=f"# A model\n\nWords.\n\n{sentence}\n\n## Figures\n")
    assert named_model("mine").licence == licence


def test_the_catalogue_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert model_catalogue.main(["--check"]) == 0, "run: python -m tools.model_catalogue"
    listed = json.loads(model_catalogue.FILE.read_text("utf-8"))["models"]
    assert all(entry["licence"] and entry["title"] for entry in listed)
