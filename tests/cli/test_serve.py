"""``wordorder serve`` on the command line: options, errors in one line, what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import run_here
from wordorder.cli.serve import has_screen
from wordorder.data import sample

WITHOUT = """
import sys
sys.modules[{name!r}] = None
from wordorder.cli.main import main
sys.argv = ["wordorder", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("name", ["fastapi", pytest.param("uvicorn", marks=pytest.mark.slow)])
def test_without_the_extra_one_line_says_what_to_install(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(name=name), "serve"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"wordorder: the page needs {name}") and "pip install 'wordorder[web]'" in line


@pytest.mark.slow
def test_help_needs_no_extra() -> None:
    code = WITHOUT.format(name="fastapi")
    done = subprocess.run(
        [sys.executable, "-c", code, "serve", "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "--annotate" in done.stdout


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--source", "x"], 2, "--source would have no effect: it belongs to --annotate"),
        (["--annotate", "{tmp}/p", "-s", "x"], 2, "--source and --target go together"),
        (["--annotate", "{tmp}/p", "--align", "x"], 2, "--align would have no effect"),
        (["--annotate", "{tmp}/p"], 3, "Try --source FILE. Try --target FILE."),
        (["--annotate", "{tmp}/no/p"], 3, "there is no folder"),
        (["--annotate", "{tmp}/p", "-s", "{tmp}/a", "-t", "{tmp}/b"], 3, "{tmp}/a: does not exist"),
        (["--aligner", "{tmp}/no"], 3, "{tmp}/no"),
        (["--host", "no.such.host.invalid"], 2, "is not an address of this machine"),
        (["--host", "192.0.2.1"], 2, "cannot listen on 192.0.2.1"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    options: list[str], code: int, message: str, tmp_path: Path
) -> None:
    pytest.importorskip("fastapi")
    given = [option.replace("{tmp}", str(tmp_path)) for option in options]
    done = run_here("serve", "--no-browser", "--port", "0", *given)
    assert done.returncode == code, done
    (line,) = done.stderr.splitlines()
    assert message.replace("{tmp}", str(tmp_path)) in line


def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_screen()


def test_programs_can_ask_for_progress_as_lines() -> None:
    files = ["-r", str(sample("reference.txt")), str(sample("system-a.txt"))]
    done = run_here("score", *files, "-m", "kendall", WORDORDER_PROGRESS="lines")
    assert "progress segments 20\n" in done.stderr
    assert "progress" not in run_here("score", *files, "-m", "kendall").stderr
