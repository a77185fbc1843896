"""Telling formats from content and name, and the verb that does it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from wordorder.data import sample_judgments
from wordorder.io.registry import format_names
from wordorder.io.sniff import SAMPLE, guess_formats, sniff_file
from wordorder.judge.read import judgment_formats


@pytest.mark.parametrize(
    ("data", "file", "expected"),
    [
        (b"the cat\nsat\n", "", "text"),
        (b"a ||| b\n ||| c\n", "", "joint"),
        (b"a\tb c\nd\te\n", "", "tsv"),
        (b"a b\tX Y\nc\tZ\n", "", "annotation"),
        (b"a\tX\nc\tZ\n", "", "tsv"),  # may be a table as well
        (b"a\tX\nc\tZ\n", "x.annot.gz", "annotation"),
        (b"a b\tX Y\nc\tZ\n", "x.tsv", "tsv"),
        (b'{"a": 1}\n{}\n', "", "jsonl"),
        (b"{ a }\n", "", "text"),
        (b"0-0 1-1\n\n2?3\n", "", "pharaoh"),
        (b"0-0:0.5\n", "x.txt", "pharaoh"),
        (b"1-1 ||| 0-0\n", "", "lader"),
        (b"0001 1 1 S\n0001 2 2 P\n", "", "wpt"),
        (b"1 1 1\n1 2 2\n", "", "wpt"),
        (b"1 2 0\n0 1\n", "", "order"),
        (b"1 2 3\n1 3 2\n", "", "order"),  # may be links as well
        (b"1 2 3\n1 3 2\n", "x.wpt", "wpt"),
        (b"<>\n1 2\n", "", "order"),
        (b"0-0 1-1\nno links\n", "x.align", "text"),
        (b"# c\n1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "", "conllu"),
        ("a ||| 猫".encode()[:-1], "", "joint"),  # cut inside a letter
    ],
)
def test_guesses(data: bytes, file: str, expected: str) -> None:
    assert guess_formats(data, file)[0].name == expected


def test_nothing_to_go_by(tmp_path: Path) -> None:
    assert guess_formats(b"") == guess_formats(b"\xff\n") == []
    path = tmp_path / "x"
    for data, why_not in ((b"", "empty"), (b"\xff\n", "not UTF-8 text")):
        path.write_bytes(data)
        assert sniff_file(str(path)) == (str(path), None, [], why_not)


def test_only_the_first_whole_lines_count(tmp_path: Path) -> None:
    path = tmp_path / "x"
    line = b"10-10 11-11\n"
    path.write_bytes(gzip.compress(line * (SAMPLE // len(line) + 1) + b"something else\n"))
    sniffed = sniff_file(str(path))
    assert sniffed.packing == "gzip" and sniffed.guesses[0].name == "pharaoh"
    path.write_bytes(b"a " * SAMPLE)  # one line longer than a sample
    assert sniff_file(str(path)).guesses[0].name == "text"


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "wordorder", "formats", *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def test_the_verb_lists_formats() -> None:
    lines = run().stdout.decode().splitlines()
    judgments = [form.name for form in judgment_formats()]
    assert [line.split()[0] for line in lines] == ["format", *format_names(), *judgments]
    listed = json.loads(run("--format", "json").stdout)["formats"]
    assert [one["name"] for one in listed] == [*format_names(), *judgments]
    pharaoh = next(one for one in listed if one["name"] == "pharaoh")
    assert pharaoh["settings"] == {"base": [0, 1], "reverse": [False, True], "mark": ["p", "?"]}


def test_the_verb_sniffs_files(tmp_path: Path) -> None:
    links, text = tmp_path / "a.align.gz", tmp_path / "b"
    links.write_bytes(gzip.compress(b"0-0\n"))
    text.write_bytes(b"a b c\n")
    done = run(str(links), str(text), "-", stdin=b"1 0\n")
    rows = [line.split()[:3] for line in done.stdout.decode().splitlines()[1:]]
    assert rows == [[str(links), "gzip", "pharaoh"], [str(text), "-", "text"], ["-", "-", "order"]]
    assert done.returncode == 0 and not done.stderr
    text.write_bytes(b"\xff")
    done = run(str(links), str(text))
    assert done.returncode == 1 and b"not UTF-8 text" in done.stdout
    found = json.loads(run("-f", "json", str(links), str(text)).stdout)["files"]
    assert [(one["format"], one["packing"]) for one in found] == [("pharaoh", "gzip"), (None, None)]
    assert found[0]["guesses"][-1] == {"name": "text", "score": 0.1}
    done = run(str(sample_judgments()))
    assert done.returncode == 0 and b"tables" in done.stdout and b"human judgments" in done.stdout
    done = run(str(tmp_path / "none"))
    assert done.returncode == 3 and b"does not exist" in done.stderr
    done = run(str(links), str(tmp_path / "none"), str(text), str(tmp_path))
    assert done.returncode == 3 and done.stdout.count(b"\n") == 3 and b"pharaoh" in done.stdout
    assert done.stderr.count(b"\n") == 2 and b"none: does not exist" in done.stderr
    assert b"is a directory" in done.stderr
