"""Models are installed completely or not at all, from folders and archives that may be anybody's."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.io.stored import make_model
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io import model_install
from wordorder.io.model_folder import save_folder
from wordorder.io.model_install import check_model, install_models, remove_model
from wordorder.io.model_store import find_model, installed_models, named_model


def labels(place: Path | str, **options: object) -> list[str]:
    return [f"{model.kind}/{model.name}" for model in install_models(str(place), **options)]  # type: ignore[arg-type]


def packed(folder: Path, archive: Path, inside: str = "") -> Path:
    """Pack a folder of models as its name demands; ``inside`` comes before all names."""
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    names = [f"{inside}{file.relative_to(folder).as_posix()}" for file in files]
    if ".tar" in archive.name:
        with tarfile.open(archive, "w:gz" if archive.suffix == ".gz" else "w") as tar:
            for file, name in zip(files, names, strict=True):
                tar.add(file, name)
    else:
        with zipfile.ZipFile(archive, "w") as zipped:
            for file, name in zip(files, names, strict=True):
                zipped.write(file, name)
    return archive


def test_a_folder_is_installed_under_its_name_or_another(bare: Path, tmp_path: Path) -> None:
    folder = make_model(tmp_path, "preorder/mine")
    (folder / "notes.txt").touch()
    assert labels(folder) == ["preorder/mine"]
    installed = bare / "preorder" / "mine"
    assert sorted(f.name for f in installed.iterdir()) == ["README.md", "model.json", "model.safetensors"]
    assert labels(folder, name="en-nl") == ["preorder/en-nl"]
    with pytest.raises(BadSetting, match=r"there is a model preorder/mine already.*Try replace=True"):
        labels(folder)
    assert labels(folder, replace=True) == ["preorder/mine"]
    with pytest.raises(BadSetting, match=r"preorder/en-ja already, from wordorder"):
        labels(folder, name="en-ja")
    with pytest.raises(BadSetting, match="cannot be the name"):
        labels(folder, name="../x")


@pytest.mark.parametrize("archive", ["all.zip", "all-1.0-py3-none-any.whl", "all.tar", "all.tar.gz"])
@pytest.mark.parametrize("inside", ["", "deep/er/", "../../", "/", "//", "C:/", "a b/"])
def test_archives(archive: str, inside: str, bare: Path, tmp_path: Path) -> None:
    make_model(tmp_path / "m", "preorder/mine")
    make_model(tmp_path / "m", "beer/own")
    (tmp_path / "m" / "evil.py").write_text("raise SystemExit")
    before = sorted(p for p in tmp_path.rglob("*"))
    made = packed(tmp_path / "m", tmp_path / archive, inside)
    assert sorted(labels(made)) == ["beer/own", "preorder/mine"]
    new = {p for p in tmp_path.rglob("*") if bare not in p.parents} - {*before, made, *bare.parents, bare}
    assert new == set() and not list(bare.rglob("evil.py"))
    for label in ("beer/own", "preorder/mine"):
        check_model(named_model(label))


def test_odd_names_are_refused(bare: Path, tmp_path: Path) -> None:
    make_model(tmp_path / "m", "beer/x").rename(tmp_path / "m" / "beer" / "my model")
    for place in (tmp_path / "m", packed(tmp_path / "m", tmp_path / "m.tar")):
        with pytest.raises(WordOrderError, match="'my model' cannot be the name of a model"):
            labels(place)


def test_models_that_differ_in_odd_letters_only_are_not_mixed(bare: Path, tmp_path: Path) -> None:
    for place in ("a b", "c d"):
        make_model(tmp_path / "m" / place, "beer/x")
    with pytest.raises(BadFile, match=r"c d/beer/x/\S+ cannot be told from a b/beer/x"):
        labels(packed(tmp_path / "m", tmp_path / "m.zip"))


def test_an_archive_of_one_model_has_its_name(bare: Path, tmp_path: Path) -> None:
    assert labels(packed(make_model(tmp_path, "parse/x"), tmp_path / "nl.tar.gz")) == ["parse/nl"]


def test_what_is_damaged_is_refused_as_a_whole(bare: Path, tmp_path: Path) -> None:
    make_model(tmp_path / "m", "beer/a")
    bad = make_model(tmp_path / "m", "beer/b") / "model.safetensors"
    bad.write_bytes(bad.read_bytes()[:-1] + b"x")
    with pytest.raises(BadFile, match="the checksum does not fit"):
        labels(tmp_path / "m")
    archive = packed(tmp_path / "m", tmp_path / "m.zip")
    with pytest.raises(BadFile, match=r"m\.zip: beer/b/model\.safetensors: is damaged"):
        labels(archive)
    assert not (bare / "beer").exists()


def test_what_is_no_model_is_refused(bare: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("no archive\n")
    for place, said in (
        ("empty", "has no model in it"),
        ("nothing", "does not exist"),
        ("text.zip", "cannot be read as a zip or tar file"),
    ):
        with pytest.raises(BadFile, match=said):
            labels(tmp_path / place)
    save_folder(tmp_path / "other", "wordorder-aligner", 1, {}, {"w": np.zeros(1)})
    with pytest.raises(BadFile, match="is of the format 'wordorder-aligner'"):
        labels(tmp_path / "other")
    late = make_model(tmp_path, "beer/late") / "model.json"
    late.write_text(json.dumps(json.loads(late.read_text()) | {"version": 2}))
    with pytest.raises(BadFile, match="update wordorder"):
        labels(late.parent)
    two = tmp_path / "two"
    for name in ("a", "b"):
        make_model(two, f"beer/{name}")
    with pytest.raises(BadSetting, match="has 2 models"):
        labels(two, name="c")
    make_model(two / "more", "beer/a")
    with pytest.raises(BadFile, match="has several models beer/a"):
        labels(two)
    monkeypatch.setitem(model_install.LARGEST, "model.safetensors", 10)
    with pytest.raises(BadFile, match=r"beer/a/model\.safetensors is larger than"):
        labels(packed(two, tmp_path / "two.zip"))


def test_only_own_models_are_removed(bare: Path, tmp_path: Path) -> None:
    labels(make_model(tmp_path, "preorder/x"), name="en-ja", replace=True)
    found = find_model("preorder", "en-ja")
    assert found and found.home.folder == bare
    remove_model(found)
    assert not found.folder.exists()
    shipped = installed_models("preorder")["en-ja"]
    with pytest.raises(BadSetting, match="comes from wordorder"):
        remove_model(shipped)
    labels(make_model(tmp_path, "beer/y"))
    (bare / "beer" / "y" / "notes").touch()
    with pytest.raises(BadFile, match="has more than a model in it: notes"):
        remove_model(named_model("y"))
    check_model(named_model("y"))
