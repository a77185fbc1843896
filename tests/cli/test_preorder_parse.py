"""Parsing, training and testing parsers from the command line, and plain text where trees are needed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Done, call
from wordorder.io.conllu import Conllu
from wordorder.io.model_store import model_place
from wordorder.io.sentence import Sentence
from wordorder.parse.models import load_parser

Run = Callable[..., Done]
TEXT = ["he ate the fish .", "she has read a book here", "go home", "cats and dogs sleep here"]
LINKS = ["0-0 1-2 3-1 4-3", "0-0 1-4 2-3 4-1 5-2", "0-1 1-0", "0-0 2-1 3-3 4-2"]
NOTICE = "no --parse, so the text is parsed as English\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("x.en").write_text("".join(line + "\n" for line in TEXT))
    Path("x.align").write_text("".join(line + "\n" for line in LINKS))
    return lambda *args: call(capsys, monkeypatch, *args)


def trees(path: str) -> list[Sentence]:
    with open(path, "rb") as handle:
        return list(Conllu().read(handle, path))


def test_text_is_parsed(run: Run) -> None:
    done = run("preorder", "parse", "--source", "x.en", "-o", "x.conllu")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    found = trees("x.conllu")
    assert [tree.rows for tree in found] == [
        tree.rows for tree in load_parser().parse_batch([line.split() for line in TEXT])
    ]
    assert [(tree.sent_id, tree.text) for tree in found] == [(str(n), t) for n, t in enumerate(TEXT, start=1)]
    one = run("preorder", "parse", "--source", "x.en", "--threads", "1").stdout
    assert one == Path("x.conllu").read_text()
    folder = run("preorder", "parse", "--source", "x.en", "--parser", str(model_place("parse", "en"))).stdout
    assert folder == one


def test_several_trees_and_probabilities(run: Run) -> None:
    done = run("preorder", "parse", "--source", "x.en", "-k", "4", "--probabilities", "-o", "n.conllu")
    assert done.returncode == 0
    found = trees("n.conllu")
    ids = [tree.sent_id for tree in found]
    assert ids == [*(f"1-{k}" for k in range(1, 5)), *(f"2-{k}" for k in range(1, 5)), "3-1", "3-2",
                   *(f"4-{k}" for k in range(1, 5))]  # fmt: skip
    assert all("HeadProb=" in row.misc for tree in found for row in tree.words)
    # The lists are what choose-parses reads.
    done = run(
        "preorder", "choose-parses", "--model", "rules:en-ja", "--source", "x.en", "--align", "x.align",
        "--nbest", "n.conllu", "-o", "chosen.conllu",
    )  # fmt: skip
    assert done.returncode == 0 and "4 sentences, 14 parses" in done.stderr, done.stderr
    assert [tree.forms for tree in trees("chosen.conllu")] == [line.split() for line in TEXT]


def test_tokens_as_given(run: Run) -> None:
    Path("t.en").write_text("it isn't a well-known fact\n")
    split, given = (
        run("preorder", "parse", "--source", "t.en", *more).stdout for more in ((), ("--as-given",))
    )
    assert split != given and split.count("\n") == given.count("\n")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--parser", "fr"), 2, "unknown parser 'fr'"),
        (("--parser", "no/folder"), 3, "no/folder: is no wordorder-parser"),
        (("-k", "0"), 2, "0 is not in the range"),
        (("--source", "empty.en"), 3, "sentence 2 is empty: a tree needs words"),
        (("--source", "missing.en"), 3, "missing.en: "),
    ],
)
def test_misuse_of_parse(run: Run, args: tuple[str, ...], code: int, said: str) -> None:
    Path("empty.en").write_text("a b\n\nc\n")
    done = run("preorder", "parse", "--source", "x.en", *args, "-o", "out.conllu")
    assert done.returncode == code and said in done.stderr and len(done.stderr.splitlines()) == 1
    assert not Path("out.conllu").exists()


def test_an_empty_file_has_no_trees(run: Run) -> None:
    Path("none.en").touch()
    done = run("preorder", "parse", "--source", "none.en")
    assert (done.returncode, done.stdout) == (0, "")


# Text without trees


@pytest.mark.parametrize(
    "args",
    [
        ("preorder", "apply", "--model", "rules:en-ja", "--source", "x.en", "--as", "order"),
        ("preorder", "explain", "--model", "rules:en-ja", "--source", "x.en"),
        ("preorder", "learn-rules", "--source", "x.en", "--align", "x.align", "--min-heads", "1"),
        ("evaluate", "--source", "x.en", "--align", "x.align", "rules:en-ja", "--samples", "0", "-f", "json"),
    ],
)
def test_trees_are_made_where_they_are_needed(run: Run, args: tuple[str, ...]) -> None:
    """The results are those with the trees of the shipped parser, and a notice is given."""
    run("preorder", "parse", "--source", "x.en", "-o", "x.conllu")
    plain, parsed, quiet = (run(*args, *more) for more in ((), ("--parse", "x.conllu"), ("--quiet",)))
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout == parsed.stdout == quiet.stdout and len(plain.stdout) > 20
    assert plain.stderr.count(NOTICE) == 1 and NOTICE not in parsed.stderr + quiet.stderr


def test_pictures_of_rules_on_plain_text(run: Run) -> None:
    done = run("draw", "--model", "rules:en-ja", "--words", "he ate the fish")
    assert done.returncode == 0 and "the fish ate" in done.stdout, done.stderr
    assert done.stderr == f"rules: {NOTICE}"


def test_several_systems_are_evaluated_on_the_same_trees(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from wordorder.evaluate import corpus

    calls = []
    real = corpus.with_parses
    monkeypatch.setattr(corpus, "with_parses", lambda sources: calls.append(len(sources)) or real(sources))
    args = ("evaluate", "--source", "x.en", "--align", "x.align", "--samples", "0")
    done = run(*args, "rules:en-ja", "rules:head-final")
    assert done.returncode == 0 and calls == [4] and done.stderr == f"rules: {NOTICE}"
    calls.clear()
    assert run(*args, "identity").returncode == 0 and calls == []


# Training and testing


def test_accuracy(run: Run) -> None:
    run("preorder", "parse", "--source", "x.en", "-o", "gold.conllu")
    text = Path("gold.conllu").read_text()
    Path("wrong.conllu").write_text(text.replace("2\tate\t_\tVERB\tVBD", "2\tate\t_\tNOUN\tVBD"))
    args = (
        "preorder",
        "evaluate-parser",
        "--gold",
        "gold.conllu",
        "--gold",
        "wrong.conllu",
        "--samples",
        "20",
    )
    done = run(*args)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[1] == ["trees", "text", "sentences", "words", "UPOS", "XPOS", "UAS", "LAS"]
    assert lines[2][0] == "gold.conllu" and lines[2].count("100.00") == 4 and lines[4].count("100.00") == 3
    rows = json.loads(run(*args, "-f", "json").stdout)["rows"]
    assert [(row["file"], row["text"]) for row in rows] == [
        (file, text) for file in ("gold.conllu", "wrong.conllu") for text in ("as it is", "lower case")
    ]
    assert rows[2]["UPOS"] == pytest.approx(17 / 18) and rows[2]["UPOS_low"] <= rows[2]["UPOS"]
    assert run(*args, "-f", "tsv").stdout.startswith("file\ttext\tsentences\twords\tUPOS\t")
    assert "\\toprule" in run(*args, "-f", "latex").stdout
    Path("none.conllu").touch()
    done = run("preorder", "evaluate-parser", "--gold", "none.conllu")
    assert done.returncode == 3 and "none.conllu: has no trees" in done.stderr
    assert "missing option --gold" in run("preorder", "evaluate-parser").stderr


TRAIN = ("preorder", "train-parser", "--treebank", "gold.conllu", "--save-model", "mine")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (TRAIN[:2], "missing option --treebank"),
        ((*TRAIN, "--set", "magic=1"), "parser has no setting 'magic'"),
        ((*TRAIN, "--set", "units=x"), "units is 'x'; expected a whole number"),
        ((*TRAIN, "--set", "dropout=2"), "parser: dropout is 2.0; expected 0 to 1"),
        ((*TRAIN, "--start", "en", "--raw", "x.en"), "--raw would have no effect"),
        ((*TRAIN, "--start", "en", "--set", "units=9"), "--set units would have no effect"),
        ((*TRAIN, "--start", "fr"), "unknown parser 'fr'"),
    ],
)
def test_misuse_of_training(run: Run, args: tuple[str, ...], said: str) -> None:
    done = run(*args)
    assert done.returncode == 2 and said in done.stderr and not Path("mine").exists()


def test_training_without_torch_is_a_hint(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("wordorder.neural.device")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    run("preorder", "parse", "--source", "x.en", "-o", "gold.conllu")
    done = run(*TRAIN)
    assert done.returncode == 2 and "needs torch: pip install 'wordorder[neural]'" in done.stderr


def test_a_parser_is_trained_and_goes_on(run: Run) -> None:
    pytest.importorskip("torch")
    run("preorder", "parse", "--source", "x.en", "-o", "gold.conllu")
    small = [f"--set={each}" for each in ("units=8", "word_size=8", "arc_size=8", "epochs=2", "buckets=32")]
    done = run(*TRAIN, *small, "--raw", "x.en", "--dev", "gold.conllu", "--log", "log", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert "lower case" in done.stdout and "mine: learned from 4 trees" in done.stderr
    rounds = [json.loads(line)["round"] for line in Path("log").read_text().splitlines()]
    assert rounds == ["hidden words"] * 4 + ["treebank"] * 2
    facts = json.loads(Path("mine/model.json").read_text())["trained"]
    assert facts["treebank"] == 4 and facts["recipe"]["units"] == 8 and len(facts["accuracy"]) == 2
    more = (
        "preorder",
        "train-parser",
        "--treebank",
        "gold.conllu",
        "--silver",
        "gold.conllu",
        "--start",
        "mine",
    )
    done = run(*more, "--set", "epochs=1", "--set", "silver_epochs=1", "--save-model", "next", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("preorder", "parse", "--parser", "next", "--source", "x.en")
    assert done.returncode == 0 and done.stdout.count("root") == 4
