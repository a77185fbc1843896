"""The command line of explanation, calibration and drawn trees of preorderers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.calls import Done, call

SOURCE = ["he bought a red car .", "", "yes", "my father is reading a newspaper ( in the garden ) ."]
LINKS = ["0-0 1-4 2-1 3-2 4-3 5-5", "", "0-0", "0-0 1-1 3-9 4-7 5-8 7-6 8-4 9-5 11-10"]
Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    (tmp_path / "s").write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    (tmp_path / "a").write_text("\n".join(LINKS) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return lambda *args: call(capsys, monkeypatch, *args)


@pytest.mark.parametrize("model", ["en-ja-crf", "en-ja"])
def test_models_are_explained(run: Run, model: str) -> None:
    whole = run("preorder", "explain", "--model", model, "--source", "s")
    assert (whole.returncode, whole.stderr) == (0, "")
    assert "without the word, log probability falls by" in whole.stdout and "⟨2,1⟩" in whole.stdout
    done = run("preorder", "explain", "--model", model, "--source", "s", "-f", "json", "--sentence", "4")
    (data,) = json.loads(done.stdout)
    assert data["number"] == 4 and len(data["without"]) == 12 and data["moved"]
    order = run("preorder", "apply", "--model", model, "--source", "s", "--as", "order").stdout.splitlines()[
        3
    ]
    assert " ".join(map(str, data["order"])) == order
    asked = "preorder", "apply", "--model", model, "--source", "s", "--as", "nbest", "-k", "2"
    nbest = run(*asked).stdout.splitlines()
    best = next(line for line in nbest if line.startswith("3 |||")).split(" ||| ")
    assert float(best[3]) == pytest.approx(data["expected_loss"], rel=1e-4, abs=1e-9)
    assert float(best[4]) == pytest.approx(data["log_probability"], rel=1e-4)
    tree = run("preorder", "apply", "--model", model, "--source", "s", "--as", "tree").stdout
    assert tree.splitlines()[3] == data["tree"]


def test_the_tree_is_drawn(run: Run, tmp_path: Path) -> None:
    for number in ("1", "2", "3"):
        asked = ("draw", "--model", "en-ja-crf", "--source", "s", "--sentence", number, "-o", "t.svg")
        assert (run(*asked).returncode, run(*asked).stderr) == (0, "")
        picture = (tmp_path / "t.svg").read_text(encoding="utf-8")
        ElementTree.fromstring(picture)
        if number == "1":
            assert picture.count('class="wo-node') == 5 and "⟨2,1⟩ 1.00" in picture


@pytest.mark.parametrize("model", ["en-ja-crf", "en-ja"])
def test_trees_of_preorderers_can_be_drawn(run: Run, model: str) -> None:
    lines = run("preorder", "apply", "--model", model, "--source", "s", "--as", "tree").stdout
    text = run("preorder", "apply", "--model", model, "--source", "s", "--as", "factor").stdout
    for line, factors in zip(lines.splitlines(), text.splitlines(), strict=True):
        if line.count("(tag_") < 2:
            continue
        data = json.loads(run("tree", line, "--as", "json").stdout)
        pairs = [factor.rsplit("|", 1) for factor in factors.split()]
        assert data["words"] == [word for word, _ in pairs]  # brackets are brackets again
        assert data["permutation"] == [int(place) for _, place in pairs]
        assert {node["arity"] for node in data["nodes"]} <= {2} or model == "en-ja"
    assert "expected an operator" in run("tree", "(X 1 2)").stderr


def test_what_cannot_be_explained(run: Run) -> None:
    source = ("--source", "s")
    for args, said in [
        (source, "missing option --model"),
        (("--model", "rules:en-ja", "--set", "a=b", *source), "rules has no setting 'a'"),
        (("--model", "identity", *source), "identity cannot explain its orders"),
        (("--model", "en-ja-crf", *source, "--sentence", "5"), "there is no sentence 5: s has 4"),
        (("--model", "en-ja-crf", *source, "--set", "adjacency=2"), "adjacency is 2"),
    ]:
        done = run("preorder", "explain", *args)
        assert (
            done.returncode != 0 or "language=ja" in args
        ) and said in done.stderr + done.stdout + "crf", args


def test_calibration_of_models(run: Run, tmp_path: Path) -> None:
    asked = ("preorder", "calibration", "--source", "s", "--align", "a")
    done = run(*asked, "en-ja-crf", "en-ja", "--svg", "c.svg")
    assert done.returncode == 0 and done.stderr == "wrote c.svg\n"
    assert "4 sentences, 2 of them with consistent links" in done.stdout and "whole orders" in done.stdout
    assert "en-ja: probabilities of orders include words that the links do not order" in done.stdout
    picture = (tmp_path / "c.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(picture)
    assert picture.count('class="wo-series') == 5 and "wo-band" not in picture.partition("</style>")[2]
    (data,) = json.loads(run(*asked, "en-ja-crf", "-f", "json", "--bins", "4").stdout)
    assert data["model"] == "en-ja-crf" and data["open"] is True
    assert data["pairs"]["count"] == 15 + 36 == sum(row["count"] for row in data["pairs"]["bins"])
    table = run(*asked, "en-ja-crf", "-f", "tsv", "--bins", "4").stdout
    rows = [line.split("\t") for line in table.splitlines()]
    assert rows[0][:5] == ["model", "what", "low", "high", "count"]
    told = [int(row[4]) for row in rows[1:] if row[1] == "pairs"]
    assert told == [row["count"] for row in data["pairs"]["bins"]]
    done = run(*asked, "oracle")
    assert done.returncode == 2 and "oracle has no probabilities" in done.stderr
