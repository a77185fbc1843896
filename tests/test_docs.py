"""Run every command and Python example of README and docs in a folder that holds the files of the demo.

tools/page_commands.py finds the commands and the output that pages show. Of commands that need data which is
not shipped, only the names of the options are checked. A block with a title is a file of that name, which the
commands of the page may use.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.calls import Done, call
from tools.page_commands import examples
from wordorder.cli.demo import copy_sample
from wordorder.cli.main import command as wordorder

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = re.compile(r"^(?!wordorder )|[|<>&;$`*?~]")  # what needs a shell
FILE = re.compile(r'^```\w+ title="(?P<name>[^"]+)"\n(?P<text>.*?)^```', re.M | re.S)
LONG = {"docs/results/papers.md"}  # hundreds of commands
each_page = pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.slow] if name in LONG else [], id=name)
        for page in PAGES
        for name in [str(page.relative_to(ROOT))]
    ],
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with the files of the demo, in which ``wordorder`` is a command."""
    copy_sample(tmp_path / "demo")
    script = tmp_path / "bin" / "wordorder"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m wordorder "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pages_have_commands_that_can_be_run() -> None:
    assert sum(example.needs is None for page in PAGES for example in examples(page)) >= 40


def test_commands_are_in_console_blocks() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for kind, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
            assert kind == "console" or not re.search(r"^(\$ )?wordorder [a-z-]+ ", block, re.M), (
                page,
                block,
            )


@each_page
def test_commands_run_as_written(
    page: Path, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in FILE.finditer(page.read_text(encoding="utf-8")):
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")
    for example in dict.fromkeys(examples(page)):  # repeated ones once
        if example.needs is not None:
            continue
        done: Done | subprocess.CompletedProcess[str]
        if not SHELL.search(example.command):  # run here, which is much quicker
            done = call(capsys, monkeypatch, *shlex.split(example.command)[1:])
        else:
            done = subprocess.run(
                ["bash", "-c", example.command], cwd=folder, capture_output=True, text=True, check=False
            )
        if example.output.startswith("wordorder: "):
            assert (done.returncode, done.stderr) == (3, example.output), example.command
            continue
        assert done.returncode == 0, f"{example.command}\n{done.stderr}"
        assert example.shows(done.stdout), f"{example.command}\n{done.stdout}"


@each_page
def test_commands_that_need_data_name_options_that_exist(page: Path) -> None:
    for example in examples(page):
        if example.needs is None or not example.command.startswith("wordorder "):
            continue
        words = shlex.split(re.split(r"\s[|<>]\s|<<<", example.command)[0])[1:]
        command: click.Command = wordorder
        while isinstance(command, click.Group):
            child = command.get_command(click.Context(command), words.pop(0))
            assert child is not None, example.command
            command = child
        known = {name for option in command.params for name in [*option.opts, *option.secondary_opts]}
        used = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}
        assert used <= known, example.command


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for name, anchor in re.findall(r"\]\(([^)#\s:]*)(?:#([^)\s]*))?\)", text):
        target = page.parent / name if name else page
        assert target.exists(), name
        if anchor:
            titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
            assert anchor in [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles], (
                name,
                anchor,
            )


@each_page
def test_python_examples(page: Path, folder: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0
