"""``wordorder draw``: four kinds of input, seven pictures, five formats."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.calls import Done, call
from wordorder.cli.demo import copy_sample
from wordorder.cli.draw import HELP, INPUTS, KINDS
from wordorder.cli.draw import command as draw_command
from wordorder.draw import pictures
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = ("-r", "demo/reference.txt", "--system", "demo/system-b.txt")
LINKS = ("-s", "demo/text.en", "-t", "demo/text.ja", "--align", "demo/text.align")
MODEL = ("--model", "en-ja-crf", "-s", "demo/text.en")
ORDER = ("2 4 5 6 1 3", "--words", "I will wait for you tomorrow")
BAD = "<script>alert(1)</script>"


class Run:
    """Runs ``wordorder draw`` in the folder of the test."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch

    def __call__(self, *args: str) -> Done:
        return call(self.capsys, self.monkeypatch, "draw", *args)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    copy_sample(tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return Run(capsys, monkeypatch)


def test_kinds_are_those_that_can_be_drawn() -> None:
    assert KINDS == pictures.KINDS
    names = {parameter.name for parameter in draw_command.params}
    assert names > {name for own in (INPUTS, *INPUTS.values()) for name in own}


def test_a_permutation_in_the_terminal(run: Run) -> None:
    done = run(*ORDER)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "⟨2,4,1,3⟩" and lines[-1] == "→ you I tomorrow will wait for"
    # An order, and a tree in text, are the same.
    order = run("5 1 6 2 3 4", "--order", *ORDER[1:])
    assert order.stdout == done.stdout == run("(P2413 2 (P12 4 5 6) 1 3)", *ORDER[1:]).stdout


def test_words_are_matched_as_in_score(run: Run) -> None:
    reference = Path("demo/reference.txt").read_text("utf-8").splitlines()[6]
    system = Path("demo/system-b.txt").read_text("utf-8").splitlines()[6]
    (matched,) = metric("kendall").matched(Segments([system], [[reference]]))  # type: ignore[attr-defined]
    done = run(*TEXTS, "--sentence", "7")
    ends = [line.split()[-1] for line in done.stdout.splitlines()]
    assert [int(end) - 1 for end in ends if end.isdigit()] == list(matched.permutations[0])


def test_words_that_are_not_matched_are_in_curves_only(run: Run) -> None:
    Path("r").write_text("The cat sat .\n", "utf-8")
    Path("s").write_text("sat ! cats the .\n", "utf-8")
    assert run("-r", "r", "--system", "s").stdout.splitlines()[-1] == "→ the sat ."
    assert run("-r", "r", "--system", "s", "--as", "curves").stdout.splitlines() == [
        "1 sat   × 3 sat",
        "2 !",
        "3 cats",
        "4 the   × 1 The",
        "5 .       4 .",
        "without a link: 2 cat",
    ]
    stemmed = run("-r", "r", "--system", "s", "--match", "exact+stem").stdout
    assert stemmed.splitlines()[-1] == "→ the cats sat ."
    cased = run("-r", "r", "--system", "s", "--cased").stdout
    assert cased.splitlines()[-1] == "→ sat ."


def test_systems_references_and_sentences_can_be_several(run: Run) -> None:
    both = run(*TEXTS, "--system", "demo/system-a.txt", "--sentence", "2", "--sentence", "1").stdout
    heads = [line for line in both.splitlines() if "sentence" in line]
    assert heads == [f"system-{s}.txt, sentence {n}" for n in (2, 1) for s in "ba"]
    two = run(*TEXTS, "-r", "demo/system-a.txt", "-o", "t.svg", "--as", "tree", "--as", "curves")
    assert (two.returncode, two.stdout) == (0, "")
    root = ElementTree.parse("t.svg").getroot()
    shown = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "wo-heading"]
    assert shown == [f"system-b.txt, sentence 1, reference {r}" for r in (1, 1, 2, 2)]


@pytest.mark.parametrize(
    ("given", "able"),
    [
        (ORDER, {"tree", "forest", "curves", "matrix", "anticipation"}),
        (TEXTS, {"tree", "forest", "curves", "matrix", "anticipation"}),
        (LINKS, {"tree", "forest", "curves", "matrix", "anticipation"}),
        (MODEL, set(KINDS)),
    ],
)
def test_every_picture_of_every_input(run: Run, given: tuple[str, ...], able: set[str]) -> None:
    every = [part for kind in KINDS if kind in able for part in ("--as", kind)]
    done = run(*given, *every, "-o", "t.svg")
    assert (done.returncode, done.stderr) == (0, "")
    root = ElementTree.parse("t.svg").getroot()
    assert len([group for group in root if group.tag == f"{SVG}g"]) == len(able)
    assert run(*given, *every).stdout.count("\n\n") == len(able) - 1
    for kind in set(KINDS) - able:
        done = run(*given, "--as", kind)
        assert done.returncode == 2 and f"has no {kind}; it has tree, forest" in done.stderr


def test_default_pictures(run: Run) -> None:
    assert run(*LINKS).stdout == run(*LINKS, "--as", "curves").stdout
    for given in (TEXTS, ORDER):
        assert run(*given).stdout == run(*given, "--as", "tree").stdout


def test_links_without_texts_are_numbered(run: Run) -> None:
    Path("a").write_text("1-2 2-1\n\n", "utf-8")
    assert run("--align", "a", "--base", "1").stdout.splitlines() == ["1 1  × 2 2", "2 2  × 1 1"]
    assert run("--align", "a", "--sentence", "2").stdout == "empty\n"
    tree = run("--align", "a", "--base", "1", "--as", "tree").stdout
    assert tree.splitlines()[-1] == "→ 2 1"


