"""Outputs: they are checked before any work is done, closed streams are named, and runs do not mix."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.calls import run_here
from tests.cli.test_vocabulary import OPTIONS, long_name
from wordorder.cli.vocabulary import model_folder, output_file, output_folder
from wordorder.errors import BadFile
from wordorder.io.files import check_output, locked, open_output
from wordorder.io.folders import check_output_folder, claimed_folder, replaced_folder

CHECKS = (output_file, output_folder, model_folder)
WRITES = {
    "--output",
    "--save-model",
    "--plot",
    "--svg",
    "--log",
    "--save-weights",
    "--folder",
    "--write-scripts",
}


def test_every_option_that_writes_is_checked_first() -> None:
    written = [(verb, option) for verb, option in OPTIONS if long_name(option) in WRITES]
    assert len(written) > 30
    unchecked = [(verb, long_name(option)) for verb, option in written if option.callback not in CHECKS]
    # A file or a folder, which depends on the inputs: tests/cli/test_shards.py.
    assert unchecked == [(verb, "--output") for verb in ("align", "orders", "preorder apply", "score")]


def wrong_places(tmp_path: Path) -> dict[str, Path]:
    """Places where no file can be written."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    os.symlink(tmp_path / "missing" / "target", tmp_path / "dangling")
    os.symlink("endless", tmp_path / "endless")
    return {
        "Too many levels": tmp_path / "endless",
        "is a directory": tmp_path / "folder",
        "there is no folder": tmp_path / "dangling",
        "No such file": tmp_path / "missing" / "file",
        "Not a directory": tmp_path / "file" / "within",
    }


def test_files_are_checked_without_a_trace(tmp_path: Path) -> None:
    places = wrong_places(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    for what, place in places.items():
        with pytest.raises(BadFile, match=what):
            check_output(str(place))
    check_output(str(tmp_path / "new"))
    check_output(str(tmp_path / "file"))
    assert sorted(tmp_path.rglob("*")) == before and (tmp_path / "file").read_text() == "x"


def test_folders_are_checked_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    before = sorted(tmp_path.rglob("*"))
    for replaced in (False, True):
        with pytest.raises(BadFile, match="is a file; expected a folder"):
            check_output_folder(str(tmp_path / "file"), replaced=replaced)
        with pytest.raises(BadFile, match="Not a directory"):
            check_output_folder(str(tmp_path / "file" / "within" / "it"), replaced=replaced)
        check_output_folder(str(tmp_path), replaced=replaced)
        check_output_folder(str(tmp_path / "new" / "one"), replaced=replaced)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadFile, match="cannot be written: Permission denied"):
        check_output(str(tmp_path / "file"))
    with pytest.raises(BadFile, match="Permission denied"):
        check_output_folder(str(tmp_path / "folder"))
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    "verb",
    [
        ["preorder", "train", "-s", "none", "--align", "none", "--save-model"],
        ["align", "-s", "none", "-t", "none", "--save-model"],
        ["learn", "beer", "none", "--save-model"],
        ["tune", "none", "-r", "none", "--save-weights"],
        ["judge", "none", "-o"],
        ["evaluate", "none", "-o"],
        ["score", "-r", "none", "none", "-o"],
        ["choose", "none", "-o"],
        ["align-judgments", "none", "-o"],
        ["demo", "--folder"],
    ],
    ids=lambda verb: verb[0],
)
def test_verbs_check_outputs_before_they_read(verb: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run_here(*verb, str(tmp_path / "file" / "out"))
    assert done.returncode == 3 and "cannot be written" in done.stderr and "Not a directory" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("align -s none -t none -o {0} --save-model {0}", 2),
        ("preorder train -s none --align none --save-model {0} --log {1}", 2),
        ("align -s none -t none -o {0}/out --save-model {0}", 3),  # fails later, because there is no input
        ("align -s none -t none -o /dev/null --save-model {0}", 3),
    ],
)
def test_two_outputs_have_two_places(arguments: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "place").mkdir()
    os.symlink("place", tmp_path / "link")
    done = run_here(*arguments.format(tmp_path / "place", tmp_path / "link").split())
    assert done.returncode == code and ("write to the same place" in done.stderr) == (code == 2)


