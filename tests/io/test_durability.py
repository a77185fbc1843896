"""What is on the disk when: files before they are renamed, and links where they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wordorder.io.files import open_output
from wordorder.io.folders import replaced_folder


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the system calls that matter, in their order."""
    made: list[str] = []
    for name in ("fsync", "replace"):
        call = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *args, call=call, name=name: (made.append(name), call(*args))[1])
    return made


def test_a_file_is_on_the_disk_before_it_is_renamed(tmp_path: Path, calls: list[str]) -> None:
    with open_output(str(tmp_path / "out")) as out:
        out.write(b"text")
        assert calls == []
    assert calls == ["fsync", "replace"]


def test_a_folder_is_on_the_disk_before_it_is_renamed(tmp_path: Path, calls: list[str]) -> None:
    with replaced_folder(tmp_path / "out") as part:
        (part / "a").write_text("text")
        (part / "b").write_text("text")
    assert calls == ["fsync", "fsync", "replace"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_to_a_folder_stays_a_link(there: bool, tmp_path: Path) -> None:
    target = tmp_path / "far" / "target"
    if there:
        target.mkdir(parents=True)
        (target / "old").write_text("old")
    (tmp_path / "link").symlink_to(target)
    with replaced_folder(tmp_path / "link") as part:
        (part / "new").write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert [path.name for path in target.iterdir()] == ["new"]
