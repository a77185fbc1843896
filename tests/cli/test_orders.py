"""The verb that orders source words by their links."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Done, call
from wordorder.io.read_write import read_records

SOURCE = ["he has bought a car", "", "yes", "i will wait for you"]
LINKS = ["0-0 1-3 2-2 4-1", "", "0-0", "0-0 1-3 2-3 4-1 3-2"]
GOLD = ["0 3 4 2 1", "<>", "0", "0 4 3 1 2"]
Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda *args: call(capsys, monkeypatch, "orders", *args)


@pytest.fixture
def args(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "s").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "a.gz").write_bytes(gzip.compress("\n".join([*LINKS, ""]).encode()))
    return "-s", str(tmp_path / "s"), "--align", str(tmp_path / "a.gz")


def test_orders_by_policy(run: Run, tmp_path: Path) -> None:
    for name, content in {"s": "a b c d\nx\n", "t": "C D A\ny\n", "a": "0-2 2-0 3-1 3-0\n\n"}.items():
        (tmp_path / name).write_text(content)
    base = ("-s", str(tmp_path / "s"), "-t", str(tmp_path / "t"), "--align", str(tmp_path / "a"))
    done = run(*base)
    assert done.stdout == "1 2 3 0\n0\n"  # talbot: b goes before c, and the target reads c d a
    assert done.stderr == (
        "2 sentences, 1 reordered, 0 with one-to-one links; 2 source words unaligned,"
        " 1 with several links; 1 target word with several links\n"
    )
    assert run(*base, "--as", "ranks", "-q").stdout == "3 0 1 2\n0\n"  # not its own inverse
    assert run(*base, "--as", "text", "-q").stdout == "b c d a\nx\n"
    assert run(*base, "--policy", "birch").stdout == "2 3 0 1\n0\n"
    assert run(*base, "--policy", "thesis:attach=left,link=last").stdout == "2 3 0 1\n0\n"
    assert run(*base, "--policy", "phrases").stdout == "1 2 3 0\n0\n"
    (tmp_path / "a").write_text("0-9\n\n")
    bad = run(*base, "-o", str(tmp_path / "o"))
    assert bad.returncode == 3 and f"{tmp_path / 'a'}:1: link 0-9 is past the last" in bad.stderr
    assert not (tmp_path / "o").exists()


def test_reordered_training_data(run: Run, args: tuple[str, ...], tmp_path: Path) -> None:
    text, links = str(tmp_path / "new"), str(tmp_path / "new.align")
    for kind, path in (("text", text), ("links", links)):
        done = run(*args, "--policy", "thesis", "--as", kind, "-o", path)
        assert done.returncode == 0 and done.stderr.startswith("4 sentences, 2 reordered,")
    assert Path(text).read_text().split("\n") == ["he a car bought has", "", "yes", "i you for will wait", ""]
    assert run(*args, "--policy", "thesis", "-q").stdout.split("\n") == [*GOLD, ""]
    again = run("-s", text, "--align", links, "--policy", "thesis", "--as", "text", "-q")
    assert again.stdout == Path(text).read_text() and again.stderr == ""


def test_words_are_escaped_for_a_decoder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a|b [c]\n\n*EPS* 's\n")
    (tmp_path / "a").write_text("0-1 1-0\n\n0-0\n")
    base = ("-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"), "-q")
    assert run(*base, "--as", "text").stdout == "[c] a|b\n\n*EPS* 's\n"
    written = run(*base, "--as", "text", "--escape", "moses").stdout
    assert written == "&#91;c&#93; a&#124;b\n\n&#42;EPS* &apos;s\n"
    refused = run(*base, "--escape", "moses")
    assert refused.returncode == 2 and "--escape would have no effect: it is for --as text" in refused.stderr


def test_references_and_what_links_are_worth(run: Run, args: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*args, "--as", "reference", "--usability", str(tmp_path / "u"))
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.split("\n") == ["he a car bought has", "", "yes", "i you for {{ will wait }}", ""]
    assert json.loads((tmp_path / "u").read_text())["linked"] == 10
    positions = run(*args, "--as", "positions").stdout.split("\n")
    assert positions[3] == "0 4 3 {{ 1 2 }}"
    dropped = run(*args, "--as", "positions", "--policy", "talbot:unaligned=drop").stdout.split("\n")
    assert dropped[0] == "0 4 2 1"
    (tmp_path / "s").write_text("he has bought a }}\n\nyes\ni will wait for you\n")
    assert "s:1: '}}' cannot be a word of this format" in run(*args, "--as", "reference").stderr


def test_a_sentence_without_an_order_has_no_reference(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b\na b\n")
    (tmp_path / "a").write_text("0-0 0-2 1-1\n0-1 1-0\n")  # the span of b lies inside that of a
    base = ("-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"), "--policy", "nakagawa")
    assert run(*base, "--as", "reference", "-q").stdout == "\nb a\n"


def test_skipped_sentences_keep_their_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b\na b\na b\n\na b c\na\n")
    (tmp_path / "t").write_text("a b\na b\na b\n\na b c\na\n")
    (tmp_path / "a").write_text("0-1 1-0\n0-7\n0-0 1-1\n\n0-2 1-1 2-0\n0+0\n")
    base = ("-s", str(tmp_path / "s"), "-t", str(tmp_path / "t"), "--align", str(tmp_path / "a"), "--lenient")
    out = tmp_path / "out.order"
    done = run(*base, "-o", str(out))
    assert done.returncode == 0 and "skipped sentences have an empty line (<>)" in done.stderr
    assert "4 sentences," in done.stderr
    assert out.read_text() == "1 0\n<>\n0 1\n<>\n2 1 0\n<>\n"
    assert [one.order.tolist() for one in read_records(str(out), "order")] == [
        [1, 0], [], [0, 1], [], [2, 1, 0], [],
    ]  # fmt: skip
    assert run(*base, "--as", "text").stdout == "b a\n\na b\n\nc b a\n\n"


def test_nothing_left_is_an_error(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_text("one\ntwo\n")
    done = run("-s", str(bad), "-t", str(bad), "--align", str(bad), "--lenient", "-o", str(tmp_path / "out"))
    assert done.returncode == 3 and "nothing is left" in done.stderr and not (tmp_path / "out").exists()
    bad.write_text("")
    done = run("-s", str(bad), "--align", str(bad))
    assert done.returncode == 3 and "is empty; expected sentences" in done.stderr


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--policy", "first"), "unknown policy 'first'"),
        (("--policy", "talbot:link=last"), "talbot has no setting 'link'"),
        (("--align-format", "wpt", "--base", "1"), "--base would have no effect"),
    ],
)
def test_what_cannot_apply_is_refused(
    run: Run, args: tuple[str, ...], more: tuple[str, ...], message: str
) -> None:
    done = run(*args, *more)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1


def test_table_2_of_talbot_as_it_is_printed(run: Run, tmp_path: Path) -> None:
    """The notation of the paper is read, and its reference orders come out; tests/core has them as data."""
    rows = [
        ("How Can I Qualify For A Mortgage Tax Deduction ?", "6,6,7_8,4,3,3,3,3,3,0,0,0,0,1,1,9,9",
         "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?"),
        ("How Can I Qualify For A Mortgage Tax Deduction ?", "2,2,0,0,0,6,6,6,7_8,4,3,3,3,1,1,1,1,9",
         "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?"),
        ("We do not claim to cure , prevent or treat any disease .", "10,11,,5,6,7,,8,9,,,4,,,,2,2,2,12",
         "any disease cure , prevent or treat claim to We do not ."),
        ("We do not claim to cure , prevent or treat any disease .", "0,0,,10,11,,5,6,7,8,9,,,3,4,2,2,12",
         "We any disease cure , prevent or treat claim to do not ."),
    ]  # fmt: skip
    for name, column in (("s", 0), ("a", 1)):
        (tmp_path / name).write_text("".join(row[column] + "\n" for row in rows), encoding="utf-8")
    asked = "-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"), "--align-format", "talbot"
    done = run(*asked, "--as", "reference")
    assert done.stdout.splitlines() == [row[2] for row in rows]


def test_the_most_probable_link_decides(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b c\n", encoding="utf-8")
    asked = "-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"), "--policy", "thesis:link=probable"
    (tmp_path / "a").write_text("0-0:0.2 0-3:0.7 1-1:0.9 2-2:0.5\n", encoding="utf-8")
    assert run(*asked, "--as", "text").stdout == "b c a\n"
    (tmp_path / "a").write_text("0-0 0-3 1-1 2-2\n", encoding="utf-8")
    done = run(*asked, "--as", "text")
    assert done.returncode != 0 and "link=probable chooses among links by their scores" in done.stderr
