"""The fuzzer finds what it looks for; a few cases of every target are right."""

from __future__ import annotations

import ctypes
import itertools
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.fuzz import runner
from tools.fuzz.__main__ import main
from tools.fuzz.target import SEEDS, Target, only_file, read_files, write_files
from tools.fuzz.targets import targets
from wordorder.errors import BadFile, WordOrderError
from wordorder.io.registry import format_names
from wordorder.judge.read import judgment_formats

# Python 3.12 warns about threads of libraries, which the children do not use.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


def test_formats_and_judgments_are_all_there() -> None:
    known = set(targets())
    assert {f"format_{name}" for name in format_names()} <= known
    assert {f"judgments_{form.name}" for form in judgment_formats()} <= known
    assert {path.name for path in SEEDS.iterdir()} <= known


@pytest.mark.parametrize("name", sorted(path.name for path in SEEDS.iterdir()))
def test_seeds_are_right(name: str, tmp_path: Path) -> None:
    target = targets()[name]
    assert target.seeds
    for number, files in enumerate(target.seeds):
        write_files(tmp_path / str(number), files)
        target.run(tmp_path / str(number))
        assert read_files(tmp_path / str(number)).keys() >= files.keys()  # reading removes nothing


def test_a_few_cases_of_everything() -> None:
    for target in targets().values():
        result = runner.fuzz(target, seed=1, cases=3)
        assert result.cases == 3
        assert not result.findings, next(iter(result.findings.values())).details


def test_the_same_number_makes_the_same_case() -> None:
    one, other = (targets()["rules"].case(1, number) for number in (5, 6))
    assert one == targets()["rules"].case(1, 5) != other


def wrong(problem: Callable[[Path], object]) -> Target:
    return Target("wrong", problem, lambda: [{"file": b"some text\n"}])


def refuse(message: str) -> Callable[[Path], object]:
    def run(case: Path) -> None:
        raise BadFile(message, file=only_file(case))

    return run


def nameless(case: Path) -> None:
    raise WordOrderError("some file is bad")


def exhaust(case: Path) -> None:
    bytearray(2 << 30)


def spin(case: Path) -> None:
    sum(itertools.repeat(0))  # one line, so that every case ends at the same place


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the sanitizer ends the process in its own way")
@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (refuse("is damaged"), ""),
        (nameless, "message without the file"),
        (lambda case: int("x"), "ValueError"),
        (lambda case: warnings.warn("careful", stacklevel=1), "warning"),
        (lambda case: ctypes.string_at(0), "crash (SIGSEGV)"),
        (lambda case: os.abort(), "crash (SIGABRT)"),
        (exhaust, "MemoryError"),
        (spin, "more than 0.2 CPU seconds"),
    ],
)
def test_what_must_not_happen_is_found(
    run: Callable[[Path], object], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SECONDS", 0.2)
    result = runner.fuzz(wrong(run), seed=1, cases=3)
    assert result.cases == 3
    assert [finding.kind for finding in result.findings.values()] == [kind] * bool(kind)


def test_a_finding_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(case: Path) -> None:
        assert Path(only_file(case)).read_bytes() == b"some text\n"

    monkeypatch.setattr("tools.fuzz.__main__.targets", lambda: {"wrong": wrong(run)})
    assert main(["--cases", "20", "--out", str(tmp_path)]) == 1
    (folder,) = tmp_path.iterdir()
    text = (folder / "finding.txt").read_text()
    assert "AssertionError" in text and f"python -m tools.fuzz --replay {folder}" in text
    assert str(folder) in capsys.readouterr().out
    assert main(["--replay", str(folder)]) == 1
    assert "AssertionError" in capsys.readouterr().out
    (folder / "files" / "file").write_bytes(b"some text\n")
    assert main(["--replay", str(folder)]) == 0
    assert set(read_files(folder)) == {"finding.txt", "files/file"}