def test_a_model_and_words(run: Run) -> None:
    done = run("--model", "en-ja-crf", "--words", "he reads books .")
    assert done.stdout.splitlines()[-1] == "→ he books reads ."
    only = run("--model", "en-ja-crf", "--words", "he reads books .", "--as", "lattice", "-k", "1").stdout
    assert only.count("\n") == 4  # one order: an arc for each word
    rules = run("--model", "rules:en-ja", "--parse", "demo/text.conllu", "--sentence", "2")
    assert rules.returncode == 0 and "⟨2,1⟩" in rules.stdout


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("t.svg", b"<svg"),
        ("t.png", b"\x89PNG"),
        ("t.tex", b"% Latin"),
        ("t.tikz", b"\\begin{tikzpicture}"),
        ("t.txt", "⟨2,4,1,3⟩".encode()),
        ("t", "⟨2,4,1,3⟩".encode()),
    ],
)
def test_the_ending_chooses_the_format(run: Run, name: str, begin: bytes) -> None:
    if name == "t.png":
        pytest.importorskip("resvg_py")
    assert run(*ORDER, "-o", name).returncode == 0
    first = Path(name).read_bytes()
    assert first.startswith(begin)
    run(*ORDER, "-o", name)
    assert Path(name).read_bytes() == first
    assert run(*ORDER, "-f", "svg").stdout.startswith("<svg")


def test_hostile_words(run: Run) -> None:
    Path("r").write_text(f"{BAD} \\input{{x}} a\n", "utf-8")
    Path("s").write_text(f"a \\input{{x}} {BAD}\n", "utf-8")
    for kind in ("tree", "forest", "curves", "matrix"):
        given = ("-r", "r", "--system", "s", "--tokenize", "none", "--as", kind)
        assert run(*given, "-o", "t.svg").returncode == 0
        assert "<script" not in Path("t.svg").read_text("utf-8")
        ElementTree.parse("t.svg")
        run(*given, "-o", "t.tikz")
        assert "\\input" not in Path("t.tikz").read_text("utf-8")


def test_wide_trees_are_folded_unless_asked_not_to(run: Run) -> None:
    words = " ".join(f"word{k}" for k in range(60))
    order = " ".join(str(k) for k in [*range(30, 60), *range(30)])
    sizes = []
    for options in ((), ("--unfold",), ("--width", "600")):
        run(order, "--words", words, "-o", "t.svg", *options)
        text = Path("t.svg").read_text("utf-8")
        found = re.search(r'width="(\d+)', text)
        assert found
        sizes.append((int(found[1]), "wo-leaf wo-folded" in text))
    assert sizes[0][1] and not sizes[1][1] and sizes[2][1]
    assert max(sizes)[0] <= 1200 and sizes[2][0] <= 600


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((), 2, "give one of: -r REFERENCE with --system SYSTEM, --align LINKS, --model MODEL"),
        (("2 1", "--model", "en-ja-crf"), 2, "give one of"),
        (("-r", "demo/reference.txt"), 2, "missing option --system"),
        (("--system", "demo/system-b.txt"), 2, "missing option --reference"),
        (("2 1", "--match", "ribes"), 2, "--match would have no effect: a permutation is drawn"),
        ((*TEXTS, "--policy", "birch"), 2, "--policy would have no effect: a translation is drawn"),
        ((*LINKS, "--words", "a"), 2, "--words would have no effect: an alignment is drawn"),
        ((*MODEL, "--words", "a"), 2, "--source would have no effect: the words are given"),
        (("--model", "en-ja-crf"), 2, "missing option --source, --parse or --words"),
        ((*TEXTS, "--sentence", "21"), 2, "there is no sentence 21: demo/system-b.txt has 20"),
        ((*LINKS, "--sentence", "99"), 2, "there is no sentence 99: demo/text.align has"),
        ((*MODEL, "--sentence", "99"), 2, "there is no sentence 99: demo/text.en has"),
        (("2 1", "-o", "t.pdf"), 2, "cannot write .pdf; choose --format, or a file that ends in .svg, .png"),
        (("2 1", "-o", "t.json"), 2, "cannot write .json"),
        (("2 2",), 3, "occurs twice"),
        (("2 1", "--words", "a"), 3, "1 word for a permutation of 2"),
        ((" ".join(map(str, range(60))), "--as", "forest"), 2, "at most 600 can be drawn"),
        (("--align", "demo/text.en"), 3, "demo/text.en"),
    ],
)
def test_misuse_gets_one_line(run: Run, args: tuple[str, ...], code: int, message: str) -> None:
    done = run(*args)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert message in done.stderr and done.stderr.count("\n") == 1


def test_commands_of_the_help_run(run: Run) -> None:
    pytest.importorskip("resvg_py")
    files = {"ref.txt": "reference.txt", "system.txt": "system-b.txt", "text.en": "text.en",
             "text.ja": "text.ja", "text.align": "text.align"}  # fmt: skip
    for name, of in files.items():
        Path(name).write_bytes(Path("demo", of).read_bytes())
    commands = [line.strip() for line in HELP.splitlines() if line.startswith("  wordorder draw")]
    assert len(commands) == 5
    for command in commands:
        done = run(*shlex.split(command)[2:])
        assert (done.returncode, done.stderr) == (0, ""), command


def test_no_words_one_word_and_repeated_words(run: Run) -> None:
    Path("r").write_text("\nword\na a a b\n", "utf-8")
    Path("s").write_text("\nword\na b a a\n", "utf-8")
    for number in ("1", "2", "3"):
        for kind in ("tree", "forest", "curves", "matrix", "anticipation"):
            given = ("-r", "r", "--system", "s", "--sentence", number, "--as", kind)
            assert run(*given, "-o", "t.svg").returncode == 0
            ElementTree.parse("t.svg")
            assert run(*given).returncode == 0
