"""Aligning and reporting on alignments from the command line."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.cli.calls import run_here

SOURCE = ["the house", "the book", "a book", "", "the small house", "a small book"]
TARGET = ["das haus", "das buch", "ein buch", "", "das kleine haus", "ein kleines buch"]


run = run_here


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "en").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "de.gz").write_bytes(gzip.compress("\n".join(TARGET).encode()))
    return tmp_path


def both(text: Path) -> tuple[str, ...]:
    return "align", "-q", "--source", str(text / "en"), "--target", str(text / "de.gz")


def test_train_save_and_reuse(text: Path) -> None:
    out = text / "out.align"
    done = run(*both(text), "--save-model", str(text / "model"), "-o", str(out))
    assert done.returncode == 0 and done.stderr == "" and done.stdout == ""
    assert out.read_text().splitlines() == ["0-0 1-1", "0-0 1-1", "0-0 1-1", "", *["0-0 1-1 2-2"] * 2]
    again = run(*both(text), "--model", str(text / "model"))
    assert again.stdout == out.read_text()
    assert (
        run(*both(text), "--threads", "1").stdout == run(*both(text), "--threads", "4").stdout == again.stdout
    )
    scored = run(*both(text), "--model", str(text / "model"), "--as", "scores", "--symmetrise", "posterior")
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
    assert done.returncode == 3 and "is no wordorder-aligner" in done.stderr
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
    run(*both(text), "-o", str(text / "out.align"))
    texts = ("--source", str(text / "en"), "--target", str(text / "de.gz"))
    done = run("align-report", str(text / "out.align"), *texts, "--sample", "2", "--seed", "3")
    assert done.returncode == 0 and "source words without a link" in done.stdout
    assert "A sample of 2 sentences, seed 3:" in done.stdout and "■" in done.stdout
    data = json.loads(run("align-report", str(text / "out.align"), *texts, "-f", "json").stdout)
    assert data["sentences"] == 6 and data["empty"] == 1 and data["crossings"] == 0
    assert data["source"]["words"] == 12 and len(data["sample"]) == 3 and data["seed"] == 12345


def test_report_flags(text: Path) -> None:
    (text / "one").write_text("1-1 2-2\n" * 12)
    done = run("align-report", str(text / "one"), "--strict", "--sample", "0")
    assert done.returncode == 1 and "! the links probably start at 1" in done.stdout
    done = run("align-report", str(text / "one"), "--base", "1", "--sample", "0")
    assert "start at 1" not in done.stdout and done.returncode == 0
    done = run("align-report", str(text / "one"), "--source", str(text / "en"))
    assert done.returncode == 3 and "en:6: is where this file ends" in done.stderr


def test_a_large_position_costs_nothing(text: Path) -> None:
    (text / "far").write_text("5000000-5000000\n")
    start = time.process_time()
    done = run("align-report", str(text / "far"))
    assert done.returncode == 0 and "5,000,001 by 5,000,001 words are too many to draw." in done.stdout
    assert time.process_time() - start < 2


def test_other_formats_of_links(text: Path) -> None:
    (text / "gold.wpt").write_text("1 1 1 S\n1 2 2 S\n")
    assert "sentences" in run("align-report", str(text / "gold.wpt"), "--align-format", "wpt").stdout


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


@pytest.mark.parametrize("form", ["joint", "tsv", "jsonl"])
@pytest.mark.parametrize("bad", ["one text only", ""])
def test_a_bad_line_of_a_joint_file_is_named_and_skipped_alone(text: Path, form: str, bad: str) -> None:
    write = {
        "joint": " ||| ".join, "tsv": "\t".join,
        "jsonl": lambda pair: json.dumps(dict(zip(("source", "target"), pair, strict=True))),
    }[form]  # fmt: skip
    lines = [write(pair) for pair in zip(SOURCE, TARGET, strict=True)]
    lines.insert(3, bad)
    joint = text / "both"
    joint.write_text("\n".join(lines) + "\n")
    strict = run("align", "--source", str(joint))
    assert strict.returncode == 3 and f"{joint}:4: " in strict.stderr and strict.stdout == ""
    done = run("align", "--source", str(joint), "--lenient")
    assert done.returncode == 0 and "skipped 1 " in done.stderr
    links = done.stdout.splitlines()
    assert links.pop(3) == "" and links == run(*both(text)).stdout.splitlines()


def test_nothing_left_is_an_error(text: Path) -> None:
    bad = text / "bad"
    bad.write_text("one\ntwo\n")
    for args in (("align", "--source", str(bad)), ("align-report", str(bad))):
        done = run(*args, "--lenient")
        assert done.returncode == 3 and done.stdout == "", done.stderr
        assert f"{bad}:1: " in done.stderr and "nothing is left: 2 skipped" in done.stderr


@pytest.mark.parametrize("form", ["wpt", "lader"])
def test_gold_of_other_formats(text: Path, form: str) -> None:
    gold = text / "gold"
    gold.write_text(
        {"wpt": "1 1 1 S\n3 2 2 P\n", "lader": "2-2 ||| 0-0\n" * 3 + "0-0 |||\n" + "3-3 |||\n" * 2}[form]
    )
    done = run(*both(text), "--gold", str(gold), "--gold-format", form)  # WPT ends before the text does
    assert done.returncode == 0 and done.stderr.startswith("AER 0."), done.stderr
    texts = ("--source", str(text / "en"), "--target", str(text / "de.gz"))
    told = json.loads(run("align-report", str(gold), "--align-format", form, *texts, "-f", "json").stdout)
    assert (told["sentences"], told["source"]["words"]) == (6, 12)


def test_gold_is_checked_before_training(text: Path) -> None:
    gold, model = text / "gold", text / "model"
    args = (*both(text), "--gold", str(gold), "--save-model", str(model))
    for lines, message in (
        ("0-0\n0-0\n0-9\n\n\n\n", "gold:3: link 0-9 is past the last target word"),
        ("0-0\n", "gold:1: is where this file ends"),
        ("\n" * 7, "en:6: is where this file ends"),
    ):
        gold.write_text(lines)
        done = run(*args)
        assert done.returncode == 3 and message in done.stderr and done.stdout == "", done.stderr
        assert not model.exists()
    done = run("align", "--source", "-", "--target", str(text / "en"), "--gold", "-")
    assert done.returncode == 2 and "only once" in done.stderr


def test_skipped_pairs_are_left_out_of_the_error_rate(text: Path) -> None:
    right = ["0-0 1-1", "0-0 1-1", "0-0 1-1", "", "0-0 1-1 2-2", "0-0 1-1 2-2"]
    gold = text / "gold"
    gold.write_text("\n".join([right[0], "0-0 1-9", *right[2:]]) + "\n")
    lines = [line.encode() for line in SOURCE]
    lines[4] = b"\xff"
    (text / "en").write_bytes(b"\n".join(lines) + b"\n")
    done = run(*both(text), "--gold", str(gold), "--lenient")
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 6
    assert done.stdout.splitlines()[1] and not done.stdout.splitlines()[4]  # bad gold spoils no output
    assert "gold: skipped 1 (link out of range)" in done.stderr
    assert "AER 0.0000" in done.stderr and "(without 2 skipped of 6 pairs)" in done.stderr


def test_a_report_skips_bad_lines_of_every_file(text: Path) -> None:
    links = text / "links"
    links.write_text("0-0\n0-0 1-1\n" + "0-0\n" * 4)
    lines = [line.encode() for line in SOURCE[:5]]
    lines[0] = b"\xff"
    (text / "en").write_bytes(b"\n".join(lines) + b"\n")
    args = ("align-report", str(links), "--source", str(text / "en"), "--lenient")
    done = run(*args, "-f", "json")
    told = json.loads(done.stdout)
    assert (told["sentences"], told["skipped"], told["source"]["words"]) == (4, 2, 7)
    assert told["source"]["widest_sentence"] == 2  # lines keep their numbers
    assert "1 link is out of range, the first in line 4." in told["flags"]
    assert [drawn["line"] for drawn in told["sample"]] == [2, 3, 5]
    assert "en: skipped 1 (not UTF-8)" in done.stderr and "(no partner for" in done.stderr
    assert "A sample of 1 sentence, seed 12345:" in run(*args, "--sample", "1").stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("align", "--source", "x", "--threshold", "0.5"), "--threshold would have no effect"),
        (("align", "--source", "x", "--target", "y", "--gold-format", "wpt"), "there is no --gold"),
        (("align-report", "x", "--align-format", "wpt", "--base", "1"), "--base would have no effect"),
    ],
)  # fmt: skip
def test_options_that_cannot_apply_are_refused(args: tuple[str, ...], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1


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
    told = json.loads(run(*args, "-f", "json").stdout)
    assert (told["sentences"], told["empty"], told["skipped"]) == (2, 0, 2)
    assert [drawn["line"] for drawn in told["sample"]] == [1, 3]
    assert run(*args, "--strict").returncode == 1


def test_words_are_cut_as_readers_of_links_cut_them(text: Path) -> None:
    (text / "en").write_text("the\u00a0small house\u3000x\nthe book\n" * 3, encoding="utf-8")
    (text / "xx").write_text("das\u00a0kleine haus\u3000y\ndas buch\n" * 3, encoding="utf-8")
    links = text / "links"
    args = ("--source", str(text / "en"), "--target", str(text / "xx"))
    assert run("align", *args, "-o", str(links)).returncode == 0
    assert max(int(n) for n in links.read_text().replace("-", " ").split()) == 1  # two words a side
    induced = run("orders", *args, "--align", str(links))
    assert induced.returncode == 0, induced.stderr
    report = json.loads(run("align-report", str(links), *args, "-f", "json").stdout)
    assert report["out_of_range"] == 0 and report["source"]["words"] == 12


def test_json_lines_with_other_keys_name_the_keys(text: Path) -> None:
    (text / "x.jsonl").write_text('{"en": "a ||| b", "de": "b"}\n' * 2)
    done = run("align", "-s", str(text / "x.jsonl"))
    assert done.returncode == 3
    assert "x.jsonl:1: the object has 'en', 'de'; expected the texts 'source' and 'target'" in done.stderr
    (text / "x.jsonl").write_text('{"source": "a b", "target": "a b"}\n' * 2)
    assert run("align", "-s", str(text / "x.jsonl"), "-q").stdout == "0-0 1-1\n" * 2


def test_little_or_unsegmented_text_is_pointed_out(text: Path) -> None:
    (text / "one").write_text("the house\n")
    (text / "ja").write_text("私は学生ですから本を読みます\n", encoding="utf-8")
    args = ("align", "-s", str(text / "one"), "-t", str(text / "ja"))
    done = run(*args)
    assert done.returncode == 0 and "an aligner trained on 1 pair of sentences is unreliable" in done.stderr
    assert f"{text / 'ja'}: the target text seems to have no spaces between words" in done.stderr
    assert run(*args, "-q").stderr == ""


def test_report_in_every_format(text: Path) -> None:
    (text / "links").write_text("0-1 1-0\n0-0\n")
    for ending, expected in (
        ("md", "| figure | value |"),
        ("tex", "\\begin{tabular}"),
        ("tsv", "crossings\t1"),
    ):
        out = text / f"report.{ending}"
        assert run("align-report", str(text / "links"), "-o", str(out)).returncode == 0
        assert expected in out.read_text()