@pytest.mark.parametrize("name", ["x" * 250, "ü" * 120])
def test_long_names_are_written(name: str, tmp_path: Path) -> None:
    with open_output(str(tmp_path / name)) as out:
        out.write(b"text")
    with replaced_folder(tmp_path / (name + "y")) as part:
        (part / "file").write_text("text")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, name + "y"])


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    place = str(tmp_path / "out")
    with open_output(place) as first, open_output(place) as second:
        first.write(b"first " * 1000)
        second.write(b"second " * 1000)
    assert (tmp_path / "out").read_bytes() == b"first " * 1000  # which was finished last
    assert os.listdir(tmp_path) == ["out"]


def test_a_lock_is_held_by_one_and_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    for _ in range(2):
        with locked(place, "is held"):
            with pytest.raises(BadFile, match="is held"), locked(place, "is held"):
                pass
            assert place.exists()
        assert not place.exists()


def test_two_runs_do_not_train_one_model(tmp_path: Path) -> None:
    (tmp_path / "en").write_text("a b c\n" * 4)
    (tmp_path / "links").write_text("0-2 1-1 2-0\n" * 4)
    train = ["preorder", "train", "-s", str(tmp_path / "en"), "--align", str(tmp_path / "links"), "--fresh",
             "--save-model", str(tmp_path / "model")]  # fmt: skip
    with claimed_folder(str(tmp_path / "model")):
        done = run_here(*train)
    assert done.returncode == 3 and "another run is training" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["en", "links"]


SCORE = "score --permutations '{orders}'"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (f"{SCORE} >&-", 3, "standard output: is closed"),
        (f"{SCORE} >&- 2>&-", 3, ""),
        (f"{SCORE} -o '{{out}}' <&- >&- 2>&-", 0, ""),
        ("score --permutations - <&-", 3, "standard input: is closed"),
        ("scorer -m chrf <&-", 3, "standard input: is closed"),
        ("--help >&-", 0, ""),
    ],
)
def test_closed_streams_are_no_tracebacks(arguments: str, code: int, message: str, tmp_path: Path) -> None:
    orders, out = tmp_path / "orders", tmp_path / "out"
    orders.write_text("1 0 2\n")
    line = f"'{sys.executable}' -m wordorder " + arguments.format(orders=orders, out=out)
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.returncode == code and "Traceback" not in done.stderr and message in done.stderr
    assert orders.read_text() == "1 0 2\n"
    assert not out.exists() or out.read_text().startswith("metric")


full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@full
@pytest.mark.parametrize("arguments", ["demo", "--help", "--version", "tree --help", "tree 2,1", "metrics"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_on_a_full_disk_is_named(arguments: str, unbuffered: str) -> None:
    with open("/dev/full", "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "wordorder", *arguments.split()],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    message = "wordorder: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (3, message)


@full
@pytest.mark.parametrize("arguments, code", [("score -r no-such-file b", 3), ("tree --base 7", 2)])
def test_errors_on_a_full_disk_keep_their_codes(arguments: str, code: int) -> None:
    with open("/dev/full", "w") as err:
        done = subprocess.run([sys.executable, "-m", "wordorder", *arguments.split()], stderr=err)
    assert done.returncode == code


@pytest.mark.parametrize(
    "arguments, message",
    [
        ("score --threads 2.5", "'--threads': '2.5'; expected an integer from 1 to 1024."),
        ("align --threshold x", "'--threshold': 'x'; expected a number from 0 to 1."),
        ("--longest-line 1e9 demo", "'--longest-line': '1e9'; expected an integer of at least 1048576."),
        ("score --threads 0", "'--threads': 0 is not in the range 1<=x<=1024."),
    ],
)
def test_numbers_that_are_expected_are_named(arguments: str, message: str) -> None:
    done = run_here(*arguments.split())
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1


def test_completion_in_a_shell_checks_nothing() -> None:
    context = click.Context(click.Command("x"), resilient_parsing=True)
    assert all(check(context, click.Option(["--x"]), "/none/none") == "/none/none" for check in CHECKS)
