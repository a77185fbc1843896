"""The command line of preordering."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Done, call
from tests.oracle import moses

SOURCE = ["he has bought a car", "", "yes", "i will wait for you"]
LINKS = ["0-0 1-3 2-2 4-1", "", "0-0", "0-0 1-3 2-3 4-1 3-2"]
GOLD = ["0 3 4 2 1", "", "0", "0 4 3 1 2"]


TRAIN = ["train", "--source", "{s}", "--align", "{a}", "--save-model", "{d}/m"]


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run ``wordorder preorder``, here."""
    return lambda *args: call(capsys, monkeypatch, "preorder", *args)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "s").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "a.gz").write_bytes(gzip.compress("\n".join([*LINKS, ""]).encode()))
    return tmp_path


def oracle(files: Path, *more: str) -> tuple[str, ...]:
    return "apply", "--model", "oracle", "--source", str(files / "s"), "--align", str(files / "a.gz"), *more


def test_orders_are_one_a_line_and_empty_for_nothing(run: Run, files: Path) -> None:
    done = run(*oracle(files, "--as", "order"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == [*GOLD, ""]
    text = run(*oracle(files, "--as", "text", "--output-align", str(files / "new"))).stdout
    assert text.split("\n") == ["he a car bought has", "", "yes", "i you for will wait", ""]
    assert (files / "new").read_text().split("\n") == [
        "0-0 2-1 3-2 4-3",
        "",
        "0-0",
        "0-0 1-1 2-2 3-3 4-3",
        "",
    ]


def test_all_outputs(run: Run, files: Path) -> None:
    for output in ("order", "text", "tree", "nbest", "lattice", "precedence", "factor", "quasiperm"):
        done = run("apply", "--model", "identity", "--source", str(files / "s"), "--as", output)
        warned = "1 empty sentence, written" if output == "lattice" else ""
        assert done.returncode == 0 and done.stderr.startswith(warned), output
        assert done.stderr.count("\n") == bool(warned), output
        assert len(done.stdout.splitlines()) == 4
    done = run("apply", "--model", "identity", "--source", str(files / "s"), "--as", "lattice",
               "--lattice-format", "openfst", "--symbols", str(files / "symbols"))  # fmt: skip
    assert done.stdout.startswith("0 1 1 he\n1 2 2 has\n")
    table = (files / "symbols").read_text().splitlines()
    assert table[:3] == ["<eps>\t0", "he\t1", "has\t2"]


def test_what_a_decoder_stumbles_over_is_warned_about(run: Run, tmp_path: Path) -> None:
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    (tmp_path / "s").write_text("a|b *EPS* c\n\n&apos;s\n" + " ".join(words) + "\n")
    args = ("apply", "--model", "en-ja-crf", "--source", str(tmp_path / "s"), "--as", "lattice", "-k", "300")
    plain = run(*args)
    assert len(plain.stdout.splitlines()) == 4 and plain.stdout.splitlines()[1] == ""
    assert "1 empty sentence, written as empty lines" in plain.stderr
    assert "2 words with a | or equal to *EPS*" in plain.stderr
    longest = int(re.search("-max-phrase-length ([0-9]+), or try --max-jump 20", plain.stderr)[1])  # type: ignore[index]
    escaped = run(*args, "--escape", "moses", "--max-jump", "9")
    assert "written as the word &empty;" in escaped.stderr and "max-phrase-length" not in escaped.stderr
    assert "1 word of the input with escapes, such as '&apos;s', escaped again" in escaped.stderr
    assert "of 1 sentence left out, so that no arc advances by more than 9 states" in escaped.stderr
    moses.read_lattices(escaped.stdout, longest=9)
    whole = run(*args, "--escape", "moses").stdout
    moses.read_lattices(whole, longest=longest)
    with pytest.raises(AssertionError, match="Moses stops at the jump"):
        moses.read_lattices(whole, longest=longest - 1)
    assert run(*args, "-q").stderr == ""


def test_symbols_are_the_words_that_are_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("<eps> it's\n")
    done = run("apply", "--model", "identity", "--source", str(tmp_path / "s"), "--as", "lattice", "--escape",
               "moses", "--lattice-format", "openfst", "--symbols", str(tmp_path / "symbols"))  # fmt: skip
    assert done.stdout.split()[3::4][:2] == ["&lt;eps&gt;", "it&apos;s"]
    assert (tmp_path / "symbols").read_text() == "<eps>\t0\n&lt;eps&gt;\t1\nit&apos;s\t2\n"


def test_a_real_process_reads_standard_input(files: Path) -> None:
    command = [sys.executable, "-m", "wordorder", "preorder", "apply", "--model", "identity"]
    text = "a b\n\nc\n"
    done = subprocess.run(command, capture_output=True, text=True, check=False, input=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a b\n\nc\n", "")


def test_unsegmented_text_is_warned_about(run: Run, tmp_path: Path) -> None:
    (tmp_path / "zh").write_text("我爱北京天安门\n今天天气很好\n", encoding="utf-8")
    args = ("apply", "--model", "identity", "--source", str(tmp_path / "zh"))
    done = run(*args)
    assert done.returncode == 0 and "zh: this text seems to have no spaces between words" in done.stderr
    assert run(*args, "-q").stderr == ""
    (tmp_path / "zh").write_text("我 爱 北京 天安门\n", encoding="utf-8")
    assert run(*args).stderr == ""


def test_what_a_model_name_may_be(run: Run, files: Path) -> None:
    source = ("--source", str(files / "s"))
    done = run("apply", "--model", "en-multi-crf", *source)
    assert done.returncode == 2 and "ar, cs, de, fr, hi, ja, ko, ru, sv, tr, zh" in done.stderr
    assert "Try --set language=ar." in done.stderr
    texts = [
        run("apply", "--model", "en-multi-crf", "--set", "language=ja", *source).stdout,
        run("apply", "--model", "en-multi-crf:language=ja", *source).stdout,
    ]
    assert texts[0] == texts[1] and len(texts[0].splitlines()) == 4
    done = run("apply", "--model", "en-de", *source)
    assert done.returncode == 2 and "Did you mean" not in done.stderr
    assert "en-ja-crf (English into the order of Japanese)" in done.stderr
    rows = [f"{i}\t{w}\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_" for i, w in enumerate(["he", "bought", "cars"], 1)]
    (files / "p").write_text("\n".join([*rows, "", ""]).replace("\t0\tdep", "\t0\troot"))
    for name in ("rules:reverse", "reverse", "rules:set=reverse"):
        done = run("apply", "--model", name, "--parse", str(files / "p"))
        assert done.stdout == "cars bought he\n", name


def test_list(run: Run) -> None:
    done = run("list")
    assert done.returncode == 0 and "identity" in done.stdout and "oracle" in done.stdout
    assert "attach=right  (of right, left)" in run("list", "oracle").stdout
    data = json.loads(run("list", "-f", "json").stdout)
    assert {one["name"] for one in data["methods"]} >= {"identity", "oracle"}
    assert run("list", "orakel").returncode == 2
    assert (
        ":class:" not in run("list", "grammar").stdout
        and "explained at ForestShape" in run("list", "grammar").stdout
    )


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["apply", "--model", "oracle", "--source", "{s}"], 2, "oracle needs --align FILE"),
        (["apply", "--model", "nothing", "--source", "{s}"], 2, "unknown model"),
        (["apply", "--source", "{s}"], 2, "missing option --model"),
        (["apply", "--model", "identity", "--source", "{s}", "-k", "3"], 2, "would have no effect"),
        (["apply", "--model", "identity", "--source", "{s}", "--lattice-format", "plf"], 2,
         "--lattice-format would have no effect: it is for --as lattice"),
        (["apply", "--model", "identity", "--source", "{s}", "--max-jump", "20"], 2,
         "--max-jump would have no effect: it is for --as lattice"),
        (["apply", "--model", "identity", "--source", "{s}", "--as", "order", "--escape", "moses"], 2,
         "--escape would have no effect: it is for --as text, nbest, lattice, factor"),
        (["apply", "--model", "identity", "--source", "{s}", "--as", "lattice", "--temperature", "0"], 2,
         "temperature is 0.0; expected a number above 0"),
        (["apply", "--model", "identity", "--source", "{d}/no"], 3, "does not exist"),
        (["apply", "--model", "{d}", "--source", "{s}"], 3, "is no wordorder-preorderer: no model.json"),
        (["apply", "--model", "oracle", "--source", "{s}", "--align", "{a}", "-o", "{d}/x",
          "--output-align", "{d}/../{n}/x"], 2, "write to the same place"),
        (["apply", "--model", "en-ja", "--source", "{s}", "--set", "binary=3"], 2,
         "since the training and cannot be changed"),
        ([*TRAIN, "--method", "grammar:patience=3"], 2, "needs held-out text"),
        (["convert", "en-ja", "{d}/x", "--as", "text"], 2, "mixes 4 grammars"),
        ([*TRAIN, "--method", "oracle"], 2, "nothing to learn"),
        ([*TRAIN, "--method", "gramar"], 2, "unknown preorderer"),
        (["aply"], 2, "Did you mean 'apply'"),
    ],
)  # fmt: skip
def test_misuse_is_told_in_a_line(run: Run, files: Path, args: list[str], code: int, said: str) -> None:
    places = {"s": str(files / "s"), "a": str(files / "a.gz"), "d": str(files), "n": files.name}
    done = run(*(arg.format(**places) for arg in args))
    assert done.returncode == code and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_full_disk_is_an_error_and_leaves_nothing(run: Run, files: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    command = [sys.executable, "-m", "wordorder", "preorder", *oracle(files)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 3 and "standard output: cannot be written: No space left" in done.stderr
    done = run(*oracle(files, "-o", "/dev/full"))
    assert done.returncode == 3 and "/dev/full: cannot be written: No space left" in done.stderr
    done = run("train", "--method", "grammar:binary=1,nary=1,rare=0", "--source", str(files / "s"),
               "--align", str(files / "a.gz"), "--save-model", str(files / "m"),
               "--log", "/dev/full")  # fmt: skip
    assert done.returncode == 3 and "/dev/full: cannot be written: No space left" in done.stderr
