"""The script that prepares a release: versions, what it refuses, and how it tries the README."""

from __future__ import annotations

import shutil
import sys
from datetime import date
from pathlib import Path

import pytest

import wordorder
from tools import release
from tools.page_commands import Example
from tools.release import Release, ReleaseError, set_version, try_readme, version_problems

FILES = ("src/wordorder/_version.py", "CITATION.cff", "CHANGELOG.md")
DAY = date(2030, 2, 28)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.ROOT / name, tmp_path / name)
    return tmp_path


def test_all_places_agree_about_the_version(tree: Path) -> None:
    assert version_problems(release.ROOT) == []
    (tree / "CITATION.cff").write_text("version: 0.0.9\n")
    assert version_problems(tree) == [
        f"CITATION.cff is about 0.0.9, _version.py about {wordorder.__version__}"
    ]


def test_a_version_is_set_in_all_places(tree: Path) -> None:
    changes = tree / "CHANGELOG.md"
    changes.write_text("# Changes\n\n## 7.1.0 (unreleased)\n\n- More.\n\n## 7.0.0 (2029-01-01)\n")
    for day in (date(2030, 1, 1), DAY):  # a date can be corrected
        set_version(tree, "7.1.0", day)
    assert version_problems(tree) == []
    assert changes.read_text().startswith("# Changes\n\n## 7.1.0 (2030-02-28)\n\n- More.\n\n## 7.0.0 (2029")
    cited = (tree / "CITATION.cff").read_text("utf-8")
    assert "version: 7.1.0\ndate-released: 2030-02-28\n" in cited and cited.count("date-released") == 1
    assert '__version__ = "7.1.0"' in (tree / FILES[0]).read_text()
    with pytest.raises(ReleaseError, match=r"write a section '## 7\.2\.0 \(unreleased\)' first"):
        set_version(tree, "7.2.0", DAY)
    with pytest.raises(ReleaseError, match="is no version"):
        set_version(tree, "v7.2", DAY)


def test_wheels_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*command: str | Path, **_: object) -> str:
        if "build" in command:
            (tmp_path / "dist").mkdir(exist_ok=True)
            (tmp_path / "dist" / "wordorder-1.0-cp312-abi3-any.whl").write_bytes(bytes(size))
        return "cp312-any"

    monkeypatch.setattr(release, "run", build)
    made = Release(tmp_path, tmp_path / "dist", test=False)
    size = 1000
    assert made.step_build()[0].split() == ["1,000", "bytes", "wordorder-1.0-cp312-abi3-any.whl"]
    size = release.LARGEST_WHEEL + 1
    with pytest.raises(ReleaseError, match="more than 5,000,000 bytes"):
        made.step_build()
    with pytest.raises(ReleaseError, match=r"0 files other-\*"):
        made.artefact("other-*")


def test_unknown_steps_and_failing_commands_end_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--steps", "bild"]) == 1
    assert "unknown step bild; known: clone, build, wheels, sdists, core" in capsys.readouterr().err
    with pytest.raises(ReleaseError, match="exit code 3"):
        release.run(sys.executable, "-c", "raise SystemExit(3)")


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    """An environment whose command knows what is missing, and little else."""
    script = tmp_path / "venv" / "bin" / "wordorder"
    script.parent.mkdir(parents=True)
    missing = f'echo "{release.HINT}" >&2; exit 2'
    script.write_text(f"#!/bin/sh\ncase $1 in tree) echo one;; preorder) {missing};; esac\n")
    script.chmod(0o755)
    return tmp_path / "venv"


def test_the_readme_is_tried_with_its_output(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [Example("wordorder tree", "one\n", None), Example("wordorder preorder apply", "x\n", None)]
    monkeypatch.setattr(release, "examples", lambda page: iter(shown))
    with pytest.raises(ReleaseError, match="preorder apply: exit code 2"):
        try_readme(fake)
    lines = try_readme(fake, models=False)
    assert [line.split("  ")[0] for line in lines] == ["as shown", "says: pip install wordorder-models"]
    shown[0] = Example("wordorder tree", "two\n", None)
    with pytest.raises(ReleaseError, match="wordorder tree: exit code 0"):
        try_readme(fake, models=False)
