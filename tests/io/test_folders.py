"""Folders are replaced as a whole, in one step where the system can."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from wordorder.errors import BadFile
from wordorder.io import folders
from wordorder.io.folders import remove_unfinished, replaced_folder


def write(place: Path, text: str) -> None:
    with replaced_folder(place) as part:
        (part / "a").write_text(text)
        (part / "b").write_text(text)


@pytest.mark.parametrize("at_once", [True, False])
def test_new_and_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool) -> None:
    if not at_once:
        monkeypatch.setattr(folders, "_swapped", lambda *_: False)
    place = tmp_path / "deep" / "folder"
    for text in ("one", "two", "three"):
        write(place, text)
        assert (place / "a").read_text() == (place / "b").read_text() == text
        assert [path.name for path in place.parent.iterdir()] == ["folder"]
    with pytest.raises(ZeroDivisionError), replaced_folder(place) as part:
        (part / "a").write_text("four")
        _ = 1 / 0
    assert (place / "a").read_text() == "three" and len(list(place.parent.iterdir())) == 1


def test_a_whole_folder_is_there_at_every_moment(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    write(place, "0")
    if not folders._swapped(place, place):
        pytest.skip("no swap in one step on this system")
    stop = threading.Event()
    missing: list[str] = []

    def watch() -> None:
        while not stop.is_set():
            try:
                os.stat(place / "a")
            except FileNotFoundError:
                missing.append("a")

    watcher = threading.Thread(target=watch)
    watcher.start()
    for k in range(200):
        write(place, str(k))
    stop.set()
    watcher.join()
    assert not missing


def test_what_killed_writers_left_is_removed(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    write(place, "x")
    (tmp_path / ".folder.abc.part").mkdir()
    (tmp_path / ".folder.abc.part.old").mkdir()
    (tmp_path / ".folders.abc.part").mkdir()  # another's
    remove_unfinished(place)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".folders.abc.part", "folder"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadFile, match="cannot be written"), replaced_folder(tmp_path / "file" / "folder"):
        pass
