"""Aligning and reporting on alignments as people do it: a real process."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = ["the house", "the book", "a book", "", "the small house", "a small book"]
TARGET = ["das haus", "das buch", "ein buch", "", "das kleine haus", "ein kleines buch"]


def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wordorder", *args]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=False, env={**os.environ, **env}
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "en").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "de.gz").write_bytes(gzip.compress("\n".join(TARGET).encode()))
    return tmp_path


def both(text: Path) -> tuple[str, ...]:
    return "align", "--source", str(text / "en"), "--target", str(text / "de.gz")


def test_train_save_and_reuse(text: Path) -> None:
    out = text / "out.align"
    done = run(*both(text), "--save", str(text / "model"), "--out", str(out))
    assert done.returncode == 0 and done.stderr == "" and done.stdout == ""
    assert out.read_text().splitlines() == ["0-0 1-1", "0-0 1-1", "0-0 1-1", "", *["0-0 1-1 2-2"] * 2]
    again = run(*both(text), "--model", str(text / "model"))
    assert again.stdout == out.read_text()
    assert (
        run(*both(text), "--threads", "1").stdout == run(*both(text), "--threads", "4").stdout == again.stdout
    )
    scored = run(*both(text), "--model", str(text / "model"), "--scores", "--symmetrise", "posterior")
    assert scored.stdout.startswith("0-0:0.") and scored.returncode == 0


@pytest.mark.parametrize(
    "how", ["intersection", "union", "grow-diag", "grow-diag-final", "forward", "posterior"]
)
def test_every_way_to_symmetrise(text: Path, how: str) -> None:
    done = run(*both(text), "--method", "ibm1", "--symmetrise", how)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6


def test_error_rate_is_told(text: Path) -> None:
    (text / "gold").write_text("0-0 1-1\n0-0 1?1\n0-0 1-1\n\n0-0 1-1 2-2\n0-0 1-1\n")
    done = run(*both(text), "--gold", str(text / "gold"))
    assert done.stderr == "AER 0.0455  precision 0.9167  recall 1.0000\n"


def test_errors_name_file_and_line(text: Path) -> None:
    (text / "short").write_text("a\nb\n")
    done = run("align", "--source", str(text / "en"), "--target", str(text / "short"))
    assert done.returncode == 3 and f"{text / 'short'}:2: is where this file ends" in done.stderr
    (text / "bad").write_bytes(b"a\nb\xff\n")
    done = run("align", "--source", str(text / "bad"), "--target", str(text / "short"))
    assert done.returncode == 3 and f"{text / 'bad'}:2: byte 0xff at column 2 is not UTF-8" in done.stderr
    (text / "cut.gz").write_bytes(gzip.compress(b"a\n" * 1000)[:-9])
    done = run("align", "--source", str(text / "cut.gz"), "--target", str(text / "short"))
    assert done.returncode == 3 and "gzip" in done.stderr
    done = run(*both(text), "--symmetrise", "grow")
    assert done.returncode == 2 and "grow-diag" in done.stderr
    done = run(*both(text), "--model", str(text / "nothing"))
    assert done.returncode == 3 and "not an aligner" in done.stderr
    assert run(*both(text), "--model", "x", "--method", "ibm1").returncode == 2


def test_without_eflomal_there_is_a_hint(text: Path) -> None:
    if Path(sys.executable).with_name("eflomal-align").exists():
        pytest.skip("eflomal is installed beside this Python")
    done = run(*both(text), "--method", "eflomal", PATH=str(text))
    assert done.returncode == 2 and "pip install 'wordorder[align]'" in done.stderr


def test_eflomal(text: Path) -> None:
    if not shutil.which("eflomal-align"):
        pytest.skip("the program eflomal-align is not on the path")
    done = run(*both(text), "--method", "eflomal")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6


def test_eflomal_is_called_as_a_program(text: Path) -> None:
    fake = text / "eflomal-align"
    fake.write_text(
        f"#!{sys.executable}\nimport sys\na = sys.argv\n"
        "s, f, r = (a[a.index(o) + 1] for o in ('-s', '-f', '-r'))\n"
        "lines = open(s, encoding='utf-8').read().splitlines()\n"
        "for out in (f, r):\n"
        "    open(out, 'w').writelines(('0-0' if line else '') + '\\n' for line in lines)\n"
    )
    fake.chmod(0o755)
    done = run(*both(text), "--method", "eflomal", PATH=str(text))
    assert done.stdout.splitlines() == ["0-0", "0-0", "0-0", "", "0-0", "0-0"], done.stderr
    fake.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no memory')\n")
    done = run(*both(text), "--method", "eflomal", PATH=str(text))
    assert done.returncode == 3 and "failed with code 1: no memory" in done.stderr


def test_report_as_text_and_json(text: Path) -> None:
    run(*both(text), "--out", str(text / "out.align"))
    texts = ("--source", str(text / "en"), "--target", str(text / "de.gz"))
    done = run("align-report", str(text / "out.align"), *texts, "--sample", "2", "--seed", "3")
    assert done.returncode == 0 and "source words without a link" in done.stdout
    assert "A sample of 2 sentences, seed 3:" in done.stdout and "■" in done.stdout
    data = json.loads(run("align-report", str(text / "out.align"), *texts, "-o", "json").stdout)
    assert data["sentences"] == 6 and data["empty"] == 1 and data["crossings"] == 0
    assert data["source"]["words"] == 12 and len(data["sample"]) == 3 and data["seed"] == 1


def test_report_flags(text: Path) -> None:
    (text / "one").write_text("1-1 2-2\n" * 12)
    done = run("align-report", str(text / "one"), "--strict", "--sample", "0")
    assert done.returncode == 1 and "! the links probably start at 1" in done.stdout
    done = run("align-report", str(text / "one"), "--base", "1", "--sample", "0")
    assert "start at 1" not in done.stdout and done.returncode == 0
    done = run("align-report", str(text / "one"), "--source", str(text / "en"))
    assert done.returncode == 3 and "ends after 6 lines" in done.stderr


def test_permutations_from_alignments(tmp_path: Path) -> None:
    files = {"s": "a b c d\nx\n", "t": "C D A\ny\n", "a": "0-2 2-0 3-1 3-0\n\n"}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    base = ("induce", "--source", str(tmp_path / "s"), "--target", str(tmp_path / "t"))
    base += ("--align", str(tmp_path / "a"))
    done = run(*base)
    assert done.stdout == "1 2 3 0\n0\n"  # talbot: b goes before c, and the target reads c d a
    assert "2 sentences, 0 of them permutations as they were; 2 source words unaligned" in done.stderr
    assert run(*base, "--policy", "birch").stdout == "2 3 0 1\n0\n"
    assert run(*base, "--policy", "thesis", "--attach", "left", "--link", "last").stdout == "2 3 0 1\n0\n"
    assert run(*base, "--policy", "phrases").stdout == "1 2 3 0\n0\n"
    (tmp_path / "a").write_text("0-9\n\n")
    bad = run(*base, "--out", str(tmp_path / "o"))
    assert (
        bad.returncode == 3
        and f"{tmp_path / 'a'}:1: link 0-9" in bad.stderr
        and not (tmp_path / "o").exists()
    )
    assert "skipped 1" in run(*base, "--lenient").stderr


def test_other_formats_of_links(text: Path) -> None:
    (text / "gold.wpt").write_text("1 1 1 S\n1 2 2 S\n")
    assert "sentences" in run("align-report", str(text / "gold.wpt"), "--format", "wpt").stdout


def test_bad_lines_are_counted_and_keep_their_place(text: Path) -> None:
    lines = [line.encode() for line in SOURCE]
    lines[1] = b"the \xff book"
    (text / "en").write_bytes(b"\n".join(lines) + b"\n")
    strict = run(*both(text))
    assert strict.returncode == 3 and f"{text / 'en'}:2: " in strict.stderr and strict.stdout == ""
    done = run(*both(text), "--lenient")
    assert done.returncode == 0 and "skipped 1" in done.stderr and "empty line" in done.stderr
    assert len(done.stdout.splitlines()) == 6 and done.stdout.splitlines()[1] == ""


def test_one_file_may_hold_both_sides(text: Path) -> None:
    joint = text / "joint"
    joint.write_text("".join(f"{one} ||| {other}\n" for one, other in zip(SOURCE, TARGET, strict=True)))
    done = run("align", "--source", str(joint))
    assert done.returncode == 0 and done.stdout == run(*both(text)).stdout


def test_reports_on_empty_and_damaged_files(text: Path) -> None:
    (text / "empty").write_text("")
    done = run("align-report", str(text / "empty"))
    assert done.returncode == 3 and "is empty" in done.stderr and done.stdout == ""
    (text / "bad").write_text("0-0\n0+1\n1-1 0-0\n0+0\n")
    strict = run("align-report", str(text / "bad"))
    assert strict.returncode == 3 and f"{text / 'bad'}:2: " in strict.stderr
    args = ("align-report", str(text / "bad"), "--lenient")
    lenient = run(*args)
    assert lenient.returncode == 0 and "skipped 2" in lenient.stderr
    assert json.loads(run(*args, "-o", "json").stdout)["sentences"] == 4
    assert run(*args, "--strict").returncode == 1
