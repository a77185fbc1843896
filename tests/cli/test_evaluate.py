"""``wordorder evaluate`` and the verbs of rules, from files to text, TSV, JSON and LaTeX."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.calls import Done, call
from wordorder.io.sentence import Row

Run = Callable[..., Done]

SENTENCES = [
    "he~PRON~nsubj~2 ate~VERB~root~0 the~DET~det~4 fish~NOUN~obj~2 .~PUNCT~punct~2",
    "she~PRON~nsubj~3 has~AUX~aux~3 read~VERB~root~0 a~DET~det~5 book~NOUN~obj~3 here~ADV~advmod~3",
    "go~VERB~root~0 home~ADV~advmod~1",
    "cats~NOUN~nsubj~4 and~CCONJ~cc~3 dogs~NOUN~conj~1 sleep~VERB~root~0 here~ADV~advmod~4",
]
WRONG = "he~PRON~nsubj~4 ate~VERB~acl~1 the~DET~det~4 fish~NOUN~root~0 .~PUNCT~punct~4"
LINKS = ["0-0 1-2 3-1 4-3", "0-0 1-4 2-3 4-1 5-2", "0-1 1-0", "0-0 2-1 3-3 4-2"]


def conllu(*sentences: str) -> str:
    text = ""
    for words in sentences:
        for number, word in enumerate(words.split(), start=1):
            form, upos, relation, head = word.split("~")
            text += "\t".join(Row(str(number), form, form, upos, "_", "_", head, relation)) + "\n"
        text += "\n"
    return text


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("gold.conllu").write_text(conllu(*SENTENCES))
    Path("other.conllu").write_text(conllu(WRONG, *SENTENCES[1:]))
    Path("x.en").write_text("".join(" ".join(w.split("~")[0] for w in s.split()) + "\n" for s in SENTENCES))
    Path("x.align").write_text("".join(line + "\n" for line in LINKS))
    Path("still.order").write_text("0 1 2 3 4\n0 1 2 3 4 5\n0 1\n0 1 2 3 4\n")
    return lambda *args: call(capsys, monkeypatch, *args)


BASE = ("--source", "x.en", "--align", "x.align")


def test_systems_by_parsers_and_files(run: Run) -> None:
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "p2=other.conllu", "--samples", "50",
        "--system", "rules:set=none", "--system", "ja=rules:set=en-ja", "--system", "identity",
        "--orders", "still.order",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    names = ["none/gold", "none/p2", "ja/gold", "ja/p2", "identity", "still"]
    assert [line.split()[0] for line in lines[1:7]] == names
    score = {line.split()[0]: line.split()[1] for line in lines[1:7]}
    assert score["none/gold"] == score["identity"] == score["still"]
    assert score["ja/gold"] > score["ja/p2"] > score["none/gold"]
    assert (
        "reordering|metric:fuzzy|reference:talbot.links-all.unaligned-next.punctuation-words" in done.stdout
    )
    assert "|match:words|" in done.stdout


def test_json_has_everything(run: Run) -> None:
    Path("ratings").write_text("1\n2\n3\n4\n")
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--errors", "--sentences", "--human", "en-ja/gold=ratings", "-m", "fuzzy,kendall,recpef,pet_size",
        "--samples", "20", "-o", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [one["name"] for one in data["metrics"]] == ["fuzzy", "kendall", "recpef", "pet_size"]
    assert [one["name"] for one in data["systems"]] == ["en-ja/gold", "en-ja/other"]
    assert len(data["systems"][0]["sentences"]) == 4
    assert data["pairs"][0]["systems"] == ["en-ja/gold", "en-ja/other"]
    assert {one["level"] for one in data["correlations"]} == {"sentence"}
    errors = data["errors"][1]
    assert {"word", "tag", "relation", "depth", "length"} == set(errors["groups"])
    assert {one["name"] for one in errors["rules"]} <= {"copula", "verb", "noun", "adjective"}
    assert errors["worst"][0]["number"] == 1 and errors["worst"][0]["rules"]
    assert data["parsers"][0]["worse"] == 1
    assert data["parsers"][0]["disagreements"][0]["arcs"][0]["form"] == "he"
    assert data["usability"]["coverage"] < 1


def test_errors_as_text(run: Run) -> None:
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--errors", "--worst", "1", "--sentences", "--samples", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text in ("errors of en-ja/other", "operator of reference / system", "worst sentences by fuzzy",
                 "moved by   verb at", "parsers en-ja/gold and en-ja/other", "gain in fuzzy"):  # fmt: skip
        assert text in done.stdout


def test_tsv_and_latex(run: Run) -> None:
    args = (*BASE, "--parse", "gold.conllu", "--system", "rules:set=none", "--system", "rules:set=en-ja")
    done = run("evaluate", *args, "--samples", "20", "-o", "tsv")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:3] == ["system", "metric", "score"] and len(rows) == 5
    assert all(len(row) == len(rows[0]) for row in rows)
    assert float(rows[3][2]) > float(rows[1][2])
    done = run("evaluate", *args, "--sentences", "-o", "tsv")
    assert len(done.stdout.splitlines()) == 9
    done = run("evaluate", *args, "--samples", "20", "-o", "latex")
    assert done.stdout.count(r"\begin{tabular}") == 3 and r"none & " in done.stdout
    assert run("evaluate", *args, "--errors", "-o", "tsv").returncode == 2


def test_reference_orders_as_text(run: Run) -> None:
    lines = ["he {{ the fish }} ate .", "she a book here read has", "home go", "cats and dogs here sleep"]
    Path("x.reference").write_text("".join(line + "\n" for line in lines))
    args = (
        "--source",
        "x.en",
        "--reference",
        "x.reference",
        "--parse",
        "gold.conllu",
        "--system",
        "rules:set=en-ja",
    )
    done = run("evaluate", *args, "--samples", "0", "-o", "json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["systems"][0]["scores"]["kendall"]["score"] > 0.9
    Path("x.reference").write_text("".join(line + "\n" for line in ["he ate meat .", *lines[1:]]))
    done = run("evaluate", *args)
    assert done.returncode == 3 and "x.reference:1: 'meat' is not" in done.stderr
    assert run("evaluate", *args, "--unaligned", "drop").returncode == 2


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("gold.conllu", conllu("a~X~dep~1 b~X~root~0"), ":1: word 1 is its own head"),
        ("gold.conllu", conllu("a~X~dep~2 b~X~dep~1", *SENTENCES[1:]), ":1: no root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~3 c~X~dep~2"), ":2: the heads of word 2 go"),
        ("gold.conllu", conllu("a~X~root~0 b~X~root~0"), ":2: a second root"),
        ("gold.conllu", conllu("a~X~root~0 b~X~dep~7"), ":2: head 7 is past the last word (2)"),
        ("gold.conllu", "1\tword\n\n", ":1: 2 columns; expected 10"),
        ("gold.conllu", "2-1\tx" + "\t_" * 8 + "\n" + conllu("a~X~root~0"), ":1: range 2-1"),
        ("gold.conllu", conllu(*SENTENCES[:3]), ": is where this file ends, but x.en has 4 lines"),
        ("gold.conllu", conllu(SENTENCES[0].replace("fish", "meat")), ":1: word 4 is 'meat' here"),
        ("x.align", "0-0\n" * 3, ":3: is where this file ends"),
        ("x.align", "0-0 9-0\n" + "0-0\n" * 3, ":1: link 9-0"),
        ("still.order", "0 1 2 3 4\n0 1 2 2 4 5\n0 1\n0 1 2 3 4\n", ":2: 2 stands twice, as numbers 3 and 4"),
        ("still.order", "0 1 2 3 4\n0 1 2 3\n0 1\n0 1 2 3 4\n", ":2: the order has 4 words; the sentence"),
        ("still.order", "0 1 2 3 4\n", ":1: has 1 order; there are 4 sentences"),
        ("still.order", "0 1 2 3 4\n0 1 2 3 4 5\n0 1\n0 1 2 3 4\n0\n", ":5: has more orders"),
        ("other.conllu", conllu(*SENTENCES[:2]), ":7: has 2 sentences; x.en has 4"),
        ("other.conllu", conllu(*SENTENCES, "a~X~root~0"), ":23: has more sentences than x.en (4)"),
        ("other.conllu", conllu(SENTENCES[0].replace("he~", "it~")), ":1: sentence 1: word 1 is 'it'"),
    ],
)  # fmt: skip
def test_broken_files_are_told_with_file_and_line(run: Run, file: str, text: str, told: str) -> None:
    Path(file).write_text(text)
    done = run(
        "evaluate", *BASE, "--parse", "gold.conllu", "--parse", "other.conllu", "--system", "rules:set=en-ja",
        "--orders", "still.order",
    )  # fmt: skip
    assert done.returncode == 3 and file + told in done.stderr and not done.stdout, done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give reference orders"),
        (("--align", "x.align"), "give sentences"),
        ((*BASE,), "give something to evaluate"),
        ((*BASE, "--reference", "x.en", "--system", "identity"), "choose one"),
        ((*BASE, "--system", "rules:set=en-ja"), "needs the dependency trees"),
        ((*BASE, "--system", "identity", "--system", "identity"), "two systems are called 'identity'"),
        ((*BASE, "--system", "identity", "-m", "bleu"), "bleu scores text"),
        ((*BASE, "--system", "identity", "--worst", "3"), "no effect"),
        ((*BASE, "--system", "identity", "--human", "x"), "expected SYSTEM=FILE"),
        ((*BASE, "--parse", "gold.conllu", "--system", "rules:set=en-jaa"), "Did you mean 'en-ja'"),
    ],
)
def test_misuse(run: Run, args: tuple[str, ...], told: str) -> None:
    done = run("evaluate", *args)
    assert done.returncode == 2 and told in done.stderr, done.stderr


def test_rules_are_learned_explained_applied_and_evaluated(run: Run) -> None:
    Path("many.conllu").write_text(conllu(*SENTENCES) * 20)
    Path("many.align").write_text("".join(line + "\n" for line in LINKS) * 20)
    done = run(
        "preorder", "learn-rules", "--parse", "many.conllu", "--align", "many.align", "--out", "mine.toml"
    )
    assert done.returncode == 0, done.stderr
    assert tomllib.loads(Path("mine.toml").read_text())["about"] == "Learned from 80 aligned trees."
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu", "--output", "text")
    assert done.stdout.splitlines()[:3] == ["he the fish ate .", "she a book here read has", "home go"]
    done = run("preorder", "apply", "--model", "rules:set=en-ja", "--source", "x.en", "--output", "text")
    assert done.returncode == 2 and "rules needs --parse FILE" in done.stderr
    done = run("preorder", "explain", "--rules", "mine.toml", "--parse", "gold.conllu", "--sentence", "3")
    assert done.stdout.splitlines()[:2] == ["go home", "home go"] and "mine.toml:" in done.stdout
    done = run("preorder", "explain", "--rules", "en-ja", "--parse", "gold.conllu", "-o", "json")
    assert [one["number"] for one in json.loads(done.stdout)] == [1, 2, 3, 4]
    done = run("preorder", "explain", "--rules", "en-ja", "--parse", "gold.conllu", "--sentence", "9")
    assert done.returncode == 2 and "there is no sentence 9" in done.stderr
    done = run(
        "evaluate",
        *BASE,
        "--parse",
        "gold.conllu",
        "--system",
        "mine.toml",
        "--unaligned",
        "drop",
        "-o",
        "tsv",
    )
    assert done.stdout.splitlines()[1].split("\t")[:3] == ["mine", "fuzzy", "1.0"]
    Path("mine.toml").write_text('[[rule]]\nname = "x"\nhead = "VERB"\norder = ["subj", "HEAD"]\n')
    done = run("preorder", "apply", "--model", "mine.toml", "--parse", "gold.conllu")
    assert done.returncode == 3 and "mine.toml:4: unknown relation 'subj'" in done.stderr


def test_parses_are_chosen(run: Run) -> None:
    Path("nbest.conllu").write_text(conllu(WRONG, *SENTENCES))
    args = ("--rules", "en-ja", *BASE, "--nbest", "nbest.conllu", "--unaligned", "drop")
    done = run("preorder", "choose-parses", *args, "--out", "chosen.conllu")
    assert done.returncode == 0 and "another than the first for 1" in done.stderr
    assert Path("chosen.conllu").read_text() == conllu(*SENTENCES)
    done = run("preorder", "choose-parses", *args, "--changed-only")
    assert done.stdout == conllu(SENTENCES[0])


def test_parse_wants_a_parser(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    assert run("preorder", "parse", "--source", "x.en").returncode == 2
    monkeypatch.setitem(sys.modules, "ufal.udpipe", None)
    done = run("preorder", "parse", "--source", "x.en", "--udpipe", "m")
    assert done.returncode == 2 and "pip install ufal.udpipe" in done.stderr


@pytest.mark.shared
def test_manual_links_and_gold_trees(run: Run, shared: Path) -> None:
    home = shared / "data" / "parallel" / "pud" / "en-ja"
    if not home.is_dir():
        pytest.skip("no parallel treebank beside the project")
    args = ["evaluate", "--align", str(home / "dev.align.gz"), "--parse", str(home / "dev.en.conllu.gz")]
    for name in ("none", "head-final", "en-ja"):
        args += ["--system", f"rules:set={name}"]
    done = run(*args, "--unaligned", "drop", "--samples", "200", "-o", "json")
    data = json.loads(done.stdout)
    kendall = [one["scores"]["kendall"]["score"] for one in data["systems"]]
    assert kendall == sorted(kendall)
    assert all(one["mark"] == "**" for one in data["pairs"] if one["metric"] == "kendall")
