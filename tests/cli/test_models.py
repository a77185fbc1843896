"""``wordorder models``: list, install, verify, path, remove."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import call
from tests.io.stored import make_model
from wordorder.data import package_file

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_models_are_listed_with_those_that_are_missing(
    bare: Path, capsys: Output, monkeypatch: Patch
) -> None:
    make_model(bare, "preorder/en-tr")
    done = call(capsys, monkeypatch, "models")
    assert done.returncode == 0 and done.stdout == call(capsys, monkeypatch, "models", "list").stdout
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["preorder/en-multi-crf", "missing"] in [row[:2] for row in rows]
    assert [row[1] for row in rows if row[0] == "preorder/en-tr"] == ["installed", "hidden"]
    listed = json.loads(call(capsys, monkeypatch, "models", "list", "-f", "json").stdout)["models"]
    beer = next(entry for entry in listed if entry["label"] == "beer/best")
    assert (beer["licence"], beer["state"]) == ("Apache-2.0", "installed") and len(beer["sha256"]) == 64
    assert Path(beer["folder"]).is_dir()


def test_a_model_is_installed_used_checked_and_removed(
    bare: Path, capsys: Output, monkeypatch: Patch, tmp_path: Path
) -> None:
    grammar = str(package_file("preorder/en-tr"))
    done = call(capsys, monkeypatch, "models", "install", grammar, "--name", "mine")
    assert done.returncode == 0 and f"installed preorder/mine in {bare}" in done.stderr
    (tmp_path / "x.en").write_text("he bought a book\n")
    orders = [
        call(capsys, monkeypatch, "preorder", "apply", "--model", name, "-s", "x.en").stdout
        for name in ("mine", "en-tr", grammar)
    ]
    assert orders[0] and len(set(orders)) == 1
    assert "mine" in call(capsys, monkeypatch, "preorder", "list").stdout
    folder = Path(call(capsys, monkeypatch, "models", "path", "mine").stdout.strip())
    assert folder == bare / "preorder" / "mine"
    assert call(capsys, monkeypatch, "models", "path").stdout == f"{bare}\n"
    assert call(capsys, monkeypatch, "models", "verify").returncode == 0
    (folder / "model.safetensors").write_bytes(b"damaged")
    done = call(capsys, monkeypatch, "models", "verify", "mine", "en-ja")
    assert done.returncode == 1 and "is damaged" in done.stdout and "whole" in done.stdout
    assert call(capsys, monkeypatch, "models", "remove", "mine").returncode == 0
    done = call(capsys, monkeypatch, "models", "path", "mine")
    assert done.returncode == 2 and "unknown model 'mine'" in done.stderr


def test_a_trained_beer_is_used_by_name(
    bare: Path, capsys: Output, monkeypatch: Patch, tmp_path: Path
) -> None:
    call(capsys, monkeypatch, "models", "install", str(package_file("beer/1.1")), "--name", "own")
    (tmp_path / "a.txt").write_text("i wait tomorrow\n")
    shown = [
        call(capsys, monkeypatch, "score", "-r", "a.txt", "a.txt", "-m", spec).stdout.splitlines()[1]
        for spec in ("beer:model=own", f"beer:model={package_file('beer/1.1')}")
    ]
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["preorder", "apply", "--model", "en-multi-crf", "-s", "x"], 2, "pip install wordorder-models"),
        (["models", "path", "en-multi-crf"], 2, "pip install wordorder-models"),
        (["models", "install", "nothing"], 3, "nothing: does not exist"),
        (["models", "install", "a", "b", "--name", "c"], 2, "--name is for a single model"),
        (["models", "remove", "en-ja"], 2, "comes from wordorder"),
        (["models", "instal"], 2, "Did you mean 'install'?"),
    ],
)
def test_errors(
    arguments: list[str], code: int, said: str, bare: Path, capsys: Output, monkeypatch: Patch
) -> None:
    done = call(capsys, monkeypatch, *arguments)
    assert done.returncode == code and said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_demo_skips_what_needs_missing_models(bare: Path, capsys: Output, monkeypatch: Patch) -> None:
    done = call(capsys, monkeypatch, "demo", "--folder", "shown")
    assert done.returncode == 0 and done.stdout.count("(skipped: ") == 5
    assert "pip install wordorder-models" in done.stdout.splitlines()[-2]
    assert Path("shown/report.html").exists() and not Path("shown/plain.conllu").exists()
