"""The workflows for GitHub are valid, and agree with the Makefile and pyproject.toml."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
TRIGGERS = {"push", "pull_request", "workflow_dispatch"}
KEYS = {"name", "runs-on", "timeout-minutes", "strategy", "steps", "needs", "if", "environment",
        "permissions", "continue-on-error"}  # fmt: skip
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)


def content(file: Path) -> dict[str, Any]:
    read = yaml.safe_load(file.read_text("utf-8"))
    assert isinstance(read, dict)
    return {
        ("on" if key is True else key): value for key, value in read.items()
    }  # YAML 1.1 reads "on" as true


def test_there_are_three() -> None:
    assert [file.name for file in FILES] == ["ci.yml", "docs.yml", "wheels.yml"]


@each_file
def test_the_structure_is_that_of_workflows(file: Path) -> None:
    workflow = content(file)
    assert set(workflow) <= {"name", "on", "permissions", "concurrency", "jobs"}
    assert set(workflow["on"]) <= TRIGGERS and workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert set(job) <= KEYS, name
        assert job["runs-on"] and job["steps"]
        needed = job.get("needs", [])
        assert set([needed] if isinstance(needed, str) else needed) <= set(workflow["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step) and set(step) <= {
                "uses",
                "run",
                "with",
                "env",
                "if",
                "name",
            }
            assert re.fullmatch(r"[\w-]+/[\w-]+@[\w./]+", step.get("uses", "a/b@v1"))


@each_file
def test_expressions_name_what_there_is(file: Path) -> None:
    workflow = content(file)
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        known = {*matrix, *(key for entry in matrix.get("include", []) for key in entry)}
        used = set(re.findall(r"\$\{\{ matrix\.(\w+) \}\}", yaml.safe_dump(job)))
        assert used <= known
    for expression in re.findall(r"\$\{\{(.*?)\}\}", file.read_text("utf-8")):
        assert re.fullmatch(r" (matrix|github)\.[\w.]+ ", expression)


@each_file
def test_commands_are_targets_of_the_makefile(file: Path) -> None:
    called = re.findall(r"\bmake ([a-z-]+)", file.read_text("utf-8"))
    assert set(called) <= TARGETS


def test_what_is_built_is_what_is_supported() -> None:
    wheels = PROJECT["tool"]["cibuildwheel"]
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=").replace(".", "")
    assert wheels["build"] == [f"cp{oldest}-*", f"{PROJECT['tool']['scikit-build']['wheel']['py-api']}-*"]
    configured = {arch for system in ("linux", "macos", "windows") for arch in wheels[system]["archs"]}
    runners = content(ROOT / ".github" / "workflows" / "wheels.yml")["jobs"]["wheels"]["strategy"]["matrix"]
    assert {entry["archs"] for entry in runners["include"]} == configured
    tested = content(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert tested["python"][0].replace(".", "") == oldest


def test_actionlint_agrees() -> None:
    if not (program := shutil.which("actionlint")):
        pytest.skip("needs actionlint")
    done = subprocess.run([program, *FILES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
