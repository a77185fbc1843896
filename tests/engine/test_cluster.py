"""What a cluster says if something is wrong with its files, versions, workers or work."""

from __future__ import annotations

import os
import pickle
import threading
import time
from pathlib import Path

import pytest

from wordorder import __version__
from wordorder.engine import cluster
from wordorder.engine.cluster import WorkingFolder, do, runner
from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.io.lenient import BadLine
from wordorder.io.lines import counted


@pytest.fixture(autouse=True)
def _as_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_here", lambda: "the worker tcp://w:1")
    monkeypatch.chdir(os.getcwd())  # which tasks change


def size(path: str) -> int:
    try:
        return len(Path(path).read_text())
    except FileNotFoundError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=path) from None


def refused(path: str) -> None:
    raise BadFile("cannot be written: Permission denied", file=path)


def test_relative_paths_are_those_of_the_client(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("four")
    assert do(size, "a", str(tmp_path), __version__) == 4


@pytest.mark.parametrize("folder", ["", "/nowhere"])
def test_files_out_of_reach(tmp_path: Path, folder: str) -> None:
    for work in (size, open):
        error = do(work, "a", folder or str(tmp_path), __version__)
        assert str(error) == (
            "a: cannot be reached by the worker tcp://w:1; all files must have the same path on all machines"
        )


def test_other_errors_are_returned_as_they_are(tmp_path: Path) -> None:
    error = do(refused, str(tmp_path / "new"), str(tmp_path), __version__)
    assert str(error) == f"{tmp_path}/new: cannot be written: Permission denied"


def test_other_versions() -> None:
    error = do(size, "a", "/", "7.0")
    assert f"the worker tcp://w:1 has wordorder {__version__}; install version 7.0" in str(error)


def test_threads_with_other_folders_wait(tmp_path: Path) -> None:
    places = [tmp_path / name for name in "ab"]
    working, wrong = WorkingFolder(), []

    def visit(folder: Path) -> None:
        for _ in range(20):
            with working.at(str(folder)):
                time.sleep(0.001)
                wrong.extend([folder] if Path.cwd() != folder else [])

    threads = [threading.Thread(target=visit, args=(folder,)) for folder in places * 2]
    for folder in places:
        folder.mkdir()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    "error",
    [
        WordOrderError("m", suggest={"base": 1}),
        BadFile("m", file="f", line=3, suggest={"resume": True}),
        BadLine("m", file="f", line=3, reason="r"),
        UnknownName("metric", "x", ["y"]),
    ],
)
def test_errors_travel_between_processes(error: WordOrderError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def deadly(item: int) -> str:
    if item == 2:
        os._exit(1)
    return counted(item, "item")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_local_cluster(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    with runner("local:2") as run:
        assert list(run(size, [])) == []
        assert list(run(abs, (-k for k in range(50)))) == list(range(50))  # more than are sent ahead
        with pytest.raises(BadFile, match="cannot be reached by the worker tcp://"):
            list(run(size, [str(tmp_path / "none")]))
        with pytest.raises(WordOrderError, match=r"ended every worker that tried it.*Try resume=True"):
            list(run(deadly, [1, 2, 3]))
        assert list(run(deadly, [1])) == ["1 item"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("address", ["nowhere", "foo://127.0.0.1:1"])
def test_wrong_addresses(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WordOrderError, match=f"no Dask scheduler at {address}: "), runner(address):
        pass
